"""Which files of a folder changed since the last look, and what do they hold? Reads only those, and follows no link."""

import os
import stat
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Generic, TypeVar

Value = TypeVar("Value")
Signature = tuple[int, int, int]

FULL_LOOK_EVERY = 10.0
"""Seconds between two looks at which every file is asked for its time; between them a resting one only for its number.
"""
SETTLED_AFTER = 2.0
"""Seconds after which a file that makes no sense is no longer taken for one that is just being written."""


@dataclass
class Problems:
    """What could not be read, told once each."""

    tell: Callable[[str], None] = lambda sentence: None
    told: set[str] = field(default_factory=set)

    def add(self, path: str, what: str) -> None:
        if path not in self.told:
            self.told.add(path)
            self.tell(f"{path}: {what}; it is left as it is.")

    def solved(self, path: str) -> None:
        self.told.discard(path)


class Folder(Generic[Value]):
    """The parsed files of one folder, by name. `parse` raises ValueError for a file that makes no sense: what was last
    understood of it then stays.

    A file that is replaced gets another number, so a folder of thousands costs one pass over its names. Numbers are
    used again: a file that is replaced twice may well have its old one. So the files that `is_resting` does not vouch
    for, and now and then all of them, are asked for their time and size as well.
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
        self._signatures: dict[str, Signature] = {}
        self.values: dict[str, Value] = {}
        self._resting: dict[str, int] = {}
        self._looked = float("-inf")
        """When every file was asked last."""
        self.problem: str | None = None
        """Why it cannot be listed, though it is there."""

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
            pass  # nobody has written there yet
        except OSError as error:
            self.problem = f"{self.path} cannot be listed ({error.strerror})"
            problems.add(str(self.path), f"cannot be listed ({error.strerror})")
            return self.values  # what was there is most likely there still
        for gone in self._signatures.keys() - seen:
            self._forget(gone, problems)
        return self.values

    def _look(self, entry: "os.DirEntry[str]", problems: Problems) -> None:
        try:
            found = entry.stat(follow_symlinks=False)
        except OSError:
            return  # gone meanwhile
        signature = (found.st_mtime_ns, found.st_size, found.st_ino)
        try:
            if self._signatures.get(entry.name) != signature:
                self.values[entry.name] = self._parse(entry.name, self._data(entry.path, found))
                problems.solved(entry.path)
        except (OSError, ValueError) as error:
            if time.time() - found.st_mtime < SETTLED_AFTER:
                return
            problems.add(entry.path, _sentence(error))
        self._signatures[entry.name] = signature
        self._rest(entry.name, found.st_ino)

    def _rest(self, name: str, number: int) -> None:
        if name not in self.values or self._is_resting(self.values[name]):
            self._resting[name] = number
        else:
            self._resting.pop(name, None)

    def _data(self, path: str, found: os.stat_result) -> bytes:
        if not stat.S_ISREG(found.st_mode):
            raise ValueError("is not a regular file")
        if found.st_size > self._largest:
            raise ValueError(f"has {found.st_size} bytes, too many for what it should be")
        flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
        fd = os.open(path, flags)
        try:
            return os.read(fd, self._largest)
        finally:
            os.close(fd)

    def _forget(self, name: str, problems: Problems) -> None:
        self._signatures.pop(name)
        self.values.pop(name, None)
        self._resting.pop(name, None)
        problems.solved(str(self.path / name))


def _sentence(error: OSError | ValueError) -> str:
    if isinstance(error, OSError):
        return f"cannot be read ({error.strerror})"
    return str(error).partition("\n")[0]
