"""Does the system want no disturbance just now, and who says so?"""

import os
import sys
from collections.abc import Callable
from typing import Protocol


class Dnd(Protocol):
    def start(self) -> None:
        """In the running loop."""

    def now(self) -> str | None:
        """What holds notifications back, in words; None when nothing does, or when it cannot be known."""

    def stop(self) -> None: ...


class SilentDnd:
    def start(self) -> None:
        """Nothing is there to be started."""

    def now(self) -> str | None:
        return None

    def stop(self) -> None:
        """Nothing was started."""


def dnd(changed: Callable[[], None]) -> Dnd:
    """`changed` is called in the loop, where the system tells of a change."""
    if sys.platform == "linux":
        from deskbell.desktop.dnd.linux import BusDnd

        return BusDnd(changed, os.environ.get("XDG_CURRENT_DESKTOP", ""))
    if sys.platform == "darwin":
        from deskbell.desktop.dnd.macos import Macos

        return Macos()
    if sys.platform == "win32":
        from deskbell.desktop.dnd.windows import Windows

        return Windows()
    return SilentDnd()
