"""Read the terminal for Textual, whose own reader ends the board at a byte that is no UTF-8.

Textual's reader also takes the rest of a sequence that it does not know for keys, waits without end for the end of a
paste, and divides by a size of 0 that the terminal reports.
"""

import os
import selectors
from collections.abc import Iterable

from textual import events, messages
from textual.drivers.linux_driver import LinuxDriver
from textual.message import Message

from deskbell.terminal.endings import is_there
from deskbell.terminal.input import DrawsAtOnce, Event, Input, Key, Mouse, Paste

MOMENT = 0.1
"""Seconds. Escape is a key if nothing follows it within this time."""
HUNG_UP = 129
"""The exit code of a program whose terminal is gone: 128 and the number of SIGHUP, which Windows does not know."""
MOUSE = {
    "down": events.MouseDown,
    "up": events.MouseUp,
    "move": events.MouseMove,
    "wheel up": events.MouseScrollUp,
    "wheel down": events.MouseScrollDown,
}


class Terminal(LinuxDriver):
    """The driver of Textual for a terminal of POSIX, with a reader that accepts any bytes."""

    def run_input_thread(self) -> None:
        found = Input()
        with selectors.DefaultSelector() as selector:
            selector.register(self.fileno, selectors.EVENT_READ)
            while not self.exit_event.is_set():
                if not selector.select(MOMENT):
                    self._pass_on(found.quiet())
                elif data := self._read():
                    self._pass_on(found.take(data))
                else:
                    self._end()
                    break

    def _read(self) -> bytes:
        """Return what has come; nothing if the terminal is gone."""
        try:
            return os.read(self.fileno, 65536)
        except OSError:
            return b""

    def _end(self) -> None:
        """End the board as Ctrl+C does. If the terminal is gone, end at once, as `endings` does."""
        if not is_there():
            os._exit(HUNG_UP)
        self.process_message(events.Key("ctrl+c", None))

    def _pass_on(self, found: Iterable[Event]) -> None:
        for event in found:
            self.process_message(message(event))


def message(event: Event) -> Message:
    """Return the message of Textual for EVENT."""
    match event:
        case Key(name, character):
            return events.Key(name, character)
        case Paste(text):
            return events.Paste(text)
        case Mouse(does, x, y, button):
            return MOUSE[does](None, x, y, 0, 0, button, False, False, False, screen_x=x, screen_y=y)
        case DrawsAtOnce():
            return messages.TerminalSupportsSynchronizedOutput()
