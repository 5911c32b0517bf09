"""Find the terminal of a session by accessibility (AT-SPI), and choose its tab; the state of the tab proves it.

Reaches every tab of xfce4-terminal, mate-terminal and Terminator, of gnome-terminal and Tilix if their own calls are
missing, and of QTerminal if Qt's accessibility is on. The terminal is the one whose description is the mark: VTE puts
the title that a program sets there, also where the tab has a title of its own. In Qt it is the name of the tab.
"""

import asyncio
from collections.abc import Sequence
from typing import Literal, NamedTuple

from deskbell.desktop.bus import DBUS
from deskbell.desktop.focus import processes
from deskbell.desktop.jump import x11
from deskbell.desktop.jump.arrival import BY_HAND, Step
from deskbell.desktop.jump.desk import SHOWS_WITHIN, Desk, Tab, until
from deskbell.desktop.jump.spot import Spot, program
from deskbell.desktop.jump.wire import Call, Wire
from deskbell.errors import Problem
from deskbell.text.wording import short

TERMINALS = ("xfce4-terminal", "mate-terminal", "gnome-terminal", "tilix", "lxterminal", "qterminal")
"""The beginnings of the names of the programs."""
REGISTRY = "org.a11y.atspi.Registry"
ROOT = "/org/a11y/atspi/accessible/root"
ACCESSIBLE = "org.a11y.atspi.Accessible"
SELECTION = "org.a11y.atspi.Selection"
ACTION = "org.a11y.atspi.Action"
COMPONENT = "org.a11y.atspi.Component"
PAGE_TAB, TERMINAL = 37, 60
CLOSED = frozenset((7, 26, 29, 33, 34, 35, 41, 43, 48, 50, 60, 61, 62, 63))
"""Roles that hold no terminal: menus, menu bars and items, buttons, scroll bars, terminals, tool bars, labels ...

Numbers of AtspiRole: https://docs.gtk.org/atspi2/enum.Role.html
"""
ACTIVE, FOCUSED, SELECTED, SHOWING = 1, 12, 23, 25
"""Bits of the states of AtspiStateType."""
QT_WITHIN = 1.2
"""Seconds. Qt needs this long the first time, because it makes its accessible objects only then."""
DEEPEST = 30
"""The most levels of objects. A split in a split is two levels deeper."""


class Object(NamedTuple):
    """An object on the accessibility bus: its name there, and its path."""

    name: str
    path: str


class Node(NamedTuple):
    """An object on the accessibility bus, and where it is in the tree."""

    object: Object
    role: int
    place: int
    """Its number among its siblings."""
    above: tuple["Node", ...]
    """The nodes that hold it, the outermost first: the program, its window, ..."""

    @property
    def page(self) -> "Node | None":
        """The tab that it is in, or is."""
        return next((one for one in (self, *reversed(self.above)) if one.role == PAGE_TAB), None)

    @property
    def window(self) -> "Node | None":
        return self.above[1] if len(self.above) > 1 else None


class Marked(NamedTuple):
    """The terminal that shows a mark, or in Qt its tab."""

    node: Node
    is_split: bool = False
    """Whether its tab holds other terminals, too."""


def tab(spot: Spot, desk: Desk) -> Tab | None:
    """Return the tab; None for another terminal, and if accessibility is switched off."""
    pid = holder(spot)
    wire = connected(desk) if pid is not None else None
    if pid is None or wire is None:
        return None
    found = _tab(wire, pid, spot, desk)
    what = f"its tab in {program(pid)}"
    if found == "shown":
        return Tab(Step("tab", what, lambda: None, lambda: x11.marked(spot, desk)))
    if found is None:
        return None
    windows = x11.shared(desk).windows_of(spot) if desk.env.get("DISPLAY") else []

    def bring() -> None:
        chosen = choose_page(wire, found.node)
        # Qt 5 selects no tab: it presses it.
        if not chosen and not (found.node.page and _pressed(wire, found.node.page.object)):
            raise Problem("The terminal did not choose its tab.", BY_HAND)
        if found.is_split:
            grab(wire, found.node)

    def there() -> bool | None:
        """Return whether the terminal is shown. Qt 5 does not tell that, so look at the title of the window, too."""
        shown = is_shown(wire, found, is_one_of_many=len(windows) > 1)
        return shown if shown is not False or found.node.role == TERMINAL else bool(x11.marked(spot, desk, 0))

    step = Step("tab", what, bring, there, lambda: _tab_instead(wire, found.node))
    return Tab(step, _number(wire, found.node, windows, desk))


