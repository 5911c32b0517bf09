"""Ask Windows whether notifications are welcome now: no full-screen program, presentation or quiet time."""

import ctypes
import sys

# SHQueryUserNotificationState, shellapi.h
STATES = {
    2: "a full-screen program is running",
    3: "a full-screen program is running",
    4: "a presentation is running",
    6: "Windows' quiet time is on",
}


class Windows:
    known = True

    def start(self) -> None:
        """Start nothing: Windows is asked each time."""

    def now(self) -> str | None:
        if sys.platform != "win32":
            return None
        state = ctypes.c_int()
        failed = ctypes.windll.shell32.SHQueryUserNotificationState(ctypes.byref(state))
        return None if failed else STATES.get(state.value)

    def stop(self) -> None:
        """Stop nothing."""
