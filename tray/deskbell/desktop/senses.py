"""Find out what the person at the desktop looks at, and whether do-not-disturb is on."""

import asyncio
import contextlib
import time
from collections.abc import Callable

from deskbell.desktop.dnd import Dnd, dnd
from deskbell.desktop.focus import Eyes
from deskbell.session import Session
from deskbell.supervision import Supervisor

LOOKS_FOR = 0.8
"""Seconds that finding the focus may take in one turn of the loop; after that the focus is not known."""


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
        self._looked = 0.0
        """Seconds that finding the focus has taken in this turn of the loop."""

    def start(self) -> None:
        self.eyes.screen.start(self._supervisor)
        self._dnd.start()

    def focused(self, session: Session) -> bool | None:
        """Return whether the person looks at SESSION; None if that cannot be known, or not in time."""
        if self._looked >= LOOKS_FOR:
            return None
        begun = time.monotonic()
        try:
            return self.eyes.focused(session.place, session.pid)
        finally:
            self._looked += time.monotonic() - begun
            with contextlib.suppress(RuntimeError):  # outside a loop nothing waits
                asyncio.get_running_loop().call_soon(self._next_turn)

    @property
    def known(self) -> bool:
        return self._dnd.known

    def dnd(self) -> str | None:
        return self._dnd.now()

    def _next_turn(self) -> None:
        self._looked = 0.0

    def stop(self) -> None:
        self._dnd.stop()
        self.eyes.screen.stop()
