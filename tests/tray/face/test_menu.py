"""The menu as a value."""

import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deskbell.board import Board, board
from deskbell.face.actions import Hooks, Jump, Mute, Open, Snooze, StartAtLogin
from deskbell.face.facts import Facts
from deskbell.face.menu import FLAT, Item, line, menu
from deskbell.session import STATUSES, Session
from deskbell.text.clean import ISOLATE
from tests.tray.making import NOON, session

TALLEST = 20
"""Rows of 36 pixels, as GNOME has them, that fit a screen of 768 with its panel; a separator is a third of a row."""


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


def test_who_needs_you_comes_first_then_who_runs() -> None:
    items = shown(
        session(session_id="w", project="web", title="Tidy", detail="Bash: make test"),
        session(session_id="p", project="api", title="Ship it", status="permission", detail="Bash: npm publish"),
    )
    lines = texts(items)[:5]
    at = lines[1].rsplit(" - ", 1)[1]
    assert lines == [
        "Needs you: 1",
        f"api - Ship it - permission: npm publish - {at}",
        "Running: 1",
        f"web - Tidy - Bash: make test - {at}",
        "All sessions",
    ]


def test_a_line_jumps_to_its_session_and_a_click_on_the_icon_to_the_most_urgent() -> None:
    items = shown(
        session(session_id="w"), session(session_id="p", status="permission"), session(session_id="i", status="idle")
    )
    listed = [i.action for i in items if isinstance(i.action, Jump) and not i.hidden]
    assert listed == [Jump((name, 100)) for name in "piw"]
    assert [i.action for i in items if i.hidden] == [Jump(("p", 100))]


def test_where_nobody_needs_you_a_click_on_the_icon_shows_the_board() -> None:
    assert [i.action for i in shown(session()) if i.hidden] == [Open("board")]


def test_every_session_has_its_own_submenu() -> None:
    items = shown(session(), facts=Facts(muted=frozenset({"a1"})))
    assert texts(find(items, "all").children[0].children) == ["Jump to it", "Copy resume command", "Muted", "Details"]
    assert (find(items, "mute").checked, find(items, "mute").action) == (True, Mute(("a1", 100), False))


def test_many_sessions_are_grouped_by_project_with_the_most_urgent_at_hand() -> None:
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


def test_below_its_project_a_session_does_not_name_it_again() -> None:
    project = next(i for i in menu(crowd(54), Facts(), NOON) if i.key == "project api")
    assert {i.text.split(" - ")[0] for i in project.children} == {"Ship it"}


def test_a_project_that_is_written_from_the_right_does_not_turn_the_row_round() -> None:
    written = session(project="مشروع")
    many = board([replace(written, session_id=f"s{i}") for i in range(20)], NOON)
    (project,) = [item.text for item in menu(many, Facts(), NOON) if item.key.startswith("project ")]
    for text in (line(written, NOON), project):
        assert unicodedata.bidirectional(text[0]) == "L"
        assert text[1] == ISOLATE


@given(st.integers(0, 300), st.integers(1, 60))
def test_no_menu_is_taller_than_a_screen_and_every_session_is_in_it(count: int, projects: int) -> None:
    sessions = [
        session(session_id=f"s{i}", pid=i, status=STATUSES[i % 9], project=f"project {i % projects}")
        for i in range(count)
    ]
    facts = Facts(hooks="partly", problem="The state folder cannot be read", autostart=False, snoozed_until=NOON + 60)
    items = menu(board(sessions, NOON), facts, NOON)
    heights = [
        sum(1 if item.text else 1 / 3 for item in level if not item.hidden)
        for level in (items, *(item.children for item in below(items)))
    ]
    assert max(heights) <= TALLEST
    assert {i.action.session for i in below(items) if isinstance(i.action, Jump)} == {s.key for s in sessions}


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
}
NOOPS = {
    "heard of again": replace(session(), heard=NOON + 5),
    "more tokens": replace(session(), output_tokens=900),
    "another reason": replace(session(), reason="the registry says so"),
    "a second subagent line of the transcript": replace(session(), last_line="Done"),
}


@pytest.mark.parametrize("after", CHANGES.values(), ids=CHANGES.keys())
def test_changes_the_menu(after: Session) -> None:
    assert shown(session()) != shown(after)


@pytest.mark.parametrize("after", NOOPS.values(), ids=NOOPS.keys())
def test_does_not_change_the_menu(after: Session) -> None:
    assert shown(session()) == shown(after)


def test_time_that_passes_does_not_change_the_menu() -> None:
    midday = NOON - NOON % 86400 + 43200
    seen = board([session(since=midday), session(session_id="b", status="idle", since=midday - 3600)], midday)
    assert menu(seen, Facts(), midday) == menu(seen, Facts(), midday + 3 * 60)


def test_a_session_keeps_its_key_when_it_moves_between_the_groups() -> None:
    def keys(status: str) -> list[str]:
        return [item.key for item in shown(session(status=status)) if item.key.startswith("session")]

    assert keys("working") == keys("permission") != []


@pytest.mark.parametrize(
    ("facts", "said", "action"),
    [
        (Facts(hooks="missing"), "Claude Code does not report to Deskbell yet: install the hooks", Hooks("install")),
        (Facts(hooks="outdated"), "The hooks are outdated: repair them", Hooks("repair")),
        (Facts(snoozed_until=NOON + 60), "Ring again now", Snooze(None)),
        (Facts(autostart=False), "Start at login", StartAtLogin(True)),
        (Facts(hooks="missing"), "Install", Hooks("install")),
        (Facts(), "Uninstall", Hooks("uninstall")),
    ],
)
def test_what_the_facts_offer(facts: Facts, said: str, action: object) -> None:
    assert [item.action for item in below(shown(facts=facts)) if item.text == said] == [action]


@pytest.mark.parametrize("key", ["offer", "problem", "wake", "login", "happened", "uninstall"])
def test_what_is_not_so_is_not_offered(key: str) -> None:
    items = shown(facts=Facts(hooks="missing") if key == "uninstall" else Facts())
    assert key not in [item.key for item in below(items)]


def test_what_an_install_said_stays_readable() -> None:
    hooks = find(shown(facts=Facts(happened="Installed 14 hooks")), "hooks")
    assert texts(hooks.children)[-1] == "Installed 14 hooks"


def test_few_sessions_stay_flat() -> None:
    assert not any(item.key.startswith("project ") for item in menu(crowd(FLAT), Facts(), NOON))
