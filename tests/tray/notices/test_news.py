"""Test when Deskbell rings and when it does not, with a story for each promise."""

from dataclasses import replace
from datetime import datetime

import pytest

from deskbell.notices.judge import ANSWER_OF_HOOK, REPORTED_BY_HOOK
from deskbell.notices.policy import Policy
from deskbell.notices.quiet import Quiet
from deskbell.notices.wants import ASKS
from deskbell.session import STATUSES
from deskbell_hooks.schema import Status
from tests.tray.story import NOON, Story, named, session, several

API = session("api", "working", turn_started=NOON)
AT_ONCE: tuple[Status, ...] = ("permission", "question", "plan", "input", "interrupted", "error", "crashed")


def policy(**parts: object) -> Policy:
    return Policy.model_validate(parts)


@pytest.mark.parametrize("status", AT_ONCE)
def test_a_session_that_waits_rings_at_once(status: Status) -> None:
    assert Story(API).passes(3).does("api", status).rings == [f"api: {status}"]


@pytest.mark.parametrize("status", ["working", "background", "ended"])
def test_a_session_that_runs_or_has_ended_does_not_ring(status: Status) -> None:
    assert Story(API).passes(30).does("api", status).passes(60).rings == []


# seconds, and what the session does then
LONG_TURN: dict[str, list[tuple[float, Status]]] = {
    "one long turn": [(12, "idle")],
    "a permission in between": [(3, "permission"), (3, "working"), (12, "idle")],
    "a permission that a hook gives": [(6, "permission"), (0.4, "working"), (6, "idle")],
    "a permission that a hook gives just before its end": [(11, "permission"), (0.4, "idle")],
    "a background task, then the machine's own short turn": [(2, "background"), (60, "working"), (1, "idle")],
}
SHORT_TURN: dict[str, list[tuple[float, Status]]] = {
    "one short turn": [(4, "idle")],
    "background tasks still run": [(30, "background"), (600, "background")],
    "a queued prompt begins the next turn at once": [(30, "idle"), (0.2, "working"), (30, "working")],
    "between two machine-made turns": [(30, "background"), (30, "idle"), (0.1, "working"), (9, "background")],
}


@pytest.mark.parametrize("history", LONG_TURN.values(), ids=LONG_TURN)
def test_the_end_of_a_long_turn_rings_once(history: list[tuple[float, Status]]) -> None:
    story = Story(API)
    for seconds, status in history:
        story.passes(seconds).does("api", status)
    assert [r for r in story.passes(60).rings if "idle" in r] == ["api: idle"]


@pytest.mark.parametrize("history", SHORT_TURN.values(), ids=SHORT_TURN)
def test_the_end_of_a_short_turn_does_not_ring(history: list[tuple[float, Status]]) -> None:
    story = Story(API)
    for seconds, status in history:
        story.passes(seconds).does("api", status)
    assert story.passes(60).rings == []


# what the session does in a turn of 12 s, and what the person does in it: each (seconds, status, fields)
STILL_THERE: dict[str, list[tuple[float, Status, dict[str, object]]]] = {
    "an answer": [(8, "permission", {}), (1.5, "working", {}), (1.2, "idle", {})],
    "an answer that is seen with the end of the turn": [(8, "permission", {}), (3, "idle", {})],
    "an answer to the first of two requests": [
        (8, "permission", {}), (2, "permission", {}), (0.4, "working", {}), (1.2, "idle", {})
    ],
    "an answer after which the turn goes on from its beginning": [
        (8, "question", {}), (1.5, "working", {"since": NOON}), (1.2, "idle", {})
    ],
    "an answer in the background": [(2, "background", {}), (60, "permission", {}), (2, "background", {}), (3, "idle", {})],
    "a dialog of their own": [(8, "input", {}), (2, "working", {}), (2, "idle", {})],
    "a dialog of their own that changes no status": [
        (9, "background", {}), (60, "working", {"person_at": NOON + 68}), (3, "idle", {})
    ],
    "an escape that lets a queued prompt begin": [
        (9, "working", {"person_at": NOON + 5}), (9, "working", {"person_at": NOON + 17}), (6, "idle", {})
    ],
    "a prompt that is queued": [(9, "working", {"person_at": NOON + 9}), (3, "idle", {})],
    "a prompt while a background task runs": [
        (9, "background", {}), (60, "working", {"person_at": NOON + 69}), (3, "idle", {})
    ],
    "a prompt that is seen with the end of its turn": [
        (30, "background", {}), (9, "idle", {"person_at": NOON + 37})
    ],
}  # fmt: skip


