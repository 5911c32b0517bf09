"""Choose the terminal of Tilix in any split, tab and window; the mark in the title proves it."""

import re

from dbus_fast import Variant

from deskbell.desktop.jump import gtk
from deskbell.desktop.jump.desk import Desk, Tab
from deskbell.desktop.jump.spot import Spot

TILIX = gtk.Program("Tilix", "com.gexperts.Tilix", "/com/gexperts/Tilix", "activate-terminal")
_ID = re.compile(r"[0-9a-fA-F-]{36}")


def tab(spot: Spot, desk: Desk) -> Tab | None:
    """Return the terminal; None for another program."""
    terminal = spot.handle("TILIX_ID")
    return gtk.terminal(TILIX, Variant("s", terminal), spot, desk) if _ID.fullmatch(terminal) else None
