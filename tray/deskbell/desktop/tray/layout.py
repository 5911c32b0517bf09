"""Turn a pystray menu into numbered nodes, and find what differs between two of them. Pure.

A node keeps its number as long as its key stays among the same parent's children: an open menu is patched in place.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import count

from deskbell.desktop.tray.library import Menu, MenuItem

ROOT = 0

Value = str | bool | int | bytes
Properties = Mapping[str, Value]
Path = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Node:
    properties: Properties
    children: tuple[int, ...] = ()
    item: MenuItem | None = field(default=None, compare=False)


Layout = Mapping[int, Node]
EMPTY: Layout = {ROOT: Node({"children-display": "submenu"})}


@dataclass(frozen=True, slots=True)
class Difference:
    changed: Mapping[int, Properties]
    """The new and the changed properties of nodes that stay."""
    removed: Mapping[int, tuple[str, ...]]
    restructured: bool
    """Whether items came, went or moved."""


class Numbering:
    """Gives every path of keys a number, which it keeps while it is in use."""

    def __init__(self) -> None:
        self._numbers: dict[Path, int] = {(): ROOT}
        self._next = count(1)

    def layout(self, menu: Menu | None) -> Layout:
        before, self._numbers = self._numbers, {(): ROOT}
        return dict(self._nodes((), None, menu, before))

    def _nodes(
        self, path: Path, item: MenuItem | None, menu: Menu | None, before: Mapping[Path, int]
    ) -> Iterator[tuple[int, Node]]:
        keyed = list(_keyed(menu))
        children = tuple(self._number((*path, key), before) for key, _ in keyed)
        yield self._numbers[path], Node(_properties(item) if item else EMPTY[ROOT].properties, children, item)
        for key, below in keyed:
            yield from self._nodes((*path, key), below, below.submenu, before)

    def _number(self, path: Path, before: Mapping[Path, int]) -> int:
        self._numbers[path] = before[path] if path in before else next(self._next)
        return self._numbers[path]


def difference(before: Layout, after: Layout) -> Difference:
    both = before.keys() & after.keys()
    changed = {n: _other(before[n].properties, after[n].properties) for n in both}
    removed = {n: tuple(before[n].properties.keys() - after[n].properties.keys()) for n in both}
    return Difference(
        {n: properties for n, properties in sorted(changed.items()) if properties},
        {n: names for n, names in sorted(removed.items()) if names},
        any(before[n].children != after[n].children for n in both),
    )


def _other(before: Properties, after: Properties) -> Properties:
    return {name: value for name, value in after.items() if before.get(name) != value}


def _keyed(menu: Menu | None) -> Iterator[tuple[str, MenuItem]]:
    """An item without a key is known by its text; a second one of the same name by that and its position."""
    seen: dict[str, int] = {}
    for item in menu if menu is not None else ():
        key = getattr(item, "key", None) or str(item.text)
        seen[key] = seen.get(key, 0) + 1
        yield key if seen[key] == 1 else f"{key} ({seen[key]})", item


def _properties(item: MenuItem) -> Properties:
    text = item.text
    if item is Menu.SEPARATOR or not text:
        return {"type": "separator"}
    properties: dict[str, Value] = {"label": text.replace("_", "__"), "enabled": bool(item.enabled)}
    if item.submenu is not None:
        properties["children-display"] = "submenu"
    if item.checked is not None:
        properties |= {"toggle-type": "radio" if item.radio else "checkmark", "toggle-state": int(item.checked)}
    if picture := getattr(item, "picture", None):
        properties["icon-data"] = picture
    return properties