def shows(spot: Spot, desk: Desk, seconds: float = SHOWS_WITHIN) -> bool | None:
    """Return whether the terminal of SPOT is shown in the active window; None if accessibility does not tell."""
    wire = connected(desk) if spot.holder is not None else None
    root = wire.run(lambda call: application(call, spot.holder or 0)) if wire else None
    if wire is None or root is None:
        return None

    def look() -> Marked | None:
        word = desk.mark(spot).word()
        return wire.run(lambda call: search(call, root, word)) if word else None

    found = until(look, seconds)
    return is_shown(wire, found, is_one_of_many=True) if found else None


def holder(spot: Spot) -> int | None:
    """Return the program above SPOT whose tabs can be reached; None if there is none."""
    return next((pid for pid in spot.line[1:] if processes.name(pid).startswith(TERMINALS)), None)


def connected(desk: Desk) -> Wire | None:
    """Return a connection to the accessibility bus; None if accessibility is switched off."""
    said = desk.wire.call("org.a11y.Bus", "/org/a11y/bus", "org.a11y.Bus", "GetAddress")
    return desk.wire_to(str(said[0])) if said and said[0] else None


def is_installed(desk: Desk) -> bool | None:
    """Return whether the session bus has the service of accessibility, or can start it; None if no bus answers."""
    if connected(desk):
        return True
    said = desk.wire.call(DBUS, "/org/freedesktop/DBus", DBUS, "ListActivatableNames")
    return "org.a11y.Bus" in said[0] if said else None


def choose_page(wire: Wire, node: Node) -> bool:
    """Choose the tab of NODE. Return False if the program did not."""
    page = node.page
    if page is None or selected(wire, page.object):
        return True
    done = wire.call(*page.above[-1].object, SELECTION, "SelectChild", "i", [page.place])
    return bool(done and done[0])


def grab(wire: Wire, node: Node) -> bool | None:
    """Give the terminal the focus, and so bring its window to the front.

    Return False if the program did not, and None if it does not answer in time: a busy one may do it all the same.
    """
    done = wire.call(*node.object, COMPONENT, "GrabFocus")
    return bool(done[0]) if done else None


def is_shown(wire: Wire, found: Marked, *, is_one_of_many: bool) -> bool | None:
    """Return whether the terminal is the one that its window shows, or in a split tab the one that is typed into.

    IS_ONE_OF_MANY: whether its program has other windows, so that this one must be the active one.
    """
    if found.node.role != TERMINAL:
        return selected(wire, found.node.object)
    here = states(wire, found.node.object)
    window = states(wire, found.node.window.object) if is_one_of_many and found.node.window else None
    if here is None or (window is not None and not window & 1 << ACTIVE):
        return None if here is None else False
    return bool(here & 1 << (FOCUSED if found.is_split else SHOWING))


def _tab_instead(wire: Wire, node: Node) -> str:
    """Name the tab that is chosen in place of that of NODE; empty if it is chosen, or nothing tells."""
    page = node.page
    if page is None or selected(wire, page.object) is not False:
        return ""
    tabs = wire.run(lambda call: children_of(call, page.above[-1].object)) or ()
    chosen = next((one for one in tabs if selected(wire, one)), None)
    name = short(wire.run(lambda call: name_of(call, chosen)) or "", 40) if chosen else ""
    return f'the tab "{name}"' if name else "another tab"


def _number(wire: Wire, node: Node, windows: Sequence[int], desk: Desk) -> int | None:
    """Return the X11 number of the window of NODE, which has its title; None if several have it."""
    if len(windows) < 2 or node.window is None:
        return None
    window, screen = node.window.object, x11.shared(desk)
    title = wire.run(lambda call: name_of(call, window))
    same = [one for one in windows if title and screen.title(one) == title]
    return same[0] if len(same) == 1 else None


def _pressed(wire: Wire, page: Object) -> bool:
    said = wire.call(*page, ACTION, "GetActions")
    number = next((at for at, row in enumerate(said[0] if said else ()) if str(row[0]).lower() == "press"), None)
    done = wire.call(*page, ACTION, "DoAction", "i", [number]) if number is not None else None
    return bool(done and done[0])


