"""Serve the menu on D-Bus: the whole interface `com.canonical.dbusmenu`.

Hosts call different methods, and a host that misses one shows an empty menu.

https://github.com/AyatanaIndicators/libdbusmenu/blob/master/libdbusmenu-glib/dbus-menu.xml
"""

import asyncio
from collections.abc import Callable, Sequence
from typing import Annotated, Any

from dbus_fast import DBusError, ErrorType, Variant
from dbus_fast.annotations import DBusBool, DBusInt32, DBusSignature, DBusStr, DBusUInt32, DBusVariant
from dbus_fast.service import dbus_signal

from deskbell.desktop.tray.current import Current
from deskbell.desktop.tray.interface import Interface, method, readable
from deskbell.desktop.tray.layout import ROOT, Difference, Layout, Node, Properties, Value
from deskbell.desktop.tray.library import PANEL, Menu, MenuItem
from deskbell.supervision import Supervisor

SIGNATURES: dict[type[Value], str] = {str: "s", bool: "b", int: "i", bytes: "ay"}
EVERYTHING = -1

Group = Annotated[list[list[Any]], DBusSignature("a(ia{sv})")]
Names = Annotated[list[str], DBusSignature("as")]
Numbers = Annotated[list[int], DBusSignature("ai")]
Two = tuple[Any, Any]


