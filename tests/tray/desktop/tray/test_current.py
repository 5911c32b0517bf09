"""Test what a late click means."""

from itertools import count

from deskbell.desktop.tray.current import REMEMBERED, Current
from deskbell.desktop.tray.library import KeyedItem, Menu


def menu(key: str) -> Menu:
    return Menu(KeyedItem(key, key, print))


def current() -> tuple[Current, int]:
    """Return what shows the row api, and its number."""
    one = Current()
    one.want(menu("api"))
    return one, next(number for number, node in one.layout.items() if node.key == "api")


def test_a_number_that_was_removed_still_means_the_row_that_had_it() -> None:
    one, was = current()
    item = one.item(was)
    for name in count():
        if was not in one.layout:
            break
        one.want(menu(f"row {name}"))
    assert one.item(was) is item
    assert one.item(-1) is None


def test_not_every_number_is_remembered_for_ever() -> None:
    one, was = current()
    for name in range(REMEMBERED + 100):
        one.want(menu(f"row {name}"))
    assert one.item(was) is None
    assert len(one._removed) == REMEMBERED
