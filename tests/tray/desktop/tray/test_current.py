"""Test when the hosts are told of a new menu, and what a late click means."""

from itertools import count
from typing import Any

import pytest

from deskbell.desktop.tray.current import NOTHING, REMEMBERED, Current
from deskbell.desktop.tray.layout import ROOT
from deskbell.desktop.tray.library import KeyedItem, Menu

Entry = tuple[str, list[Any]]


def menu(*entries: Entry | str) -> Menu:
    rows = [(one, []) if isinstance(one, str) else one for one in entries]
    return Menu(*(KeyedItem(key, key, print, submenu=menu(*below) if below else None) for key, below in rows))


OPEN: Entry = ("api", ["asks", "show"])


def current(holds: bool, *entries: Entry | str) -> Current:
    one = Current(holds)
    one.want(menu(*entries))
    return one


def number(one: Current, key: str) -> int:
    return next(n for n, node in one.layout.items() if node.key == key and node.shown)


def shown(one: Current) -> list[str]:
    return [one.layout[n].key for n in one.layout[ROOT].children if one.layout[n].shown]


@pytest.mark.parametrize(
    ("holds", "opened", "closed", "waits"),
    [
        (True, ["api"], [], True),
        (True, ["api", "web"], ["web"], True),
        (True, [], [], False),
        (True, ["api"], ["api"], False),
        (True, ["api"], ["root"], False),
        (True, ["api", "root"], [], False),
        (False, ["api"], [], False),
    ],
)
def test_rows_that_come_wait_while_a_submenu_is_read(
    holds: bool, opened: list[str], closed: list[str], waits: bool
) -> None:
    one = current(holds, OPEN, ("web", ["x"]))
    numbers = {"root": ROOT, "api": number(one, "api"), "web": number(one, "web")}
    for key in opened:
        one.opened(numbers[key])
    for key in closed:
        one.closed(numbers[key])
    news = one.want(menu("new", OPEN, ("web", ["x"])))
    assert (one.waits, news == NOTHING, "new" in shown(one)) == (waits, waits, not waits)
    one.update(now=True)
    assert shown(one) == ["new", "api", "web"]
    assert not one.waits


@pytest.mark.parametrize(
    ("closes", "opened", "closed", "waits"),
    [
        (True, ["root"], [], True),
        (True, ["root", "api"], ["api"], True),
        (True, ["api", "root"], [], True),
        (True, [], [], False),
        (True, ["root"], ["root"], False),
        (True, ["root", "api"], ["root"], False),
        (False, ["root"], [], False),
    ],
)
def test_rows_that_come_wait_while_a_menu_is_open_that_would_close(
    closes: bool, opened: list[str], closed: list[str], waits: bool
) -> None:
    one = Current(holds=True, closes=closes)
    one.want(menu(OPEN))
    numbers = {"root": ROOT, "api": number(one, "api")}
    for key in opened:
        one.opened(numbers[key])
    for key in closed:
        one.closed(numbers[key])
    news = one.want(menu("new", "api"))
    assert (one.waits, news == NOTHING, "new" in shown(one)) == (waits, waits, not waits)
    one.update(now=True)
    assert shown(one) == ["new", "api"]


@pytest.mark.parametrize(
    "after",
    [("new", ("api", ["asks for more", "show"])), ("new", "web"), ("new", ("api", ["show"]))],
    ids=["it asks something else", "it is gone", "it asks nothing"],
)
def test_a_submenu_that_is_out_of_date_is_not_waited_for(after: tuple[Entry | str, ...]) -> None:
    one = current(True, OPEN, "web")
    one.opened(number(one, "api"))
    one.want(menu(*after))
    assert "new" in shown(one)


def test_what_changes_no_rows_does_not_wait() -> None:
    one = current(True, OPEN, "web")
    one.opened(number(one, "api"))
    one.want(menu(OPEN))
    assert shown(one) == ["api"]


def test_a_number_that_was_removed_still_means_the_row_that_had_it() -> None:
    one = current(False, "api")
    item, was = one.item(number(one, "api")), number(one, "api")
    for name in count():
        if was not in one.layout:
            break
        one.want(menu(f"row {name}"))
    assert one.item(was) is item
    assert one.item(-1) is None


def test_not_every_number_is_remembered_for_ever() -> None:
    one = current(False, "api")
    was = number(one, "api")
    for name in range(REMEMBERED + 100):
        one.want(menu(f"row {name}"))
    assert one.item(was) is None
    assert len(one._removed) == REMEMBERED


def test_a_row_is_unread_until_a_host_asks_for_it_and_once_it_has_gone_no_more() -> None:
    one = current(False, "a", "b")
    a, b = number(one, "a"), number(one, "b")
    assert one.unread().keys() == {a, b}
    one.read([a, 999])
    assert one.unread() == {b: one.layout[b].properties}
    one.want(menu("a", "b", "c"))
    assert one.unread().keys() == {b, number(one, "c")}
    one.read(one.layout)
    assert one.unread() == {}
