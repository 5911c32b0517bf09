"""End the program in order when a signal asks it to end."""

import asyncio
import contextlib
import signal
from collections.abc import Callable


def on_signals(leave: Callable[[], None]) -> None:
    """Call LEAVE in this loop for Ctrl+C and SIGTERM. On a system where the loop cannot do that, change nothing."""
    for number in (signal.SIGTERM, signal.SIGINT):
        with contextlib.suppress(NotImplementedError, RuntimeError, ValueError):
            asyncio.get_running_loop().add_signal_handler(number, leave)