@pytest.mark.parametrize("history", STILL_THERE.values(), ids=STILL_THERE)
def test_the_end_of_a_long_turn_is_silent_if_the_person_was_there_seconds_ago(
    history: list[tuple[float, Status, dict[str, object]]],
) -> None:
    story = Story(API)
    for seconds, status, more in history:
        story.passes(seconds).does("api", status, **more)
    assert [r for r in story.passes(60).rings if "idle" in r] == []
    assert story.said[-1] == "api: not shown, its turn ended less than 10 s after your last prompt or answer"


def test_after_an_escape_the_next_turn_counts_from_its_own_prompt() -> None:
    story = Story(API, policy=policy(rings={"interrupted": {"delay": 5}})).passes(30).does("api", "interrupted")
    assert story.passes(1).does("api", "working").passes(4).does("api", "idle").passes(60).rings == []


@pytest.mark.parametrize("begun", [NOON + 34, NOON], ids=["the registry's", "that of the turn before"])
@pytest.mark.parametrize("since", [NOON + 34, NOON - 1], ids=["now", "long ago"])
def test_a_break_is_no_part_of_the_turn_after_it(begun: float, since: float) -> None:
    """The registry's busy is read before the record holds the prompt."""
    story = Story(session("api", "working", turn_started=NOON, turns=1)).passes(20).does("api", "idle").passes(14)
    story.does("api", "working", turn_started=begun, since=since).passes(0.1)
    assert story.does("api", "idle").passes(5).rings == ["api: idle"]


def test_a_turn_that_passed_between_two_readings_counts_by_its_own_seconds() -> None:
    story = Story(session("api", turns=1))
    assert story.passes(40).does("api", "idle", turns=2, last_turn_seconds=35.0).passes(2).rings == ["api: idle"]


def test_the_first_reading_is_silent_about_all_that_asks_nothing() -> None:
    others = sorted(set(STATUSES) - ASKS)
    assert Story(*(session(status, status) for status in others)).passes(60).rings == []


# sessions that are new on the board, and the rings
APPEARING = {
    "one that starts": (session("new", "idle", NOON + 10, turns=0), []),
    "one that is resumed": (session("new", "idle", NOON + 10, turns=7, last_turn_seconds=90.0), []),
    "one that waited before we looked": (session("new", "permission", NOON - 10), ["new: permission"]),
    "one that was stopped before we looked": (session("new", "interrupted", NOON - 10), []),
    "one found dead": (session("new", "crashed", NOON + 10), []),
    "one whose first event is a request": (
        session("new", "permission", NOON + 10),
        ["new: permission"],
    ),
}


@pytest.mark.parametrize(("seen", "rings"), APPEARING.values(), ids=APPEARING)
def test_a_session_that_is_new_on_the_board(seen: object, rings: list[str]) -> None:
    story = Story(API).passes(11)
    story.sessions["new"] = seen  # type: ignore[assignment]  # a Session of the table
    assert story.look().passes(5).rings == rings


def test_a_session_is_the_same_when_its_process_becomes_known() -> None:
    story = Story(session("api", "working", pid=None)).passes(3).does("api", "permission")
    story.does("api", "permission", pid=77, since=story.now)
    assert (story.rings, len(story.screen)) == (["api: permission"], 1)
    assert story.does("api", "working").screen == {}


def test_a_print_session_never_rings_and_why_says_so() -> None:
    story = Story(session("api", "working", hidden=True)).passes(3).does("api", "permission")
    assert (story.rings, story.said) == ([], ["api: not shown, it runs unattended (claude -p)"])


def test_a_second_question_of_the_same_session_rings_again_in_the_same_place() -> None:
    story = Story(API).passes(3).does("api", "permission", "Bash: make")
    story.passes(5).does("api", "permission", "Bash: make install")
    assert (story.rings, len(story.screen)) == (["api: permission"] * 2, 1)
    assert "make install" in story.text("api-id:414")


