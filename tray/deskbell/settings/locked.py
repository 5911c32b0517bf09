"""How do several Deskbells keep from changing the same files at once? By a lock that goes with its process."""

import contextlib
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from deskbell.errors import Problem

PATIENCE = 60.0
STEP = 0.02

if sys.platform == "win32":
    import msvcrt

    def _try(file: BinaryIO) -> None:
        file.seek(0)
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)

else:
    import fcntl

    def _try(file: BinaryIO) -> None:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


@contextlib.contextmanager
def locked(config: Path) -> Iterator[None]:
    """Closing the file, by whatever end, opens the lock."""
    path = config / "install.lock"
    try:
        config.mkdir(mode=0o700, parents=True, exist_ok=True)
        file = path.open("ab")
    except OSError as error:
        raise Problem(f"{path} cannot be written ({error.strerror}): nothing was changed") from None
    with file:
        _wait(file)
        yield


def _wait(file: BinaryIO) -> None:
    until = time.monotonic() + PATIENCE
    while True:
        try:
            return _try(file)
        except OSError:
            if time.monotonic() > until:
                raise Problem(
                    "another Deskbell has been changing settings for a minute: end it, then try again"
                ) from None
        time.sleep(STEP)
