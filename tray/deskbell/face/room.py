"""Define how much room a panel has for the menu. Pure."""

from collections.abc import Mapping
from typing import NamedTuple


class Room(NamedTuple):
    """The room on the smallest screen that the menu must fit on, which is 768 pixels high. In pixels of the host."""

    height: float
    """What is left for rows and separators, below the panel and inside the frame of the menu."""
    row: float
    separator: float
    inside: float = 0.0
    """The smallest height of a submenu that opens inside the menu; 0 if submenus open beside the menu."""

    @property
    def rows(self) -> int:
        """Rows of a submenu that opens beside the menu."""
        return int(self.height // self.row)


GNOME = Room(height=688.0, row=39.0, separator=13.0, inside=4 * 39.0)
"""Measured on GNOME 43 with Noto Sans; other fonts have lower rows. A submenu that does not fit is scrolled. A submenu
inside of it would then have no height, so there is only one level of submenus.
"""
OTHERS = Room(height=700.0, row=32.0, separator=9.0)
"""Rows are 27 pixels high on Xfce, and no more than 32 on Plasma, Cinnamon, Windows and macOS."""


OTHER_SHELLS = frozenset(("BUDGIE", "GNOME-FLASHBACK"))
"""Desktops that also call themselves GNOME, but have panels of their own."""


def room(env: Mapping[str, str]) -> Room:
    return GNOME if is_gnome(env) else OTHERS


def is_gnome(env: Mapping[str, str]) -> bool:
    """Return whether GNOME Shell draws the menu. There submenus open inside it, and their rows have no pictures."""
    desktops = env.get("XDG_CURRENT_DESKTOP", "").upper().split(":")
    return "GNOME" in desktops and OTHER_SHELLS.isdisjoint(desktops)
