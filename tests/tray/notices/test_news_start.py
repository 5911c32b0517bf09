"""Test what rings when Deskbell starts, and what happens to notifications of an earlier run."""

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deskbell.notices.judge import LOOK, SETTLES
from deskbell.notices.notice import SUMMARY, Request, slot
from deskbell.notices.policy import Policy
from deskbell.notices.quiet import Quiet
from deskbell.notices.screen import Left
from deskbell.notices.wants import ASKS, WANTING
from deskbell.session import STATUSES, Session
from deskbell.text.times import clock
from deskbell_hooks.schema import Status
from tests.tray.story import NOON, Story, session

EARLIER = NOON - 3600
AT_ONE = clock(EARLIER, NOON)
WAITED = "as it was already waiting when Deskbell started"
API = session("api", "permission", EARLIER, detail="Bash: npm publish")
ALL = tuple(session(name, "permission", EARLIER + 60 * number) for number, name in enumerate("abc"))


def left(*sessions: Session, where: str = "") -> Left:
    about = [Request(s.session_id, s.pid, s.project, s.status, s.since) for s in sessions]
    return Left(where or slot(sessions[0].key), tuple(about))


class Start(Story):
    """A story of a run after another that left notifications on the screen. None: the screen does not say."""

    def __init__(self, lefts: Sequence[Left] | None, *present: Session, **more: object) -> None:
        self.lefts = lefts
        super().__init__(*present, **more)  # type: ignore[arg-type]  # policy and time

    def look(self) -> "Story":
        if not self.memory.first:
            self.left = None if self.lefts is None else tuple(self.lefts)
            notices = {one.slot: one for one in self.lefts or ()}
            self.screen |= notices  # type: ignore[arg-type]  # only its slots are looked at
        return super().look()


# Nothing is left on the screen


def test_one_request_that_waits_rings_in_its_own_words_and_says_since_when() -> None:
    story = Story(API)
    (shown,) = story.screen.values()
    assert (story.rings, story.said) == (["api: permission"], [f"api: shown {WAITED}"])
    assert (shown.title, shown.body) == ("api wants to run `npm publish`", f"Waiting since {AT_ONE}")
    assert shown.quiet is False
    assert story.does("api", "working").screen == {}


def test_several_requests_that_wait_ring_once_and_the_longest_waiting_comes_first() -> None:
    story = Story(*reversed(ALL)).passes(60)
    assert story.rings == [f"3 blocked, the longest since {AT_ONE}"]
    assert list(story.screen) == [SUMMARY]
    assert [line[0] for line in story.screen[SUMMARY].body.splitlines()] == ["a", "b", "c"]
    assert story.said == [f"{name}: shown {WAITED}, in a summary of 3" for name in "abc"]


@pytest.mark.parametrize(("waiting", "last"), [(6, "p05"), (7, "and 2 more"), (40, "and 35 more")])
def test_a_summary_at_the_start_has_six_lines_and_counts_the_others(waiting: int, last: str) -> None:
    story = Story(*(session(f"p{n:02}", "question", EARLIER + n) for n in range(waiting)))
    lines = story.screen[SUMMARY].body.splitlines()
    assert (len(lines), lines[0][:3], lines[-1].partition(" has")[0]) == (min(waiting, 6), "p00", last)


def test_the_summary_counts_down_and_its_last_one_gets_a_notification_of_its_own() -> None:
    story = Story(*ALL).passes(60).does("a", "working")
    assert story.names == [f"2 blocked, the longest since {clock(EARLIER + 60, NOON)}"]
    assert story.does("b", "working").names == ["c"]
    assert (len(story.rings), story.does("c", "working").screen) == (1, {})


def test_a_request_that_joins_later_rings_alone() -> None:
    story = Story(*ALL[:2]).passes(60).does("new", "permission")
    assert story.rings[1:] == ["new: permission"]
    assert story.does("new", "working").names == story.rings[:1]


def test_a_request_that_joins_at_once_is_put_into_the_summary() -> None:
    story = Story(*ALL[:2]).passes(1).does("new", "permission")
    assert (story.names, len(story.rings)) == (["3 blocked"], 2)


@pytest.mark.parametrize("status", sorted(set(STATUSES) - ASKS))
def test_nothing_else_rings_at_the_start(status: Status) -> None:
    story = Story(session("api", status, EARLIER)).passes(3600)
    assert (story.rings, story.said, story.screen) == ([], [], {})


def test_an_unattended_session_does_not_ring_at_the_start() -> None:
    assert Story(session("api", "permission", EARLIER, hidden=True)).passes(60).rings == []


# The policy is that of any ring


class Snoozed(Story):
    def look(self) -> "Story":
        if not self.memory.first:
            self.quiet = Quiet().snoozed(NOON + 600)
        return super().look()


class Muted(Story):
    def look(self) -> "Story":
        self.quiet = Quiet().with_mute("sessions", "api-id")
        return super().look()


