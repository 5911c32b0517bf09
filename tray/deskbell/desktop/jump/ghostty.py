"""Choose the terminal of Ghostty on Linux with its D-Bus action; on X11 the mark in the window's title proves it."""

from dbus_fast import Variant

from deskbell.desktop.jump import gtk
from deskbell.desktop.jump.desk import Desk, Tab
from deskbell.desktop.jump.spot import Spot

GHOSTTY = gtk.Program("Ghostty", "com.mitchellh.ghostty", "/com/mitchellh/ghostty", "present-surface")


def tab(spot: Spot, desk: Desk) -> Tab | None:
    """Return the terminal; None for another program, and for a Ghostty that names no surface (before 2026)."""
    surface = spot.number("GHOSTTY_SURFACE_ID")
    if surface is None or surface >= 2**64:
        return None
    return gtk.terminal(GHOSTTY, Variant("t", surface), spot, desk)
