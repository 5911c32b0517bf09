"""Choose the terminal of Terminator in any split and tab; Terminator's own call for the focused terminal proves it.

Terminator has no call that chooses a terminal, but accessibility can. The title bar of the terminal shows the mark, the
terminal below it takes the focus, and its window comes to the front.
"""

import asyncio
import re
from typing import NamedTuple

from deskbell.desktop.jump.accessibility import (
    PAGE_TAB,
    SELECTION,
    Object,
    address,
    application,
    children_of,
    name_of,
    role_of,
    selected,
)
from deskbell.desktop.jump.arrival import BY_HAND, Step
from deskbell.desktop.jump.desk import SHOWS_WITHIN, Desk, Tab, until
from deskbell.desktop.jump.spot import Spot
from deskbell.desktop.jump.wire import Call, Wire
from deskbell.errors import Problem

COMPONENT = "org.a11y.atspi.Component"
LABEL, TERMINAL = 29, 60
CLOSED = frozenset((26, 29, 43, 48, 50, 60, 61, 7))
"""Roles that hold no terminal: icons, labels, buttons, scroll bars, separators, terminals, entries, check boxes."""
SETTLES = 0.05
"""Seconds in which Terminator carries out what it has put off."""
TRIES = 3
"""How often the focus is taken after a tab was chosen."""
DEEPEST = 30
"""The most levels of objects. A split in a split is two levels deeper."""
PATH = "/net/tenshu/Terminator2"
_NAME = re.compile(r"net\.tenshu\.Terminator2\w{0,64}")


class Node(NamedTuple):
    """An object on the accessibility bus, and where it is in the tree."""

    object: Object
    role: int
    place: int
    """Its number among its siblings."""
    above: tuple["Node", ...]
    """The nodes that hold it, the outermost first."""


def tab(spot: Spot, desk: Desk) -> Tab | None:
    """Return the terminal; None for another program, and if accessibility is switched off."""
    service, uuid = spot.handle("TERMINATOR_DBUS_NAME"), spot.handle("TERMINATOR_UUID")
    pid = desk.wire.owner(service) if _NAME.fullmatch(service) else None
    if pid is None or pid not in spot.line or (bus := address(desk.wire)) is None:
        return None
    wire = Wire(bus)
    desk.keep(wire)
    found = _terminal(wire, pid, spot, desk)
    if found is None:
        return None

    def focused() -> bool | None:
        said = desk.wire.call(service, PATH, service, "get_focused_terminal")
        return said[0] == uuid if said else None

    def grab() -> None:
        done = wire.call(*found.object, COMPONENT, "GrabFocus")
        if not done or not done[0]:
            raise Problem("Terminator did not choose the terminal.", BY_HAND)

    def stays() -> bool:
        return bool(until(focused, SETTLES)) and not until(lambda: focused() is False, SETTLES)

    def bring() -> None:
        is_new = _choose_page(wire, found)
        grab()
        # A moment after a tab is chosen, Terminator focuses the terminal that had the focus in that tab last.
        for _ in range(TRIES if is_new else 0):
            if stays():
                break
            grab()

    return Tab(Step("tab", "its terminal in Terminator", bring, focused), raises=True)


def _choose_page(wire: Wire, found: Node) -> bool:
    """Choose the tab of the terminal. Return whether another tab was chosen before."""
    page = next((one for one in reversed(found.above) if one.role == PAGE_TAB), None)
    if page is None or selected(wire, page.object):
        return False
    return bool(wire.call(*page.above[-1].object, SELECTION, "SelectChild", "i", [page.place]))


def _terminal(wire: Wire, pid: int, spot: Spot, desk: Desk) -> Node | None:
    """Mark the terminal, and return the one whose title bar shows the mark, as soon as it does; None if none does."""
    root = wire.run(lambda call: application(call, pid))
    if root is None:
        return None

    def look() -> Node | None:
        word = desk.mark(spot).word()
        return wire.run(lambda call: _search(call, root, word)) if word else None

    return until(look, SHOWS_WITHIN)


async def _search(call: Call, root: Object, word: str) -> Node | None:
    """Return the terminal that is nearest to a label that shows WORD: they share the innermost node."""
    level = [Node(root, 0, 0, ())]
    labels: list[Node] = []
    terminals: list[Node] = []
    for _ in range(DEEPEST):
        labels += [one for one in level if one.role == LABEL]
        terminals += [one for one in level if one.role == TERMINAL]
        level = await _below(call, [one for one in level if one.role not in CLOSED])
    names = await asyncio.gather(*(name_of(call, one.object) for one in labels))
    marked = next((one for one, text in zip(labels, names, strict=True) if word in text), None)
    return max(terminals, key=lambda one: _shared(one, marked), default=None) if marked else None


async def _below(call: Call, level: list[Node]) -> list[Node]:
    found = await asyncio.gather(*(children_of(call, one.object) for one in level))
    pairs = [(one, at, child) for one, below in zip(level, found, strict=True) for at, child in enumerate(below)]
    roles = await asyncio.gather(*(role_of(call, child) for _, _, child in pairs))
    return [Node(child, is_a, at, (*one.above, one)) for (one, at, child), is_a in zip(pairs, roles, strict=True)]


def _shared(one: Node, other: Node) -> int:
    """Count the nodes that hold both."""
    return sum(a.object == b.object for a, b in zip(one.above, other.above, strict=False))
