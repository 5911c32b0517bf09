"""Ask an X server which window has the focus."""

from contextlib import suppress

from Xlib import X
from Xlib.error import XError
from Xlib.protocol.rq import BadDataError

from deskbell.desktop.focus import NOBODY, Active, AskedScreen
from deskbell.desktop.xserver import GONE, Server


class X11(AskedScreen):
    def __init__(self, display: str) -> None:
        self.name = f"X11 ({display})"
        self._address = display
        self._server: Server | None = None

    def active(self) -> Active | None:
        """Return the focused window; None if the server does not answer, and then connect again the next time."""
        try:
            self._server = self._server or Server(self._address)
            return self._ask(self._server)
        except GONE:
            self._server = None
        except (XError, BadDataError):  # the window was closed meanwhile
            pass
        return None

    def stop(self) -> None:
        server, self._server = self._server, None
        with suppress(*GONE):
            if server:
                server.close()

    def _ask(self, server: Server) -> Active | None:
        window = server.number(server.root, server.atom("_NET_ACTIVE_WINDOW"))
        if window is None:  # the window manager does not tell
            return None
        return NOBODY if window == X.NONE else Active(server.number(window, server.atom("_NET_WM_PID")), window)
