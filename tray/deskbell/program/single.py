"""Make sure that only one Deskbell runs for each person, and tell it when a second one is started.

The running Deskbell holds a lock on a file, which the system frees when its process ends. A second one writes a request
file into the state folder, which wakes the first one. The first one removes the file as its answer, and shows itself.
"""

import os
import time
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from deskbell.errors import Problem
from deskbell.files.lock import lock, lock_file
from deskbell.files.write import is_shared, make_private, write_private
from deskbell.home import Home

MEND = "Make its folder writable, or set DESKBELL_HOME to another folder."
MOVE = "Move it away, then try again."
LOOKS_FOR = 0.1
"""Seconds for which `claim` tries again: a command that calls `running` may hold the lock for a moment."""
REQUEST = "show.json"
"""The request file in the state folder. Only its time is read."""
FRESH = 60.0
"""Seconds after which a request is out of date: no Deskbell ran that could have taken it."""
ANSWERS_WITHIN = 3.0
"""Seconds that the running Deskbell has to answer. It usually needs milliseconds."""
STEP = 0.01
"""Seconds between two looks for the answer."""


@dataclass(frozen=True, slots=True)
class Other:
    """The Deskbell that runs already."""

    pid: int | None
    """None if the locked file has another name, too: then it is neither read nor written."""


@dataclass(frozen=True, slots=True)
class Claim:
    """Holds the lock while the program runs. The file is never removed: two programs could then hold a lock each."""

    file: BinaryIO

    def release(self) -> None:
        self.file.close()


def place(home: Home) -> Path:
    """Return the file to lock. It is not in the state folder, which may be deleted while Deskbell runs."""
    return home.data / "running"


def claim(path: Path) -> Claim | Other:
    """Lock PATH. Return the Claim, or the Other that holds it. Raise Problem if that cannot be found out."""
    try:
        make_private(path.parent)
        file = lock_file(path)
    except OSError as error:
        raise Problem(f"Cannot open {path}: {error.strerror}.", MOVE if os.path.lexists(path) else MEND) from error
    try:
        free = lock(file, LOOKS_FOR)
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


def running(path: Path) -> Other | None:
    """Return the Deskbell that holds the lock on PATH; None if none does, or if that cannot be found out."""
    if not path.exists():
        return None
    try:
        with lock_file(path) as file:
            return None if lock(file) else Other(_pid(file))
    except OSError:
        return None


def ask_to_show(state: Path, patience: float = ANSWERS_WITHIN) -> bool:
    """Ask the running Deskbell to show itself. Return whether it answers within PATIENCE seconds.

    Raise OSError if it cannot be asked. Remove a request that is not answered.
    """
    request, until = state / REQUEST, time.monotonic() + patience
    write_private(request, b"{}\n")
    while os.path.lexists(request):
        if time.monotonic() >= until:
            request.unlink(missing_ok=True)
            return False
        time.sleep(STEP)
    return True


def is_asked_to_show(state: Path, now: float) -> bool:
    """Remove the request of a second start. Return whether there was a fresh one. Raise OSError if it stays."""
    request = state / REQUEST
    try:
        made = request.lstat().st_mtime
        request.unlink()
    except (FileNotFoundError, NotADirectoryError):
        return False
    return abs(now - made) < FRESH


def _pid(file: BinaryIO) -> int | None:
    if is_shared(file.fileno()):
        return None
    text = file.read(32).strip()
    return int(text) if text.isdigit() else None
