"""Ask an X server: the focused window, a property of a window, the owner of a selection."""

from typing import ClassVar

from Xlib import X
from Xlib.error import ConnectionClosedError, DisplayError
from Xlib.protocol.display import Display
from Xlib.protocol.request import GetProperty, GetSelectionOwner, InternAtom

GONE = (ConnectionClosedError, DisplayError, OSError)


class Server(Display):  # type: ignore[misc]  # python-xlib has no types
    """A connection without the keymap and the extensions, which `Xlib.display` loads (1 MB) and nothing here needs."""

    resource_classes: ClassVar[dict[str, type]] = {}

    @property
    def root(self) -> int:
        return int(self.info.roots[self.default_screen].root)

    def atom(self, name: str) -> int:
        return int(InternAtom(display=self, only_if_exists=False, name=name).atom)

    def number(self, window: int, atom: int) -> int | None:
        """Return the first number in a property of WINDOW; None if it has none."""
        of = {"window": window, "property": atom, "type": X.AnyPropertyType, "long_offset": 0, "long_length": 1}
        found = GetProperty(display=self, delete=False, **of).value
        return int(found[1][0]) if found and len(found[1]) else None

    def owner(self, selection: int) -> int:
        """Return the window that holds SELECTION; 0 if there is none."""
        return int(GetSelectionOwner(display=self, selection=selection).owner)
