"""Test an item of the menu, and how high a menu of items is."""

from deskbell.face.actions import Open, Quit
from deskbell.face.item import Item, height, separator
from deskbell.face.room import Room

QUIT = Item("quit", "Quit", Quit())


def test_an_item_without_action_and_children_is_disabled() -> None:
    items = Item("a", "A"), Item("b", "B", Open("log")), Item("c", "C", children=(QUIT,)), separator("d")
    assert [item.enabled for item in items] == [False, True, True, False]


def test_the_height_of_a_menu_is_that_of_its_rows_and_separators() -> None:
    items = Item("a", "A", children=(QUIT, QUIT)), separator("b"), QUIT, Item("c", "C", Quit(), hidden=True)
    assert height(items, Room(height=100.0, row=10.0, separator=3.0)) == 23.0
