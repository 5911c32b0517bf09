"""Test in detail what each step of `news` shows, withdraws, sends and writes down."""

from collections.abc import Callable, Collection
from dataclasses import replace

import pytest

from deskbell.notices.decisions import Decision
from deskbell.notices.judge import Senses
from deskbell.notices.news import news
from deskbell.notices.orders import Withdrawal
from deskbell.notices.policy import Policy
from deskbell.notices.quiet import Quiet
from deskbell.text.times import clock
from tests.tray.story import NOON, Story, named, session, several

API = session("api", "working", turn_started=NOON)
SLOT = "api-id:414"
LOUD = {"rings": {"permission": {"sound": "bell"}, "question": {"sound": "bell"}, "idle": {"sound": "chime"}}}
SNOOZED = f"snoozed until {clock(NOON + 1800, NOON)}"


def policy(**parts: object) -> Policy:
    return Policy.model_validate(parts)


FIVE = policy(escalation={"minutes": 5})


def snoozes(story: Story, seconds: float = 1800) -> Story:
    story.quiet = story.quiet.snoozed(story.now + seconds)
    return story.look()


def looks_at(story: Story, *projects: str) -> Story:
    story.focused = set(projects)
    return story


# a story: every sentence of `deskbell why`
SAID: dict[str, tuple[Callable[[], Story], list[str]]] = {
    "answered": (
        lambda: Story(API).does("api", "permission").does("api", "working"),
        ["api: shown at once", "api: withdrawn, it was answered"],
    ),
    "over before its delay": (
        lambda: Story(API).passes(30).does("api", "idle").does("api", "working"),
        ["api: not shown, it went on before its delay was over"],
    ),
    "over while it was held back": (
        lambda: snoozes(Story(API)).does("api", "permission").does("api", "ended"),
        [f"api: held, {SNOOZED}", "api: not shown, it ended while it was held back"],
    ),
    "a snooze begins": (
        lambda: snoozes(Story(API).does("api", "permission")).look().look(),
        ["api: shown at once", f"api: held, {SNOOZED}"],
    ),
    "its text changes": (
        lambda: Story(API).does("api", "permission").does("api", "permission", "Bash: x", since=NOON).look(),
        ["api: shown at once", "api: replaced, its text has changed"],
    ),
    "its text changes, and it is answered": (
        lambda: Story(API).does("api", "permission").does("api", "permission", "x", since=NOON).does("api", "working"),
        ["api: shown at once", "api: replaced, its text has changed", "api: withdrawn, it was answered"],
    ),
    "another request while the first is on the screen": (
        lambda: Story(API).does("api", "permission").passes(5).does("api", "question"),
        ["api: shown at once", "api: replaced at once"],
    ),
    "a request that is looked at replaces one that was not": (
        lambda: looks_at(Story(API).does("api", "permission").passes(5), "api").does("api", "question"),
        ["api: shown at once", "api: not shown, its pane was focused"],
    ),
    "a turn ends at once, so that its delay begins": (
        lambda: Story(API).does("api", "permission").passes(5).does("api", "idle"),
        ["api: shown at once", "api: withdrawn, it went on"],
    ),
    "a summary": (
        lambda: Story(*several("abcd")).at_once("permission", *"abc").passes(1).does("d", "permission"),
        [
            *(f"{name}: shown at once" for name in "abc"),
            "d: shown at once, in a summary of 4",
            *(f"{name}: withdrawn, it is part of a summary" for name in "abc"),
        ],
    ),
    "the last of a summary": (
        lambda: Story(*several("abcd")).at_once("permission", *"abcd").at_once("working", *"abc"),
        [*(f"{name}: shown at once, in a summary of 4" for name in "abcd"), "d: shown as the last of a summary"],
    ),
    "unanswered, and looked at": (
        lambda: looks_at(Story(API, policy=FIVE).does("api", "permission"), "api").passes(301),
        ["api: shown at once", "api: not shown, unanswered for 5 min, but its pane was focused"],
    ),
    "sent": (
        lambda: Story(API, policy=policy(channels=[{"name": "desk", "kind": "command", "command": ["x"], "when": "ring"}]))
        .does("api", "permission"),
        ["api: shown at once", "api: sent to desk"],
    ),
    "unattended": (
        lambda: Story(session("api", "working", hidden=True)).does("api", "background").does("api", "permission").look(),
        ["api: not shown, it runs unattended (claude -p)"],
    ),
    "unattended, and waiting when it is first seen": (
        lambda: Story(API).does("new", "permission", hidden=True).look(),
        [],
    ),
}  # fmt: skip


@pytest.mark.parametrize(("story", "said"), SAID.values(), ids=SAID)
def test_every_decision_is_written_down_once(story: Callable[[], Story], said: list[str]) -> None:
    assert story().said == said


