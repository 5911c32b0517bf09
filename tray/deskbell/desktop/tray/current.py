"""Keep the menu that the hosts know, and decide when it becomes the wanted one. `dbusmenu` sends the differences."""

from collections.abc import Iterable, Mapping
from itertools import count, islice

from deskbell.desktop.tray.layout import EMPTY, ROOT, Difference, Layout, Node, Properties, difference, layout
from deskbell.desktop.tray.library import Menu, MenuItem

REMEMBERED = 500
"""Removed items that can still be clicked, because a panel may not have drawn the new menu yet."""

NOTHING = Difference({}, ())


class Current:
    """The menu as the hosts know it, and the wanted menu."""

    def __init__(self, holds: bool = False, closes: bool = False) -> None:
        """HOLDS: the host closes open submenus when rows come or go. So rows wait while an open submenu stays the same.

        CLOSES: the host even closes the whole menu then. So rows wait while the menu is open.
        """
        self.layout: Layout = EMPTY
        self.waits = False
        """Whether the wanted menu waits for an open one."""
        self._holds = holds
        self._closes = closes
        self._wanted: Menu | None = None
        self._open: set[int] = set()
        self._removed: dict[int, MenuItem] = {}
        self._read: set[int] = {ROOT}
        """The rows whose properties a host has asked for."""
        self._numbers = count(ROOT + 1)

    def want(self, menu: Menu | None) -> Difference:
        self._wanted = menu
        return self.update()

    def update(self, now: bool = False) -> Difference:
        """Change the layout to the wanted menu, and return what has changed. NOW: do not wait any longer."""
        before, after = self.layout, layout(self.layout, self._wanted, self._numbers.__next__)
        news = difference(before, after)
        self.waits = not now and bool(news.parents) and self._is_reading(after)
        if self.waits:
            return NOTHING
        self.layout = after
        self._removed |= {number: before[number].item for number in before.keys() - after.keys()}
        for number in [*islice(self._removed, max(0, len(self._removed) - REMEMBERED))]:
            del self._removed[number]
        return news

    def read(self, numbers: Iterable[int]) -> None:
        """Note that a host has asked for the properties of these rows."""
        self._read.update(numbers)
        self._read &= self.layout.keys()

    def unread(self) -> Mapping[int, Properties]:
        return {number: node.properties for number, node in self.layout.items() if number not in self._read}

    def opened(self, number: int) -> None:
        if number == ROOT:
            self._open.clear()
        if number != ROOT or self._closes:
            self._open.add(number)

    def closed(self, number: int) -> None:
        if number == ROOT:
            self._open.clear()
        self._open.discard(number)

    def item(self, number: int) -> MenuItem | None:
        """Return the item that has or had this number; None for an unknown number."""
        node = self.layout.get(number)
        return node.item if node else self._removed.get(number)

    def _is_reading(self, after: Layout) -> bool:
        """Return whether the person may be reading something that the change to AFTER would close."""
        if self._closes and self._open:
            return True
        return self._holds and bool(self._open) and all(_is_same(self.layout, after, number) for number in self._open)


def _is_same(before: Layout, after: Layout, number: int) -> bool:
    one, other = before.get(number), after.get(number)
    return bool(one and other and other.shown) and _below(before, number) == _below(after, number)


def _below(nodes: Mapping[int, Node], number: int) -> list[Node]:
    below = [nodes[child] for child in nodes[number].children]
    return [*below, *(node for child in nodes[number].children for node in _below(nodes, child))]
