"""Ask Windows which window is in front."""

import ctypes
import sys

from deskbell.desktop.focus import NOBODY, Active, AskedScreen


class Windows(AskedScreen):
    name = "Windows"

    def active(self) -> Active | None:
        if sys.platform != "win32":
            return None
        user32 = ctypes.windll.user32
        window = user32.GetForegroundWindow()
        pid = ctypes.c_ulong()
        user32.GetWindowThreadProcessId(window, ctypes.byref(pid))
        return Active(pid.value) if window else NOBODY
