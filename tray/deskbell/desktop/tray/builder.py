"""Build pystray's menu from Items, and reuse the submenus that have not changed."""

import time
from collections.abc import Callable, Sequence

from deskbell.desktop.tray.library import FixedMenu, Icon, KeyedItem, Menu, MenuItem, separator
from deskbell.desktop.tray.rowsigns import words
from deskbell.face.actions import Action
from deskbell.face.item import BETWEEN, LEFT_TO_RIGHT, Item
from deskbell.text.clean import visible
from deskbell.text.times import ago
from deskbell_icons import Sign

Clicked = Callable[[Action], None]
Separator = Callable[[str], MenuItem]
Signed = Callable[[Sign], str | bytes]
"""Returns the sign of a row as a PNG, or as words if rows have no pictures."""
Items = tuple[Item, ...]


class Builder:
    """Builds one menu after another."""

    def __init__(
        self,
        clicked: Clicked,
        separator: Separator = separator,
        signed: Signed = words,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._clicked = clicked
        self._separator = separator
        self._signed = signed
        self._clock = clock
        self._before: dict[int, tuple[Items, Menu]] = {}
        """The submenus of the last menu, by the identity of their items. An Item never changes."""
        self._submenus: dict[int, tuple[Items, Menu]] = {}

    def menu(self, items: Sequence[Item]) -> Menu:
        """Return ITEMS as pystray's menu. Every text is made safe again: D-Bus refuses a menu with a NUL in it."""
        self._before, self._submenus = self._submenus, {}
        return FixedMenu(*map(self._item, items))

    def _submenu(self, items: Items) -> Menu | None:
        if not items:
            return None
        _, menu = self._before.get(id(items)) or (items, FixedMenu(*map(self._item, items)))
        self._submenus[id(items)] = items, menu
        return menu

    def _item(self, item: Item) -> MenuItem:
        if not item.text:
            return self._separator(item.key)
        sign = self._signed(item.sign) if item.sign else ""
        return KeyedItem(
            item.key,
            self._text(item, sign if isinstance(sign, str) else ""),
            self._on_click(item.action),
            submenu=self._submenu(item.children),
            checked=item.checked,
            hidden=item.hidden,
            enabled=item.enabled,
            picture=sign if isinstance(sign, bytes) else b"",
        )

    def _text(self, item: Item, words: str) -> str | Callable[[], str]:
        mark = LEFT_TO_RIGHT if item.text.startswith(LEFT_TO_RIGHT) else ""
        text, since = f"{mark}{visible(item.text)}{BETWEEN if words else ''}{words}", item.since
        return text if since is None else lambda: f"{text}{BETWEEN}{ago(since, self._clock())}"

    def _on_click(self, action: Action | None) -> Callable[[Icon], None] | None:
        return None if action is None else lambda _: self._clicked(action)
