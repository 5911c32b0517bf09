"""Which window has the focus on X11?"""

from typing import Any

from Xlib import X
from Xlib.display import Display
from Xlib.error import ConnectionClosedError, DisplayError, XError
from Xlib.protocol.rq import BadDataError

from deskbell.desktop.focus import NOBODY, Active, Asked

GONE = (ConnectionClosedError, DisplayError, OSError)


class X11(Asked):
    def __init__(self, display: str) -> None:
        self.name = f"X11 ({display})"
        self._address = display
        self._display: Any = None

    def active(self) -> Active | None:
        """A connection that was lost is made anew the next time."""
        try:
            self._display = self._display or Display(self._address)
            return self._ask(self._display)
        except GONE:
            self._display = None
        except (XError, BadDataError):  # the window went while it was asked about
            pass
        return None

    def _ask(self, display: Any) -> Active | None:
        window = _number(display.screen().root, display.intern_atom("_NET_ACTIVE_WINDOW"))
        if window is None:  # no window manager that says so
            return None
        if window == X.NONE:
            return NOBODY
        return Active(
            _number(display.create_resource_object("window", window), display.intern_atom("_NET_WM_PID")), window
        )


def _number(window: Any, atom: int) -> int | None:
    found = window.get_full_property(atom, X.AnyPropertyType)
    return int(found.value[0]) if found and len(found.value) else None