def test_a_decision_says_when_and_for_which_session() -> None:
    assert Story(API).passes(3).does("api", "permission").decisions == [
        Decision(NOON + 3, "api-id", 414, "api", "permission", "shown", "at once")
    ]


# a story: what is withdrawn
WITHDRAWN: dict[str, tuple[Callable[[], Story], list[tuple[str, str]]]] = {
    "answered": (lambda: Story(API).does("api", "permission").does("api", "working"), [(SLOT, "it was answered")]),
    "held back": (lambda: snoozes(Story(API).does("api", "permission")), [(SLOT, "it is held")]),
    "looked at": (
        lambda: looks_at(Story(API).does("api", "permission").passes(5), "api").does("api", "question"),
        [(SLOT, "it is seen")],
    ),
    "all of a summary": (
        lambda: Story(*several("abcd")).at_once("permission", *"abcd").at_once("working", *"abcd"),
        [("summary", "all were answered")],
    ),
    "all but one of a summary": (
        lambda: Story(*several("abcd")).at_once("permission", *"abcd").at_once("working", *"abc"),
        [("summary", "only one is left")],
    ),
}


@pytest.mark.parametrize(("story", "withdrawn"), WITHDRAWN.values(), ids=WITHDRAWN)
def test_it_is_withdrawn_with_its_reason(story: Callable[[], Story], withdrawn: list[tuple[str, str]]) -> None:
    assert story().withdrawn == [Withdrawal(*one) for one in withdrawn]


def test_a_session_that_appears_between_two_readings_rings_for_what_it_asked_since_the_first() -> None:
    story = Story(API).passes(10).look()
    story.sessions["new"] = session("new", "permission", NOON + 5)
    assert story.passes(1).look().rings == ["new: permission"]


def test_only_the_notification_that_was_dismissed_is_forgotten() -> None:
    story = Story(*several("ab")).at_once("permission", "a", "b").dismissed("a-id:197")
    assert story.at_once("working", "a", "b").withdrawn == [Withdrawal("b-id:198", "it was answered")]


def test_a_want_that_is_not_due_does_not_hold_up_a_younger_one() -> None:
    story = Story(*several("ab"), policy=policy(rings={"error": {"delay": 60}}))
    assert story.does("a", "error").passes(1).does("b", "permission").rings == ["b: permission"]


def test_a_mute_for_a_time_takes_a_notification_back() -> None:
    story = Story(API).does("api", "permission")
    story.quiet = Quiet().with_mute("sessions", "api-id", NOON + 60)
    assert (story.look().screen, story.said[-1]) == ({}, "api: withdrawn, this session is muted")


def test_muting_one_session_leaves_the_notifications_of_the_others() -> None:
    story = Story(*several("abc")).at_once("permission", *"abc")
    story.quiet = Quiet().with_mute("sessions", "b-id")
    assert story.look().names == ["a", "c"]


def test_a_dismissed_notification_does_not_hold_up_the_text_of_another() -> None:
    story = Story(*several("ab")).at_once("permission", "a", "b").dismissed("a-id:197")
    story.does("b", "permission", "Bash: make", since=NOON)
    assert "make" in story.text("b-id:198")


# Escalation


def test_a_step_waits_its_minutes() -> None:
    story = Story(API, policy=FIVE).does("api", "permission")
    story.now += 100
    assert story.look().rings == ["api: permission"]


def test_a_want_that_does_not_escalate_does_not_hold_up_one_that_does() -> None:
    story = Story(*several("ab"), policy=FIVE).passes(30).does("a", "idle").passes(5).does("b", "permission")
    assert story.passes(301).rings == ["a: idle", "b: permission", "b: permission"]


def test_after_the_phone_comes_the_next_step() -> None:
    phone = {"name": "phone", "kind": "ntfy", "url": "https://ntfy.sh/t"}
    both = policy(escalation={"minutes": 5, "steps": ["phone", "again"]}, channels=[phone])
    story = Story(API, policy=both).does("api", "permission").passes(3600)
    assert [round(at - NOON) for at, _ in story.calls] == [0, 600]


def test_after_a_step_that_was_looked_at_comes_the_next_one() -> None:
    story = looks_at(Story(API, policy=FIVE).does("api", "permission"), "api").passes(301)
    assert [round(at - NOON) for at, _ in looks_at(story).passes(3600).calls] == [0, 600]


