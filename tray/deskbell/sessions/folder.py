"""Read the files of a folder that changed since the last look, and keep what the others held.

Records and Registry are built on it. It follows no link, opens only regular files and never writes.
"""

import os
import time
from collections.abc import Callable, Iterable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from pathlib import Path
from typing import Generic, TypeVar

from deskbell.files.read import is_passing, read
from deskbell.text.clean import cut

Value = TypeVar("Value")

FULL_LOOK_EVERY = 10.0
"""Seconds between two looks at the time and size of every file. Between them only the inode of a resting file is read.
"""
SETTLED_AFTER = 2.0
"""Seconds since its last change after which a file that cannot be parsed is no longer taken to be half written."""

FIRST_PAUSE = 0.25
"""Seconds until a file is read again that could not be read for the moment. The pause doubles up to FULL_LOOK_EVERY."""
AWAKE_FOR = 24 * 3600.0
"""Seconds since its last change for which a file is not resting whose value is not in memory."""
HASH = 64
"""Bits."""
MOST_LENT = 64
"""Values that are not kept, but in memory because they were asked for."""
ITEM, WHAT = 300, 300
"""Characters of each part of a sentence about an item. A path that somebody else states may have any length."""


@dataclass
class Problems:
    """Report each item that cannot be read once, and again only after it could be read in between."""

    tell: Callable[[str], None] = lambda sentence: None
    reported: set[str] = field(default_factory=set)

    def add(self, item: str, what: str) -> None:
        """WHAT is the predicate of a sentence about ITEM: "is not JSON"."""
        if item not in self.reported:
            self.reported.add(item)
            self.tell(f"{cut(item, ITEM)} {cut(what, WHAT)}. Deskbell goes on without it.")

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

    A value that is not kept is not in memory: `get` reads it again. Its file is known all the same, by one number.

    What a file holds is one thing, and whether it could be read at that moment another: where descriptors, memory or a
    permission were missing, it is read again after a pause, although it has not changed.
    """

    def __init__(
        self,
        path: Path,
        wanted: Callable[[str], bool],
        parse: Callable[[str, bytes], Value],
        largest: int,
        is_resting: Callable[[Value], bool] = lambda value: False,
        clock: Callable[[], float] = time.monotonic,
        read_file: Callable[..., bytes] = read,
        is_kept: Callable[[Value], bool] = lambda value: True,
    ) -> None:
        self.path = path
        self._wanted = wanted
        self._parse = parse
        self._largest = largest
        self._is_resting = is_resting
        self._is_kept = is_kept
        self._clock = clock
        self._read_file = read_file
        self._signatures: dict[str, int] = {}
        """Of every file that is known: its inode, and a hash of its time and size."""
        self.values: dict[str, Value] = {}
        """What is kept."""
        self._lent: dict[str, tuple[int, Value]] = {}
        """The values that `get` read last, each with the signature of its file."""
        self._awake: set[str] = set()
        """The files that are not resting."""
        self._unread: dict[str, int] = {}
        """The signatures of the files that could not be read for the moment."""
        self._looked = float("-inf")
        """When every file was last asked for its time and size."""
        self._retry, self._pause = float("-inf"), FIRST_PAUSE
        self.problem: str | None = None
        """Why the folder cannot be listed although it exists, and where it is."""
        self.patience: float | None = None
        """Seconds after which to read again what could not be read for the moment; None if all could be."""

    def read(self, problems: Problems) -> Mapping[str, Value]:
        now = self._clock()
        is_full = now - self._looked >= FULL_LOOK_EVERY
        if is_full:
            self._looked = now
        if now >= self._retry:
            self._unread.clear()
        self.problem = None
        try:
            self._list(is_full, problems)
        except FileNotFoundError:  # nothing has been written there yet
            self._forget_all_but(frozenset(), problems)
        except (OSError, ValueError) as error:  # ValueError: a path with a NUL in it
            why = error.strerror if isinstance(error, OSError) else str(error)
            self.problem = f"{why}: {self.path}"
            problems.add(str(self.path), f"cannot be listed ({why})")  # most likely the files are all still there
        else:
            problems.solved(str(self.path))
        self._plan(now)
        for name in [name for name, value in self.values.items() if not self._is_kept(value)]:
            del self.values[name]
        return self.values

    def read_named(self, names: Iterable[str] | None, problems: Problems) -> list[Value] | None:
        """Read the files of NAMES again. None if only a look at the whole folder tells what became of them."""
        if names is None or self.problem or self._unread:
            return None
        try:
            return [self._again(name, problems) for name in names if self._wanted(name)]
        except Exception:  # noqa: BLE001  # a look at the whole folder reports it
            return None

    def _again(self, name: str, problems: Problems) -> Value:
        """Raise an error for a file that came, went, is no longer kept or cannot be read."""
        path = f"{self.path}{os.sep}{name}"
        before, found = self.values[name], os.lstat(path)  # at every event: a Path costs more
        value = self._parse(name, self._read_file(path, self._largest, follow=False))
        if self._is_resting(before) or self._is_resting(value) or not self._is_kept(value):
            raise ValueError("rests or leaves the memory")
        self.values[name], self._signatures[name] = value, _signature(found)
        problems.solved(path)
        return value

    def get(self, name: str) -> Value | None:
        """Return what a file held when it was looked at last, the same object each time; None if it is not known."""
        if name in self.values or name not in self._signatures:
            return self.values.get(name)
        signature = self._signatures[name]
        if name not in self._lent or self._lent[name][0] != signature:
            try:
                value = self._parse(name, self._read_file(self.path / name, self._largest, follow=False))
            except Exception:  # noqa: BLE001  # a look reports it
                return None
            while len(self._lent) >= MOST_LENT:
                self._lent.pop(next(iter(self._lent)))
            self._lent[name] = signature, value
        return self._lent[name][1]

    def _plan(self, now: float) -> None:
        """Decide when to try again what could not be read for the moment."""
        if not self._unread and not self.problem:
            self._retry, self._pause, self.patience = float("-inf"), FIRST_PAUSE, None
            return
        if now >= self._retry:
            self._retry, self._pause = now + self._pause, min(2 * self._pause, FULL_LOOK_EVERY)
        self.patience = self._retry - now

    def _list(self, is_full: bool, problems: Problems) -> None:
        known = 0
        with os.scandir(self.path) as entries:
            for entry in entries:
                name = entry.name
                signature = self._signatures.get(name)
                if signature is None and not self._wanted(name):
                    continue
                if is_full or signature is None or name in self._awake or signature >> HASH != entry.inode():
                    self._look(entry, signature, is_full, problems)
                known += name in self._signatures
        if known < len(self._signatures):
            with os.scandir(self.path) as entries:
                self._forget_all_but({entry.name for entry in entries}, problems)

    def _look(self, entry: "os.DirEntry[str]", before: int | None, is_full: bool, problems: Problems) -> None:
        """Read a file whose signature was another one BEFORE. At a full look, also decide whether it rests."""
        try:
            found = entry.stat(follow_symlinks=False)
        except OSError:
            return  # removed since it was listed
        name, signature = entry.name, _signature(found)
        if signature == before and not is_full:
            return
        if signature != before:
            if self._unread.get(name) == signature or not self._parsed(entry, found, signature, problems):
                return
            self._signatures[name] = signature
        if self._may_rest(name, found, signature == before):
            self._awake.discard(name)
        else:
            self._awake.add(name)
        if name in self.values and not self._is_kept(self.values[name]):
            del self.values[name]  # at once: there may be a hundred thousand

    def _may_rest(self, name: str, found: os.stat_result, is_known: bool) -> bool:
        if name in self.values:
            return self._is_resting(self.values[name])
        return (is_known and name not in self._awake) or abs(time.time() - found.st_mtime) > AWAKE_FOR

    def _parsed(self, entry: "os.DirEntry[str]", found: os.stat_result, signature: int, problems: Problems) -> bool:
        """Return False if it must be read again although it does not change."""
        try:
            self.values[entry.name] = self._parse(entry.name, self._read_file(entry.path, self._largest, follow=False))
        except FileNotFoundError:
            return False  # removed since it was listed
        except Exception as error:  # noqa: BLE001  # whatever one file makes its parser raise costs that file alone
            # A time in the future must not make it half written for ever.
            if is_settled := abs(time.time() - found.st_mtime) >= SETTLED_AFTER:
                problems.add(entry.path, reason_of(error))
            if is_passing(error):
                self._unread[entry.name] = signature
                return False
            return is_settled
        problems.solved(entry.path)
        return True

    def _forget_all_but(self, names: AbstractSet[str], problems: Problems) -> None:
        for gone in self._signatures.keys() - names:
            self._signatures.pop(gone)
            self.values.pop(gone, None)
            self._lent.pop(gone, None)
            self._awake.discard(gone)
            problems.solved(str(self.path / gone))


def _signature(found: os.stat_result) -> int:
    """One number takes a third of the memory of a tuple, and there may be a hundred thousand."""
    return found.st_ino << HASH | hash((found.st_mtime_ns, found.st_size)) & (1 << HASH) - 1
