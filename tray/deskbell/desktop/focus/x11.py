"""Which window has the focus on X11?"""

from contextlib import suppress
from typing import Any, ClassVar

from Xlib import X
from Xlib.error import ConnectionClosedError, DisplayError, XError
from Xlib.protocol.display import Display
from Xlib.protocol.request import GetProperty, InternAtom
from Xlib.protocol.rq import BadDataError

from deskbell.desktop.focus import NOBODY, Active, Asked

GONE = (ConnectionClosedError, DisplayError, OSError)


class Server(Display):  # type: ignore[misc]  # python-xlib has no types
    """Two questions need neither the keyboard nor the extensions, which `Xlib.display` loads: a megabyte."""

    resource_classes: ClassVar[dict[str, type]] = {}

    def atom(self, name: str) -> int:
        return int(InternAtom(display=self, only_if_exists=False, name=name).atom)

    def number(self, window: int, atom: int) -> int | None:
        """The first one in a property of a window."""
        of = {"window": window, "property": atom, "type": X.AnyPropertyType, "long_offset": 0, "long_length": 1}
        found = GetProperty(display=self, delete=False, **of).value
        return int(found[1][0]) if found and len(found[1]) else None


class X11(Asked):
    def __init__(self, display: str) -> None:
        self.name = f"X11 ({display})"
        self._address = display
        self._server: Server | None = None

    def active(self) -> Active | None:
        """A connection that was lost is made anew the next time."""
        try:
            self._server = self._server or Server(self._address)
            return self._ask(self._server)
        except GONE:
            self._server = None
        except (XError, BadDataError):  # the window went while it was asked about
            pass
        return None

    def stop(self) -> None:
        server, self._server = self._server, None
        with suppress(*GONE):
            if server:
                server.close()

    def _ask(self, server: Server) -> Active | None:
        root: Any = server.info.roots[server.default_screen].root
        window = server.number(root, server.atom("_NET_ACTIVE_WINDOW"))
        if window is None:  # no window manager that says so
            return None
        return NOBODY if window == X.NONE else Active(server.number(window, server.atom("_NET_WM_PID")), window)
