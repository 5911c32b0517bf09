"""Test the whole board as it is seen: on screens of every size, with sessions of every kind."""

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deskbell.cards.keys import Scene, pressed
from deskbell.cards.lanes import View
from deskbell.cards.picture import content, printed, waiting
from deskbell.cards.spans import wide
from deskbell.cards.state import Page, State
from deskbell.face.facts import Facts
from deskbell.session import STATUSES
from deskbell.text.rows import Span
from tests.tray.cards.boards import NOW, OFFICE, one, plain, screen, shown

WRONG = Facts(problem="The hooks are not installed. Run `deskbell install`.")


def test_a_wide_screen() -> None:
    assert shown(columns=100, lines=26, facts=WRONG) == (Path(__file__).parent / "wide.txt").read_text("utf-8").rstrip(
        "\n"
    )


def test_a_narrow_screen() -> None:
    assert shown(columns=50, lines=24) == (Path(__file__).parent / "narrow.txt").read_text("utf-8").rstrip("\n")


def test_a_printed_board_has_every_card_and_none_is_chosen() -> None:
    many = [*OFFICE, *(one(f"s{n}", "working") for n in range(60))]
    text = "\n".join(plain(printed(content(many, NOW), View(unfolded=True), WRONG, NOW, 100)))
    assert [session.project for session in many if session.project not in text] == []
    assert "█" not in text
    assert "The hooks are not installed" in text
    assert all(line == line.rstrip() or "Deskbell" in line or "!" in line for line in text.split("\n"))


def test_a_message_stands_in_place_of_the_last_lines() -> None:
    found = screen(state=State(message="many words " * 20), columns=80, lines=10)
    assert len(found.lines) == 10
    assert ["words" in line for line in plain(found.lines)] == [False] * 7 + [True] * 3
    assert found.buttons == ()


def test_a_page_stands_in_place_of_the_cards() -> None:
    page = Page("Details", tuple((Span(f"line {n}"),) for n in range(40)))
    found = plain(screen(state=State(mode="page", page=page, page_top=5), columns=80, lines=10).lines)
    assert [line.rstrip() for line in found[1:-1]] == [" Details", *(f" line {n}" for n in range(5, 12))]


def test_a_pane_shows_that_it_has_more_cards_below() -> None:
    many = [one(f"s{n:03}", "working", turn_started=9000 - n) for n in range(100)]
    found = plain(screen(many, lines=20).lines)
    assert "↓ more" in found[1]
    assert "▐" in found[2]
    assert sum("▐" in line for line in found) == 2


def test_what_scrolls_by_a_part_of_a_card_is_cut_at_the_top() -> None:
    agents = [one(f"s{n}", "permission", 400 + n) for n in range(40)]
    found = screen(agents, State(tops={"needs_you": 3}, chosen=agents[0].key, loose=True), 100, 20)
    assert found.panes[0].sizes[0] == "one"
    assert found.state.tops["needs_you"] == 3


@pytest.mark.uncounted
@given(
    columns=st.integers(1, 210),
    lines=st.integers(1, 60),
    many=st.lists(st.tuples(st.sampled_from(STATUSES), st.text(max_size=30), st.integers(0, 9000)), max_size=30),
    keys=st.lists(st.sampled_from(["j", "k", "l", "h", "p", "!", "e", "d", "?", "s", "/", "G", "g", "escape", "tab"])),
    problem=st.none() | st.text(max_size=200),
)
def test_every_line_of_every_screen_has_its_columns(
    columns: int, lines: int, many: list[tuple[str, str, int]], keys: list[str], problem: str | None
) -> None:
    sessions = [one(f"{n}", status, ago, project=text, title=text) for n, (status, text, ago) in enumerate(many)]
    facts, state = Facts(problem=problem), State()
    for key in [*keys, ""]:
        found = screen(sessions, state, columns, lines, facts)
        assert len(found.lines) == lines
        assert {wide(line) for line in found.lines} == {columns}
        step = pressed(found.state, key, key if len(key) == 1 else None, Scene(found.panes, facts, found.page_lines))
        state = step.state


def test_a_clock_that_steps_back_by_a_day_shows_the_same_sessions() -> None:
    before, after = screen(), screen(now=NOW - 86400)
    assert before.state.chosen
    assert len(after.lines) == len(before.lines)
    assert "api" in "\n".join(plain(after.lines))


@pytest.mark.parametrize(
    "text",
    ["[bold red]x[/]", "\x1b[2J\x1b]0;t\x07", "日本語のプロジェクト" * 9, "a\nb\tc", "\u202eevil", "👨‍👩‍👧" * 30],
)
def test_no_text_of_a_session_acts_on_the_board(text: str) -> None:
    hostile = one("api", "permission", project=text, title=text, branch=text, detail=f"Bash: {text}", last_line=text)
    for columns, lines in ((80, 24), (20, 5), (120, 40)):
        found = screen([hostile, *OFFICE], columns=columns, lines=lines)
        assert {wide(line) for line in found.lines} == {columns}
        assert not any(char in line for line in plain(found.lines) for char in "\x1b\x07\n\t\u202e")


def test_an_unchanged_board_is_drawn_with_the_same_lines() -> None:
    assert screen().lines == screen(now=NOW + 0.3).lines


def test_a_filter_that_nothing_passes_leaves_an_empty_board() -> None:
    found = screen(state=State(view=replace(View(), query="nothing has this")))
    assert found.state.chosen is None
    assert "Nothing here has these words." in "\n".join(plain(found.lines))


@pytest.mark.parametrize(("columns", "lines"), [(80, 24), (5, 1), (1, 1)])
def test_until_the_sessions_are_read_the_screen_says_so(columns: int, lines: int) -> None:
    found = waiting(columns, lines)
    assert {wide(line) for line in found} == {columns}
    assert len(found) == lines
    assert plain(found)[0].startswith(" Deskbell  reading the sessions…"[: columns - 1])
