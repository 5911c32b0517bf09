"""Find out which session the person looks at, and whether do-not-disturb is on."""

from collections.abc import Callable

from deskbell.desktop.dnd import Dnd, dnd
from deskbell.desktop.focus import Eyes
from deskbell.desktop.focus.looker import Looker
from deskbell.session import Session
from deskbell.supervision import Supervisor


class Person:
    """What is known about the person at the desktop."""

    def __init__(
        self,
        supervisor: Supervisor,
        changed: Callable[[], None],
        eyes: Eyes | None = None,
        disturb: Dnd | None = None,
    ) -> None:
        """CHANGED is called in the loop when the system reports a change."""
        self._supervisor = supervisor
        self.eyes = eyes or Eyes()
        self._looker = Looker(supervisor, changed, self.eyes)
        self._dnd = disturb or dnd(supervisor, changed)

    def start(self) -> None:
        self.eyes.screen.start(self._supervisor)
        self._dnd.start()

    def focused(self, session: Session) -> bool | None:
        """Return whether the person looks at SESSION; None if that cannot be known, or not yet."""
        return self._looker.focused(session)

    def awaits_focus(self, session: Session) -> bool:
        """Return whether the answer about SESSION is still to come. It will wake the loop."""
        return self._looker.awaits_focus(session)

    @property
    def known(self) -> bool:
        return self._dnd.known

    def dnd(self) -> str | None:
        return self._dnd.now()

    def stop(self) -> None:
        self._dnd.stop()
        self._looker.stop()
        self.eyes.screen.stop()
