"""End the program well where a signal asks it to end."""

import asyncio
import contextlib
import signal
from collections.abc import Callable


def on_signals(leave: Callable[[], None]) -> None:
    """Call LEAVE in this loop for Ctrl+C and SIGTERM. Where the loop cannot, the system's own end is good enough."""
    for number in (signal.SIGTERM, signal.SIGINT):
        with contextlib.suppress(NotImplementedError, RuntimeError, ValueError):
            asyncio.get_running_loop().add_signal_handler(number, leave)