def _tab(wire: Wire, pid: int, spot: Spot, desk: Desk) -> Marked | Literal["shown"] | None:
    """Mark the terminal, and return the one that shows the mark, as soon as it does; None if none does.

    The only tab of a window may have no name. Return "shown" if the title of its window shows the mark.
    """
    mark = desk.mark(spot)
    patience = SHOWS_WITHIN if mark.is_kept else QT_WITHIN
    root = wire.run(lambda call: application(call, pid), patience)
    if root is None:
        return None
    before = {} if mark.is_kept else wire.run(lambda call: _names(call, root), patience) or {}

    def look() -> Marked | Literal["shown"] | None:
        word = mark.word()
        found = wire.run(lambda call: search(call, root, word), patience) if word else None
        if found and found.node.object in before:
            mark.replaces(before[found.node.object])
        return found or ("shown" if x11.marked(spot, desk, 0) else None)

    return until(look, patience)


def selected(wire: Wire, page: Object) -> bool | None:
    """Return whether a tab is selected; None if nothing tells."""
    said = states(wire, page)
    return None if said is None else bool(said & 1 << SELECTED)


def states(wire: Wire, one: Object) -> int | None:
    """Return the states of an object as bits; None if nothing tells."""
    said = wire.call(*one, ACCESSIBLE, "GetState")
    return int(said[0][0]) if said else None


async def application(call: Call, pid: int) -> Object | None:
    """Return the accessible root of process PID."""
    there = await children_of(call, Object(REGISTRY, ROOT))
    owners = await asyncio.gather(*(_owner(call, one.name) for one in there))
    return next((one for one, owner in zip(there, owners, strict=True) if owner == pid), None)


async def _owner(call: Call, name: str) -> int:
    said = await call(DBUS, "/org/freedesktop/DBus", DBUS, "GetConnectionUnixProcessID", "s", [name])
    return int(said[0]) if said else 0


async def search(call: Call, root: Object, word: str) -> Marked | None:
    """Return the terminal below ROOT whose description is WORD, else the tab whose name is."""
    nodes = await _nodes(call, root)
    terminals = [one for one in nodes if one.role == TERMINAL]
    told = await asyncio.gather(*(_text(call, one.object, "Description") for one in terminals))
    for one, text in zip(terminals, told, strict=True):
        if word in text:
            beside = [other for other in terminals if (other.page or other.window) == (one.page or one.window)]
            return Marked(one, len(beside) > 1)
    named = await _named(call, nodes)
    return next((Marked(one) for one, text in named if word in text), None)


async def _names(call: Call, root: Object) -> dict[Object, str]:
    return {tab.object: name for tab, name in await _named(call, await _nodes(call, root))}


async def _named(call: Call, nodes: Sequence[Node]) -> list[tuple[Node, str]]:
    """Return the tabs among NODES with their names."""
    tabs = [one for one in nodes if one.role == PAGE_TAB]
    names = await asyncio.gather(*(name_of(call, one.object) for one in tabs))
    return list(zip(tabs, names, strict=True))


async def _nodes(call: Call, root: Object) -> list[Node]:
    """Return the tabs and the terminals below ROOT, and what holds them, level by level."""
    found, level = [], [Node(root, 0, 0, ())]
    for _ in range(DEEPEST):
        level = await _below(call, [one for one in level if one.role not in CLOSED])
        found += level
    return found


async def _below(call: Call, level: list[Node]) -> list[Node]:
    found = await asyncio.gather(*(children_of(call, one.object) for one in level))
    pairs = [(one, at, child) for one, below in zip(level, found, strict=True) for at, child in enumerate(below)]
    roles = await asyncio.gather(*(role_of(call, child) for _, _, child in pairs))
    return [Node(child, is_a, at, (*one.above, one)) for (one, at, child), is_a in zip(pairs, roles, strict=True)]


async def children_of(call: Call, parent: Object) -> Sequence[Object]:
    said = await call(*parent, ACCESSIBLE, "GetChildren")
    return [Object(str(name), str(path)) for name, path in said[0]] if said else []


async def role_of(call: Call, one: Object) -> int:
    said = await call(*one, ACCESSIBLE, "GetRole")
    return int(said[0]) if said else 0


async def name_of(call: Call, one: Object) -> str:
    return await _text(call, one, "Name")


async def _text(call: Call, one: Object, kind: Literal["Name", "Description"]) -> str:
    said = await call(*one, "org.freedesktop.DBus.Properties", "Get", "ss", [ACCESSIBLE, kind])
    return str(said[0].value) if said else ""
