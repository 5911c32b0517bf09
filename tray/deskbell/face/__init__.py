"""What is on the panel: the icon with its tooltip (`look`), the menu (`menu`) and what a click asks for (`actions`).

Pure. The adapters in `deskbell.desktop.tray` draw a Face.
"""

from dataclasses import dataclass
from typing import Protocol

from deskbell.face.look import Look
from deskbell.face.menu import Item


@dataclass(frozen=True, slots=True)
class Face:
    look: Look
    menu: tuple[Item, ...]


class Tray(Protocol):
    """Whatever shows a Face: an icon, or nothing."""

    def start(self) -> None: ...
    def show(self, face: Face) -> None: ...
    def stop(self) -> None: ...
