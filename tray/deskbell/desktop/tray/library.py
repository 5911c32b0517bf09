"""Import pystray. On Linux, prevent its import from loading GTK, and from failing without a display."""

import os
import sys
from collections.abc import Callable
from importlib import import_module

if sys.platform == "linux":
    theirs = os.environ.get("PYSTRAY_BACKEND")
    os.environ["PYSTRAY_BACKEND"] = "dummy"
    import_module("pystray")
    del os.environ["PYSTRAY_BACKEND"]  # programs that Deskbell starts must not inherit it
    if theirs is not None:
        os.environ["PYSTRAY_BACKEND"] = theirs

from pystray import Icon, Menu, MenuItem

__all__ = ["PANEL", "FixedMenu", "Icon", "KeyedItem", "Menu", "MenuItem", "separator"]

PANEL = "panel"
"""The part that answers the panel: its name for the supervisor."""


class KeyedItem(MenuItem):  # type: ignore[misc]  # pystray has no types
    """A menu item whose key stays while its text, its tick or its place changes.

    Its values are fixed, except the age in its text. pystray's own item calls a function for each value each time,
    which is slow.
    """

    checked = radio = default = visible = enabled = submenu = None

    def __init__(
        self,
        key: str,
        text: str | Callable[[], str],
        action: Callable[[Icon], None] | None,
        *,
        submenu: Menu | None = None,
        checked: bool | None = None,
        hidden: bool = False,
        enabled: bool = True,
        picture: bytes = b"",
    ) -> None:
        """PICTURE is a PNG, which is drawn before the text if the system can do that."""
        self.key, self.checked, self.enabled, self.picture = key, checked, enabled, picture
        self.__name__ = key  # pystray wraps a handler with functools.wraps, which reads this
        self.radio, self.visible, self.default = False, not hidden, hidden
        self.submenu = submenu
        self._said = text
        self._wish = action

    @property
    def ages(self) -> bool:
        """Whether its text, or one below it, changes with time."""
        return not isinstance(self._said, str) or (isinstance(self.submenu, FixedMenu) and self.submenu.ages)

    @property
    def text(self) -> str:
        return self._said if isinstance(self._said, str) else self._said()

    def __call__(self, icon: Icon) -> None:
        if self._wish is not None:
            self._wish(icon)


class FixedMenu(Menu):  # type: ignore[misc]  # pystray has no types
    """A menu of items whose visibility does not change."""

    def __init__(self, *items: MenuItem) -> None:
        super().__init__(*items)
        self.ages = any(getattr(item, "ages", False) for item in items)

    def _visible_items(self) -> tuple[MenuItem, ...]:
        return tuple(item for item in self._items if item.visible)


def separator(key: str) -> MenuItem:
    """Return a separator with KEY on Linux, and pystray's own on other systems, which accept no other."""
    return KeyedItem(key, "", None) if sys.platform == "linux" else Menu.SEPARATOR
