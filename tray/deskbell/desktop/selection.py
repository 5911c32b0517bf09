"""Own the clipboard of an X server and give its text to other programs.

The rules are those of chapter 2 of the ICCCM: https://www.x.org/releases/X11R7.6/doc/xorg-docs/specs/ICCCM/icccm.html
"""

import selectors
import socket
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from typing import Any

from Xlib import X, Xatom
from Xlib.error import CatchError, XError
from Xlib.protocol import request
from Xlib.protocol.event import SelectionNotify
from Xlib.protocol.rq import BadDataError

from deskbell.desktop.clipboard import BY_HAND
from deskbell.desktop.xserver import GONE, Server
from deskbell.errors import Problem

LONGEST = 200_000
"""Bytes of a text. A longer one would have to be sent in pieces (INCR)."""
ANSWERS_WITHIN = 5.0
"""Seconds that the server has to tell its time."""
SAVES_WITHIN = 1.0
"""Seconds that a clipboard manager has to take over the text."""
MOST_PAIRS = 32
"""Targets that one request may ask for."""
HALF = 1 << 31
"""Times of an X server have 32 bits and wrap around. If two differ by more than this, the greater one is older."""

Value = tuple[int, int, bytes | Sequence[int]]
"""The type of a property, the bits of its items, and the items."""


