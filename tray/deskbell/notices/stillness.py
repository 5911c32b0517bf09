"""How quiet does the person want it at the moment? Read again when the file has changed, and changed with a click."""

from collections.abc import Callable
from pathlib import Path

from deskbell.actions import Snooze
from deskbell.notices import quiet
from deskbell.notices.quiet import Quiet
from deskbell.stamp import Stamp, stamp


class Stillness:
    def __init__(self, state: Path, clock: Callable[[], float]) -> None:
        self._state = state
        self._clock = clock
        self._stamp: Stamp | None = None
        self._quiet = Quiet()

    def quiet(self) -> Quiet:
        found = stamp(self._state / "quiet.json")
        if found != self._stamp:
            self._quiet, self._stamp = quiet.read(self._state), found
        return self._quiet

    def snooze(self, wish: Snooze) -> None:
        until = None if wish.until is None else quiet.until(wish.until, self._clock())
        quiet.write(self._state, self.quiet().snoozed(until))

    def mute(self, session_id: str, muted: bool) -> None:
        now = self.quiet()
        change = now.with_mute("sessions", session_id) if muted else now.without_mute("sessions", session_id)
        quiet.write(self._state, change)

    def muted(self) -> frozenset[str]:
        """The sessions that are muted by themselves."""
        now = self._clock()
        return frozenset(name for name, until in self.quiet().sessions.items() if until is None or until > now)
