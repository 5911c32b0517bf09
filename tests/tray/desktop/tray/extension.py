"""Model how GNOME's AppIndicator extension turns dbusmenu layouts into rows, with its faults.

After `dbusMenu.js` of https://github.com/ubuntu/gnome-shell-extension-appindicator, function by function, in four forms:

* OLD: version 46, of Debian 12 (to version 52). Rows are made at once. Moves are ignored, because the handlers of
  `child-moved` take the arguments in another order than they are given (issue 632).
* DEFERRED: versions 53 to 63. The rows of the menu itself are made one by one in idle callbacks, and a closed menu is not
  updated until it opens. Moves are ignored still.
* LOSING: as on GNOME 48 of Debian 13, where the shell has much to do. Two LayoutUpdated come at a time: the second cancels
  the answer to the first, which may have come already. Its rows are made then, and the question for their properties is
  cancelled. The second answer has no new row, so nobody asks again (https://github.com/xiufengsun/TokenTracker/pull/574).
* MOVING: as it is since pull request 633, merged in July 2026. Moves are carried out, but a row that moves past the last
  row there is raises a TypeError after it was taken out, and is lost (issue 649).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from deskbell.desktop.tray.current import Current
from deskbell.desktop.tray.layout import ROOT, Layout, Properties


class Form(NamedTuple):
    defers: bool = False
    moves: bool = False
    loses: bool = False


OLD, DEFERRED, LOSING, MOVING = Form(), Form(defers=True), Form(defers=True, loses=True), Form(defers=True, moves=True)
FORMS = {"version 46": OLD, "version 63": DEFERRED, "under load": LOSING, "after pull request 633": MOVING}

MANDATED = ("type", "children-display")
"""What the extension asks for in GetLayout. It asks for the rest in GetGroupProperties, for new items."""


@dataclass(eq=False)
class Row:
    """A PopupMenuItem, or a PopupSubMenuMenuItem with the rows in its menu."""

    item: "Item"
    parent: list["Row"]
    is_submenu: bool
    rows: list["Row"] = field(default_factory=list)


@dataclass(eq=False)
class Item:
    """A DbusMenuItem."""

    number: int
    properties: dict[str, object]
    children: list[int]
    row: Row | None = None
    """The row that listens to it. The item ROOT has none: its rows are those of the menu."""


class Extension:
    def __init__(self, form: Form, menu: Current | None = None) -> None:
        """MENU is told what the extension asks, as `dbusmenu` does."""
        self.rows: list[Row] = []
        self.errors: list[str] = []
        self._form = form
        self._menu = menu or Current()
        self._items = {ROOT: Item(ROOT, {"children-display": "submenu"}, [])}
        self._served: Layout = {}
        self._requested: list[int] = []
        self._added: list[tuple[int, Item, int]] = []
        """Rows that wait for an idle callback: the priority, the item, and the place that it had when it was added."""
        self._active = False
        self._layout_required = self._properties_required = False

    def on_signals(self, served: Layout, changed: Mapping[int, Properties], restructured: bool) -> None:
        """Take ItemsPropertiesUpdated and LayoutUpdated from a program that serves SERVED."""
        self._served = served
        self._on_properties_updated(changed)
        if restructured and self._waits:
            self._layout_required = True
        elif restructured:
            self._update_layout()

    @property
    def _waits(self) -> bool:
        return self._form.defers and not self._active and bool(self._items[ROOT].children)

    def _on_properties_updated(self, changed: Mapping[int, Properties]) -> None:
        if changed and self._waits:
            self._properties_required = True
        else:
            self._set_properties(changed)

    def open(self) -> None:
        self._active = True
        if self._layout_required:
            self._update_layout()
        elif self._properties_required:
            self._requested += self._items
            self._properties_required = False

    def close(self) -> None:
        self._active = False

    def idle(self) -> None:
        """Run every idle callback: the properties that were asked for, and the rows that are still to be added."""
        self._menu.read(self._requested)
        for number in self._requested:
            if number in self._items and number in self._served:
                self._items[number].properties |= self._served[number].properties
        self._requested.clear()
        while self._added:
            first = min(self._added, key=lambda waiting: waiting[0])
            self._added.remove(first)
            self._add_row(self.rows, first[1], first[2])

    def shown(self) -> list[object]:
        """The label of every row that is visible; with the rows below it, for a submenu."""
        return _shown(self.rows)

    def _set_properties(self, changed: Mapping[int, Properties]) -> None:
        for number, properties in changed.items():
            if number in self._items:
                self._items[number].properties |= properties

    def _update_layout(self) -> None:
        self._do_layout_update(ROOT)
        self._layout_required = self._properties_required = False
        reachable, waiting = set[int](), [ROOT]
        while waiting:
            reachable.add(number := waiting.pop())
            waiting += self._items[number].children
        self._items = {number: item for number, item in self._items.items() if number in reachable}
        self._on_properties_updated(self._menu.unread())

    def _do_layout_update(self, number: int) -> None:
        node = self._served[number]
        for child in node.children:
            self._do_layout_update(child)
        mandated = {name: value for name, value in node.properties.items() if name in MANDATED}
        if number not in self._items:
            self._items[number] = Item(number, mandated, list(node.children))
            self._requested += [] if self._form.loses else [number]
            return
        item = self._items[number]
        for name, value in mandated.items():
            item.properties[name] = value
            if item.row:
                self._replace(item.row)
        old = list(item.children)
        for place, child in enumerate(node.children):
            if child in old:
                old.remove(child)
                self._move_child(item, child, place)
            else:
                item.children.insert(place, child)
                self._on_child_added(item, self._items[child], place)
        for child in old:
            item.children.remove(child)
            self._on_child_removed(item, self._items[child])
        if self._properties_required:
            self._requested.append(number)

    def _move_child(self, item: Item, child: int, place: int) -> None:
        was = item.children.index(child)
        if was == place:
            return
        item.children.insert(place, item.children.pop(was))
        if self._form.moves:
            self._move_row(self._rows_of(item), self._items[child], place)

    def _on_child_added(self, item: Item, child: Item, place: int) -> None:
        if item.number == ROOT and self._form.defers:
            self._added.append((len(self._added), child, place))
        elif item.number == ROOT:
            self._add_row(self.rows, child, place)
        elif item.row and item.row.is_submenu:
            self._add_row(item.row.rows, child, place)
        elif item.row:
            self._replace(item.row)

    def _on_child_removed(self, item: Item, child: Item) -> None:
        rows = self._rows_of(item)
        found = [row for row in rows if row.item is child]
        for row in found:
            rows.remove(row)
        if not found:
            self._added = [waiting for waiting in self._added if waiting[1] is not child]

    def _move_row(self, rows: list[Row], child: Item, place: int) -> None:
        """MenuUtils.moveItemInMenu."""
        family = list(rows)
        for row in family:
            if row.item is child:
                rows.remove(row)
                if place >= len(family) or family[place] is row:
                    self.errors.append(f"TypeError: menu.box.add is not a function, and row {child.number} is lost")
                else:
                    rows.insert(rows.index(family[place]), row)
                return

    def _rows_of(self, item: Item) -> list[Row]:
        return self.rows if item.number == ROOT else item.row.rows if item.row else []

    def _add_row(self, rows: list[Row], child: Item, place: int) -> None:
        """PopupMenu.addMenuItem: a place beyond the last row is the end."""
        rows.insert(place, self._row(child, rows))

    def _replace(self, row: Row) -> None:
        if row not in row.parent:
            self.errors.append("Error: DBusMenu: can't replace non existing menu item")
            return
        row.parent[row.parent.index(row)] = self._row(row.item, row.parent)

    def _row(self, item: Item, parent: list[Row]) -> Row:
        """MenuItemFactory.createItem."""
        row = item.row = Row(item, parent, item.properties.get("children-display") == "submenu")
        if row.is_submenu:
            row.rows.extend(self._row(self._items[child], row.rows) for child in item.children)
        return row


def _shown(rows: list[Row]) -> list[object]:
    visible = [row for row in rows if row.item.properties.get("visible", True)]
    labels = [str(row.item.properties.get("label", "")) for row in visible]
    return [(label, _shown(row.rows)) if row.is_submenu else label for label, row in zip(labels, visible, strict=True)]