def test_the_next_request_rings_however_soon_it_was_made() -> None:
    """Two subagents ask 0.2 s apart; the dialog of the second opens when the first one is answered."""
    story = Story(API).passes(3).does("api", "permission", "Bash: touch a", ask=(10, "a")).passes(7)
    story.does("api", "permission", "Bash: touch b", ask=(20, "b"), since=NOON + 3.2)
    assert (story.rings, len(story.screen)) == (["api: permission"] * 2, 1)


def test_a_request_whose_hook_was_slower_than_that_of_the_next_one_only_changes_the_text() -> None:
    story = Story(API).passes(3).does("api", "permission", "Bash: touch b", ask=(20, "b"))
    story.passes(0.5).does("api", "permission", "Bash: touch a", ask=(10, "a"), since=NOON + 2.8)
    assert story.rings == ["api: permission"]
    assert "touch a" in story.text("api-id:414")


def test_a_hook_that_follows_the_registry_only_changes_the_text() -> None:
    story = Story(API).passes(3).does("api", "input", "permission prompt")
    story.passes(0.1).does("api", "permission", "Bash: npm publish")
    assert story.rings == ["api: input"]
    assert "npm publish" in story.text("api-id:414")


def test_a_request_that_seemed_answered_for_a_moment_rings_once() -> None:
    story = Story(API).passes(3).does("api", "permission", "Bash: make")
    story.passes(0.1).does("api", "working").passes(0.1).does("api", "permission", "Bash: make", since=NOON + 3)
    assert (story.rings, story.names) == (["api: permission"], ["api"])
    assert story.does("api", "working").screen == {}


def test_a_turn_that_seems_to_be_interrupted_again_before_the_hook_of_the_next_prompt_comes_rings_once() -> None:
    story = Story(API).does("api", "working").passes(3).does("api", "interrupted").passes(2)
    story.does("api", "working", turn_started=NOON).passes(0.1).does("api", "interrupted")
    assert (story.rings, story.names) == (["api: interrupted"], ["api"])
    assert story.does("api", "working").passes(3).does("api", "interrupted").rings == ["api: interrupted"] * 2


@pytest.mark.parametrize("status", sorted(REPORTED_BY_HOOK))
def test_a_request_that_a_hook_answers_does_not_ring(status: Status) -> None:
    story = Story(API).passes(3)
    story.patience = ANSWER_OF_HOOK
    story.does("api", status).passes(0.1).does("api", "working").passes(60)
    assert (story.rings, story.said) == ([], ["api: not shown, it was answered before its delay was over"])


def test_a_request_that_no_hook_answers_in_time_rings_as_soon_as_that_is_known() -> None:
    story = Story(API).passes(3)
    story.patience = ANSWER_OF_HOOK
    assert story.does("api", "permission").rings == []
    assert story.passes(60).rings == ["api: permission"]
    assert story.calls[0][0] == NOON + 3 + ANSWER_OF_HOOK


def test_a_request_that_seems_answered_before_a_hook_could_answer_rings_when_it_comes_back() -> None:
    story = Story(API).passes(3)
    story.patience = ANSWER_OF_HOOK
    story.does("api", "permission").passes(0.1).does("api", "working").passes(0.1)
    assert story.does("api", "permission", since=NOON + 3).passes(1).rings == ["api: permission"]


def test_without_another_hook_a_request_rings_at_once() -> None:
    assert Story(API).passes(3).does("api", "permission").calls[0][0] == NOON + 3


@pytest.mark.parametrize("status", ["input", "interrupted", "error", "crashed"])
def test_what_no_hook_can_answer_rings_at_once(status: Status) -> None:
    story = Story(API).passes(3)
    story.patience = ANSWER_OF_HOOK
    assert story.does("api", status).rings == [f"api: {status}"]


def test_a_longer_delay_of_the_settings_counts_from_the_request_too() -> None:
    story = Story(API, policy=policy(rings={"permission": {"delay": 5}})).passes(3)
    story.patience = ANSWER_OF_HOOK
    story.does("api", "permission").passes(60)
    assert story.calls[0][0] == NOON + 8


def test_a_session_that_the_person_looks_at_does_not_ring() -> None:
    story = Story(API).passes(3)
    story.focused = {"api"}
    assert story.does("api", "permission").rings == []
    assert story.said == ["api: not shown, its pane was focused"]


