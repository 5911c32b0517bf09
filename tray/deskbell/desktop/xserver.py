"""Read properties of windows and owners of selections from an X server, watch its focus, and send messages."""

import select
import socket
from collections.abc import Iterator
from typing import Any, ClassVar

from Xlib import X
from Xlib.error import ConnectionClosedError, DisplayError
from Xlib.protocol.display import Display
from Xlib.protocol.event import ClientMessage
from Xlib.protocol.request import (
    ChangeWindowAttributes,
    GetInputFocus,
    GetProperty,
    GetSelectionOwner,
    InternAtom,
    QueryTree,
    SendEvent,
)
from Xlib.support.connect import get_display

LONGEST = 4096
"""Units of 4 bytes that are read from a property."""
SETUP = -1
"""The number that python-xlib gives the first request, whose answer it does not come back for."""
GONE = (ConnectionClosedError, DisplayError, OSError)


class Server(Display):  # type: ignore[misc]  # python-xlib has no types
    """A connection without the keymap and the extensions, which `Xlib.display` loads (1 MB) and nobody needs here."""

    resource_classes: ClassVar[dict[str, type]] = {}

    def __init__(self, address: str, patience: float | None = None) -> None:
        """PATIENCE: seconds that the server has for each answer; None for ever. One that is late is GONE."""
        self._patience = patience
        if patience is not None:
            _refuse_silent_host(address, patience)
        super().__init__(address)

    def send_and_recv(
        self, flush: bool = False, event: bool = False, request: int | None = None, recv: bool = False
    ) -> None:
        """Carry out what python-xlib asks for: it holds `send_recv_lock`, and this gives it back.

        It comes again until its answer is there, because a report of `watch` may arrive before that.
        """
        if request is None or self._patience is None:
            super().send_and_recv(flush, event, request, recv)
            return
        super().send_and_recv(flush=True)  # this may read the answer, too
        if all(getattr(one, "_serial", SETUP) != request for one in self.sent_requests):
            return
        if not select.select([self.socket], [], [], self._patience)[0]:
            self.close_internal("server: it does not answer")
            raise self.socket_error
        self.send_recv_lock.acquire()
        super().send_and_recv(recv=request != SETUP, request=request if request == SETUP else None)

    @property
    def root(self) -> int:
        return int(self.info.roots[self.default_screen].root)

    def atom(self, name: str) -> int:
        return int(InternAtom(display=self, only_if_exists=False, name=name).atom)

    def number(self, window: int, atom: int) -> int | None:
        """Return the first number in a property of WINDOW; None if there is none."""
        found = self._property(window, atom, 1)
        return int(found[0]) if found is not None and len(found) else None

    def numbers(self, window: int, atom: int) -> list[int]:
        """Return the numbers in a property of WINDOW."""
        found = self._property(window, atom, LONGEST)
        return [] if found is None or isinstance(found, bytes) else [int(one) for one in found]

    def text(self, window: int, atom: int) -> str:
        found = self._property(window, atom, LONGEST)
        return found.decode(errors="replace") if isinstance(found, bytes) else ""

    def ask_for(self, window: int, kind: int, *numbers: int) -> None:
        """Send the window manager a message about WINDOW."""
        self._send(self.root, X.SubstructureRedirectMask | X.SubstructureNotifyMask, window, kind, numbers)

    def tell(self, window: int, kind: int, *numbers: int) -> None:
        """Send a message to the program of WINDOW."""
        self._send(window, X.NoEventMask, window, kind, numbers)

    def watch(self) -> None:
        """Make the server report changes of the properties of the root window, and messages that programs send it."""
        mask = X.PropertyChangeMask | X.SubstructureNotifyMask
        ChangeWindowAttributes(display=self, onerror=None, window=self.root, attrs={"event_mask": mask})
        self.flush()

    def reports(self, seconds: float) -> Iterator[Any]:
        """Yield what the server has reported since `watch`. If there is nothing, wait for at most SECONDS."""
        if not self.pending_events():
            select.select([self.socket], [], [], seconds)
        for _ in range(self.pending_events()):
            yield self.next_event()

    def focus(self) -> int:
        """Return the window that gets what is typed; 0 or 1 if it is none, or the one below the pointer."""
        focus = GetInputFocus(display=self).focus
        return int(getattr(focus, "id", focus))

    def above(self, window: int) -> int:
        """Return the window that holds WINDOW; 0 for the root window."""
        parent = QueryTree(display=self, window=window).parent
        return int(getattr(parent, "id", parent))

    def _send(self, to: int, mask: int, window: int, kind: int, numbers: tuple[int, ...]) -> None:
        event = ClientMessage(window=window, client_type=kind, data=(32, [*numbers, 0, 0, 0, 0, 0][:5]))
        SendEvent(display=self, propagate=False, destination=to, event_mask=mask, event=event)
        self.flush()

    def _property(self, window: int, atom: int, length: int) -> Any:
        of = {"window": window, "property": atom, "type": X.AnyPropertyType, "long_offset": 0, "long_length": length}
        found = GetProperty(display=self, delete=False, **of).value
        return found[1] if found else None

    def owner(self, selection: int) -> int:
        """Return the window that owns SELECTION; 0 if there is none."""
        return int(GetSelectionOwner(display=self, selection=selection).owner)


def _refuse_silent_host(address: str, patience: float) -> None:
    """Raise OSError if ADDRESS is on a host that does not take a connection: python-xlib would wait for minutes."""
    _, protocol, host, number, _ = get_display(address)
    if host and host != "unix" and protocol != "unix":
        socket.create_connection((host, 6000 + number), patience).close()