class DBusMenu(Interface):
    """The menu as a service on the bus."""

    def __init__(
        self,
        supervisor: Supervisor,
        clicked: Callable[[MenuItem], None],
        opened: Callable[[], None],
        patience: float = 0.0,
        closes: bool = False,
        asked: Callable[[], None] = lambda: None,
    ) -> None:
        """OPENED is called when the person opens the menu, ASKED before a host is told what is new in it.

        PATIENCE: the most seconds for which new rows wait while a submenu is open; 0 if the host keeps it open.
        CLOSES: rows also wait while the menu itself is open, because the host would close it.
        """
        super().__init__("com.canonical.dbusmenu", supervisor)
        self._clicked = clicked
        self._opened = opened
        self._asked_for_news = asked
        self._patience = patience
        self._current = Current(holds=patience > 0, closes=closes)
        self._revision = 1
        self._release: asyncio.Task[None] | None = None
        self._asked: dict[int, tuple[int, ...]] = {}
        """The children of each item that a host knows, if it asks for one level at a time."""

    def show(self, menu: Menu | None) -> None:
        """Show MENU: send the hosts only what differs from before."""
        self._send(self._current.want(menu))

    @property
    def _layout(self) -> Layout:
        return self._current.layout

    def _refresh(self) -> None:
        """Send the texts that wait, and those that have changed with the time: the ages of the sessions."""
        self._asked_for_news()
        self._send(self._current.update())

    def _send(self, news: Difference) -> None:
        if news.changed:
            self._send_properties([[number, _variants(values)] for number, values in news.changed.items()], [])
        if news.parents:
            self._revision += 1
            self._send_layout(news.parents[0] if len(news.parents) == 1 else ROOT)
        if self._current.waits and (self._release is None or self._release.done()):
            self._release = self._supervisor.once(PANEL, self._release_later())

    def _lead_on(self, parent: int) -> None:
        """Make a host that asks for one level at a time ask for the next level before the person opens it.

        Plasma would otherwise read a submenu only when it is open, and place it on the screen as if it were empty.
        """
        children = self._layout[parent].children if parent in self._layout else ()
        if parent == ROOT and self._asked.get(ROOT) == children:  # the first host knows them, so this is another one
            self._asked.clear()
        self._asked[parent] = children
        for child in children:
            if child in self._layout and self._asked.get(child, ()) != self._layout[child].children:
                self._send_layout(child)
        self._asked = {number: children for number, children in self._asked.items() if number in self._layout}

    def _tell_rest(self) -> None:
        """Send the texts that no host has asked for yet, to a host that asks for rows without their texts.

        GNOME's extension asks for the texts later, but not if the next LayoutUpdated reaches it at the wrong moment: it
        takes over the layout, and drops the question for the new rows, which would stay empty. Seen on GNOME 48, and
        reported for GNOME 50: https://github.com/xiufengsun/TokenTracker/pull/574
        """
        if unread := self._current.unread():
            self._send_properties([[number, _variants(values)] for number, values in unread.items()], [])

    async def _release_later(self) -> None:
        await asyncio.sleep(self._patience)
        self._send(self._current.update(now=True))

    @method("GetLayout")
    def _get_layout(
        self, parent: DBusInt32, depth: DBusInt32, names: Names
    ) -> Annotated[Two, DBusSignature("u(ia{sv}av)")]:
        self._node(parent)
        soon = asyncio.get_running_loop().call_soon
        if depth == 1:
            soon(self._supervisor.guarded(PANEL, self._lead_on), parent)
        if names and "label" not in names:
            soon(self._supervisor.guarded(PANEL, self._tell_rest))
        return self._revision, self._tree(parent, depth, names)

    @method("GetGroupProperties")
    def _get_group_properties(self, numbers: Numbers, names: Names) -> Group:
        known = [number for number in numbers or self._layout if number in self._layout]
        self._current.read(known)
        return [[number, _variants(self._layout[number].properties, names)] for number in known]

    @method("GetProperty")
    def _get_property(self, number: DBusInt32, name: DBusStr) -> DBusVariant:
        properties = self._node(number).properties
        if name not in properties:
            raise DBusError(ErrorType.INVALID_ARGS, f"item {number} has no property {name}")
        return _variant(properties[name])

    @method("Event")
    def _event(self, number: DBusInt32, event: DBusStr, data: DBusVariant, timestamp: DBusUInt32) -> None:
        self._happened(number, event)

    @method("EventGroup")
    def _event_group(self, events: Annotated[list[list[Any]], DBusSignature("a(isvu)")]) -> Numbers:
        for number, event, _data, _timestamp in events:
            self._happened(number, event)
        return [number for number, *_ in events if number not in self._layout]

    @method("AboutToShow")
    def _about_to_show(self, number: DBusInt32) -> DBusBool:
        """Send the ages of now. Return that no rows have changed, or GNOME would make all anew, and close submenus.

        GNOME's extension also calls this when nobody opens the menu. When somebody does, it and Plasma send "opened".
        """
        self._refresh()
        return False

    @method("AboutToShowGroup")
    def _about_to_show_group(self, numbers: Numbers) -> Annotated[Two, DBusSignature("aiai")]:
        """Do the same for hosts with libdbusmenu, such as Xfce. They call this as the menu opens, without an event."""
        self._refresh()
        if ROOT in numbers:
            self._opened()
        return [], [number for number in numbers if number not in self._layout]

    @dbus_signal(name="ItemsPropertiesUpdated")
    def _send_properties(self, changed: Any, removed: Any) -> Annotated[Two, DBusSignature("a(ia{sv})a(ias)")]:
        return changed, removed

    @dbus_signal(name="LayoutUpdated")
    def _send_layout(self, parent: int) -> Annotated[Two, DBusSignature("ui")]:
        return self._revision, parent

    @dbus_signal(name="ItemActivationRequested")
    def _ask_activation(self, number: int, timestamp: int) -> Annotated[Two, DBusSignature("iu")]:
        return number, timestamp

    @readable("Version")
    def _version(self) -> DBusUInt32:
        return 3

    @readable("TextDirection")
    def _text_direction(self) -> DBusStr:
        return "ltr"

    @readable("Status")
    def _status(self) -> DBusStr:
        return "normal"

    @readable("IconThemePath")
    def _icon_theme_path(self) -> Names:
        return []

    def _happened(self, number: int, event: str) -> None:
        """Handle EVENT of the row NUMBER. A click does what the row said, even if the row has gone meanwhile."""
        if event == "clicked" and (item := self._current.item(number)) is not None:
            self._clicked(item)
        elif event == "opened":
            self._current.opened(number)
            self._refresh()
            if number == ROOT:
                self._opened()
        elif event == "closed":
            self._current.closed(number)
            if self._current.waits:
                self._refresh()

    def _node(self, number: int) -> Node:
        if number not in self._layout:
            raise DBusError(ErrorType.INVALID_ARGS, f"no item {number}")
        return self._layout[number]

    def _tree(self, number: int, depth: int, names: Sequence[str]) -> list[Any]:
        node = self._layout[number]
        below = [] if depth == 0 else [self._tree(child, max(depth - 1, EVERYTHING), names) for child in node.children]
        return [number, _variants(node.properties, names), [Variant("(ia{sv}av)", child) for child in below]]


def _variants(properties: Properties, names: Sequence[str] = ()) -> dict[str, Variant]:
    """Return the properties in NAMES; all of them if it is empty."""
    return {name: _variant(value) for name, value in properties.items() if not names or name in names}


def _variant(value: Value) -> Variant:
    return Variant(SIGNATURES[type(value)], value)
