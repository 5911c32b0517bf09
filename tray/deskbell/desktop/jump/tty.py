"""Write to the terminal of a process of this person, and to no other."""

import os
import sys
import time
from contextlib import suppress

from deskbell.desktop.own import is_my_terminal

LOOK = 0.004
"""Seconds between two attempts to write."""


def write_to(tty: str | None, text: str, seconds: float = 0.0) -> bool:
    """Write TEXT, and return whether the terminal took all of it. Try for SECONDS if it takes only a part."""
    if sys.platform == "win32" or tty is None or not is_my_terminal(tty):
        return False
    with suppress(OSError):
        # O_NONBLOCK: do not wait for a terminal that Ctrl+S has stopped. O_NOCTTY: do not make it Deskbell's terminal.
        file = os.open(tty, os.O_WRONLY | os.O_NOCTTY | os.O_NONBLOCK | os.O_NOFOLLOW)
        try:
            return _written(file, text.encode(), time.monotonic() + seconds)
        finally:
            os.close(file)
    return False


def _written(file: int, left: bytes, end: float) -> bool:
    while True:
        with suppress(BlockingIOError):
            left = left[os.write(file, left) :]
        if not left or time.monotonic() >= end:
            return not left
        time.sleep(LOOK)
