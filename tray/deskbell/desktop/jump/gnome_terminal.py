"""Choose the tab of gnome-terminal with its own D-Bus calls; the mark in the title of the window proves it.

It uses the search provider of version 3.50 and newer, else accessibility, else tries the tabs of each window. On
Wayland the token of a click also raises the window.
"""

import re
from collections.abc import Iterator

from dbus_fast import Variant

from deskbell.desktop.jump import accessibility, gtk, x11
from deskbell.desktop.jump.arrival import BY_HAND, Step
from deskbell.desktop.jump.desk import Desk, Tab
from deskbell.desktop.jump.spot import Spot
from deskbell.errors import Problem

NAME = "org.gnome.Terminal"
WINDOWS = "/org/gnome/Terminal/window"
MOST = 40
"""Tabs of a window that are tried."""
SHOWS = 0.06
"""Seconds that a title has to show after a tab was chosen."""
_SCREEN = re.compile(r"/org/gnome/Terminal/screen/([0-9a-f]{8}(?:_[0-9a-f]{4}){3}_[0-9a-f]{12})")


def tab(spot: Spot, desk: Desk) -> Tab | None:
    """Return the tab; None for another terminal, which may have inherited the variables of gnome-terminal."""
    found = _SCREEN.fullmatch(spot.handle("GNOME_TERMINAL_SCREEN"))
    if not found or desk.wire.owner(NAME) not in spot.line:
        return None
    if _has_search(desk):
        screen = found[1].replace("_", "-")
        return Tab(
            Step("tab", "its tab in gnome-terminal", lambda: _activate(screen, desk), lambda: gtk.is_shown(spot, desk)),
            raises=bool(desk.token),
        )
    if by_accessibility := accessibility.tab(spot, desk):
        return by_accessibility
    if not desk.env.get("DISPLAY"):
        return None
    return Tab(Step("tab", "its tab in gnome-terminal", lambda: _try(spot, desk), lambda: x11.marked(spot, desk)))


def _has_search(desk: Desk) -> bool:
    path, interface = "/org/gnome/Terminal/SearchProvider", "org.gnome.Shell.SearchProvider2"
    return desk.wire.call(NAME, path, interface, "GetInitialResultSet", "as", [["deskbell"]]) is not None


def _activate(screen: str, desk: Desk) -> None:
    if desk.token:
        # The search provider takes no token, so give it with an action to any window.
        for path in _windows(desk):
            action = gtk.describe(desk, NAME, path, "active-tab")
            if action and gtk.set_state(desk, NAME, path, "active-tab", Variant("i", action.state)):
                break
    path, interface = "/org/gnome/Terminal/SearchProvider", "org.gnome.Shell.SearchProvider2"
    if desk.wire.call(NAME, path, interface, "ActivateResult", "sasu", [screen, [], 0]) is None:
        raise Problem("gnome-terminal did not choose the tab.", BY_HAND)


def _try(spot: Spot, desk: Desk) -> None:
    """Choose one tab after another until the mark shows. Restore the tabs of the windows that do not have it."""
    if x11.marked(spot, desk, SHOWS):
        return
    for path in _windows(desk):
        before = gtk.describe(desk, NAME, path, "active-tab")
        if before is None or not before.enabled:
            continue  # its only tab does not show the mark
        for _ in _tabs(path, before.state, desk):
            if x11.marked(spot, desk, SHOWS):
                return
        gtk.set_state(desk, NAME, path, "active-tab", Variant("i", before.state))
    if not x11.marked(spot, desk):
        raise Problem("gnome-terminal did not show the tab.", BY_HAND)


def _tabs(path: str, before: int, desk: Desk) -> Iterator[int]:
    """Choose each tab of a window in turn, except BEFORE, which it showed; yield its number."""
    for number in range(MOST):
        if number != before:
            gtk.set_state(desk, NAME, path, "active-tab", Variant("i", number))
            now = gtk.describe(desk, NAME, path, "active-tab")
            if now is None or now.state != number:
                return
            yield number


def _windows(desk: Desk) -> list[str]:
    said = desk.wire.call(NAME, WINDOWS, "org.freedesktop.DBus.Introspectable", "Introspect")
    return [f"{WINDOWS}/{number}" for number in re.findall(r'\bnode name="(\d{1,9})"', str(said[0]) if said else "")]
