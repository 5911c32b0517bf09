"""Describe what the panel shows: the icon with its tooltip (`look`), the menu (`menu`), and what a click does.

Pure. The adapters in `deskbell.desktop.tray` draw a Face; `deskbell.program.clicks` carries out its actions.
"""

from dataclasses import dataclass
from typing import Protocol

from deskbell.face.actions import Action
from deskbell.face.item import Item
from deskbell.face.look import Look


@dataclass(frozen=True, slots=True)
class Face:
    """All that the panel shows."""

    look: Look
    menu: tuple[Item, ...]
    opened: Action | None = None
    """What to do when the person opens the menu."""


class Tray(Protocol):
    """Shows a Face in the panel, or nothing where there is no panel."""

    def start(self) -> None: ...
    def show(self, face: Face) -> None: ...
    def stop(self) -> None: ...