class Selection:
    """Owns the clipboard until another program takes it, or until `end`.

    It is made in one thread and serves in another. `serve` waits without a timeout, so waiting costs nothing.
    """

    def __init__(self, display: str, text: str) -> None:
        """Own the clipboard of DISPLAY. Raise Problem if the server refuses, and one of GONE if it does not answer."""
        if len(text.encode()) > LONGEST:
            raise Problem(f"The text is longer than {LONGEST // 1000} kB.", BY_HAND)
        self._over = threading.Event()
        self._is_kept = False
        self._server = Server(display)
        self._asleep, self._waker = socket.socketpair()
        try:
            self._window = self._made_window()
            self._time = self._server_time()
            self._values = self._table(text)
            self._take()
        except BaseException:
            self.close()
            raise

    def serve(self) -> None:
        """Answer other programs until one of them owns the clipboard. This blocks: call it in a thread of its own."""
        try:
            while (event := self._next(self._server, self._asleep)) is not None:
                if event.type == X.SelectionClear:
                    return
                self._answer(event)
            self._hand_over()
        except GONE:
            pass  # the server has ended, and the clipboard with it
        finally:
            self.close()

    def end(self) -> bool:
        """Hand the text over to the clipboard manager, if one runs, and stop serving. Any thread may call this.

        Return whether the manager has taken the text.
        """
        with suppress(OSError):  # it is over already
            self._waker.send(b"!")
        self._over.wait(2 * SAVES_WITHIN)
        return self._is_kept

    def close(self) -> None:
        """Release the clipboard. Call this only if `serve` does not run."""
        with suppress(*GONE):
            self._server.close()
        self._asleep.close()
        self._waker.close()
        self._over.set()

    def _made_window(self) -> int:
        window = int(self._server.allocate_resource_id())
        form = {"depth": 0, "x": 0, "y": 0, "width": 1, "height": 1, "border_width": 0, "visual": X.CopyFromParent}
        self._send(
            request.CreateWindow,
            **form,
            wid=window,
            parent=self._server.root,
            window_class=X.InputOnly,
            attrs={"event_mask": X.PropertyChangeMask},
        )
        return window

    def _server_time(self) -> int:
        """Return the time of the server, which the ICCCM requires for a selection. A change of a property tells it."""
        self._put(self._window, self._server.atom("DESKBELL_TIME"), (Xatom.INTEGER, 32, []))
        until = time.monotonic() + ANSWERS_WITHIN
        while (event := self._next(self._server, until=until)) is not None:
            if event.type == X.PropertyNotify:
                return int(event.time)
        raise Problem(f"The X server did not answer within {ANSWERS_WITHIN:g} seconds.", BY_HAND)

    def _table(self, text: str) -> dict[int, Value]:
        """Return the answer for each target but MULTIPLE."""
        atom, utf8 = self._server.atom, text.encode()
        forms: dict[int, Value] = {
            form: (form, 8, utf8) for form in map(atom, ("UTF8_STRING", "text/plain;charset=utf-8", "text/plain"))
        }
        with suppress(UnicodeEncodeError):
            forms[Xatom.STRING] = Xatom.STRING, 8, text.encode("latin-1")
        self._forms = tuple(forms)
        self._clipboard, self._multiple = atom("CLIPBOARD"), atom("MULTIPLE")
        targets, stamp, save = atom("TARGETS"), atom("TIMESTAMP"), atom("SAVE_TARGETS")
        every = [targets, stamp, self._multiple, save, *forms]
        return forms | {
            targets: (Xatom.ATOM, 32, every),
            stamp: (Xatom.INTEGER, 32, [self._time]),
            save: (atom("NULL"), 32, []),
        }

    def _take(self) -> None:
        self._send(request.SetSelectionOwner, window=self._window, selection=self._clipboard, time=self._time)
        if self._server.owner(self._clipboard) != self._window:
            raise Problem("Another program took the clipboard at the same moment.", "Copy again.")

    def _next(self, *inputs: Any, until: float | None = None) -> Any:
        """Return the next event of the server; None once another of INPUTS is ready, or at UNTIL."""
        self._server.flush()  # it may read events, too: they must be counted before the wait
        while not self._server.pending_events():
            patience = None if until is None else max(0.0, until - time.monotonic())
            with selectors.DefaultSelector() as ready:
                for one in inputs:
                    ready.register(one, selectors.EVENT_READ)
                found = [key.fileobj for key, _ in ready.select(patience)]
            if self._server not in found:
                return None
        return self._server.next_event()

    def _answer(self, event: Any) -> None:
        """Give the text to the program that requests it, or refuse."""
        if event.type != X.SelectionRequest:
            return
        target, place = int(event.target), int(event.property or event.target)
        given = self._is_current(event) and (
            self._put_many(event.requestor, int(event.property))
            if target == self._multiple
            else self._put_form(event.requestor, place, target)
        )
        said = SelectionNotify(
            time=event.time,
            requestor=event.requestor,
            selection=event.selection,
            target=target,
            property=place if given else X.NONE,
        )
        self._send(request.SendEvent, propagate=False, destination=event.requestor, event_mask=0, event=said)
        self._server.flush()

    def _is_current(self, event: Any) -> bool:
        """Return whether EVENT asks for the text of now, and not for what the clipboard held before."""
        return event.time == X.CurrentTime or (int(event.time) - self._time) % (2 * HALF) < HALF

    def _put_form(self, window: int, place: int, target: int) -> bool:
        if value := self._values.get(target):
            self._put(window, place, value)
        return value is not None

    def _put_many(self, window: int, place: int) -> bool:
        """Answer MULTIPLE: convert for each pair of target and place in PLACE. A pair that fails gets no place."""
        asked = {"window": window, "property": place, "type": X.AnyPropertyType}
        try:
            found = request.GetProperty(
                display=self._server, delete=False, long_offset=0, long_length=2 * MOST_PAIRS, **asked
            )
        except (XError, BadDataError):  # the window has gone
            return False
        if not place or not found.value or found.value[0] != 32:
            return False
        words = [int(word) for word in found.value[1]]
        done = [
            word
            for target, where in zip(words[::2], words[1::2], strict=False)
            for word in (target, where if self._put_form(window, where, target) else X.NONE)
        ]
        self._put(window, place, (int(found.property_type), 32, done))
        return True

    def _hand_over(self) -> None:
        """Ask the clipboard manager to keep the text: https://www.freedesktop.org/wiki/ClipboardManager/"""
        manager, place = self._server.atom("CLIPBOARD_MANAGER"), self._server.atom("DESKBELL_SAVE")
        if not self._server.owner(manager):
            return
        self._put(self._window, place, (Xatom.ATOM, 32, self._forms))
        asked = {"selection": manager, "target": self._server.atom("SAVE_TARGETS"), "property": place}
        self._send(request.ConvertSelection, requestor=self._window, time=self._time, **asked)
        until = time.monotonic() + SAVES_WITHIN
        while (event := self._next(self._server, until=until)) is not None:
            if event.type == X.SelectionNotify and event.selection == manager:
                self._is_kept = event.property != X.NONE
                return
            self._answer(event)

    def _put(self, window: int, place: int, value: Value) -> None:
        kind, bits, items = value
        put = partial(self._send, request.ChangeProperty, mode=X.PropModeReplace, window=window)
        put(property=place, type=kind, data=(bits, items))

    def _send(self, what: Any, **fields: Any) -> None:
        """Send a request that has no answer. It may fail if the window of another program has gone."""
        what(display=self._server, onerror=CatchError(), **fields)
