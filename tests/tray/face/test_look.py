"""Test the state of the icon, its number and its tooltip."""

from dataclasses import replace
from datetime import datetime
from unicodedata import category

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deskbell.board import Board, board
from deskbell.face.facts import Facts
from deskbell.face.look import ROOM, Look, look
from deskbell.session import STATUSES, Session
from deskbell.usage import Usage, Window
from deskbell_icons import IconState
from tests.tray.making import session

NOW = datetime(2026, 5, 14, 12, 41).timestamp()
NOTHING = Facts()
SNOOZED = Facts(snoozed_until=datetime(2026, 5, 14, 14, 0).timestamp())
BARE = Facts(hooks="missing")
WINDOWS = Window("five_hour", 42, 9e9), Window("seven_day", 12, 9e9)
USED = Facts(usages=(Usage("~/.claude", WINDOWS),))
BROKEN = Facts(problem="The disk is full")

PERMISSION = session(session_id="p", status="permission", detail="Bash: npm publish", project="api", since=NOW)
QUESTION = session(session_id="q", status="question", detail="", project="web", since=NOW)
IDLE = session(session_id="i", status="idle", project="docs", since=NOW)
STOPPED = session(session_id="s", status="interrupted", since=NOW)
FAILED = session(session_id="f", status="error", since=NOW)
WORKING = session(session_id="w", since=NOW)
BACKGROUND = session(session_id="b", status="background", since=NOW)
ENDED = session(session_id="e", status="ended", since=NOW)
PRINT = session(session_id="h", status="permission", hidden=True, since=NOW)


def _board(*sessions: Session) -> Board:
    return board(sessions, NOW)


def _many(status: str, count: int) -> list[Session]:
    return [session(session_id=f"{status}{n}", status=status, since=NOW) for n in range(count)]


@pytest.mark.parametrize(
    ("sessions", "facts", "state", "count"),
    [
        ([], NOTHING, "quiet", 0),
        ([ENDED], NOTHING, "quiet", 0),
        (_many("new", 3), NOTHING, "quiet", 0),
        ([*_many("new", 3), IDLE], NOTHING, "your_turn", 0),
        ([WORKING], NOTHING, "working", 0),
        ([BACKGROUND], NOTHING, "working", 0),
        ([IDLE, WORKING], NOTHING, "your_turn", 0),
        ([PERMISSION, QUESTION, IDLE, WORKING], NOTHING, "blocked", 2),
        ([STOPPED, FAILED, WORKING], NOTHING, "your_turn", 0),
        ([STOPPED, QUESTION], NOTHING, "blocked", 1),
        ([PERMISSION], BARE, "blocked", 1),
        ([PERMISSION], BROKEN, "blocked", 1),
        ([PERMISSION], replace(SNOOZED, problem="The disk is full"), "problem", 1),
        ([IDLE], replace(SNOOZED, problem="The disk is full"), "problem", 0),
        ([IDLE], Facts(hooks="unknown"), "your_turn", 0),
        ([IDLE], Facts(hooks="unknown", problem="Cannot check the hooks"), "problem", 0),
        ([IDLE], BROKEN, "problem", 0),
        ([IDLE], BARE, "uninstalled", 0),
        ([], Facts(hooks="overwritten"), "uninstalled", 0),
        ([], Facts(hooks="unreadable"), "problem", 0),
        ([IDLE], Facts(hooks="outdated"), "your_turn", 0),
        ([PERMISSION], SNOOZED, "snoozed", 1),
    ],
)
def test_the_icon_shows_the_most_urgent_fact(
    sessions: list[Session], facts: Facts, state: IconState, count: int
) -> None:
    seen = look(_board(*sessions), facts, NOW)
    assert (seen.state, seen.count) == (state, count)