def test_what_was_seen_and_left_during_a_snooze_rings_after_it_and_then_escalates() -> None:
    story = looks_at(Story(API, policy=FIVE), "api").does("api", "permission")
    looks_at(snoozes(story))
    assert story.wake_at == NOON + 1800
    assert [round(at - NOON) for at, _ in story.passes(3600).calls] == [1800, 2100, 2400]
    assert story.said[-3:] == [
        "api: shown, unanswered for a minute",
        "api: replaced, unanswered for 35 min",
        "api: replaced, unanswered for 40 min",
    ]


def test_a_step_that_comes_after_a_snooze_keeps_its_time() -> None:
    story = looks_at(Story(API, policy=FIVE), "api").passes(30).does("api", "error")
    assert looks_at(snoozes(story, 60)).wake_at == NOON + 330


def test_the_wants_of_a_summary_escalate_together() -> None:
    story = Story(*several("abcd"), policy=FIVE).at_once("permission", *"abcd").passes(301)
    assert story.rings == ["4 blocked"] * 2


def test_the_sound_of_the_step_is_that_of_the_escalation() -> None:
    loud = policy(escalation={"minutes": 5, "sound": "siren"}, **LOUD)
    story = Story(*several("abcd"), policy=loud).at_once("permission", *"abcd").passes(700)
    assert [n.sound for _, n in story.calls] == ["bell", "bell", "siren"]


def test_the_focus_is_not_looked_for_before_a_step_to_the_phone() -> None:
    phone = {"name": "phone", "kind": "ntfy", "url": "https://ntfy.sh/t"}
    only_phone = policy(escalation={"minutes": 5, "steps": ["phone"]}, channels=[phone])
    story = Story(API, policy=only_phone).does("api", "permission")
    looked = story.asked_for_focus
    assert [name for name, _ in story.passes(301).sent] == ["phone"]
    assert story.asked_for_focus == looked


class Unsure(Story):
    """A story of a desktop that still has to say whether the pane of some sessions has the focus."""

    unsure: Collection[str] = ()

    def _senses(self) -> Senses:
        return replace(super()._senses(), awaits_focus=lambda one: one.project in self.unsure)


def test_a_step_waits_for_the_focus_of_its_session_and_holds_up_no_other_one() -> None:
    story = Unsure(*several("ab"), policy=FIVE).does("a", "permission").passes(1).does("b", "permission")
    story.now, story.unsure = NOON + 301, "a"
    judged = news(story.board, story.board, story.policy, story.now, story.memory, story._senses())
    assert [named(notice) for notice in judged.replace] == ["b"]
    story.unsure = ()
    assert story.look().rings[2:] == ["a: permission", "b: permission"]


def test_a_step_to_the_phone_does_not_wait_for_the_focus() -> None:
    phone = {"name": "phone", "kind": "ntfy", "url": "https://ntfy.sh/t"}
    only_phone = policy(escalation={"minutes": 5, "steps": ["phone"]}, channels=[phone])
    story = Unsure(API, policy=only_phone).does("api", "permission")
    story.unsure = {"api"}
    assert [name for name, _ in story.passes(301).sent] == ["phone"]


# Holding back


def test_what_rang_just_before_does_not_join_what_was_held_back() -> None:
    story = Story(*several("abc")).does("c", "permission")
    story.dnd = "paused"
    story.at_once("permission", "a", "b")
    story.dnd = None
    assert story.passes(0.5).look().rings == ["c: permission", "During do-not-disturb: 2 blocked"]
    assert story.names == ["c", "During do-not-disturb: 2 blocked"]


def test_do_not_disturb_is_looked_at_again_only_while_it_holds_something_back() -> None:
    story = Story(API)
    story.dnd = "paused"
    assert story.look().wake_at is None
    assert story.does("api", "permission").wake_at == NOON + 15


def test_a_delay_that_ends_earlier_is_not_forgotten_while_something_is_held_back() -> None:
    story = Story(*several("ab")).passes(30)
    story.dnd = "paused"
    assert story.does("a", "permission").does("b", "idle").wake_at == story.now + 1


# Summaries


def test_a_summary_takes_in_what_comes_just_after_even_if_few_are_left() -> None:
    story = Story(*several("abcde")).at_once("permission", *"abcd").at_once("working", "a", "b")
    assert story.passes(1).does("e", "permission").names == ["3 blocked"]


def test_exactly_after_the_time_of_a_burst_the_next_is_alone() -> None:
    story = Story(*several("abcd")).at_once("permission", *"abc").passes(2)
    assert story.does("d", "permission").rings[3:] == ["d: permission"]


