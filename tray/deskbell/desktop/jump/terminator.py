"""Choose the terminal of Terminator in any split and tab; Terminator's own call for the focused terminal proves it.

Terminator has no call that chooses a terminal, but accessibility can: the terminal that shows the mark takes the focus,
and its window comes to the front.
"""

import re

from deskbell.desktop.jump.accessibility import Node, application, choose_page, connected, grab, search, selected
from deskbell.desktop.jump.arrival import BY_HAND, Step
from deskbell.desktop.jump.desk import SHOWS_WITHIN, Desk, Tab, until
from deskbell.desktop.jump.spot import Spot
from deskbell.desktop.jump.wire import Wire
from deskbell.errors import Problem

SETTLES = 0.05
"""Seconds in which Terminator carries out what it has put off."""
TRIES = 3
"""How often the focus is taken after a tab was chosen."""
PATH = "/net/tenshu/Terminator2"
_NAME = re.compile(r"net\.tenshu\.Terminator2\w{0,64}")


def tab(spot: Spot, desk: Desk) -> Tab | None:
    """Return the terminal; None for another program, and if accessibility is switched off."""
    service, uuid = spot.handle("TERMINATOR_DBUS_NAME"), spot.handle("TERMINATOR_UUID")
    pid = desk.wire.owner(service) if _NAME.fullmatch(service) else None
    if pid is None or pid not in spot.line or (wire := connected(desk)) is None:
        return None
    found = _terminal(wire, pid, spot, desk)
    if found is None:
        return None

    def focused() -> bool | None:
        said = desk.wire.call(service, PATH, service, "get_focused_terminal")
        return said[0] == uuid if said else None

    def focus() -> None:
        if grab(wire, found) is False:
            raise Problem("Terminator did not choose the terminal.", BY_HAND)

    def stays() -> bool:
        return bool(until(focused, SETTLES)) and not until(lambda: focused() is False, SETTLES)

    def bring() -> None:
        is_new = found.page is not None and not selected(wire, found.page.object)
        choose_page(wire, found)
        focus()
        # A moment after a tab is chosen, Terminator focuses the terminal that had the focus in that tab last.
        for _ in range(TRIES if is_new else 0):
            if stays():
                break
            focus()

    return Tab(Step("tab", "its terminal in Terminator", bring, focused), raises=True)


def _terminal(wire: Wire, pid: int, spot: Spot, desk: Desk) -> Node | None:
    """Mark the terminal, and return the one that shows the mark, as soon as it does; None if none does."""
    root = wire.run(lambda call: application(call, pid))
    if root is None:
        return None

    def look() -> Node | None:
        word = desk.mark(spot).word()
        found = wire.run(lambda call: search(call, root, word)) if word else None
        return found.node if found else None

    return until(look, SHOWS_WITHIN)
