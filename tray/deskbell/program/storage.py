"""Notice when the hook cannot record, because its disk or its folder takes no files, and when it can again.

Sessions then send no more events, and nothing says why. The loop calls `look` at every turn, and is not woken for it
while all is well. `look` asks the system each time whether there is room, and writes a file if that leaves a doubt.
"""

import errno
import logging
from collections.abc import Callable, Hashable, Mapping
from pathlib import Path

from deskbell.files.trial import existing, lacks_files, looks_writable, refusal
from deskbell.home import Home

SOON, EVERY = 5.0, 600.0
"""Seconds between two trials: SOON while nothing can be written or the disk is nearly full, EVERY otherwise."""

REASONS: Mapping[int, tuple[str, str]] = {
    errno.ENOSPC: ("Disk full", "free space for {place}"),
    getattr(errno, "EDQUOT", -1): ("Disk quota used up", "free space for {place}"),
    errno.EROFS: ("Disk read-only", "make {place} writable"),
    errno.EACCES: ("Folder not writable", "make {place} yours and writable"),
    errno.EPERM: ("Folder not writable", "make {place} yours and writable"),
    errno.ENOTDIR: ("Folder missing", "move the file {place} away"),
    errno.EIO: ("Disk error", "check the disk of {place}"),
}
"""For each error: what is wrong, and the next step."""
OF_FOLDERS = (errno.EACCES, errno.EPERM, errno.ENOTDIR)
"""The errors of a single folder. The others are errors of its disk."""
NO_FILES = "No inodes left", "delete files on the disk of {place}"
"""The same for a disk that has space left but takes no more files."""

log = logging.getLogger(__name__)


def sentence(error: OSError, place: Path, no_files: bool = False) -> str:
    """Return what is wrong, where, and the next step. The cause comes first, so that a long path does not hide it."""
    other = error.strerror or type(error).__name__, "check {place}"
    what, step = NO_FILES if no_files else REASONS.get(error.errno or 0, other)
    return f"{what}, so events are lost: {step.format(place=place)}."


class Storage:
    """Finds out whether the hook can record.

    DOUBTS returns the sessions that may be silent because nothing can be written. For a new one, try at once.
    """

    def __init__(
        self,
        home: Home,
        doubts: Callable[[], frozenset[Hashable]] = frozenset,
        refused: Callable[[Path], OSError | None] = refusal,
        looks_good: Callable[[Path], bool] = looks_writable,
    ) -> None:
        self._state = home.state
        self._folders = home.events, home.sessions
        self._doubts = doubts
        self._refused = refused
        self._looks_good = looks_good
        self._known: frozenset[Hashable] = frozenset()
        self._good = True
        self._tried = float("-inf")
        self.problem: str | None = None
        """Why the hook cannot record, in one sentence; None if it can."""
        self.again: float | None = None
        """When to look again even if nothing happens: only while there is a problem."""

    def look(self, now: float) -> None:
        """Find out whether the hook can record."""
        doubts = self._doubts()
        new, self._known = doubts - self._known, doubts
        good = all(self._looks_good(folder) for folder in self._folders)
        pace = EVERY if good and not self.problem else SOON
        turned, self._good = good != self._good, good
        if new or turned or not 0 <= now - self._tried < pace:
            self._try(now)
        self.again = self._tried + SOON if self.problem else None

    def _try(self, now: float) -> None:
        self._tried = now
        before, self.problem = self.problem, self._found()
        if self.problem and self.problem != before:
            log.error("%s", self.problem)
        elif before and not self.problem:
            log.info("files can be written again to %s", self._state)

    def _found(self) -> str | None:
        for folder in self._folders:
            if error := self._refused(folder):
                place = existing(folder) if error.errno in OF_FOLDERS else self._state
                return sentence(error, place, error.errno == errno.ENOSPC and lacks_files(folder))
        return None
