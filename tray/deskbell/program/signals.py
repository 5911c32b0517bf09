"""End the program in order when a signal asks it to end."""

import asyncio
import contextlib
import signal
from collections.abc import Callable


def on_signals(leave: Callable[[], None]) -> None:
    """Call LEAVE in this loop for Ctrl+C and SIGTERM. From then on, Ctrl+C ends the program at once.

    On a system where the loop cannot do that, change nothing.
    """
    loop = asyncio.get_running_loop()

    def end() -> None:
        leave()
        loop.remove_signal_handler(signal.SIGINT)
        signal.signal(signal.SIGINT, signal.SIG_DFL)

    for number in (signal.SIGTERM, signal.SIGINT):
        with contextlib.suppress(NotImplementedError, RuntimeError, ValueError):
            loop.add_signal_handler(number, end)