@pytest.mark.parametrize(
    ("sessions", "facts", "tooltip"),
    [
        ([], NOTHING, "No session is running"),
        (_many("new", 3), NOTHING, "No session was prompted yet"),
        ([IDLE, *_many("new", 3)], NOTHING, "1 your turn · docs"),
        ([PERMISSION], NOTHING, "1 blocked · api wants to run npm publish"),
        (
            [QUESTION, PERMISSION, *_many("working", 5)],
            NOTHING,
            "2 blocked, 5 running · api wants to run npm publish; web has a question",
        ),
        ([QUESTION, IDLE, WORKING], NOTHING, "1 blocked, 1 your turn, 1 running · web has a question"),
        ([IDLE], NOTHING, "1 your turn · docs"),
        (_many("idle", 7), NOTHING, "7 your turn · api; api; api; api; api and 2 more"),
        ([QUESTION], SNOOZED, "Snoozed until 14:00 · 1 blocked · web has a question"),
        ([WORKING], USED, "1 running · 5 h 42 %, 7 d 12 %"),
        (
            [QUESTION, PERMISSION, *_many("question", 90)],
            USED,
            "92 blocked · api wants to run npm publish; web has a question; api asks: Thinking; api asks: Thinking and 88 more",
        ),
        ([WORKING], BARE, "Hooks not installed · 1 running"),
        ([], BROKEN, "The disk is full · No session is running"),
        ([PERMISSION], BROKEN, "The disk is full · 1 blocked · api wants to run npm publish"),
        ([WORKING], Facts(hooks="unknown"), "1 running"),
        ([WORKING], Facts(hooks="unreadable"), "Cannot read Claude Code's settings · 1 running"),
        (
            [session(session_id=str(n), status="question", detail="", since=NOW) for n in range(54)],
            NOTHING,
            f"54 blocked · {'; '.join(['api has a question'] * 5)} and 49 more",
        ),
        (
            [session(status="permission", detail="Bash: a\x1b[31m\x00\u202eb\nc")],
            NOTHING,
            "1 blocked · api wants to run ab c",
        ),
    ],
)
def test_the_tooltip_names_the_sessions_and_what_they_want(sessions: list[Session], facts: Facts, tooltip: str) -> None:
    assert look(_board(*sessions), facts, NOW).tooltip == tooltip


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ([WORKING], [session(session_id="w", detail="Bash: make", since=NOW)]),
        ([WORKING, ENDED], [WORKING]),
        ([IDLE, PRINT], [IDLE]),
        ([PERMISSION], [session(**{n: getattr(PERMISSION, n) for n in PERMISSION.__slots__} | {"heard": NOW + 9})]),
    ],
)
def test_an_invisible_change_does_not_change_the_look(one: list[Session], other: list[Session]) -> None:
    assert look(_board(*one), NOTHING, NOW) == look(_board(*other), NOTHING, NOW + 2)


@pytest.mark.parametrize(
    ("sessions", "tooltip"),
    [
        ([], "1 crashed"),
        ([WORKING], "1 running, 1 crashed"),
        ([IDLE, WORKING], "1 your turn, 1 running, 1 crashed · docs"),
    ],
)
def test_the_tooltip_counts_the_crashes_and_the_icon_stays_as_it_is(sessions: list[Session], tooltip: str) -> None:
    crashed = session(session_id="c", status="crashed", since=NOW, kept_until=NOW + 60)
    with_crash = look(_board(*sessions, crashed), NOTHING, NOW)
    assert with_crash == replace(look(_board(*sessions), NOTHING, NOW), tooltip=tooltip)


def test_the_tooltip_keeps_the_counts_without_room_for_names() -> None:
    seen = look(_board(*_many("permission", 12), *_many("idle", 3), WORKING), NOTHING, NOW, room=40)
    assert seen.tooltip == "12 blocked, 3 your turn, 1 running"


def test_the_tooltip_keeps_your_turn_without_room_for_names() -> None:
    assert look(_board(*_many("idle", 3)), NOTHING, NOW, room=12).tooltip == "3 your turn"


SESSIONS = st.builds(
    lambda status, detail, project, number: session(
        status=status, detail=detail, project=project, session_id=str(number), since=NOW
    ),
    st.sampled_from(STATUSES),
    st.text(),
    st.text(),
    st.integers(),
)


@given(sessions=st.lists(SESSIONS, max_size=60), problem=st.none() | st.text(), room=st.integers(10, ROOM))
def test_any_tooltip_fits_and_is_one_line_without_controls(
    sessions: list[Session], problem: str | None, room: int
) -> None:
    seen = look(_board(*sessions), Facts(problem=problem, hooks="missing"), NOW, room)
    assert seen.tooltip
    assert not any(category(letter) == "Cc" for letter in seen.tooltip)
    assert len(seen.tooltip.encode("utf-16-le")) <= 2 * room


@given(sessions=st.lists(SESSIONS, max_size=60))
def test_the_order_in_which_sessions_are_found_does_not_matter(sessions: list[Session]) -> None:
    found = list({s.key: s for s in sessions}.values())
    assert look(_board(*found), NOTHING, NOW) == look(_board(*reversed(found)), NOTHING, NOW)


def test_the_first_look_is_quiet() -> None:
    assert Look() == Look("quiet", 0, "")
