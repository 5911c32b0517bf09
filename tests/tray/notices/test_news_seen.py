"""Test when a request rings that its person saw and did not answer."""

import pytest

from deskbell.notices.judge import LOOK, SEEN_FOR
from deskbell.notices.policy import Policy
from deskbell.notices.quiet import Quiet
from deskbell.notices.wants import ASKS, TURN_ENDS
from deskbell_hooks.schema import Status
from tests.tray.story import NOON, Story, session, several

API = session("api", "working", turn_started=NOON)


@pytest.mark.parametrize("status", sorted(ASKS))
def test_a_request_that_was_seen_rings_when_its_pane_is_left(status: Status) -> None:
    story = Story(API).passes(3)
    story.focused = {"api"}
    story.does("api", status).passes(15)
    story.focused = set()
    assert story.passes(3600).rings == [f"api: {status}"]
    assert story.calls[0][0] - NOON <= 3 + 15 + LOOK
    assert story.said == ["api: not shown, its pane was focused", "api: shown, its pane was left"]


@pytest.mark.parametrize("status", sorted(ASKS))
def test_a_request_that_stays_unanswered_in_front_of_the_person_rings_once_after_a_minute(status: Status) -> None:
    story = Story(API).passes(3)
    story.focused = {"api"}
    assert story.does("api", status).passes(3600).rings == [f"api: {status}"]
    assert story.calls[0][0] == NOON + 3 + SEEN_FOR
    assert story.said == ["api: not shown, its pane was focused", "api: shown, unanswered for a minute"]


@pytest.mark.parametrize("status", sorted(TURN_ENDS))
def test_an_end_of_turn_that_was_seen_never_rings(status: Status) -> None:
    story = Story(API).passes(30)
    story.focused = {"api"}
    story.does("api", status).passes(1.5)
    story.focused = set()
    assert (story.passes(3600).rings, story.wake_at) == ([], None)


def test_a_request_that_is_answered_in_front_of_the_person_never_rings() -> None:
    story = Story(API).passes(3)
    story.focused = {"api"}
    story.does("api", "permission").passes(20).does("api", "working")
    story.focused = set()
    assert (story.passes(3600).rings, story.wake_at) == ([], None)


def test_the_focus_is_looked_for_every_two_seconds_while_a_request_that_was_seen_waits() -> None:
    story = Story(*several("abc")).passes(3)
    story.focused = {"a"}
    story.does("a", "permission")
    for _ in range(20):
        story.passes(0.5).does("b", "working")
    assert story.asked_for_focus == 1 + 5


def test_a_request_that_was_seen_waits_for_the_end_of_a_snooze_and_is_not_looked_at_in_it() -> None:
    story = Story(API).passes(3)
    story.focused = {"api"}
    story.does("api", "permission")
    story.quiet = Quiet().snoozed(NOON + 1800)
    story.focused = set()
    assert (story.passes(1790).rings, story.asked_for_focus) == ([], 1)
    assert story.passes(10).rings == ["api: permission"]
    assert story.calls[0][0] == NOON + 1800


def test_a_mute_ends_the_looks_at_a_request_that_was_seen() -> None:
    story = Story(API).passes(3)
    story.focused = {"api"}
    story.does("api", "permission")
    story.quiet = Quiet().with_mute("sessions", "api-id")
    story.focused = set()
    assert (story.passes(3600).rings, story.wake_at) == ([], None)
    assert story.said[-1] == "api: not shown, this session is muted"


def test_a_request_that_was_seen_and_seemed_over_for_a_moment_rings_when_its_pane_is_left() -> None:
    story = Story(API).passes(3)
    story.focused = {"api"}
    story.does("api", "permission").passes(0.1).does("api", "working").passes(0.1)
    story.does("api", "permission", since=NOON + 3).passes(5)
    story.focused = set()
    assert story.passes(5).rings == ["api: permission"]


def test_requests_that_are_left_at_the_same_time_ring_together() -> None:
    story = Story(*several("abcd"))
    story.focused = set("abcd")
    story.at_once("permission", *"abcd").passes(5)
    story.focused = set()
    assert story.passes(60).rings == ["4 blocked"]


def test_a_request_that_is_left_when_a_step_is_due_rings_once() -> None:
    story = Story(API, policy=Policy.model_validate({"escalation": {"minutes": 1, "steps": ["again"]}}))
    story.focused = {"api"}
    assert story.does("api", "permission").passes(60).rings == ["api: permission"]
    assert story.passes(60).rings == ["api: permission"]
