"""Find out whether the system wants no disturbance now, and which of its settings says so."""

import os
import sys
from collections.abc import Callable
from typing import Protocol

from deskbell.supervision import Supervisor


class Dnd(Protocol):
    @property
    def known(self) -> bool:
        """Whether the system has been asked, answer or not."""

    def start(self) -> None:
        """Call this in the running loop."""

    def now(self) -> str | None:
        """Return what holds notifications back, in words; None if nothing does, or if that cannot be known."""

    def stop(self) -> None: ...


class SilentDnd:
    known = True

    def start(self) -> None:
        """Start nothing."""

    def now(self) -> str | None:
        return None

    def stop(self) -> None:
        """Stop nothing."""


def dnd(supervisor: Supervisor, changed: Callable[[], None]) -> Dnd:
    """CHANGED is called in the loop where the system reports a change."""
    if sys.platform == "linux":
        from deskbell.desktop.dnd.linux import BusDnd

        return BusDnd(supervisor, changed, os.environ.get("XDG_CURRENT_DESKTOP", ""))
    if sys.platform == "darwin":
        from deskbell.desktop.dnd.macos import Macos

        return Macos()
    if sys.platform == "win32":
        from deskbell.desktop.dnd.windows import Windows

        return Windows()
    return SilentDnd()
