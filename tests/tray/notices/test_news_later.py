"""Test that a session that is to be heard of later is quiet for ten minutes, and rings once if it still waits."""

from deskbell.notices.judge import LOOK
from deskbell.notices.policy import Policy
from deskbell.notices.quiet import LATER_FOR, Quiet
from tests.tray.story import NOON, Story, session, several

API = session("api", "working", turn_started=NOON)


def puts_off(story: Story, *projects: str) -> Story:
    story.quiet = story.quiet.model_copy(update={"later": {f"{name}-id": story.now + LATER_FOR for name in projects}})
    return story.look()


def test_what_is_put_off_leaves_the_screen_and_rings_once_after_ten_minutes() -> None:
    story = puts_off(Story(API).does("api", "permission"), "api")
    assert story.screen == {}
    assert story.passes(LATER_FOR - 1).rings == ["api: permission"]
    assert story.passes(3600).rings == ["api: permission"] * 2
    assert [at - NOON for at, _ in story.calls] == [0, LATER_FOR]
    assert [said.partition(", ")[0] for said in story.said[1:]] == ["api: held", "api: shown after Later"]


def test_what_was_answered_meanwhile_does_not_ring() -> None:
    story = puts_off(Story(API).does("api", "permission"), "api").passes(60).does("api", "working")
    assert (story.passes(3600).rings, story.wake_at) == (["api: permission"], None)


def test_what_the_session_asks_next_waits_for_the_same_moment() -> None:
    story = puts_off(Story(API).does("api", "permission"), "api").passes(60).does("api", "working").passes(60)
    assert story.does("api", "question").passes(3600).rings[1:] == ["api: question"]
    assert story.calls[1][0] == NOON + LATER_FOR


def test_the_other_sessions_ring_as_ever() -> None:
    story = puts_off(Story(*several("ab")).does("a", "permission"), "a").passes(60)
    assert story.does("b", "permission").rings == ["a: permission", "b: permission"]
    assert story.names == ["b"]


def test_one_of_a_summary_can_be_put_off() -> None:
    story = Story(*several("abcd")).at_once("permission", *"abcd").passes(5)
    assert puts_off(story, "b").names == ["3 blocked"]
    assert story.passes(3600).names == ["3 blocked", "b"]


def test_several_that_were_put_off_together_ring_together() -> None:
    story = puts_off(Story(*several("ab")).at_once("permission", "a", "b"), "a", "b")
    assert story.passes(3600).rings[2:] == ["2 blocked"]


def test_taking_it_back_rings_at_once() -> None:
    story = puts_off(Story(API).does("api", "permission"), "api").passes(60)
    story.quiet = Quiet()
    assert story.look().rings == ["api: permission"] * 2


def test_a_snooze_that_ends_before_does_not_end_it_and_one_that_ends_after_goes_on() -> None:
    for seconds, rings_at in ((300, LATER_FOR), (1800, 1800)):
        story = Story(API).does("api", "permission")
        story.quiet = Quiet(snoozed_until=NOON + seconds)
        assert [at - NOON for at, _ in puts_off(story, "api").passes(3600).calls] == [0, rings_at]


def test_a_request_that_seemed_over_for_a_moment_rings_after_it_too() -> None:
    story = Story(API).does("api", "permission").passes(0.1).does("api", "working").passes(0.1)
    story.does("api", "permission", since=NOON)
    assert puts_off(story, "api").passes(3600).rings == ["api: permission"] * 2


def test_a_step_of_the_escalation_waits_for_its_end() -> None:
    again = Policy.model_validate({"escalation": {"minutes": 1, "steps": ["again"]}})
    story = puts_off(Story(API, policy=again).does("api", "permission"), "api").passes(3600)
    assert [at - NOON for at, _ in story.calls] == [0, LATER_FOR, LATER_FOR + 60]


def test_a_request_that_was_seen_is_not_looked_at_meanwhile() -> None:
    story = Story(API)
    story.focused = {"api"}
    puts_off(story.does("api", "permission"), "api")
    story.focused = set()
    assert (story.passes(LATER_FOR - LOOK).rings, story.asked_for_focus) == ([], 1)
    assert story.passes(LOOK).rings == ["api: permission"]
