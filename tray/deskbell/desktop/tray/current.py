"""Keep the menu that the hosts know, and what was in it a moment ago. Pure, but for the numbers.

`dbusmenu` sends what this returns.
"""

from itertools import count, islice

from deskbell.desktop.tray.layout import EMPTY, ROOT, Difference, Layout, difference, layout
from deskbell.desktop.tray.library import Menu, MenuItem

REMEMBERED = 500
"""Items that were removed, and can still be clicked by a person whose panel has not drawn the new menu yet."""


class Current:
    def __init__(self) -> None:
        self.layout: Layout = EMPTY
        self._wanted: Menu | None = None
        self._removed: dict[int, MenuItem] = {}
        self._numbers = count(ROOT + 1)

    def want(self, menu: Menu | None) -> Difference:
        self._wanted = menu
        return self.update()

    def update(self) -> Difference:
        """Change the layout to the menu that is wanted, and return what has changed."""
        before, after = self.layout, layout(self.layout, self._wanted, self._numbers.__next__)
        self.layout = after
        self._removed |= {number: before[number].item for number in before.keys() - after.keys()}
        for number in [*islice(self._removed, max(0, len(self._removed) - REMEMBERED))]:
            del self._removed[number]
        return difference(before, after)

    def item(self, number: int) -> MenuItem | None:
        """Return the item that has, or had, this number."""
        node = self.layout.get(number)
        return node.item if node else self._removed.get(number)