class Paused(Story):
    def look(self) -> "Story":
        self.dnd = "dunst is paused" if self.now < NOON + 100 else None
        return super().look()


class Looking(Story):
    def look(self) -> "Story":
        self.focused = {"api"} if self.now < NOON + 7 else set()
        return super().look()


POLICIES: dict[str, tuple[type[Story], list[float], str]] = {
    "snoozed": (Snoozed, [600.0], "api: shown after the snooze"),
    "muted": (Muted, [], "api: not shown, this session is muted"),
    "do not disturb": (Paused, [105.0], "api: shown after do-not-disturb"),
    "looked at": (Looking, [8.0], "api: shown, its pane was left"),
}


@pytest.mark.parametrize(("story", "rings", "said"), POLICIES.values(), ids=POLICIES)
def test_what_holds_back_a_ring_holds_back_that_of_the_start(story: type[Story], rings: list[float], said: str) -> None:
    played = story(API).passes(3600)
    assert [at - NOON for at, _ in played.calls] == rings
    assert played.said[-1] == said
    assert LOOK == 2.0


def test_a_status_that_is_switched_off_does_not_ring_at_the_start() -> None:
    off = Policy.model_validate({"rings": {"permission": {"ring": False}}})
    assert Story(API, policy=off).passes(60).rings == []


def test_what_was_held_back_at_the_start_rings_once_together() -> None:
    assert Snoozed(*ALL).passes(3600).rings == ["While snoozed: 3 blocked"]


def test_what_waited_at_the_start_is_repeated_together_as_configured() -> None:
    again = Policy.model_validate({"escalation": {"minutes": 5, "steps": ["again"]}})
    story = Story(*ALL[:2], policy=again).passes(3600)
    assert [at - NOON for at, _ in story.calls] == [0, 300]


@pytest.mark.parametrize(
    ("details", "title", "first"),
    [(True, f"3 blocked, the longest since {AT_ONE}", "a wants your approval"), (False, "3 blocked", "a: blocked")],
)
def test_a_channel_gets_one_message_for_all_that_wait_at_the_start(details: bool, title: str, first: str) -> None:
    wire = {"name": "desk", "kind": "command", "command": ["x"], "when": "ring", "details": details}
    ((_, sent),) = Story(*ALL, policy=Policy.model_validate({"channels": [wire]})).sent
    assert (sent.title, sent.body.partition("\n")[0]) == (title, first)


# An earlier run left something on the screen


def test_a_request_that_is_still_on_the_screen_is_adopted_without_a_ring() -> None:
    story = Start([left(API)], API)
    (shown,) = story.screen.values()
    assert (story.rings, story.said) == ([], ["api: adopted from an earlier run"])
    assert (shown.quiet, shown.sound, shown.slot) == (True, "", slot(API.key))
    assert shown.reason == "from an earlier run"
    assert story.passes(60).does("api", "working").screen == {}
    assert story.said[1:] == ["api: withdrawn, it was answered"]


def test_a_request_that_was_answered_meanwhile_is_withdrawn() -> None:
    story = Start([left(API)], session("api", "working", NOON - 60))
    assert (story.screen, story.rings) == ({}, [])
    assert story.said == ["api: withdrawn, it was answered while Deskbell was not running"]


def test_a_request_that_took_the_place_of_another_meanwhile_rings_in_its_place() -> None:
    story = Start([left(session("api", "permission", EARLIER - 60))], API)
    assert (story.rings, list(story.screen)) == (["api: permission"], [slot(API.key)])
    assert story.said == [
        "api: withdrawn, it was answered while Deskbell was not running",
        f"api: shown {WAITED}",
    ]


def test_what_is_on_the_screen_is_not_in_the_summary_of_the_others() -> None:
    story = Start([left(API)], API, *ALL).passes(60)
    assert (len(story.rings), sorted(story.screen)) == (1, sorted((slot(API.key), SUMMARY)))
    assert story.rings[0] == f"3 blocked, the longest since {AT_ONE}"


def test_a_summary_that_is_still_on_the_screen_is_adopted_without_a_ring() -> None:
    story = Start([left(*ALL, where=SUMMARY)], *ALL)
    assert (story.rings, list(story.screen)) == ([], [SUMMARY])
    assert (story.screen[SUMMARY].quiet, story.screen[SUMMARY].reason) == (True, "from an earlier run")
    assert len(story.screen[SUMMARY].sessions) == 3
    assert story.said == [f"{name}: adopted from an earlier run" for name in "abc"]
    assert story.at_once("working", *"abc").screen == {}


def test_what_is_left_of_a_summary_is_adopted() -> None:
    story = Start([left(*ALL, where=SUMMARY)], ALL[0], session("b", "working", NOON - 5), ALL[2])
    assert (story.rings, story.names) == ([], [f"2 blocked, the longest since {AT_ONE}"])


