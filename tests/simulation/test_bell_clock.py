"""Test that a clock that is set back or ahead delays no ring, hides nothing and rings for nothing twice.

The same afternoon is played with a clock that nobody sets, and with one that steps: before an event, or between an event
and the reading of it.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deskbell.notices.judge import Senses
from deskbell.notices.notice import Notice
from deskbell.notices.policy import Policy
from deskbell.session import Session
from deskbell_hooks.schema import Status
from tests.tray.story import Story, several

NAMES = "abc"
POLICY = Policy.model_validate({"burst": {"more_than": 99}, "escalation": {"minutes": 5}})
RESCAN = 30.0
"""Seconds after which the program looks in any case."""
ON_TIME = 0.25
"""Seconds by which a ring may be later than without a step: nobody knows how long an event from the future waited to be
read."""
STEPS = tuple(sign * by for sign in (1, -1) for by in (0.04, 2.0, 90.0, 3600.0, 40_000_000.0))


class Event(NamedTuple):
    who: str
    does: Status
    pause: float
    """Seconds since the last event."""
    unread: float
    """Seconds until it is read."""
    hook: bool
    """Whether a hook says which request it is. Else the registry alone reports it."""
    steps: tuple[float, float] = (0.0, 0.0)
    """By how many seconds the clock is set before the event, and between the event and the reading."""


class Afternoon(Story):
    """A story by a clock that steps. `heard` has the rings by a clock that does not."""

    def __init__(self, even: bool) -> None:
        self._even = even
        self._set = 0.0
        self._number = 0
        self.heard: dict[tuple[str, str], list[float]] = {}
        """The times of the rings, by session and event."""
        super().__init__(*several(NAMES), policy=POLICY)

    def play(self, events: Sequence[Event]) -> "Afternoon":
        for event in events:
            self.passes(event.pause)
            self._step(event.steps[0])
            self._stamp(event)
            self._step(event.steps[1])
            self.passes(event.unread).look()
        return self.passes(700.0)

    def passes(self, seconds: float) -> "Afternoon":
        left = seconds
        while left > RESCAN:
            super().passes(RESCAN)
            self.look()
            left -= RESCAN
        super().passes(left)
        return self

    def _step(self, by: float) -> None:
        """Set the clock. The program does not notice: it waits for as many seconds as it wanted to."""
        self.now += by
        self._set += by
        if self.wake_at is not None:
            self.wake_at += by

    def _stamp(self, event: Event) -> None:
        known, self._number = self.sessions[event.who], self._number + 1
        changed: dict[str, object] = {"status": event.does, "since": self.now, "detail": str(self._number)}
        if event.does == "working":
            changed |= {"turn_started": self.now, "person_at": self.now, "turns": known.turns + 1}
        changed["ask"] = (self._number, "") if event.hook and event.does in ("permission", "question") else None
        self.sessions[event.who] = replace(known, **changed)  # type: ignore[arg-type]  # the fields of Session

    def _senses(self) -> Senses:
        return replace(super()._senses(), elapsed=self.now - self._set if self._even else None)

    def _put(self, notice: Notice) -> None:
        before = len(self.rung)
        super()._put(notice)
        for _, session in self.rung[before:]:
            self.heard.setdefault(_named(session), []).append(self.now - self._set)


def _named(session: Session) -> tuple[str, str]:
    return session.project, f"{session.status} {session.detail}"


@st.composite
def afternoons(draw: st.DrawFn) -> list[Event]:
    """Sessions that work before they want something again, as they do. Requests may follow each other at once."""
    doing: dict[str, Status] = dict.fromkeys(NAMES, "working")
    events = []
    for _ in range(draw(st.integers(1, 12))):
        who = draw(st.sampled_from(NAMES))
        hook = draw(st.booleans())
        wants: list[Status] = ["permission", "question", "idle", "interrupted", "error"]
        does = draw(st.sampled_from(wants if doing[who] == "working" else ["working"]))
        doing[who] = does
        step = draw(st.sampled_from((0.0, *STEPS)))  # of two between two readings, only the sum could be noticed
        steps = draw(st.sampled_from(((step, 0.0), (0.0, step))))
        pause, unread = draw(st.sampled_from([0.33, 1.5, 12.0, 40.0, 400.0])), draw(st.sampled_from([0.0, 0.2]))
        events.append(Event(who, does, pause, unread, hook, steps))
    return events


def without_steps(events: Sequence[Event]) -> list[Event]:
    return [event._replace(steps=(0.0, 0.0)) for event in events]


@pytest.mark.uncounted
@given(afternoons())
def test_the_steps_of_a_clock_delay_no_ring_and_hide_none_and_double_none(events: list[Event]) -> None:
    steady, stepping = (Afternoon(even=True).play(one).heard for one in (without_steps(events), events))
    for what, rang in steady.items():
        assert what in stepping, f"{what} does not ring"
        assert stepping[what][0] <= rang[0] + ON_TIME, f"{what} rings late"
        assert len(stepping[what]) == len(rang), f"{what} rings {len(stepping[what])} times in place of {len(rang)}"
    assert {what for what in stepping.keys() - steady.keys() if not what[1].startswith("idle")} == set()


@pytest.mark.uncounted
@given(afternoons())
def test_without_an_even_clock_no_request_is_hidden_or_held_back(events: list[Event]) -> None:
    steady, stepping = (Afternoon(even=False).play(one).heard for one in (without_steps(events), events))
    for what, rang in steady.items():
        if what[1].startswith(("permission", "question")):
            assert stepping[what][0] <= rang[0] + ON_TIME
