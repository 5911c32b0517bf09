"""Make sure that one Deskbell runs for each person, with a lock on a file that the system frees when it ends."""

import os
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from deskbell.errors import Problem
from deskbell.files.lock import lock, lock_file
from deskbell.files.write import is_shared, make_private

MEND = "Make its folder writable, or set DESKBELL_HOME to another folder."
MOVE = "Move it away, then try again."


@dataclass(frozen=True, slots=True)
class Other:
    """The Deskbell that runs already. Its number is not known if the file has another name, too."""

    pid: int | None


@dataclass(frozen=True, slots=True)
class Claim:
    """Holds the lock while the program runs. The file stays: if it were removed, two could hold a lock."""

    file: BinaryIO

    def release(self) -> None:
        self.file.close()


def claim(path: Path) -> Claim | Other:
    """Lock PATH. Return the Claim, or the Other that holds it. Raise Problem if that cannot be found out."""
    try:
        make_private(path.parent)
        file = lock_file(path)
    except OSError as error:
        raise Problem(f"Cannot open {path}: {error.strerror}.", MOVE if os.path.lexists(path) else MEND) from error
    try:
        free = lock(file)
    except OSError as error:
        file.close()
        raise Problem(f"Cannot lock {path}: {error.strerror}.", MEND) from error
    if not free:
        with file:
            return Other(_pid(file))
    if not is_shared(file.fileno()):
        file.truncate(0)
        file.write(b"%d\n" % os.getpid())
        file.flush()
    return Claim(file)


def _pid(file: BinaryIO) -> int | None:
    if is_shared(file.fileno()):
        return None
    text = file.read(32).strip()
    return int(text) if text.isdigit() else None