def test_the_last_of_a_summary_is_adopted_by_itself() -> None:
    story = Start([left(*ALL, where=SUMMARY)], ALL[2])
    assert (story.rings, story.names) == ([], ["c"])


def test_an_adopted_summary_takes_in_what_waits_besides() -> None:
    more = tuple(session(name, "question", NOON - 60) for name in "xy")
    story = Start([left(*ALL, where=SUMMARY)], *ALL, *more).passes(60)
    assert (len(story.rings), list(story.screen)) == (1, [SUMMARY])
    assert story.rings[0] == f"5 blocked, the longest since {AT_ONE}"


def test_an_end_of_turn_that_is_still_on_the_screen_is_adopted_too() -> None:
    over = session("api", "idle", NOON - 5)
    story = Start([left(over)], over)
    assert (story.rings, story.names) == ([], ["api"])
    assert story.does("api", "working").screen == {}


def test_a_mute_takes_back_what_an_earlier_run_left() -> None:
    class Both(Start, Muted):
        """Muted, and left on the screen."""

    story = Both([left(API)], API).passes(60)
    assert (story.rings, story.screen) == ([], {})
    assert story.said == ["api: adopted from an earlier run", "api: withdrawn, this session is muted"]


def test_a_snooze_takes_back_what_an_earlier_run_left_and_it_rings_afterwards() -> None:
    class Both(Start, Snoozed):
        """Snoozed, and left on the screen."""

    story = Both([left(*ALL, where=SUMMARY)], *ALL)
    assert story.screen == {}
    assert story.passes(3600).rings == ["While snoozed: 3 blocked"]


def test_an_adopted_request_is_repeated_as_configured() -> None:
    again = Policy.model_validate({"escalation": {"minutes": 5, "steps": ["again"]}})
    assert [at - NOON for at, _ in Start([left(API)], API, policy=again).passes(3600).calls] == [300]


def test_an_adopted_request_that_seems_over_for_a_moment_comes_back_without_a_ring() -> None:
    story = Start([left(API)], API).passes(5).does("api", "working").passes(0.1)
    assert story.does("api", "permission", since=EARLIER).rings == []


# The screen says later what was left


def test_what_waits_rings_at_last_though_the_screen_does_not_say_what_was_left() -> None:
    story = Start(None, *ALL).passes(60)
    assert [at - NOON for at, _ in story.calls] == [SETTLES]


def test_what_begins_meanwhile_rings_at_once() -> None:
    story = Start(None, session("api", "working")).passes(0.125).does("api", "permission")
    assert [at - NOON for at, _ in story.calls] == [0.125]


def test_what_the_screen_says_soon_is_adopted_before_it_rings() -> None:
    story = Start(None, API).passes(0.1)
    story.screen = {slot(API.key): left(API)}  # type: ignore[dict-item]  # only its slots are looked at
    story.left = (left(API),)
    assert (story.look().passes(60).rings, story.names) == ([], ["api"])


def test_what_the_screen_says_too_late_does_not_ring_again() -> None:
    story = Start(None, API).passes(2)
    story.left = (left(API),)
    assert (story.look().passes(60).rings, story.names) == (["api: permission"], ["api"])


def test_a_request_that_is_answered_when_the_screen_says_what_was_left_leaves_with_it() -> None:
    gone = session("gone", "permission", EARLIER)
    story = Start(None, API).passes(2)
    story.screen |= {slot(gone.key): left(gone)}  # type: ignore[dict-item]  # only its slots are looked at
    story.left = (left(gone),)
    assert story.does("api", "working").screen == {}


# Laws

SINCE = st.sampled_from([EARLIER, EARLIER + 0.5, NOON - 30, NOON])
NOW = st.lists(st.tuples(st.sampled_from(STATUSES), SINCE), min_size=1, max_size=7)
THEN = st.lists(st.tuples(st.sampled_from(sorted(WANTING)), SINCE), min_size=1, max_size=7)


@pytest.mark.uncounted
@settings(max_examples=4 * settings().max_examples)
@given(NOW, THEN, st.integers(0, 7))
def test_every_request_that_waits_is_on_the_screen_once_and_at_most_one_ring_says_so(
    now: list[tuple[Status, float]], then: list[tuple[Status, float]], alone: int
) -> None:
    sessions = [session(f"p{n}", status, since) for n, (status, since) in enumerate(now)]
    shown = [session(f"p{n}", status, since) for n, (status, since) in enumerate(then)]
    together = [left(*shown[alone:], where=SUMMARY)] if shown[alone:] else []
    story = Start([*map(left, shown[:alone]), *together], *sessions).passes(0.4)
    on_screen = sorted(key for notice in story.screen.values() for key in getattr(notice, "sessions", ["left behind"]))
    assert len(on_screen) == len(set(on_screen))
    assert {one.key for one in sessions if one.status in ASKS} <= set(on_screen)
    assert len(story.calls) <= 1
    for one in list(story.sessions):
        story.does(one, "working")
    assert story.passes(700).screen == {}
