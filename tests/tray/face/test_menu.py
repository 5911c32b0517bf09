"""Test the menu as a value: its items, their order, their actions and its size."""

import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deskbell.board import Board, board
from deskbell.face.actions import CopyResume, Details, Dismiss, Hooks, Jump, Mute, Open, Seen, Snooze, StartAtLogin
from deskbell.face.facts import Facts, HooksState
from deskbell.face.menu import FLAT, HOOKS_SAY, QUIT, Item, line, menu, opened
from deskbell.session import STATUSES, Session
from deskbell.text.clean import ISOLATE
from deskbell_hooks.schema import Status
from tests.tray.making import NOON, session

TALLEST = 20
"""Rows of 36 pixels, as in GNOME, that fit on a screen 768 pixels high with a panel. A separator counts as a third."""


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


def crowd(count: int) -> Board:
    projects = ("api", "web", "docs")
    return board(
        [
            session(session_id=f"s{i}", pid=i, status=STATUSES[i % 9], project=projects[i % 3], since=NOON - i)
            for i in range(count)
        ],
        NOON,
    )


def test_sessions_that_need_you_come_before_running_ones() -> None:
    items = shown(
        session(session_id="w", project="web", title="Tidy", detail="running make test"),
        session(session_id="p", project="api", title="Ship it", status="permission", detail="Bash: npm publish"),
    )
    lines = texts(items)[:5]
    at = lines[1].rsplit(" - ", 1)[1]
    assert lines == [
        "Needs you: 1",
        f"api - Ship it - wants to run npm publish - {at}",
        "Running: 1",
        f"web - Tidy - running make test - {at}",
        "All sessions",
    ]


def test_a_row_shows_its_session_and_a_click_on_the_icon_shows_the_most_urgent_one() -> None:
    items = shown(
        session(session_id="w"), session(session_id="p", status="permission"), session(session_id="i", status="idle")
    )
    listed = [i.action for i in items if isinstance(i.action, Jump) and not i.hidden]
    assert listed == [Jump((name, 100)) for name in "piw"]
    assert [(i.text, i.action) for i in items if i.hidden] == [("Show the most urgent session", Jump(("p", 100)))]


@pytest.mark.parametrize("status", ["working", "idle", "error", "crashed"])
def test_a_click_on_the_icon_shows_the_board_while_no_session_is_blocked(status: Status) -> None:
    assert [i.action for i in shown(session(status=status)) if i.hidden] == [Open("board")]


def test_every_session_has_its_own_submenu() -> None:
    items = shown(session(), facts=Facts(muted=frozenset({"a1"})))
    assert texts(find(items, "all").children[0].children) == ["Show where it runs", "Muted", "Details"]
    assert (find(items, "mute").checked, find(items, "mute").action) == (True, Mute(("a1", 100), False))


@pytest.mark.parametrize("status", STATUSES)
def test_only_a_session_that_is_over_offers_the_command_that_resumes_it(status: Status) -> None:
    over = status in ("ended", "crashed")
    (submenu,) = find(shown(session(status=status)), "all").children
    assert (submenu.children[0].text, submenu.children[0].action) == (
        ("Copy resume command", CopyResume(("a1", 100))) if over else ("Show where it runs", Jump(("a1", 100)))
    )
    assert [i for i in below(shown(session(status=status))) if isinstance(i.action, CopyResume) and not over] == []


def test_a_session_that_is_over_is_listed_with_all_sessions_alone() -> None:
    items = shown(session(status="ended"))
    assert texts(items)[:2] == ["No session is running", "All sessions"]


CRASHED = session(session_id="c", status="crashed", detail="running make test", kept_until=NOON + 3600)


def test_a_crash_has_its_own_heading_with_what_can_be_done_about_it() -> None:
    items = shown(session(session_id="w"), CRASHED)
    heading, row = (item for item in items if item.key in ("crashed", "session c 100"))
    assert texts(items)[:2] == ["Running: 1", line(session(session_id="w"), NOON)]
    assert (heading.text, heading.enabled) == ("Crashed: 1", False)
    assert row.text.startswith("api - Ship it - running make test - crashed ")
    assert [(item.text, item.action) for item in row.children] == [
        ("Copy resume command", CopyResume(CRASHED.key)),
        ("Dismiss", Dismiss((CRASHED.key,))),
        ("Details", Details(CRASHED.key)),
    ]


