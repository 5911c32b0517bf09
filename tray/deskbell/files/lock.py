"""Lock a file against other processes. The system frees the lock when its process ends, however it ends."""

import errno
import sys
import time
from typing import BinaryIO

STEP = 0.02
"""Seconds between two attempts."""

HELD = (errno.EWOULDBLOCK, errno.EAGAIN, errno.EACCES, errno.EDEADLK)
"""What the systems say of a lock that another process holds."""

if sys.platform == "win32":
    import msvcrt

    def _lock(file: BinaryIO) -> None:
        """Lock a byte far behind the text: on Windows no other program can read a locked byte."""
        file.seek(1 << 30)
        try:
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        finally:
            file.seek(0)

else:
    import fcntl

    def _lock(file: BinaryIO) -> None:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


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
