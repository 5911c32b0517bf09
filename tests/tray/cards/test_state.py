"""Test how the board follows its sessions, and how a person moves over it."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from deskbell.cards.picture import Picture
from deskbell.cards.state import State, crossed, hit, moved, picked, screenful, scrolled
from deskbell.session import Session
from tests.tray.cards.boards import OFFICE, one, plain, screen


def chosen(state: State) -> str | None:
    return state.chosen and state.chosen[0]


def after(seen: Picture, sessions: Sequence[Session], columns: int = 100, lines: int = 30) -> Picture:
    """Return the picture after SEEN, with these sessions on a screen of this size."""
    return screen(sessions, seen.state, columns, lines)


def test_the_first_who_needs_the_person_is_chosen_at_first() -> None:
    assert chosen(screen().state) == "api"
    assert chosen(screen([OFFICE[4]]).state) == "data"
    assert chosen(screen([]).state) is None


def test_a_chosen_session_is_followed_wherever_it_goes() -> None:
    before = screen()
    answered = [replace(OFFICE[0], status="working", since=OFFICE[0].since + 1), *OFFICE[1:]]
    moved_on = after(before, answered)
    assert (chosen(moved_on.state), moved_on.state.lane) == ("api", "running")


def test_what_took_the_place_of_a_session_that_is_gone_is_chosen() -> None:
    assert chosen(after(screen(), OFFICE[1:]).state) == "infra"
    last = screen(state=State(chosen=("web", 1)))
    assert chosen(after(last, [OFFICE[0], *OFFICE[2:]]).state) == "infra"
    assert chosen(after(screen(OFFICE[:1]), [OFFICE[4]]).state) == "data"
    assert chosen(after(screen(), []).state) is None


MOVES = [
    ("api", 1, "infra"),
    ("api", -1, "api"),
    ("infra", 1, "web"),
    ("infra", -1, "api"),
    ("web", 1, "mobile"),
    ("web", 5, "web"),
    ("data", 1, "docs"),
    ("docs", 1, "mobile"),
    ("mobile", 1, "mobile"),
    ("mobile", -1, "web"),
    ("mobile", -9, "mobile"),
]


def named(name: str) -> tuple[str, int | None]:
    return name, None if name in ("mobile", "old") else 1


@pytest.mark.parametrize(("start", "by", "end"), MOVES)
def test_down_and_up_go_on_in_the_pane_below_and_above(start: str, by: int, end: str) -> None:
    before = screen(state=State(chosen=named(start)))
    assert chosen(moved(before.state, before.panes, by)) == end


@pytest.mark.parametrize(
    ("start", "by", "around", "end"),
    [
        ("api", 1, False, "data"),
        ("infra", 1, False, "docs"),
        ("docs", -1, False, "infra"),
        ("api", -1, False, "api"),
        ("data", 1, False, "data"),
        ("mobile", 1, False, "mobile"),
        ("mobile", -1, False, "mobile"),
        ("api", 1, True, "data"),
        ("data", 1, True, "mobile"),
        ("mobile", 1, True, "api"),
        ("api", -1, True, "mobile"),
    ],
)
def test_right_and_left_go_to_the_card_at_the_same_height(start: str, by: int, around: bool, end: str) -> None:
    before = screen(state=State(chosen=named(start)))
    assert chosen(crossed(before.state, before.panes, by, around)) == end


def test_there_is_nowhere_to_go_without_a_card() -> None:
    empty = screen([])
    assert moved(empty.state, empty.panes, 1) is empty.state
    assert crossed(empty.state, empty.panes, 1, around=True) is empty.state
    assert screenful(State(lane="ended"), empty.panes) == 1
    assert moved(State(lane="ended"), empty.panes, 1) == State(lane="ended")
    assert crossed(State(lane="ended"), empty.panes, 1) == State(lane="ended")


MANY = tuple(one(f"s{n:03}", "working", turn_started=5000 - n) for n in range(100))


def test_the_chosen_card_is_always_on_the_screen() -> None:
    seen = screen(MANY)
    assert screenful(seen.state, seen.panes) == 26
    for by in (1, 40, -3, 60, -90, 7):
        seen = screen(MANY, moved(seen.state, seen.panes, by))
        assert any(line.find("█") >= 0 for line in plain(seen.lines))


def test_the_name_of_its_group_is_on_the_screen_with_the_first_card_of_it() -> None:
    grouped = replace(State(), view=replace(State().view, by_project=True))
    seen = screen(MANY, grouped)
    down = screen(MANY, moved(seen.state, seen.panes, 60))
    up = screen(MANY, moved(down.state, down.panes, -20))
    first = plain(up.lines)[2:4]
    assert "█" in first[1]
    assert "s040 1" in first[0]


def test_a_pane_that_was_scrolled_stays_where_it_is_until_a_card_is_chosen() -> None:
    seen = screen(MANY)
    right = seen.panes[1]
    away = screen(MANY, scrolled(seen.state, right, 30))
    assert away.state.tops["running"] == 30
    assert not any("█" in line for line in plain(away.lines))
    assert after(away, MANY).state.tops["running"] == 30
    back = screen(MANY, moved(away.state, away.panes, 1))
    assert chosen(back.state) == "s001"
    assert any("█" in line for line in plain(back.lines))


@pytest.mark.parametrize(("by", "top"), [(-5, 0), (5, 5), (10**6, 73)])
def test_no_pane_is_scrolled_beyond_its_ends(by: int, top: int) -> None:
    seen = screen(MANY)
    assert scrolled(seen.state, seen.panes[1], by).tops["running"] == top


def test_a_place_of_the_screen_is_a_card_a_heading_or_nothing() -> None:
    seen = screen()
    at = {
        place: hit(seen.state, seen.panes, *place)
        for place in ((3, 1), (3, 2), (60, 3), (3, 27), (3, 28), (50, 5), (3, 20), (99, 0))
    }
    told = {place: found and (found.key and found.key[0], found.lane) for place, found in at.items()}
    assert told == {
        (3, 1): (None, "needs_you"),
        (3, 2): ("api", None),
        (60, 3): ("data", None),
        (3, 27): (None, "ended"),
        (3, 28): ("mobile", None),
        (50, 5): None,
        (3, 20): (None, None),
        (99, 0): None,
    }
    low = screen(columns=60)
    assert any((found := hit(low.state, low.panes, 3, y)) and found.lane == "running" for y in range(30))


def test_a_click_chooses_a_card_and_scrolls_nothing() -> None:
    seen = screen(MANY)
    away = screen(MANY, scrolled(seen.state, seen.panes[1], 30))
    found = hit(away.state, away.panes, 60, 10)
    assert found
    assert found.key
    clicked = screen(MANY, picked(away.state, found.key))
    assert (clicked.state.chosen, clicked.state.tops["running"]) == (found.key, 30)
