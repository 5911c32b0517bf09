"""Choose the terminal of Ghostty on Linux with its D-Bus action; on X11 the mark in the window's title proves it."""

import re

from dbus_fast import Variant

from deskbell.desktop.jump import gtk
from deskbell.desktop.jump.desk import Desk, Tab
from deskbell.desktop.jump.spot import Spot

GHOSTTY = gtk.Program("Ghostty", "com.mitchellh.ghostty", "/com/mitchellh/ghostty", "present-surface")
# Its src/Surface.zig writes the number as "0x{x:0>16}".
_SURFACE = re.compile(r"0x[0-9a-fA-F]{1,16}")


def tab(spot: Spot, desk: Desk) -> Tab | None:
    """Return None for another terminal, and for a Ghostty that tells no surface (before 2026)."""
    surface = spot.handle("GHOSTTY_SURFACE_ID")
    if not _SURFACE.fullmatch(surface):
        return None
    return gtk.terminal(GHOSTTY, Variant("t", int(surface, 16)), spot, desk)
