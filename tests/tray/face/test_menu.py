"""Test the menu as a value: its sections, their order, and what it offers."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import get_args

import pytest

from deskbell.board import board
from deskbell.face.actions import Answers, Dismiss, Hooks, Jump, Open, Seen, Snooze, StartAtLogin
from deskbell.face.facts import Facts, HooksState
from deskbell.face.item import Item
from deskbell.face.menu import HOOKS_SAY, menu, opened
from deskbell.face.room import GNOME
from deskbell.session import Session
from deskbell.text.times import clock
from deskbell.usage import Usage, Window
from deskbell_hooks.schema import Status
from tests.tray.making import NOON, session

CRASHED = session(session_id="c", status="crashed", detail="Bash: make test", kept_until=NOON + 3600)


def texts(items: Sequence[Item]) -> list[str]:
    return [item.text for item in items if item.text and not item.hidden]


def below(items: Sequence[Item]) -> Iterator[Item]:
    for item in items:
        yield item
        yield from below(item.children)


def find(items: Sequence[Item], key: str) -> Item:
    return next(item for item in below(items) if item.key == key)


def shown(*sessions: Session, facts: Facts = Facts(autostart=True)) -> tuple[Item, ...]:  # noqa: B008
    return menu(board(sessions, NOON), facts, NOON)


def many(count: int, **said: object) -> list[Session]:
    return [session(session_id=f"s{i}", pid=i, title=f"Title {i}", since=NOON - i, **said) for i in range(count)]


def test_each_section_says_how_many_sessions_it_has() -> None:
    items = shown(
        session(session_id="w", project="web"),
        session(session_id="p", project="api", status="permission"),
        session(session_id="i", project="docs", status="idle"),
        session(session_id="e", project="infra", status="error"),
        CRASHED,
    )
    assert texts(items) == [
        *("Blocked: 1", "api · Ship it"),
        *("Your turn: 2", "infra · Ship it", "docs · Ship it"),
        *("Running: 1", "web · Ship it"),
        *("Crashed: 1", "api · Ship it"),
        *("Snooze all", "Deskbell", "Quit"),
    ]
    assert [item.enabled for item in items if item.key in ("blocked", "your turn", "running", "crashed")] == [False] * 4


def test_an_empty_section_is_not_shown() -> None:
    assert texts(shown(session()))[:2] == ["Running: 1", "api · Ship it"]


def test_the_limits_of_each_account_are_above_the_program() -> None:
    used = (
        Usage("~/.claude", (Window("five_hour", 42, NOON + 60),)),
        Usage("~/work", (Window("seven_day", 9, NOON + 60),)),
    )
    items = menu(board([session()], NOON), Facts(usages=used), NOON)
    until = clock(NOON + 60, NOON)
    assert [(item.text, item.enabled) for item in items if item.key.startswith("usage")] == [
        (f"Limits: ~/.claude: 5 h 42 % until {until}", False),
        (f"Limits: ~/work: 7 d 9 % until {until}", False),
    ]


def test_without_a_session_the_menu_says_so() -> None:
    for ended in ((), (session(status="ended"),)):
        assert texts(shown(*ended)) == ["No session is running", "Snooze all", "Deskbell", "Quit"]


def test_sessions_that_were_never_prompted_come_last_and_are_not_counted() -> None:
    items = shown(session(session_id="n", project="shop", status="new"), CRASHED, session(status="idle"))
    assert texts(items) == [
        *("Your turn: 1", "api · Ship it"),
        *("Crashed: 1", "api · Ship it"),
        *("New", "shop · Ship it"),
        *("Snooze all", "Deskbell", "Quit"),
    ]


def test_no_session_is_listed_twice() -> None:
    items = shown(*many(5), *many(0), CRASHED)
    keys = [item.key for item in below(items) if item.key.startswith(("session", "over"))]
    assert len(keys) == len(set(keys)) == 6


def test_a_middle_click_on_the_icon_shows_the_first_blocked_session() -> None:
    items = shown(session(), session(session_id="p", status="permission"), session(session_id="i", status="idle"))
    assert [(i.text, i.action) for i in items if i.hidden] == [("Show the most urgent session", Jump(("p", 100)))]


@pytest.mark.parametrize("status", ["working", "idle", "error", "crashed"])
def test_a_middle_click_on_the_icon_shows_the_board_while_no_session_is_blocked(status: Status) -> None:
    assert [i.action for i in shown(session(status=status)) if i.hidden] == [Open("board")]


def test_several_crashes_are_dismissed_at_once_and_no_later_one_with_them() -> None:
    def every(*crashed: Session) -> list[Item]:
        return [item for item in below(shown(*crashed)) if item.text == "Dismiss all"]

    two, three = (every(*(replace(CRASHED, session_id=name) for name in names)) for names in ("ab", "abc"))
    assert [item.action for item in two] == [Dismiss((("a", 100), ("b", 100)))]
    assert two[0].key != three[0].key
    assert every(CRASHED) == []


def test_opening_the_menu_notes_that_its_crashes_were_seen() -> None:
    assert opened(board([session(), CRASHED], NOON)) == Seen((CRASHED.key,))
    assert opened(board([session(), session(status="ended")], NOON)) is None


def test_what_runs_is_folded_before_what_needs_you() -> None:
    items = shown(*many(20), *many(4, status="permission", project="web"))
    assert texts(items)[:6] == ["Blocked: 4", *(f"web · Title {i}" for i in (3, 2, 1, 0)), "Running: 20"]
    shorter = shown(*many(20), *many(4, status="permission", project="web"), facts=Facts(room=GNOME))
    assert texts(shorter)[:5] == texts(items)[:5]
    assert len([item for item in shorter if item.key.startswith("session")]) < 16
    assert all(item.children for item in shorter if item.key.startswith("session"))


def test_a_section_that_does_not_fit_shows_its_first_sessions_and_counts_the_others() -> None:
    items = shown(*many(30, status="question"))
    rows = [item for item in items if item.key.startswith("session")]
    more = find(items, "more blocked")
    assert texts(items)[0] == "Blocked: 30"
    assert more.text == f"{30 - len(rows)} more"
    assert [item.key for item in (*rows, *more.children)] == [f"session s{i} {i}" for i in range(29, -1, -1)]


def test_where_a_submenu_has_no_room_for_another_one_its_rows_are_plain() -> None:
    items = shown(*many(30, status="question"), facts=Facts(room=GNOME))
    rows = find(items, "more blocked").children
    assert {type(row.action) for row in rows} == {Jump}
    assert not any(row.children for row in rows)


def test_passing_time_does_not_change_the_menu() -> None:
    midday = NOON - NOON % 86400 + 43200
    seen = board([session(since=midday), session(session_id="b", status="idle", since=midday - 3600)], midday)
    assert menu(seen, Facts(), midday) == menu(seen, Facts(), midday + 3 * 60)


@pytest.mark.parametrize(
    ("facts", "text", "action"),
    [
        (Facts(hooks="missing"), "Hooks are not installed: install them", Hooks("install")),
        (Facts(hooks="partly"), "Hooks are partly installed: repair them", Hooks("repair")),
        (Facts(hooks="outdated"), "Hooks are outdated: repair them", Hooks("repair")),
        (Facts(hooks="overwritten"), "Another tool overwrote the hooks: repair them", Hooks("repair")),
        (Facts(hooks="unreadable"), "Cannot read Claude Code's settings: show the problem", Open("doctor")),
        (Facts(problem="The disk is full"), "The disk is full", Open("doctor")),
        (Facts(snoozed_until=NOON + 60), "Ring again now", Snooze(None)),
        (Facts(autostart=False), "Start at login", StartAtLogin(True)),
        (Facts(answers=False), "Answer from notifications", Answers(True)),
        (Facts(answers=True), "Answer from notifications", Answers(False)),
        (Facts(hooks="missing"), "Install the hooks", Hooks("install")),
        (Facts(hooks="missing"), "Show what changes", Open("changes")),
        (Facts(hooks="outdated"), "Show what changes", Open("changes")),
        (Facts(hooks="unknown"), "Install the hooks", Hooks("install")),
        (Facts(hooks="unknown"), "Uninstall the hooks", Hooks("uninstall")),
        (Facts(hooks="outdated"), "Repair the hooks", Hooks("repair")),
        (Facts(hooks="installed"), "Uninstall the hooks", Hooks("uninstall")),
    ],
)
def test_the_facts_decide_what_is_offered(facts: Facts, text: str, action: object) -> None:
    assert [item.action for item in below(shown(facts=facts)) if item.text == text] == [action]


@pytest.mark.parametrize("key", ["offer", "problem", "wake", "login", "happened", "install", "changes"])
def test_nothing_is_offered_without_a_reason(key: str) -> None:
    assert not any(item.key.startswith(key) for item in below(shown(facts=Facts(hooks="installed"))))


@pytest.mark.parametrize(("hooks", "absent"), [("missing", "uninstall"), ("unknown", "offer"), ("unknown", "repair")])
def test_nothing_is_offered_that_the_state_of_the_hooks_rules_out(hooks: HooksState, absent: str) -> None:
    assert not any(item.key.startswith(absent) for item in below(shown(facts=Facts(hooks=hooks))))


@pytest.mark.parametrize("hooks", get_args(HooksState))
@pytest.mark.parametrize("sessions", [[], [session(status="permission")]], ids=["idle", "blocked"])
def test_a_problem_is_the_first_line(hooks: HooksState, sessions: list[Session]) -> None:
    items = shown(*sessions, facts=Facts(hooks=hooks, problem="The bell is broken"))
    assert texts(items)[0] == "The bell is broken"


def test_hooks_that_were_not_examined_are_not_called_installed() -> None:
    assert find(shown(facts=Facts(hooks="unknown")), "hooks").text == "Hooks: unknown"


@pytest.mark.parametrize("hooks", get_args(HooksState))
def test_every_state_of_the_hooks_has_words(hooks: HooksState) -> None:
    assert find(shown(facts=Facts(hooks=hooks)), "hooks").text == f"Hooks: {HOOKS_SAY[hooks]}"


def test_the_result_of_an_install_stays_readable() -> None:
    about = find(shown(facts=Facts(happened="Installed 14 hooks")), "deskbell")
    assert texts(about.children)[-1] == "Installed 14 hooks"
