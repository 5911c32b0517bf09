"""Choose the tab of a terminal by accessibility (AT-SPI); the state of the tab proves it.

Reaches every tab of xfce4-terminal and mate-terminal, of gnome-terminal and Tilix if their own calls are missing, and
of QTerminal if Qt's accessibility is on. The tab is the one whose name shows the mark.
"""

import asyncio
from collections.abc import AsyncIterator, Sequence
from typing import Literal, NamedTuple

from deskbell.desktop.focus import processes
from deskbell.desktop.jump import x11
from deskbell.desktop.jump.arrival import BY_HAND, Step
from deskbell.desktop.jump.desk import SHOWS_WITHIN, Desk, Tab, until
from deskbell.desktop.jump.spot import Spot, program
from deskbell.desktop.jump.wire import Call, Wire
from deskbell.errors import Problem

TERMINALS = ("xfce4-terminal", "mate-terminal", "gnome-terminal", "tilix", "lxterminal", "qterminal")
"""The beginnings of the names of the programs."""
REGISTRY = "org.a11y.atspi.Registry"
ROOT = "/org/a11y/atspi/accessible/root"
ACCESSIBLE = "org.a11y.atspi.Accessible"
SELECTION = "org.a11y.atspi.Selection"
ACTION = "org.a11y.atspi.Action"
PAGE_TAB = 37
HOLDS_NO_TABS = frozenset((33, 34, 35, 41, 43, 48, 60, 62, 63))
"""Roles that hold no tabs: menus, menu bars and items, buttons, scroll bars, terminals, toggle buttons, tool bars.

Numbers of AtspiRole: https://docs.gtk.org/atspi2/enum.Role.html
"""
SELECTED = 23
"""A bit of the states of AtspiStateType."""
QT_WITHIN = 1.2
"""Seconds. Qt needs this long the first time, because it makes its accessible objects only then."""
DEEPEST = 12
"""The most levels of objects between a window and its tabs."""


class Object(NamedTuple):
    """An object on the accessibility bus: its name there, and its path."""

    name: str
    path: str


class PageTab(NamedTuple):
    """A tab, the object that holds it, and its number there."""

    object: Object
    parent: Object
    place: int


def tab(spot: Spot, desk: Desk) -> Tab | None:
    """Return the tab; None for another terminal, and if accessibility is switched off."""
    pid = next((pid for pid in spot.line[1:] if processes.name(pid).startswith(TERMINALS)), None)
    bus = address(desk.wire) if pid is not None else None
    if pid is None or bus is None:
        return None
    wire = Wire(bus)
    desk.keep(wire)
    found = _tab(wire, pid, spot, desk)
    what = f"its tab in {program(pid)}"
    if found == "shown":
        return Tab(Step("tab", what, lambda: None, lambda: x11.marked(spot, desk)))
    if found is None:
        return None

    def bring() -> None:
        done = wire.call(*found.parent, SELECTION, "SelectChild", "i", [found.place])
        # Qt 5 selects no tab: it presses it.
        if not (done and done[0]) and not _pressed(wire, found.object):
            raise Problem("The terminal did not choose its tab.", BY_HAND)

    def there() -> bool | None:
        """Return whether the tab is selected. Qt 5 does not tell that, so look at the title of the window, too."""
        chosen = selected(wire, found.object)
        return chosen if chosen is not False else bool(x11.marked(spot, desk, 0))

    return Tab(Step("tab", what, bring, there))


def _pressed(wire: Wire, page: Object) -> bool:
    said = wire.call(*page, ACTION, "GetActions")
    number = next((at for at, row in enumerate(said[0] if said else ()) if str(row[0]).lower() == "press"), None)
    done = wire.call(*page, ACTION, "DoAction", "i", [number]) if number is not None else None
    return bool(done and done[0])


def address(wire: Wire) -> str | None:
    """Return the address of the accessibility bus; None if accessibility is switched off."""
    said = wire.call("org.a11y.Bus", "/org/a11y/bus", "org.a11y.Bus", "GetAddress")
    return str(said[0]) if said and said[0] else None


def _tab(wire: Wire, pid: int, spot: Spot, desk: Desk) -> PageTab | Literal["shown"] | None:
    """Mark the terminal, and return the tab that shows the mark, as soon as it does; None if none does.

    The only tab of a window may have no name. Return "shown" if the title of its window shows the mark.
    """
    mark = desk.mark(spot)
    patience = SHOWS_WITHIN if mark.is_kept else QT_WITHIN
    root = wire.run(lambda call: application(call, pid), patience)
    if root is None:
        return None
    before = {} if mark.is_kept else wire.run(lambda call: _names(call, root), patience) or {}

    def look() -> PageTab | Literal["shown"] | None:
        word = mark.word()
        found = wire.run(lambda call: _search(call, root, word), patience) if word else None
        if found and found.object in before:
            mark.replaces(before[found.object])
        return found or ("shown" if x11.marked(spot, desk, 0) else None)

    return until(look, patience)


def selected(wire: Wire, page: Object) -> bool | None:
    """Return whether a tab is selected; None if nothing tells."""
    said = wire.call(*page, ACCESSIBLE, "GetState")
    return bool(said[0][0] & 1 << SELECTED) if said else None


async def application(call: Call, pid: int) -> Object | None:
    """Return the accessible root of process PID."""
    there = await children_of(call, Object(REGISTRY, ROOT))
    owners = await asyncio.gather(*(_owner(call, one.name) for one in there))
    return next((one for one, owner in zip(there, owners, strict=True) if owner == pid), None)


async def _owner(call: Call, name: str) -> int:
    bus = "org.freedesktop.DBus"
    said = await call(bus, "/org/freedesktop/DBus", bus, "GetConnectionUnixProcessID", "s", [name])
    return int(said[0]) if said else 0


async def _search(call: Call, root: Object, word: str) -> PageTab | None:
    async for tab, name in _page_tabs(call, root):
        if word in name:
            return tab
    return None


async def _names(call: Call, root: Object) -> dict[Object, str]:
    return {tab.object: name async for tab, name in _page_tabs(call, root)}


async def _page_tabs(call: Call, root: Object) -> AsyncIterator[tuple[PageTab, str]]:
    """Yield the tabs below ROOT with their names, level by level."""
    level = [(root, root, 0)]
    for _ in range(DEEPEST):
        roles = await asyncio.gather(*(role_of(call, one) for one, _, _ in level))
        tabs = [PageTab(*row) for row, role in zip(level, roles, strict=True) if role == PAGE_TAB]
        names = await asyncio.gather(*(name_of(call, one.object) for one in tabs))
        for one, name in zip(tabs, names, strict=True):
            yield one, name
        above = [one for (one, _, _), role in zip(level, roles, strict=True) if role not in HOLDS_NO_TABS]
        below = await asyncio.gather(*(children_of(call, one) for one in above))
        level = [(c, parent, at) for parent, cs in zip(above, below, strict=True) for at, c in enumerate(cs)]


async def children_of(call: Call, parent: Object) -> Sequence[Object]:
    said = await call(*parent, ACCESSIBLE, "GetChildren")
    return [Object(str(name), str(path)) for name, path in said[0]] if said else []


async def role_of(call: Call, one: Object) -> int:
    said = await call(*one, ACCESSIBLE, "GetRole")
    return int(said[0]) if said else 0


async def name_of(call: Call, one: Object) -> str:
    said = await call(*one, "org.freedesktop.DBus.Properties", "Get", "ss", [ACCESSIBLE, "Name"])
    return str(said[0].value) if said else ""
