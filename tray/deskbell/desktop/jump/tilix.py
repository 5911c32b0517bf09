"""Choose the terminal of Tilix, in whichever split, tab and window it is; the mark in the title proves it."""

import re

from dbus_fast import Variant

from deskbell.desktop.jump import gtk, x11
from deskbell.desktop.jump.arrival import BY_HAND, Step
from deskbell.desktop.jump.desk import Desk, Tab
from deskbell.desktop.jump.spot import Spot
from deskbell.errors import Problem

NAME, PATH = "com.gexperts.Tilix", "/com/gexperts/Tilix"
_ID = re.compile(r"[0-9a-fA-F-]{36}")


def tab(spot: Spot, desk: Desk) -> Tab | None:
    """Return None for another terminal."""
    terminal = spot.handle("TILIX_ID")
    if not _ID.fullmatch(terminal) or desk.wire.owner(NAME) not in spot.line:
        return None

    def bring() -> None:
        if not gtk.activate(desk, NAME, PATH, "activate-terminal", Variant("s", terminal)):
            raise Problem("Tilix did not choose the terminal.", BY_HAND)

    def there() -> bool | None:
        return x11.marked(spot, desk) if desk.env.get("DISPLAY") else None

    return Tab(Step("tab", "its terminal in Tilix", bring, there), raises=True)
