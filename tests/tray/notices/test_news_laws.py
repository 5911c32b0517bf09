"""Test the laws of `news` that hold for every history."""

import os
from typing import NamedTuple

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from deskbell.notices.judge import LOOK, SEEN_FOR
from deskbell.notices.notice import SUMMARY
from deskbell.notices.policy import Policy
from deskbell.session import GROUPS, STATUSES
from deskbell_hooks.schema import Status
from tests.tray.story import NOON, Story, several

NAMES = "abcde"
MORE = 8 if os.environ.get("DESKBELL_THOROUGH") else 4
"""Times as many examples for the two laws that rare histories break."""
LOOKS = round(SEEN_FOR / LOOK) * len(NAMES)
"""The most looks at the focus of requests that were seen."""


class Moment(NamedTuple):
    after: float
    who: str
    does: Status | None
    """None: it leaves the board."""
    focused: bool
    dnd: bool
    snooze: float
    later: bool = False
    """The person puts it off."""


WAITS = st.sampled_from([0.0, 0.125, 0.5, 1.0, 1.875, 3.0, 11.0, 70.0, 700.0])  # exact in binary: sums do not drift
MOMENTS = st.builds(
    Moment,
    after=WAITS,
    who=st.sampled_from(NAMES),
    does=st.sampled_from([*STATUSES, None]),
    focused=st.booleans(),
    dnd=st.integers(0, 9).map(lambda n: n == 0),
    snooze=st.sampled_from([0.0] * 9 + [30.0]),
    later=st.integers(0, 9).map(lambda n: n == 0),
)
HISTORIES = st.lists(MOMENTS, max_size=30)
POLICIES = st.sampled_from(
    [
        Policy(),
        Policy.model_validate({"escalation": {"minutes": 1}}),
        Policy.model_validate({"burst": {"more_than": 1}}),
    ]
)


def play(history: list[Moment], policy: Policy, wakes: list[float] | None = None) -> Story:
    """Play HISTORY. WAKES are additional calls of `news` in between, each after so many seconds."""
    story = Story(*several(NAMES), policy=policy)
    shuffled = iter(wakes or [])
    for moment in history:
        wait = moment.after
        if (extra := next(shuffled, None)) is not None:
            early = min(wait, extra)
            story.passes(early).look().look()
            wait -= early
        story.passes(wait)
        story.focused = {moment.who} if moment.focused else set()
        story.dnd = "paused" if moment.dnd else None
        if moment.snooze:
            story.quiet = story.quiet.snoozed(story.now + moment.snooze)
        if moment.later:
            later = {**story.quiet.later, f"{moment.who}-id": story.now + 30}
            story.quiet = story.quiet.model_copy(update={"later": later})
        if moment.does:
            story.does(moment.who, moment.does)
        elif moment.who in story.sessions:
            story.leaves(moment.who)
        else:
            story.look()
        holds(story)
    return story


def holds(story: Story) -> None:
    """At most one notification for each session, and none for a session that wants nothing."""
    on_screen = [key for notice in story.screen.values() for key in notice.sessions]
    assert len(on_screen) == len(set(on_screen))
    wanting = {s.key for s in story.board.sessions if GROUPS[s.status] == "needs_you"}
    crashed = {key for key, want in story.memory.wants.items() if want.session.status == "crashed"}
    assert set(on_screen) <= wanting | crashed
    assert (SUMMARY in story.screen) == (story.memory.summary is not None)


@settings(max_examples=MORE * settings().max_examples)
@given(HISTORIES, POLICIES)
def test_never_two_notifications_for_one_session_and_none_for_one_that_wants_nothing(
    history: list[Moment], policy: Policy
) -> None:
    play(history, policy)


@given(HISTORIES, POLICIES)
def test_every_notification_is_withdrawn_when_everything_is_answered(history: list[Moment], policy: Policy) -> None:
    story = play(history, policy)
    for name in list(story.sessions):
        story.does(name, "working")
    story.passes(700)
    assert story.screen == {}


@given(HISTORIES, POLICIES)
def test_no_notification_without_a_transition(history: list[Moment], policy: Policy) -> None:
    quiet = Policy.model_validate({**policy.model_dump(), "escalation": {"minutes": 0}})
    story = play(history, quiet)
    transitions = [m for m in history if (m.does and GROUPS[m.does] == "needs_you") or m.does == "crashed"]
    held = sum("held" in d.verdict for d in story.decisions)
    assert len(story.rings) <= len(transitions) + held


@example(
    [
        Moment(after=0.0, who="a", does=does, focused=False, dnd=False, snooze=0.0)
        for does in ("crashed", "permission", "crashed")
    ]
)
@example(
    [
        Moment(after=0.0, who="e", does=does, focused=False, dnd=False, snooze=0.0)
        for does in ("interrupted", "working", "interrupted")
    ]
)
@given(HISTORIES)
def test_no_want_rings_twice_by_itself(history: list[Moment]) -> None:
    """A session that asked at one moment rings once for it, whatever it seems to do in between."""
    story = Story(*several(NAMES))
    for moment in history:
        story.passes(moment.after)
        if moment.does:
            story.does(moment.who, moment.does, since=NOON + (story.now - NOON) // 10 * 10)
    alone = [(n.slot, n.status, s.since) for n, s in story.rung if n.slot != SUMMARY]
    assert len(alone) == len(set(alone))


@given(HISTORIES, POLICIES)
def test_the_same_history_twice_gives_the_same_notifications(history: list[Moment], policy: Policy) -> None:
    first, second = play(history, policy), play(history, policy)
    assert (first.calls, first.decisions) == (second.calls, second.decisions)


@pytest.mark.long
@settings(max_examples=MORE * settings().max_examples)
@given(HISTORIES, POLICIES, st.lists(WAITS))
def test_additional_calls_change_nothing(history: list[Moment], policy: Policy, wakes: list[float]) -> None:
    plain, woken = play(history, policy), play(history, policy, wakes)
    assert (woken.rings, woken.screen, woken.said) == (plain.rings, plain.screen, plain.said)


@given(HISTORIES, POLICIES)
def test_it_always_comes_to_rest(history: list[Moment], policy: Policy) -> None:
    """If nothing more happens, it asks to be called a bounded number of times."""
    story = play(history, policy)
    story.dnd = None
    for _ in range(len(NAMES) * 8 + LOOKS):
        if (due := story.due()) is None:
            break
        story.now = due
        story.look()
    assert story.due() is None