def test_several_crashes_are_dismissed_at_once() -> None:
    items = shown(CRASHED, replace(CRASHED, session_id="d"))
    assert find(items, "dismiss all").action == Dismiss((("c", 100), ("d", 100)))
    assert "dismiss all" not in [item.key for item in below(shown(CRASHED))]


def test_among_many_sessions_the_crashes_have_a_submenu() -> None:
    many = [session(session_id=f"s{i}", status="idle") for i in range(20)]
    item = find(shown(*many, CRASHED), "crashed")
    assert (item.text, [one.key for one in item.children]) == ("Crashed: 1", ["session c 100"])


def test_opening_the_menu_notes_that_its_crashes_were_seen() -> None:
    assert opened(board([session(), CRASHED], NOON)) == Seen((CRASHED.key,))
    assert opened(board([session(), session(status="ended")], NOON)) is None


def test_a_suspended_session_says_so_whatever_it_waits_for() -> None:
    row = line(session(status="permission", detail="Bash: " + "x" * 99, suspended=True), NOON)
    assert " (suspended) - " in row
    assert row.startswith("api - Ship it - wants to run xxx")


def test_there_is_no_list_of_all_sessions_without_a_session() -> None:
    assert [item.key for item in shown() if item.key == "all"] == []


def test_many_sessions_are_grouped_by_project_below_the_most_urgent_ones() -> None:
    items = menu(crowd(54), Facts(autostart=True), NOON)
    assert texts(items)[0] == "Needs you: 42"
    assert [i.key for i in items if i.key.startswith("session")] == [f"session s{i} {i}" for i in (45, 36, 27, 18, 9)]
    (rest,) = [i for i in items if i.text == "37 more need you"]
    assert [i.key for i in rest.children[:2]] == ["session s0 0", "session s46 46"]
    assert isinstance(rest.children[0].action, Jump)
    assert [i.text for i in items if i.key.startswith("project ")] == [
        "api (18 need you)",
        "web (12 need you, 6 running)",
        "docs (12 need you, 6 running)",
    ]


def test_a_row_below_its_project_does_not_repeat_the_project() -> None:
    project = next(i for i in menu(crowd(54), Facts(), NOON) if i.key == "project api")
    assert {i.text.split(" - ")[0] for i in project.children} == {"Ship it"}


def test_a_project_counts_its_sessions_by_group() -> None:
    statuses: list[Status] = ["permission", "idle", "working", "crashed"]
    many = [session(session_id=f"s{i}", status=statuses[i % 4]) for i in range(20)]
    (project,) = [i.text for i in menu(board(many, NOON), Facts(), NOON) if i.key.startswith("project ")]
    assert project == "api (10 need you, 5 running, 5 crashed)"


def test_a_right_to_left_project_does_not_reverse_its_row() -> None:
    written = session(project="مشروع")
    many = board([replace(written, session_id=f"s{i}") for i in range(20)], NOON)
    (project,) = [item.text for item in menu(many, Facts(), NOON) if item.key.startswith("project ")]
    for text in (line(written, NOON), project):
        assert unicodedata.bidirectional(text[0]) == "L"
        assert text[1] == ISOLATE


@given(st.integers(0, 300), st.integers(1, 60))
def test_no_menu_is_taller_than_a_screen_and_every_session_is_in_it(count: int, projects: int) -> None:
    sessions = [
        session(session_id=f"s{i}", pid=i, status=STATUSES[i % 10], project=f"project {i % projects}")
        for i in range(count)
    ]
    facts = Facts(hooks="partly", problem="The state folder cannot be read", autostart=False, snoozed_until=NOON + 60)
    items = menu(board(sessions, NOON), facts, NOON)
    heights = [
        sum(1 if item.text else 1 / 3 for item in level if not item.hidden)
        for level in (items, *(item.children for item in below(items)))
    ]
    assert max(heights) <= TALLEST
    assert {i.action.session for i in below(items) if isinstance(i.action, Jump | CopyResume)} == {
        s.key for s in sessions
    }