def test_it_rings_where_the_focus_is_unknown() -> None:
    story = Story(API).passes(3)
    story.focus_known = False
    assert story.does("api", "permission").rings == ["api: permission"]


def test_the_settings_can_ring_for_the_focused_pane_too() -> None:
    story = Story(API, policy=policy(silence={"when_focused": False})).passes(3)
    story.focused = {"api"}
    assert story.does("api", "permission").rings == ["api: permission"]


@pytest.mark.parametrize("then", ["working", "background", "ended", "idle"])
def test_a_notification_is_withdrawn_when_the_session_goes_on(then: Status) -> None:
    assert Story(API).passes(3).does("api", "permission").passes(9).does("api", then).screen == {}


def test_a_notification_is_withdrawn_when_its_session_is_gone() -> None:
    assert Story(API).passes(3).does("api", "permission").leaves("api").screen == {}


def test_a_crash_stays_on_the_screen_after_its_session_has_left_the_board() -> None:
    story = Story(API).passes(3).does("api", "crashed").passes(11).look()
    assert (story.board.sessions, story.names) == ((), ["api"])
    assert story.passes(600).screen == {}


def test_a_crash_that_stays_on_the_board_rings_once_and_leaves_the_screen_after_ten_minutes() -> None:
    story = Story(API).passes(3).does("api", "crashed", kept_until=NOON + 9999)
    assert story.passes(599).names == ["api"]
    assert story.passes(1).look().screen == {}
    assert [session.status for session in story.passes(3600).board.sessions] == ["crashed"]
    assert story.rings == ["api: crashed"]


def test_nothing_rings_because_a_session_is_suspended_or_goes_on() -> None:
    story = Story(API).passes(3).does("api", "permission").passes(60)
    before = list(story.rings)
    for suspended in (True, False):
        story.sessions["api"] = replace(story.sessions["api"], suspended=suspended)
        story.look().passes(60)
    assert (story.rings, story.names) == (before, ["api"])


def test_a_crash_is_forgotten_when_the_session_is_resumed() -> None:
    story = Story(API).passes(3).does("api", "crashed").passes(60)
    assert story.does("api", "idle", pid=4711).screen == {}


def test_three_at_the_same_time_are_three_notifications() -> None:
    story = Story(*several("abc")).at_once("permission", *"abc")
    assert sorted(story.rings) == ["a: permission", "b: permission", "c: permission"]


def test_more_than_three_at_the_same_time_are_one() -> None:
    story = Story(*several("abcdefg")).at_once("permission", *"abcdefg")
    assert story.rings == ["7 blocked"]


def test_the_fourth_within_two_seconds_makes_one_summary_of_all_four() -> None:
    story = Story(*several("abcde"))
    for name in "abcde":
        story.passes(0.4).does(name, "permission")
    assert story.rings[3:] == ["4 blocked", "5 blocked"]
    assert story.names == ["5 blocked"]
    assert [line[0] for line in story.screen["summary"].body.splitlines()] == list("abcde")


def test_sessions_that_ring_one_after_the_other_stay_apart() -> None:
    story = Story(*several("abcde"))
    for name in "abcde":
        story.passes(1).does(name, "permission")
    assert sorted(story.names) == list("abcde")


def test_a_summary_follows_its_sessions_without_a_sound() -> None:
    story = Story(*several("abcd")).at_once("permission", *"abcd").passes(5)
    rings = list(story.rings)
    assert story.does("a", "working").names == ["3 blocked"]
    story.does("b", "working").does("c", "working")
    assert story.names == ["d"]
    assert story.does("d", "working").screen == {}
    assert story.rings == rings


def test_a_dismissed_summary_stays_away() -> None:
    story = Story(*several("abcd")).at_once("permission", *"abcd").passes(5).dismissed("summary")
    assert story.does("a", "working").passes(60).screen == {}


def test_a_dismissed_notification_stays_away() -> None:
    story = Story(API).passes(3).does("api", "permission", "Bash").dismissed("api-id:414")
    assert story.does("api", "permission", "Bash: make", since=story.now).passes(600).screen == {}


