"""Choose the terminal of Ghostty on Linux by its D-Bus action; on X11 the mark in the title of the window proves it."""

from dbus_fast import Variant

from deskbell.desktop.jump import gtk, x11
from deskbell.desktop.jump.arrival import BY_HAND, Step
from deskbell.desktop.jump.desk import Desk, Tab
from deskbell.desktop.jump.spot import Spot
from deskbell.errors import Problem

NAME, PATH = "com.mitchellh.ghostty", "/com/mitchellh/ghostty"


def tab(spot: Spot, desk: Desk) -> Tab | None:
    """Return None for another terminal, and for a Ghostty that tells no surface (before 2026)."""
    surface = spot.number("GHOSTTY_SURFACE_ID")
    if surface is None or surface >= 2**64 or desk.wire.owner(NAME) not in spot.line:
        return None

    def bring() -> None:
        if not gtk.activate(desk, NAME, PATH, "present-surface", Variant("t", surface)):
            raise Problem("Ghostty did not choose the terminal.", BY_HAND)

    def there() -> bool | None:
        return x11.marked(spot, desk) if desk.env.get("DISPLAY") else None

    return Tab(Step("tab", "its terminal in Ghostty", bring, there), raises=True)
