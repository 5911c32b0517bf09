"""Show and withdraw notices one by one, so that an error with one of them does not affect the others.

What fails is tried again after a pause that doubles, until it works or something else is to be in its slot.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

from deskbell.notices.guard import Guard
from deskbell.notices.notice import SUMMARY, Notice
from deskbell.notices.screen import Notifier
from deskbell.text.wording import short

FIRST_PAUSE, LONGEST_PAUSE = 1.0, 60.0
"""Seconds."""


class _Waiting(NamedTuple):
    notice: Notice | None
    """The notice to show; None to empty the slot."""
    what: str
    """A sentence that says what does not work."""
    due: float
    pause: float


class Showing:
    def __init__(self, screen: Notifier, guard: Guard) -> None:
        self._screen = screen
        self._guard = guard
        self._waiting: dict[str, _Waiting] = {}

    @property
    def again(self) -> float | None:
        """When to try again."""
        return min((one.due for one in self._waiting.values()), default=None)

    def show(self, notice: Notice, now: float) -> None:
        before = self._waiting.get(notice.slot)
        if notice.quiet and before and before.notice and not before.notice.quiet:
            notice = replace(notice, quiet=False, sound=before.notice.sound)  # it has not rung yet
        self._order(notice.slot, notice, now)

    def withdraw(self, slot: str, now: float) -> None:
        self._order(slot, None, now)

    def try_again(self, now: float) -> None:
        for slot, one in list(self._waiting.items()):
            # After the clock was set back, `due` may be far away: wait no longer than a pause.
            if not 0 < one.due - now <= LONGEST_PAUSE:
                self._order(slot, one.notice, now, min(2 * one.pause, LONGEST_PAUSE))

    def _order(self, slot: str, notice: Notice | None, now: float, pause: float = FIRST_PAUSE) -> None:
        if before := self._waiting.pop(slot, None):
            self._guard.forget(before.what)
        what = f"The notification {_about(slot, notice)} cannot be {'shown' if notice else 'withdrawn'}"
        if not self._guard.works(what, self._effect(slot, notice)):
            self._waiting[slot] = _Waiting(notice, what, now + pause, pause)

    def _effect(self, slot: str, notice: Notice | None) -> Callable[[], None]:
        return lambda: self._screen.show(notice) if notice else self._screen.withdraw(slot)


def _about(slot: str, notice: Notice | None) -> str:
    """Name what a notification is about, so that two sessions of a project have different names."""
    if slot == SUMMARY:
        return "about many sessions"
    project = f"{notice.about[0].project} " if notice and notice.about else ""
    return short(f"of {project}({slot[:8]})" if notice is None or notice.about else f'"{notice.title}"', 80)
