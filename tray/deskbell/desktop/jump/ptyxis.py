"""Bring the window of Ptyxis to the front on Wayland, with the token of a click; nothing proves it.

Reaches the window that was used last, which is certainly right only if Ptyxis has a single tab. Ptyxis (48) does not
tell which tab runs what: the id that its action `focus-tab-by-uuid` takes is in no environment and on no bus.
Accessibility lists the tabs, but cannot select, press or focus them.
"""

from deskbell.desktop.focus import processes
from deskbell.desktop.jump import gtk
from deskbell.desktop.jump.arrival import BY_HAND, Step
from deskbell.desktop.jump.desk import Desk, Tab
from deskbell.desktop.jump.spot import Spot
from deskbell.errors import Problem

NAME, PATH = "org.gnome.Ptyxis", "/org/gnome/Ptyxis"


def tab(spot: Spot, desk: Desk) -> Tab | None:
    """Return the window; None for another terminal, without a token, and outside of Wayland."""
    if not desk.token or not desk.env.get("WAYLAND_DISPLAY") or desk.wire.owner(NAME) not in spot.line:
        return None

    def bring() -> None:
        if desk.wire.call(NAME, PATH, "org.freedesktop.Application", "Activate", "a{sv}", [gtk.platform(desk)]) is None:
            raise Problem("Ptyxis did not come to the front.", BY_HAND)
        if spot.holder is not None and (processes.terminals(spot.holder) or 0) > 1:
            raise Problem(
                "Ptyxis shows the window that was used last. No other program can choose a tab of it.", BY_HAND
            )

    return Tab(Step("window", "the window of Ptyxis", bring, lambda: None), raises=True)
