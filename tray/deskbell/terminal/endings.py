"""End a program that draws on a terminal on a signal, and at once if its terminal is gone."""

import asyncio
import os
import signal
import sys
from collections.abc import Callable
from contextlib import suppress


def is_there() -> bool:
    """Tell whether the terminal still exists. Once it was hung up, stdin is not a terminal any more."""
    with suppress(OSError):
        return os.isatty(0)
    return False


def on_signals(
    loop: asyncio.AbstractEventLoop,
    end: Callable[[int], object],
    terminal: Callable[[], bool] = is_there,
    leave: Callable[[int], object] = os._exit,
) -> Callable[[], None]:
    """Call END in LOOP with an exit code on SIGTERM and SIGHUP. Return what undoes that.

    If the TERMINAL is gone, call LEAVE instead: a write to it, as Textual does to restore it, never returns.
    """
    if sys.platform == "win32":
        return lambda: None

    def ended(number: int, _frame: object) -> None:
        if terminal():
            loop.call_soon_threadsafe(end, 128 + number)
        else:
            leave(128 + number)

    before = {}
    with suppress(ValueError):  # outside of the main thread no signal can be handled
        before = {number: signal.signal(number, ended) for number in (signal.SIGTERM, signal.SIGHUP)}

    def undo() -> None:
        for number, handler in before.items():
            signal.signal(number, handler)

    return undo
