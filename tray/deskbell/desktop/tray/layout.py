"""Turn a menu into numbered nodes, and find the differences between two layouts. Pure.

A number always stands for the same row, so a late click cannot mean another one. `places` says which rows keep their
numbers. A row always has the same set of properties, so that no host has to forget one.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from deskbell.desktop.tray.library import FixedMenu, Menu, MenuItem
from deskbell.desktop.tray.places import Kind, Old, places

ROOT = 0

Value = str | bool | int | bytes
Properties = Mapping[str, Value]


@dataclass(frozen=True, slots=True)
class Node:
    """One row of the menu, or the menu itself."""

    properties: Properties
    children: tuple[int, ...] = ()
    key: str = ""
    item: MenuItem | None = field(default=None, compare=False)

    @property
    def shown(self) -> bool:
        return self.properties.get("visible") is not False

    @property
    def kind(self) -> Kind:
        return self.key, frozenset(self.properties)

    def over(self, children: tuple[int, ...]) -> "Node":
        """Return this node with CHILDREN below it."""
        return Node(self.properties, children, self.key, self.item)

    def hidden(self) -> "Node":
        """Return this node hidden, and disabled: only then does GNOME close its submenu."""
        return replace(self, properties={**self.properties, "visible": False, "enabled": False})


Layout = Mapping[int, Node]
EMPTY: Layout = {ROOT: Node({"children-display": "submenu"})}


@dataclass(frozen=True, slots=True)
class Difference:
    """What hosts have to be told after a change."""

    changed: Mapping[int, Properties]
    """The new values of properties, by node, for nodes that stay."""
    parents: tuple[int, ...]
    """The nodes whose children came or went."""


def layout(before: Layout, menu: Menu | None, fresh: Callable[[], int]) -> Layout:
    """Return the nodes of MENU, with the numbers of BEFORE for rows that stay. FRESH returns an unused number."""
    after: dict[int, Node] = {}
    _add(after, before, ROOT, EMPTY[ROOT], menu, fresh)
    return after


def difference(before: Layout, after: Layout) -> Difference:
    """Return what differs in AFTER from BEFORE."""
    both = [number for number, node in before.items() if after.get(number, node) is not node]
    changed = {number: _changed(before[number].properties, after[number].properties) for number in both}
    return Difference(
        {number: properties for number, properties in changed.items() if properties},
        tuple(sorted(number for number in both if before[number].children != after[number].children)),
    )


def _add(
    after: dict[int, Node], before: Layout, number: int, node: Node, menu: Menu | None, fresh: Callable[[], int]
) -> None:
    """Put NODE and everything below it into AFTER."""
    olds = before[number].children if number in before else ()
    if menu is None and not olds:
        after[number] = node
        return
    if olds and _is_unchanged(before[number], menu):
        after[number] = node.over(olds)
        _keep(after, before, olds)
        return
    rows = [(item, Node(_properties(item), key=key, item=item)) for key, item in _keyed(menu)]
    children = []
    for old, wanted in places([_old(before[at]) for at in olds], [row.kind for _, row in rows]):
        child = fresh() if old is None else olds[old]
        children.append(child)
        if wanted is None:
            _keep_hidden(after, before, child)
        else:
            item, row = rows[wanted]
            _add(after, before, child, row, item.submenu, fresh)
    after[number] = node.over(tuple(children))


def _keep_hidden(after: dict[int, Node], before: Layout, number: int) -> None:
    after[number] = before[number].hidden()
    _keep(after, before, before[number].children)


def _keep(after: dict[int, Node], before: Layout, numbers: Iterable[int]) -> None:
    for number in numbers:
        after[number] = before[number]
        _keep(after, before, before[number].children)


def _is_unchanged(old: Node, menu: Menu | None) -> bool:
    return old.item is not None and old.item.submenu is menu and isinstance(menu, FixedMenu) and not menu.ages


def _old(node: Node) -> Old:
    return Old(node.kind, node.shown, can_hide="type" not in node.properties)


def _changed(before: Properties, after: Properties) -> Properties:
    return {name: value for name, value in after.items() if before.get(name) != value}


def _keyed(menu: Menu | None) -> Iterator[tuple[str, MenuItem]]:
    """Yield each item with a unique key: its own, or its text; with a number for a repeated one."""
    seen: dict[str, int] = {}
    for item in menu if menu is not None else ():
        key = getattr(item, "key", None) or str(item.text)
        seen[key] = seen.get(key, 0) + 1
        yield key if seen[key] == 1 else f"{key} ({seen[key]})", item


def _properties(item: MenuItem) -> Properties:
    text = item.text
    if item is Menu.SEPARATOR or not text:
        return {"type": "separator", "visible": True}
    properties: dict[str, Value] = {
        "label": text.replace("_", "__"),
        "enabled": bool(item.enabled),
        "visible": True,
    }
    if item.submenu is not None:
        properties["children-display"] = "submenu"
    if item.checked is not None:
        properties |= {"toggle-type": "radio" if item.radio else "checkmark", "toggle-state": int(item.checked)}
    if picture := getattr(item, "picture", None):
        properties["icon-data"] = picture
    return properties
