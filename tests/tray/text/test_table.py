"""Test the list of sessions as terminals of every size show it."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deskbell.session import STATUSES, Session
from deskbell.text.table import NARROW, lines, listing
from deskbell.text.width import width
from tests.tray.making import NOON, session

ASKS = session(session_id="a1b2c3d4-0", status="permission", detail="Bash: npm publish --access public", project="api")
DONE = session(session_id="b1b2c3d4-0", status="idle", detail="", last_line="All 41 tests pass.", project="web")
WORKS = session(session_id="c1b2c3d4-0", status="working", detail="Bash: make test", project="mobile-app")


def drawn(columns: int | None, *sessions: Session, rows: int | None = None) -> list[str]:
    shown = lines(listing(sessions, NOON + 250, columns), rows)
    return ["".join(span.text for span in line) for line in shown]


def test_a_narrow_terminal_gets_two_lines_for_each_session() -> None:
    assert drawn(40, ASKS, DONE, WORKS) == [
        "Blocked",
        "● a1b2c3d4  4 min  api",
        "  wants to run npm publish --access…",
        "",
        "Your turn",
        "○ b1b2c3d4  4 min  web",
        "  All 41 tests pass. · Ship it",
        "",
        "Running",
        "▶ c1b2c3d4  4 min  mobile-app",
        "  running make test · Ship it",
        "",
        "1 blocked, 1 your turn, 1 running",
    ]


def test_a_wider_terminal_gets_columns_and_the_title_behind_what_is_asked() -> None:
    assert drawn(74, ASKS, DONE) == [
        "  id          for  project  what",
        "Blocked",
        "● a1b2c3d4  4 min  api      wants to run npm publish --access public",
        "",
        "Your turn",
        "○ b1b2c3d4  4 min  web      All 41 tests pass. · Ship it",
        "",
        "1 blocked, 1 your turn",
    ]


def test_a_wide_terminal_gets_a_column_of_titles() -> None:
    assert drawn(84, ASKS, WORKS)[:3] == [
        "  id          for  project     what                                      title",
        "Blocked",
        "● a1b2c3d4  4 min  api         wants to run npm publish --access public  Ship it",
    ]


def test_a_column_is_shown_only_where_some_session_has_a_value() -> None:
    assert drawn(200, ASKS)[0].split() == ["id", "for", "project", "what", "title"]
    full = session(branch="main", model="claude-opus-5-5", context_percent=41.6)
    names, *_, row, _, _ = drawn(200, ASKS, full)
    assert names.split() == ["id", "for", "project", "what", "title", "branch", "context", "model"]
    assert row.split()[-4:] == ["main", "42", "%", "opus-5-5"]
    assert drawn(200, session(title="", prompt=""))[0].split() == ["id", "for", "project", "what"]


def test_what_is_asked_has_room_before_all_else() -> None:
    asks = session(status="permission", detail=f"Bash: {'x' * 60}", title="t" * 60, branch="main")
    for columns in (101, 120, 160):
        assert f"wants to run {'x' * 60}" in drawn(columns, asks)[2]


def test_without_a_bound_nothing_is_cut() -> None:
    asks = session(status="permission", detail=f"Bash: {'x' * 150}", title="t" * 40, branch="b" * 20)
    (_, _, row, _, _) = drawn(None, asks)
    assert f"{'x' * 150}  {'t' * 40}  {'b' * 20}" in row


def test_without_a_session_only_the_summary_is_there() -> None:
    assert drawn(80) == ["No session is running"]


def test_the_summary_is_wrapped_where_it_does_not_fit() -> None:
    crashed = session(status="crashed", detail="")
    assert drawn(40, ASKS, DONE, WORKS, crashed)[-2:] == ["1 blocked, 1 your turn, 1 running, 1", "crashed"]


def test_hidden_and_ended_sessions_are_listed_and_not_counted() -> None:
    shown = drawn(80, WORKS, session(hidden=True), session(status="ended"))
    assert [line for line in shown if line in ("Running", "Ended")] == ["Running", "Ended"]
    assert shown[-1] == "1 running"


def many(number: int) -> list[Session]:
    return [
        session(session_id=f"{n:08x}", status=("permission", "idle", "working")[3 * n // number]) for n in range(number)
    ]


def test_a_list_that_fits_loosely_has_lines_between_its_parts_and_one_that_fits_tightly_has_none() -> None:
    assert len(drawn(80, *many(3), rows=11)) == 11
    assert len(drawn(80, *many(3), rows=10)) == 9
    assert "" not in drawn(80, *many(3), rows=10)[:-2]


def test_a_list_that_does_not_fit_says_how_many_are_left_out_and_keeps_its_summary() -> None:
    shown = drawn(80, *many(54), rows=25)
    assert len(shown) == 25
    assert shown[-3:] == ["… 35 more", "", "18 blocked, 18 your turn, 18 running"]
    assert sum(line.startswith(("●", "○", "▶")) for line in shown) == 54 - 35


@pytest.mark.parametrize("columns", [30, 80])
@pytest.mark.parametrize("rows", range(1, 30))
def test_no_list_is_higher_than_the_screen_or_ends_with_an_empty_heading(columns: int, rows: int) -> None:
    shown = drawn(columns, *many(9), rows=rows)
    assert len(shown) <= rows
    assert shown[-1].endswith("running")
    listed = sum(line.startswith(("●", "○", "▶")) for line in shown)
    more = [int(line.split()[1]) for line in shown if line.startswith("…")]
    assert listed + sum(more) == 9 or rows < 4
    for line, following in pairwise(shown):
        assert not (line in ("Blocked", "Your turn", "Running") and following.startswith("…"))


TEXTS = st.sampled_from(
    ["", "web", "日本語のタイトルです", "👩‍🚀 Launch 🚀", "הוסף תמיכה בעברית", "e\u0301" * 30, "x" * 300, "a b " * 40]
)
SESSIONS = st.builds(
    session,
    session_id=st.sampled_from(["a1b2c3d4-e5f6", "b"]),
    status=st.sampled_from(STATUSES),
    detail=TEXTS,
    title=TEXTS,
    project=TEXTS,
    branch=TEXTS,
    model=TEXTS,
    last_line=TEXTS,
    context_percent=st.sampled_from([None, 0.0, 100.0]),
    since=st.sampled_from([NOON, 0.0]),
)


@given(st.lists(SESSIONS, max_size=6), st.integers(24, 250))
def test_no_line_is_wider_than_the_terminal_and_no_session_is_lost(sessions: Sequence[Session], columns: int) -> None:
    shown = drawn(columns, *sessions)
    assert max(map(width, shown)) <= columns
    assert sum(line.startswith(("●", "◐", "✖", "○", "▶", "▷", "· ", "◌", "◷")) for line in shown) == len(sessions)


def test_the_columns_of_wide_characters_stand_below_each_other() -> None:
    shown = drawn(200, session(project="日本語"), session(project="web", detail="日本"), session(title="שלום"))
    rows = [line for line in shown if line.startswith("▶")]
    places = [[width(row[: row.index(text)]) for text in ("api", "日本語", "web") if text in row] for row in rows]
    assert len({place for (place,) in places}) == 1


def test_the_bound_between_one_and_two_lines() -> None:
    assert len(drawn(NARROW, ASKS)) == 5
    assert len(drawn(NARROW - 1, ASKS)) == 5
    assert drawn(NARROW, ASKS)[0].startswith("  id")
    assert drawn(NARROW - 1, ASKS)[0] == "Blocked"


def styles(**fields: Any) -> dict[str, str]:
    shown = lines(listing([session(**fields)], NOON, 120))
    return {span.text.strip(): span.style for line in shown for span in line}


def test_colours_show_the_urgency_and_a_stale_session_is_dim() -> None:
    asks = styles(status="permission", detail="Bash: make")
    assert asks["●"] == asks["Blocked"] == "bold red"
    assert asks["wants to run make"] == ""
    assert styles(status="permission", detail="Bash: make", stale=True)["wants to run make"] == "dim"
