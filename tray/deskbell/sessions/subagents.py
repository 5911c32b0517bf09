"""Count what the subagents of a session have spent, from their own transcripts in a folder beside the session's.

The folder is read at most every few seconds: subagents write all the time, while the session itself is silent. Of a
file that has not grown for a while only the sums are kept, because there can be thousands.
"""

import os
import time
from collections.abc import Iterable
from dataclasses import dataclass

from deskbell.files.read import opened
from deskbell.session import Spent
from deskbell.sessions.appended import lines_of, take_each
from deskbell.sessions.spending import Spending, by_day, total

EVERY = 5.0
"""Seconds between two readings of the folder, once everything in it is counted."""
AT_REST = 60.0
"""Seconds without growth after which only the sums of a file are kept."""
MOST_FILES = 2000
"""The most subagents of one session that are counted."""
NAME, SUFFIX = "agent-", ".jsonl"
NOTHING = Spent(0, 0, 0.0)


def folder_of(transcript: str) -> str:
    """Return the folder with the transcripts of the subagents of a session."""
    return f"{transcript.removesuffix(SUFFIX)}/subagents"


@dataclass(slots=True)
class _File:
    stamp: tuple[int, int, int] = (0, 0, 0)
    """Its inode, size and time when it was read."""
    read: int = 0
    """The offset up to which it was counted."""
    spending: Spending | None = None
    """The counting so far; None if only the sums are kept: the file is then read from its beginning again."""
    whole: Spent = NOTHING
    days: tuple[Spent, ...] = ()
    changed: float = 0.0
    """When it was last found to have grown."""


class Subagents:
    """The subagents of one session."""

    def __init__(self, transcript: str) -> None:
        self._folder = folder_of(transcript)
        self._files: dict[str, _File] = {}
        self._next = float("-inf")
        self.whole = NOTHING
        """The output tokens and the cost of all."""
        self.days: tuple[Spent, ...] = ()
        """The same for each of the newest days."""
        self.are_counted = False
        """Whether everything that was there at the last reading is counted."""

    def is_due(self, now: float) -> bool:
        return now >= self._next

    def advance(self, now: float, step: int) -> None:
        """Read the folder, and at most about STEP bytes of what is new in its files."""
        left = step
        for name, stamp in _found(self._folder):
            file = self._files.setdefault(name, _File())
            if file.stamp == stamp:
                if file.spending is not None and now - file.changed > AT_REST:
                    file.spending = None
            elif left > 0:
                left -= self._read(file, f"{self._folder}/{name}", now, left)
        self.are_counted = left > 0
        self._next = now + EVERY if self.are_counted else now
        self.whole = total(one.whole for one in self._files.values())
        self.days = by_day(day for one in self._files.values() for day in one.days)

    def _read(self, file: _File, path: str, now: float, step: int) -> int:
        """Continue to read one file. Return how many bytes were read."""
        try:
            with opened(path, follow=False) as (fd, found):
                if file.spending is None or file.stamp[0] != found.st_ino or found.st_size < file.read:
                    file.spending, file.read = Spending(of_a_subagent=True), 0
                end, begin = min(found.st_size, file.read + step), file.read
                lines, file.read = lines_of(fd, begin, end, step)
        except OSError:  # it has just gone, or is no file
            return 0
        take_each(lines, file.spending.take)
        file.stamp = (found.st_ino, end, found.st_mtime_ns)
        file.changed = now
        file.whole, file.days = file.spending.whole, file.spending.by_day
        if end == found.st_size and time.time() - found.st_mtime > AT_REST:
            file.spending = None
        return end - begin


def _found(folder: str) -> Iterable[tuple[str, tuple[int, int, int]]]:
    """Return the name and the stamp of each transcript in a folder; none if there is no such folder."""
    found = []
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                if entry.name.startswith(NAME) and entry.name.endswith(SUFFIX) and entry.is_file(follow_symlinks=False):
                    of = entry.stat(follow_symlinks=False)
                    found.append((entry.name, (of.st_ino, of.st_size, of.st_mtime_ns)))
                    if len(found) == MOST_FILES:
                        break
    except (OSError, ValueError):  # ValueError: a path with a NUL in it
        return found
    return found
