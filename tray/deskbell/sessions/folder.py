"""Read the files of a folder that changed since the last look, and keep what the others held.

Records and Registry are built on it. It follows no link, opens only regular files and never writes.
"""

import os
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Generic, TypeVar

from deskbell.files.read import read
from deskbell.files.stamp import Stamp

Value = TypeVar("Value")

FULL_LOOK_EVERY = 10.0
"""Seconds between two looks at the time and size of every file. Between them only the inode of a resting file is read.
"""
SETTLED_AFTER = 2.0
"""Seconds since its last change after which a file that cannot be parsed is no longer taken to be half written."""


@dataclass
class Problems:
    """Report each item that cannot be read once, and again only after it could be read in between."""

    tell: Callable[[str], None] = lambda sentence: None
    reported: set[str] = field(default_factory=set)

    def add(self, item: str, what: str) -> None:
        """WHAT is the predicate of a sentence about ITEM: "is not JSON"."""
        if item not in self.reported:
            self.reported.add(item)
            self.tell(f"{item} {what}. Deskbell goes on without it.")

    def solved(self, item: str) -> None:
        self.reported.discard(item)


def reason_of(error: Exception) -> str:
    """The predicate of a sentence about the item that raised ERROR, on one line."""
    if isinstance(error, OSError):
        return f"cannot be read ({error.strerror})"
    if isinstance(error, ValueError):
        return str(error).partition("\n")[0] or "cannot be read"
    return cannot_be("read", error)


def cannot_be(done: str, error: Exception) -> str:
    """The same for an item of which not even the kind of ERROR was foreseen: "cannot be shown (KeyError: 'x')"."""
    line = str(error).partition("\n")[0]
    return f"cannot be {done} ({type(error).__name__}{': ' if line else ''}{line})"


class Folder(Generic[Value]):
    """The parsed files of one folder, by name.

    `parse` raises ValueError, with the predicate of a sentence, for a file that it cannot parse. An error of any kind
    affects that file alone: its last good value stays.

    A file that is replaced gets another inode, so that a folder of thousands costs one pass over its names. Inodes are
    used again: a file that is replaced twice may get its old one. So a file that is not resting is checked by time and
    size at every look, and every file from time to time.
    """

    def __init__(
        self,
        path: Path,
        wanted: Callable[[str], bool],
        parse: Callable[[str, bytes], Value],
        largest: int,
        is_resting: Callable[[Value], bool] = lambda value: False,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.path = path
        self._wanted = wanted
        self._parse = parse
        self._largest = largest
        self._is_resting = is_resting
        self._clock = clock
        self._signatures: dict[str, Stamp] = {}
        self.values: dict[str, Value] = {}
        self._resting: dict[str, int] = {}
        self._looked = float("-inf")
        """When every file was last asked for its time and size."""
        self.problem: str | None = None
        """Why the folder cannot be listed although it exists, and where it is."""

    def read(self, problems: Problems) -> Mapping[str, Value]:
        if self._clock() - self._looked >= FULL_LOOK_EVERY:
            self._looked = self._clock()
            self._resting.clear()
        seen = set()
        self.problem = None
        try:
            with os.scandir(self.path) as entries:
                for entry in entries:
                    if self._wanted(entry.name):
                        seen.add(entry.name)
                        if self._resting.get(entry.name) != entry.inode():
                            self._look(entry, problems)
        except FileNotFoundError:
            pass  # nothing has been written there yet
        except (OSError, ValueError) as error:  # ValueError: a path with a NUL in it
            why = error.strerror if isinstance(error, OSError) else str(error)
            self.problem = f"{why}: {self.path}"
            problems.add(str(self.path), f"cannot be listed ({why})")
            return self.values  # most likely they are all still there
        else:
            problems.solved(str(self.path))
        for gone in self._signatures.keys() - seen:
            self._forget(gone, problems)
        return self.values

    def _look(self, entry: "os.DirEntry[str]", problems: Problems) -> None:
        try:
            found = entry.stat(follow_symlinks=False)
        except OSError:
            return  # removed since it was listed
        signature = (found.st_mtime_ns, found.st_size, found.st_ino)
        if self._signatures.get(entry.name) != signature:
            try:
                self.values[entry.name] = self._parse(entry.name, read(entry.path, self._largest, follow=False))
            except Exception as error:  # noqa: BLE001  # whatever one file makes its parser raise costs that file alone
                if time.time() - found.st_mtime < SETTLED_AFTER:
                    return
                problems.add(entry.path, reason_of(error))
            else:
                problems.solved(entry.path)
        self._signatures[entry.name] = signature
        self._rest(entry.name, found.st_ino)

    def _rest(self, name: str, inode: int) -> None:
        if name not in self.values or self._is_resting(self.values[name]):
            self._resting[name] = inode
        else:
            self._resting.pop(name, None)

    def _forget(self, name: str, problems: Problems) -> None:
        self._signatures.pop(name)
        self.values.pop(name, None)
        self._resting.pop(name, None)
        problems.solved(str(self.path / name))