def test_an_unanswered_request_rings_again_then_louder_then_on_the_phone() -> None:
    phone = {"name": "phone", "kind": "ntfy", "url": "https://ntfy.sh/t"}
    story = Story(API, policy=policy(escalation={"minutes": 5}, channels=[phone])).passes(3).does("api", "permission")
    story.passes(3600)
    assert [(round(at - NOON - 3), n.sound) for at, n in story.calls] == [(0, ""), (300, ""), (600, "default")]
    assert [name for name, _ in story.sent] == ["phone"]
    assert "api: replaced, unanswered for 5 min" in story.said


def test_the_escalation_stops_when_it_is_answered() -> None:
    story = Story(API, policy=policy(escalation={"minutes": 5})).passes(3).does("api", "permission")
    assert story.passes(200).does("api", "working").passes(3600).rings == ["api: permission"]


def test_without_an_escalation_it_rings_once() -> None:
    assert Story(API).passes(3).does("api", "permission").passes(86400).rings == ["api: permission"]


def test_a_request_that_was_seen_and_left_for_minutes_rings_too() -> None:
    story = Story(API, policy=policy(escalation={"minutes": 5}))
    story.focused = {"api"}
    story.does("api", "permission")
    story.focused = set()
    assert story.passes(301).rings == ["api: permission"]


def test_do_not_disturb_holds_rings_back_and_one_summary_follows() -> None:
    story = Story(*several("abc"))
    story.dnd = "dunst is paused"
    story.does("a", "permission").passes(40).does("b", "question").passes(40).does("c", "permission").does(
        "c", "working"
    )
    assert (story.rings, story.screen) == ([], {})
    assert story.said[0] == "a: held, dunst is paused"
    story.dnd = None
    assert story.passes(120).rings == ["During do-not-disturb: 2 blocked"]


def test_a_single_ring_that_was_held_back_is_shown_by_itself() -> None:
    story = Story(API)
    story.quiet = Quiet().snoozed(NOON + 1800)
    assert story.does("api", "permission").passes(1799).rings == []
    assert story.passes(2).rings == ["api: permission"]


def test_the_focus_is_looked_for_only_when_something_is_about_to_ring() -> None:
    story = Story(*several("abc"))
    story.quiet = Quiet().snoozed(NOON + 1800)
    story.does("a", "permission").does("b", "permission")
    for _ in range(50):
        story.passes(10).does("c", "working")
    assert story.asked_for_focus == 2
    assert story.passes(1800).asked_for_focus == 4


def test_a_request_that_was_answered_while_it_was_held_back_never_rings() -> None:
    story = Story(API)
    story.quiet = Quiet().snoozed(NOON + 1800)
    assert story.does("api", "permission").passes(60).does("api", "working").passes(3600).rings == []
    assert story.said[-1] == "api: not shown, it was answered while it was held back"


def test_a_snooze_clears_the_screen_and_rings_after_it_for_what_still_waits() -> None:
    story = Story(*several("ab")).does("a", "permission").does("b", "permission")
    story.quiet = Quiet().snoozed(NOON + 1800)
    assert story.look().screen == {}
    assert story.passes(1801).rings[2:] == ["While snoozed: 2 blocked"]


def test_quiet_hours_hold_back_until_they_end() -> None:
    late = datetime(2026, 3, 3, 23, 30).timestamp()
    story = Story(session("api", "working", late), policy=policy(silence={"hours": ["22:00-07:30"]}), at=late)
    story.does("api", "permission").passes(7 * 3600)
    assert (story.rings, story.said) == ([], ["api: held, quiet hours until Wed 07:30"])
    assert story.passes(2 * 3600).rings == ["api: permission"]
    assert datetime.fromtimestamp(story.calls[0][0]).strftime("%H:%M") == "07:30"


MUTES = {
    "session": (Quiet().with_mute("sessions", "api-id"), "this session is muted"),
    "project": (Quiet().with_mute("projects", "a*"), "project a* is muted"),
    "status": (Quiet().with_mute("statuses", "permission"), "status permission is muted"),
    "session, for an hour": (Quiet().with_mute("sessions", "api-id", NOON + 3600), "this session is muted"),
}
NO_MUTES = {
    "another session": Quiet().with_mute("sessions", "web-id"),
    "another project": Quiet().with_mute("projects", "w*"),
    "another status": Quiet().with_mute("statuses", "idle"),
    "one that is over": Quiet().with_mute("sessions", "api-id", NOON - 1),
}