@given(st.integers(0, 80))
def test_siblings_have_different_keys(count: int) -> None:
    items = menu(crowd(count), Facts(hooks="missing", problem="?", autostart=True, snoozed_until=NOON), NOON)
    for level in (items, *(item.children for item in below(items))):
        keys = [item.key for item in level]
        assert len(keys) == len(set(keys))


CHANGES = {
    "another detail": replace(session(), detail="Bash: make"),
    "another status": replace(session(), status="permission"),
    "another title": replace(session(), title="Ship that"),
    "suspended": replace(session(), suspended=True),
    "crashed": CRASHED,
}
NOOPS = {
    "heard of again": replace(session(), heard=NOON + 5),
    "more tokens": replace(session(), output_tokens=900),
    "another reason": replace(session(), reason="the registry says so"),
    "another last line of the transcript": replace(session(), last_line="Done"),
}


@pytest.mark.parametrize("after", CHANGES.values(), ids=CHANGES.keys())
def test_a_visible_change_changes_the_menu(after: Session) -> None:
    assert shown(session()) != shown(after)


@pytest.mark.parametrize("after", NOOPS.values(), ids=NOOPS.keys())
def test_an_invisible_change_does_not_change_the_menu(after: Session) -> None:
    assert shown(session()) == shown(after)


def test_passing_time_does_not_change_the_menu() -> None:
    midday = NOON - NOON % 86400 + 43200
    seen = board([session(since=midday), session(session_id="b", status="idle", since=midday - 3600)], midday)
    assert menu(seen, Facts(), midday) == menu(seen, Facts(), midday + 3 * 60)


def test_a_session_keeps_its_key_when_it_moves_between_the_groups() -> None:
    def keys(status: str) -> list[str]:
        return [item.key for item in shown(session(status=status)) if item.key.startswith("session")]

    assert keys("working") == keys("permission") != []


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
        (Facts(hooks="missing"), "Install", Hooks("install")),
        (Facts(hooks="missing"), "Show what changes", Open("changes")),
        (Facts(hooks="outdated"), "Show what changes", Open("changes")),
        (Facts(hooks="unknown"), "Install", Hooks("install")),
        (Facts(hooks="unknown"), "Uninstall", Hooks("uninstall")),
        (Facts(hooks="outdated"), "Repair", Hooks("repair")),
        (Facts(hooks="installed"), "Uninstall", Hooks("uninstall")),
    ],
)
def test_the_facts_decide_what_is_offered(facts: Facts, text: str, action: object) -> None:
    assert [item.action for item in below(shown(facts=facts)) if item.text == text] == [action]


@pytest.mark.parametrize("key", ["offer", "problem", "wake", "login", "happened", "install", "changes"])
def test_nothing_is_offered_without_a_reason(key: str) -> None:
    assert key not in [item.key for item in below(shown(facts=Facts(hooks="installed")))]


@pytest.mark.parametrize(("hooks", "absent"), [("missing", "uninstall"), ("unknown", "offer"), ("unknown", "repair")])
def test_nothing_is_offered_that_the_state_of_the_hooks_rules_out(hooks: HooksState, absent: str) -> None:
    assert absent not in [item.key for item in below(shown(facts=Facts(hooks=hooks)))]


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
    hooks = find(shown(facts=Facts(happened="Installed 14 hooks")), "hooks")
    assert texts(hooks.children)[-1] == "Installed 14 hooks"


def test_few_sessions_are_not_grouped() -> None:
    assert not any(item.key.startswith("project ") for item in menu(crowd(FLAT), Facts(), NOON))


def test_an_item_without_action_and_children_is_disabled() -> None:
    assert [
        item.enabled for item in (Item("a", "A"), Item("b", "B", Open("log")), Item("c", "C", children=(QUIT,)))
    ] == [
        False,
        True,
        True,
    ]
