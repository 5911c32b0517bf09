"""What is known of the person at the desktop: what they look at, and whether do-not-disturb is on."""

from collections.abc import Callable

from deskbell.desktop.dnd import Dnd, dnd
from deskbell.desktop.focus import Eyes
from deskbell.session import Session
from deskbell.supervision import Supervisor


class Person:
    def __init__(
        self,
        supervisor: Supervisor,
        changed: Callable[[], None],
        eyes: Eyes | None = None,
        disturb: Dnd | None = None,
    ) -> None:
        """CHANGED is called in the loop where the system reports a change."""
        self._supervisor = supervisor
        self.eyes = eyes or Eyes()
        self._dnd = disturb or dnd(supervisor, changed)

    def start(self) -> None:
        self.eyes.screen.start(self._supervisor)
        self._dnd.start()

    def focused(self, session: Session) -> bool | None:
        return self.eyes.focused(session.place, session.pid)

    def dnd(self) -> str | None:
        return self._dnd.now()

    def stop(self) -> None:
        self._dnd.stop()
        self.eyes.screen.stop()
