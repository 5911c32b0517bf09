"""Test an item of the menu, and how high a menu of items is."""

from dataclasses import replace

import pytest

from deskbell.face.actions import Open, Quit
from deskbell.face.item import Item, alike_but_for_words, height, separator
from deskbell.face.room import Room

QUIT = Item("quit", "Quit", Quit())


def test_an_item_without_action_and_children_is_disabled() -> None:
    items = Item("a", "A"), Item("b", "B", Open("log")), Item("c", "C", children=(QUIT,)), separator("d")
    assert [item.enabled for item in items] == [False, True, True, False]


def test_the_height_of_a_menu_is_that_of_its_rows_and_separators() -> None:
    items = Item("a", "A", children=(QUIT, QUIT)), separator("b"), QUIT, Item("c", "C", Quit(), hidden=True)
    assert height(items, Room(height=100.0, row=10.0, separator=3.0)) == 23.0


BELOW = Item("more", "2 more", children=(QUIT, Item("log", "Log", Open("log"), since=5.0)))
WORDS = {
    "nothing": BELOW,
    "its text": replace(BELOW, text="3 more"),
    "its age": replace(BELOW, since=7.0),
    "a text below": replace(BELOW, children=(QUIT, Item("log", "Open log", Open("log"), since=5.0))),
}
ROWS = {
    "its key": replace(BELOW, key="less"),
    "what a click does": replace(BELOW, action=Quit()),
    "its tick": replace(BELOW, checked=True),
    "hidden": replace(BELOW, hidden=True),
    "its sign": replace(BELOW, sign="working"),
    "a row less below": replace(BELOW, children=(QUIT,)),
    "the order below": replace(BELOW, children=BELOW.children[::-1]),
    "a tick below": replace(BELOW, children=(replace(QUIT, checked=True), BELOW.children[1])),
}


@pytest.mark.parametrize("changed", WORDS.values(), ids=WORDS)
def test_the_same_rows_may_say_other_things(changed: Item) -> None:
    assert alike_but_for_words((QUIT, BELOW), (QUIT, changed))


@pytest.mark.parametrize("changed", ROWS.values(), ids=ROWS)
def test_other_rows_are_more_than_other_words(changed: Item) -> None:
    assert not alike_but_for_words((QUIT, BELOW), (QUIT, changed))


def test_a_row_more_is_more_than_other_words() -> None:
    assert not alike_but_for_words((QUIT,), (QUIT, BELOW))
