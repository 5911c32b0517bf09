"""Find out whether do-not-disturb is on, and which setting of the system says so."""

import os
import sys
from collections.abc import Callable
from typing import Protocol

from deskbell.supervision import Supervisor


class Dnd(Protocol):
    """Reads do-not-disturb of one system."""

    @property
    def known(self) -> bool:
        """Whether the system has been asked, even if it did not answer."""

    def start(self) -> None:
        """Call this in the running loop."""

    def now(self) -> str | None:
        """Return what holds notifications back, in words; None if nothing does or if it is not known."""

    def stop(self) -> None: ...


class SilentDnd:
    """For a system whose do-not-disturb cannot be read."""

    known = True

    def start(self) -> None:
        """Start nothing."""

    def now(self) -> str | None:
        return None

    def stop(self) -> None:
        """Stop nothing."""


def dnd(supervisor: Supervisor, changed: Callable[[], None]) -> Dnd:
    """Return what reads do-not-disturb here. It calls CHANGED in the loop when the system reports a change."""
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
