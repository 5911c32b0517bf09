"""What is known of the person at the desktop: what they look at, and whether the system lets nothing disturb them?"""

from collections.abc import Callable

from deskbell.desktop.dnd import Dnd, dnd
from deskbell.desktop.focus import Eyes
from deskbell.session import Session


class Person:
    def __init__(self, changed: Callable[[], None], eyes: Eyes | None = None, disturb: Dnd | None = None) -> None:
        """`changed` is called where the system tells of a change."""
        self.eyes = eyes or Eyes()
        self._dnd = disturb or dnd(changed)

    def start(self) -> None:
        self.eyes.screen.start()
        self._dnd.start()

    def focused(self, session: Session) -> bool | None:
        return self.eyes.focused(session.place, session.pid)

    def dnd(self) -> str | None:
        return self._dnd.now()

    def stop(self) -> None:
        self._dnd.stop()
        self.eyes.screen.stop()
