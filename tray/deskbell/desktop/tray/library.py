"""pystray's own nouns, without what its import does on Linux: loading GTK, or failing without a display."""

import os
import sys
from importlib import import_module

if sys.platform == "linux":
    theirs = os.environ.get("PYSTRAY_BACKEND")
    os.environ["PYSTRAY_BACKEND"] = "dummy"
    import_module("pystray")
    del os.environ["PYSTRAY_BACKEND"]  # what Deskbell starts must not inherit it
    if theirs is not None:
        os.environ["PYSTRAY_BACKEND"] = theirs

from pystray import Icon, Menu, MenuItem

__all__ = ["Icon", "KeyedItem", "Menu", "MenuItem"]


class KeyedItem(MenuItem):  # type: ignore[misc]  # pystray has no types
    """A menu item that stays the same one when its text, its tick or its place changes."""

    def __init__(self, key: str, *args: object, **named: object) -> None:
        super().__init__(*args, **named)
        self.key = key
