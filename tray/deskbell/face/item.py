"""Define an item of the menu: what it says, what a click on it does, and what is below it. Pure."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from deskbell.face.actions import Action
from deskbell.face.room import Room
from deskbell_icons import Sign

LEFT_TO_RIGHT = "\u200e"
"""Keeps a row left-to-right. GTK takes the direction of a row from its first strong letter, even inside an isolate."""
BETWEEN = " · "
"""Separates the parts of a row. Menus have proportional fonts and no tabs, so there are no columns."""
ROW = ("key", "action", "checked", "hidden", "sign")
"""What makes a row, beside its words and what is below it."""


@dataclass(frozen=True, slots=True)
class Item:
    """One row of the menu, or the action of a click on the icon."""

    key: str
    """Unique among its siblings, and the same while the item moves."""
    text: str
    """Empty for a separator."""
    action: Action | None = None
    """What a click does. On a row with children, most hosts open the submenu and report no click."""
    children: tuple["Item", ...] = ()
    checked: bool | None = None
    hidden: bool = False
    """Not shown in the menu: the action of a click on the icon itself."""
    sign: Sign | None = None
    since: float | None = None
    """A time in seconds. The adapter adds the age since then to the text, each time the menu opens."""

    @property
    def enabled(self) -> bool:
        return bool(self.action or self.children)


def separator(key: str) -> Item:
    return Item(key, "")


def alike_but_for_words(before: Sequence[Item], after: Sequence[Item]) -> bool:
    """Return whether BEFORE and AFTER have the same rows, which may say other things, in the same order."""
    return len(before) == len(after) and all(map(_is_alike, before, after))


def _is_alike(before: Item, after: Item) -> bool:
    if before is after:
        return True
    same = all(getattr(before, name) == getattr(after, name) for name in ROW)
    return same and alike_but_for_words(before.children, after.children)


def height(items: Iterable[Item], room: Room) -> float:
    """Return the height of the menu that shows ITEMS, all submenus closed."""
    return sum(room.row if item.text else room.separator for item in items if not item.hidden)
