"""End the board on a signal: in order if its terminal still exists, and at once if not."""

import asyncio
import os
import signal
import sys
from collections.abc import Callable
from contextlib import suppress


def is_there() -> bool:
    """Return whether the terminal still exists. After a hangup, stdin is no longer a terminal."""
    with suppress(OSError):
        return os.isatty(0)
    return False


def on_signals(
    loop: asyncio.AbstractEventLoop,
    end: Callable[[int], object],
    terminal: Callable[[], bool] = is_there,
    leave: Callable[[int], object] = os._exit,
) -> Callable[[], None]:
    """Call END in LOOP with an exit code on SIGTERM and SIGHUP. Return a function that undoes this.

    If TERMINAL says that the terminal is gone, call LEAVE instead: Textual would write to it to restore it, and that
    write never returns.
    """
    if sys.platform == "win32":
        return lambda: None

    def ended(number: int, _frame: object) -> None:
        if terminal():
            loop.call_soon_threadsafe(end, 128 + number)
        else:
            leave(128 + number)

    before = {}
    with suppress(ValueError):  # only the main thread can handle signals
        before = {number: signal.signal(number, ended) for number in (signal.SIGTERM, signal.SIGHUP)}

    def undo() -> None:
        for number, handler in before.items():
            signal.signal(number, handler)

    return undo
