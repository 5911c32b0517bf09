"""Bring the window of a terminal to the front on Windows; GetForegroundWindow proves it.

If the terminal has told the number of its window, that is the window: a console that was handed over to Windows
Terminal is not below its process.
"""

import ctypes
import sys
from collections.abc import Callable
from typing import Any

from deskbell.desktop.jump.arrival import Step
from deskbell.desktop.jump.desk import Desk, Tab
from deskbell.desktop.jump.spot import Spot, program

RESTORE = 9
"""SW_RESTORE: https://learn.microsoft.com/windows/win32/api/winuser/nf-winuser-showwindow"""


def window(spot: Spot, _desk: Desk, tab: Tab | None) -> Step | None:
    if sys.platform != "win32":
        return None
    callback = ctypes.WINFUNCTYPE(ctypes.c_bool, ctypes.c_void_p, ctypes.c_void_p)
    return step(spot, ctypes.windll.user32, callback, tab.window if tab else None)


def step(
    spot: Spot, user32: Any, callback: Callable[[Callable[[int, int], bool]], Any], named: int | None = None
) -> Step | None:
    """Return the window NAMED, else that of the nearest process above SPOT with a visible window; None without one."""
    owned: dict[int, int] = {}
    pids: dict[int, int] = {}

    def note(number: int, _: int) -> bool:
        pid = ctypes.c_ulong()
        user32.GetWindowThreadProcessId(number, ctypes.byref(pid))
        if user32.IsWindowVisible(number):
            owned.setdefault(int(pid.value), number)
            pids[number] = int(pid.value)
        return True

    user32.EnumWindows(callback(note), 0)
    pid = pids.get(named or 0) or next((pid for pid in spot.line if pid in owned), None)
    if pid is None:
        return None
    number = named if named in pids else owned[pid]

    def bring() -> None:
        if user32.IsIconic(number):
            user32.ShowWindow(number, RESTORE)
        user32.SetForegroundWindow(number)

    name = program(pid).removesuffix(".exe") or "the terminal"
    return Step("window", f"the window of {name}", bring, lambda: bool(user32.GetForegroundWindow() == number))
