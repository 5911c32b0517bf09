"""Import pystray without what its import does on Linux: load GTK, or fail without a display."""

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

__all__ = ["FixedMenu", "Icon", "KeyedItem", "Menu", "MenuItem", "separator"]


class KeyedItem(MenuItem):  # type: ignore[misc]  # pystray has no types
    """A menu item whose key stays while its text, its tick or its place changes.

    Its values are fixed when it is made; pystray calls functions for them again and again, which takes time.
    """

    text = checked = radio = default = visible = enabled = submenu = None

    def __init__(
        self,
        key: str,
        text: str,
        action: "Callable[[Icon], None] | Menu | None",
        *,
        checked: bool | None = None,
        hidden: bool = False,
        enabled: bool = True,
    ) -> None:
        self.key, self.text, self.checked, self.enabled = key, text, checked, enabled
        self.__name__ = text  # pystray wraps a handler with functools.wraps, which reads this
        self.radio, self.visible, self.default = False, not hidden, hidden
        self.submenu = action if isinstance(action, Menu) else None
        self._wish = action

    def __call__(self, icon: Icon) -> None:
        if self._wish is not None and self.submenu is None:
            self._wish(icon)


class FixedMenu(Menu):  # type: ignore[misc]  # pystray has no types
    """A menu of items whose visibility does not change."""

    def _visible_items(self) -> tuple[MenuItem, ...]:
        return tuple(item for item in self._items if item.visible)


def separator(key: str) -> MenuItem:
    """Return a separator with a key on Linux; elsewhere pystray accepts only its own."""
    return KeyedItem(key, "", None) if sys.platform == "linux" else Menu.SEPARATOR
