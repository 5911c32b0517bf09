"""Test how the lanes are laid out on screens of every size."""

import pytest

from deskbell.board import board
from deskbell.cards.card import card
from deskbell.cards.drawing import SIZES, Size
from deskbell.cards.lanes import View, lanes, past
from deskbell.cards.panes import Pane, panes
from deskbell.face.facts import Facts
from deskbell.session import Session
from tests.tray.cards.boards import NOW, OFFICE, one, plain


def laid(columns: int, lines: int | None, *sessions: Session, view: View | None = None) -> tuple[Pane, ...]:
    given = sessions or OFFICE
    arranged = board(given, NOW)
    shown = lanes(arranged, past(arranged, given), view or View(), NOW)
    return panes(shown, lambda session: card(session, Facts(), NOW), columns, lines, 2)


def places(found: tuple[Pane, ...]) -> list[tuple[str, int, int, int, int]]:
    return [(pane.name, pane.x, pane.y, pane.columns, pane.lines) for pane in found]


def text(pane: Pane) -> list[str]:
    heads = [plain([pane.heading])[0]]
    return heads + [row.card.cells.project if row.card else plain([row.line])[0] for row in pane.rows]


def test_a_wide_screen_has_two_lanes_and_below_them_what_has_ended() -> None:
    assert places(laid(100, 30)) == [("needs_you", 0, 2, 49, 28), ("running", 51, 2, 49, 28), ("ended", 0, 30, 100, 2)]


def test_a_low_screen_has_what_has_ended_behind_what_runs() -> None:
    found = laid(100, 10)
    assert places(found) == [("needs_you", 0, 2, 49, 10), ("running", 51, 2, 49, 10)]
    assert text(found[1]) == ["Running 2", "data", "docs", " Ended 2, 1 crashed  ▸ e shows them", "mobile"]


def test_a_narrow_screen_has_all_in_one_column() -> None:
    (found,) = laid(60, 30)
    assert places((found,)) == [("needs_you", 0, 2, 60, 30)]
    assert text(found)[:5] == ["Needs You 3", "api", "infra", "web", " Running 2"]


def test_nothing_is_below_where_nothing_has_ended() -> None:
    assert len(laid(100, 30, one("a"))) == 2


def test_an_empty_lane_says_so() -> None:
    left, right = laid(100, 30, one("a"))
    assert text(left) == ["Needs You 0", "  Nothing needs you."]
    assert text(right) == ["Running 1", "a"]


def test_a_lane_without_the_words_of_the_filter_says_so() -> None:
    left, right = laid(100, 30, one("a"), view=View(query="zzz"))
    assert (text(left)[1], text(right)[1]) == ("  Nothing here has these words.",) * 2


def test_only_who_needs_the_person_takes_the_whole_screen() -> None:
    assert places(laid(100, 30, view=View(only_needs_you=True))) == [("needs_you", 0, 2, 100, 30)]


def test_what_has_ended_takes_a_third_of_the_screen_at_most() -> None:
    many = [one(f"e{n}", "ended", 100 + n, pid=None) for n in range(50)]
    *_, below = laid(100, 30, one("a"), *many, view=View(unfolded=True))
    assert (below.y, below.lines, len(below.rows)) == (22, 10, 50)
    assert plain([below.heading]) == ["Ended 50  ▾ e folds them"]


def test_the_new_sessions_are_below_what_has_ended_under_a_heading_without_a_number() -> None:
    *_, below = laid(100, 30, one("a"), OFFICE[5], one("n", "new"))
    assert (text(below), below.lines) == (["Ended 1, 1 crashed", OFFICE[5].project, " New", "n"], 4)
    *_, below = laid(100, 30, one("n", "new"))
    assert (text(below), below.name) == (["New", "n"], "new")


def test_crashes_alone_are_not_folded() -> None:
    *_, below = laid(100, 30, OFFICE[5])
    assert plain([below.heading]) == ["Ended 1, 1 crashed"]


@pytest.mark.parametrize(("many", "size"), [(5, "whole"), (9, "three"), (13, "two"), (28, "one"), (500, "one")])
def test_cards_are_as_large_as_there_is_room_for(many: int, size: Size) -> None:
    _, right = laid(100, 30, *(one(f"s{n}", context_percent=5.0) for n in range(many)))
    assert right.sizes[-1] == size


GROWN = [(6, "three", 5), (9, "three", 1), (10, "two", 9), (13, "two", 3), (20, "one", 9), (29, "one", 0)]


@pytest.mark.parametrize(("many", "size", "grown"), GROWN)
def test_the_first_cards_are_larger_where_room_is_left(many: int, size: Size, grown: int) -> None:
    _, right = laid(100, 30, *(one(f"s{n}", context_percent=5.0) for n in range(many)))
    larger = SIZES[SIZES.index(size) - 1]
    assert right.sizes == (larger,) * grown + (size,) * (many - grown)
    assert right.whole <= right.body


@pytest.mark.parametrize(("many", "size"), [(12, "whole"), (13, "three")])
def test_where_nothing_bounds_the_lines_all_rows_are_there(many: int, size: str) -> None:
    left, right = laid(100, None, *(one(f"s{n}") for n in range(many)))
    assert (right.sizes, right.body) == ((size,) * many, right.whole)
    assert left.lines == right.lines


def test_a_group_has_a_line_with_its_name_and_its_number() -> None:
    left, _, below = laid(100, 30, view=View(by_project=True))
    assert text(left) == ["Needs You 3", "  api 1", "api", "  infra 1", "infra", "  web 1", "web"]
    assert below.lines == 3


def test_the_row_at_a_line_is_found() -> None:
    _, right = laid(100, 30, one("a"), one("b"))
    found = [row and row.card and row.card.cells.project for row in map(right.row_at, (-1, 0, 3, 4, 7, 8, 99))]
    assert found == [None, "a", "a", "b", "b", None, None]


@pytest.mark.parametrize("lines", [None, 0, 1, 2, 5, 12, 60])
@pytest.mark.parametrize("columns", [1, 20, 71, 72, 200])
def test_no_pane_leaves_the_screen(columns: int, lines: int | None) -> None:
    for pane in laid(columns, lines):
        assert pane.x >= 0
        assert pane.x + pane.columns <= columns
        if lines is not None:
            assert pane.y + pane.lines <= 2 + lines
