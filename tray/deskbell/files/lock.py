"""Lock a file against other processes. The system frees the lock when its process ends, however it ends."""

import errno
import os
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from deskbell.files.write import closed_if_it_fails, open_own

STEP = 0.02
"""Seconds between two attempts."""

HELD = (errno.EWOULDBLOCK, errno.EAGAIN, errno.EACCES, errno.EDEADLK)
"""The errors of a lock that another process holds."""

if sys.platform == "win32":
    import msvcrt

    def _lock(file: BinaryIO) -> None:
        """Lock a byte far beyond the text: on Windows no other program can read a locked byte."""
        file.seek(1 << 30)
        try:
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        finally:
            file.seek(0)

else:
    import fcntl

    def _lock(file: BinaryIO) -> None:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


def lock_file(path: Path) -> BinaryIO:
    """Open PATH for `lock`; create it if it is missing. Raise OSError if it is a link or no regular file.

    A link is not replaced by a new file: two processes that did so at once could both hold the lock.
    """
    fd = open_own(path, os.O_RDWR)
    with closed_if_it_fails(fd):
        return os.fdopen(fd, "r+b")


@contextmanager
def one_at_a_time(path: Path, patience: float) -> Iterator[None]:
    """Hold the lock of PATH for the body, and release it.

    If it is not free within PATIENCE seconds, because its holder hangs, or if it cannot be opened, go on without it.
    """
    with ExitStack() as stack:
        with suppress(OSError):
            lock(stack.enter_context(lock_file(path)), patience)
        yield


def lock(file: BinaryIO, patience: float = 0.0) -> bool:
    """Lock FILE until it is closed. Return False if another process still holds it after PATIENCE seconds."""
    until = time.monotonic() + patience
    while True:
        try:
            _lock(file)
        except OSError as error:
            if error.errno not in HELD:
                raise
            if time.monotonic() >= until:
                return False
            time.sleep(STEP)
        else:
            return True