@pytest.mark.parametrize(("quiet", "reason"), MUTES.values(), ids=MUTES)
def test_a_mute_silences(quiet: Quiet, reason: str) -> None:
    story = Story(API)
    story.quiet = quiet
    assert (story.does("api", "permission").passes(9).rings, story.said) == (
        [],
        [f"api: not shown, {reason}"],
    )


@pytest.mark.parametrize("quiet", NO_MUTES.values(), ids=NO_MUTES)
def test_a_mute_of_something_else_changes_nothing(quiet: Quiet) -> None:
    story = Story(API)
    story.quiet = quiet
    assert story.does("api", "permission").rings == ["api: permission"]


def test_muting_a_session_takes_its_notification_away() -> None:
    story = Story(API).does("api", "permission")
    story.quiet = Quiet().with_mute("sessions", "api-id")
    assert (story.look().screen, story.said[-1]) == ({}, "api: withdrawn, this session is muted")


def test_a_status_can_be_switched_off() -> None:
    story = Story(API, policy=policy(rings={"interrupted": {"ring": False}})).does("api", "interrupted")
    assert (story.rings, story.said) == ([], ["api: not shown, status interrupted is switched off in the settings"])


def test_a_request_that_is_over_before_its_delay_does_not_ring() -> None:
    slow = policy(rings={"permission": {"delay": 5}})
    assert Story(API, policy=slow).does("api", "permission").passes(4).does("api", "working").passes(9).rings == []
    assert Story(API, policy=slow).does("api", "permission").passes(6).rings == ["api: permission"]


def test_a_channel_gets_only_its_statuses() -> None:
    wire = {"name": "desk", "kind": "command", "command": ["x"], "when": "ring", "statuses": ["permission"]}
    story = Story(*several("ab"), policy=policy(channels=[wire])).does("a", "permission").does("b", "error")
    assert [(channel, named(notice)) for channel, notice in story.sent] == [("desk", "a")]


@pytest.mark.parametrize("together", [False, True])
@pytest.mark.parametrize(("details", "shown"), [(False, True), (True, False)])
def test_a_channel_gets_what_is_asked_only_if_it_may(details: bool, shown: bool, together: bool) -> None:
    """The setting of the channel counts, not that of the screen."""
    wire = {"name": "desk", "kind": "command", "command": ["x"], "when": "ring", "details": details}
    both = policy(channels=[wire], notification={"details": shown}, burst={"more_than": 1})
    private = {"detail": "Bash: rm x", "title": "Plans", "branch": "secret", "cwd": "/x", "since": NOON + 3}
    story = Story(*several("ab"), policy=both).passes(3)
    story.sessions |= {
        name: replace(story.sessions[name], status="permission", **private)  # type: ignore[arg-type]  # the fields of Session
        for name in ("ab" if together else "a")
    }
    ((_, sent),) = story.look().sent
    text = sent.title + sent.body
    assert ("rm x" in text, "Plans" in text or "secret" in text) == (details, details and not together)
    on_screen = "".join(notice.title + notice.body for notice in story.screen.values())
    assert ("rm x" in on_screen) == shown


def test_a_decision_not_to_ring_is_written_down_with_its_reason() -> None:
    story = Story(API).passes(4).does("api", "idle").passes(2)
    assert story.said == ["api: not shown, its turn ended less than 10 s after your last prompt or answer"]


def test_a_ring_is_written_down_with_its_reason() -> None:
    story = Story(API).passes(12).does("api", "idle").passes(2)
    assert story.said == ["api: shown as its turn ended 12 s after your last prompt or answer"]


def test_a_notification_names_what_is_still_open_once_another_request_was_answered() -> None:
    """A session may have several requests, of its subagents. The session says which of them are open."""
    story = Story(session("api", "working"))
    story.does("api", "permission", "Bash: make, or npm test", ask=(1, "a"))
    (slot,) = story.screen
    assert "make" in story.text(slot)
    story.does("api", "permission", "Bash: npm test", ask=(1, "a"))
    assert ("make" in story.text(slot), "npm test" in story.text(slot)) == (False, True)
    assert story.rings == ["api: permission"], "the same request, in other words"
    story.passes(5).does("api", "permission", "Bash: npm run lint", ask=(2, "b"))
    assert "npm run lint" in story.text(slot)
    assert story.rings == ["api: permission"] * 2