def test_a_summary_says_why_and_sounds_once() -> None:
    story = Story(*several("abcd"), policy=policy(**LOUD)).at_once("permission", *"abcd")
    on_screen = story.screen["summary"]
    assert (on_screen.reason, on_screen.sound, on_screen.quiet) == ("many at once", "bell", False)
    on_screen = story.does("a", "working").screen["summary"]
    assert (on_screen.reason, on_screen.sound, on_screen.quiet) == ("many at once", "", True)
    assert on_screen.title == "3 blocked"
    last = story.at_once("working", "b", "c").screen["d-id:200"]
    assert (last.reason, last.sound, last.quiet) == ("as the last of a summary", "bell", True)
    assert story.memory.summary is None


def test_a_summary_follows_the_texts_of_its_sessions_without_a_sound() -> None:
    story = Story(*several("abcd"), policy=policy(**LOUD)).at_once("permission", *"abcd").passes(5)
    assert story.look().said == [f"{name}: shown at once, in a summary of 4" for name in "abcd"]
    on_screen = story.does("b", "permission", "Bash: make", since=NOON).screen["summary"]
    assert (on_screen.body.splitlines()[1], on_screen.quiet, on_screen.sound) == ("b wants to run `make`", True, "")
    assert story.rings == ["4 blocked"]


def test_a_summary_counts_what_was_held_back_by_how_it_stands() -> None:
    story = snoozes(Story(*several("abc")).passes(60)).at_once("permission", "a", "b").does("c", "idle").passes(1800)
    assert story.rings == ["While snoozed: 2 blocked, 1 your turn"]


def test_a_crash_during_a_snooze_rings_at_its_end_and_stays_for_ten_minutes() -> None:
    story = snoozes(Story(*several("abcd")).passes(60)).at_once("permission", "a", "b").does("c", "crashed")
    story.does("d", "crashed", kept_until=NOON + 9999).passes(1800)
    assert story.rings == ["While snoozed: 2 blocked, 2 crashed"]
    assert story.passes(599).names == story.rings
    assert story.passes(1).look().names == ["While snoozed: 2 blocked"]


@pytest.mark.parametrize("muted", [False, True])
def test_a_crash_that_is_looked_at_or_muted_when_a_snooze_ends_is_over(muted: bool) -> None:
    story = snoozes(Story(API).passes(60)).does("api", "crashed").passes(1000)
    story.quiet = story.quiet.with_mute("sessions", "api-id") if muted else story.quiet
    looks_at(story, "api").passes(3600).look()
    assert (story.rings, story.wake_at, story.memory.wants) == ([], None, {})


def test_a_summary_names_what_held_its_sessions_back_last() -> None:
    story = snoozes(Story(*several("ab")), 60).does("a", "permission")
    story.dnd = "paused"
    story.passes(50).does("b", "permission").passes(20)
    story.dnd = None
    assert story.passes(60).rings == ["During do-not-disturb: 2 blocked"]


def test_a_summary_of_what_was_held_back_keeps_its_lead() -> None:
    story = snoozes(Story(*several("abc"))).at_once("permission", *"abc").passes(1801)
    assert story.does("a", "working").names == ["While snoozed: 2 blocked"]


# What a notification carries


def test_a_notification_keeps_its_reason_and_loses_its_sound_when_its_text_changes() -> None:
    story = Story(API, policy=policy(**LOUD)).does("api", "permission")
    assert (story.screen[SLOT].reason, story.screen[SLOT].sound) == ("at once", "bell")
    changed = story.does("api", "permission", "Bash: make", since=NOON).screen[SLOT]
    assert (changed.reason, changed.sound, changed.quiet) == ("at once", "", True)


def test_a_request_that_seemed_over_comes_back_without_a_sound() -> None:
    story = Story(API, policy=policy(**LOUD)).does("api", "permission", "Bash: make")
    story.passes(0.1).does("api", "working").passes(0.1).does("api", "permission", "Bash: make", since=NOON)
    assert (story.screen[SLOT].sound, story.screen[SLOT].quiet) == ("", True)


def test_a_session_keeps_its_slot_when_its_process_is_heard_of() -> None:
    story = Story(session("api", "working", pid=None)).does("api", "permission")
    story.does("api", "permission", "Bash: make", pid=77, since=NOON)
    assert list(story.screen) == ["api-id:"]
    assert "make" in story.text("api-id:")


@pytest.mark.parametrize(("names", "alone"), [("a", True), ("ab", False)])
def test_a_channel_gets_one_message_for_all_that_ring_together(names: str, alone: bool) -> None:
    wire = {"name": "desk", "kind": "command", "command": ["x"], "when": "ring"}
    story = Story(*several(names), policy=policy(channels=[wire])).at_once("permission", *names)
    ((_, sent),) = story.sent
    assert (sent.reason, sent.slot == "summary", sent.slot) == ("ring", not alone, sent.slot)
    assert [(d.verdict, d.reason) for d in story.decisions if d.verdict == "sent"] == [("sent", "to desk")] * len(names)
