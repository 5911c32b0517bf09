"""Read the files of a folder that changed since the last reading, and keep the values of the others.

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
"""Seconds between two full readings, which check the time and size of every file. Between them, only the inode of a
resting file is checked."""
SETTLED_AFTER = 2.0
"""Seconds after its last change for which a file that cannot be parsed may still be half written."""

FIRST_PAUSE = 0.25
"""Seconds until the next attempt if a file cannot be read at the moment. The pause doubles up to FULL_LOOK_EVERY."""
AWAKE_FOR = 24 * 3600.0
"""Seconds after its last change for which a file whose value is not in memory does not rest."""
HASH = 64
"""Bits of the hash in a signature."""
MOST_LENT = 64
"""The most values that are in memory only because `get` read them."""
ITEM, WHAT = 300, 300
"""The most characters of each part of a sentence about an item. A path in a file may have any length."""


@dataclass
class Problems:
    """Report each item that cannot be read once, and again only after it could be read in between."""

    tell: Callable[[str], None] = lambda sentence: None
    reported: set[str] = field(default_factory=set)

    def add(self, item: str, what: str) -> None:
        """Report ITEM. WHAT is the predicate of the sentence: "is not JSON"."""
        if item not in self.reported:
            self.reported.add(item)
            self.tell(f"{cut(item, ITEM)} {cut(what, WHAT)}. Deskbell goes on without it.")

    def solved(self, item: str) -> None:
        self.reported.discard(item)


def reason_of(error: Exception) -> str:
    """Return the predicate of a sentence about the item that raised ERROR, on one line."""
    if isinstance(error, OSError):
        return f"cannot be read ({error.strerror})"
    if isinstance(error, ValueError):
        return str(error).partition("\n")[0] or "cannot be read"
    return cannot_be("read", error)


def cannot_be(done: str, error: Exception) -> str:
    """Return the predicate for an ERROR that nobody foresaw: "cannot be shown (KeyError: 'x')"."""
    line = str(error).partition("\n")[0]
    return f"cannot be {done} ({type(error).__name__}{': ' if line else ''}{line})"


class Folder(Generic[Value]):
    """The parsed files of one folder, by name.

    `parse` raises ValueError, with the predicate of a sentence, for a file that it cannot parse. An error of any kind
    affects that file alone. Its last good value stays while the file may be half written, or cannot be read for the
    moment.

    A file that is replaced gets another inode, so a reading of thousands of files is one pass over their names. But
    inodes are used again: a file that is replaced twice may get its old one. `is_resting` says of a value that its file
    will hardly change. All other files are checked by time and size at every reading, resting ones only at a full one.

    A value for which `is_kept` is false leaves the memory, and only the signature of its file stays: `get` reads the
    file again.

    If a file cannot be read because descriptors, memory or a permission are missing, it is read again after a pause,
    although it has not changed.
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
        """The signature of every known file: its inode, and a hash of its time and size."""
        self.values: dict[str, Value] = {}
        """The values that are kept."""
        self._lent: dict[str, tuple[int, Value]] = {}
        """The values that `get` read last, each with the signature of its file."""
        self._awake: set[str] = set()
        """The files that do not rest."""
        self._unread: dict[str, int] = {}
        """The signatures of the files that cannot be read at the moment."""
        self._settling: list[float] = []
        """For each file that may be half written: in how many seconds it counts as settled."""
        self._looked = float("-inf")
        """When the last full reading began."""
        self._retry, self._pause = float("-inf"), FIRST_PAUSE
        self.problem: str | None = None
        """Why the folder cannot be listed although it exists, and where it is; None if it can."""
        self.patience: float | None = None
        """Seconds until the next attempt to read what cannot be read at the moment; None if everything can."""

    def read(self, problems: Problems) -> Mapping[str, Value]:
        """Read what has changed, and return every kept value by the name of its file."""
        now = self._clock()
        is_full = now - self._looked >= FULL_LOOK_EVERY
        if is_full:
            self._looked = now
        if now >= self._retry:
            self._unread.clear()
        self.problem = None
        self._settling.clear()
        try:
            self._list(is_full, problems)
        except FileNotFoundError:  # nothing has been written there yet
            self._forget_all_but(frozenset(), problems)
        except (OSError, ValueError) as error:  # ValueError: a path with a NUL in it
            why = error.strerror if isinstance(error, OSError) else str(error)
            self.problem = f"{why}: {self.path}"
            problems.add(str(self.path), f"cannot be listed ({why})")  # keep the values: the files are probably there
        else:
            problems.solved(str(self.path))
        self._plan(now)
        for name in [name for name, value in self.values.items() if not self._is_kept(value)]:
            del self.values[name]
        return self.values

    def read_named(self, names: Iterable[str] | None) -> list[Value] | None:
        """Read the files of NAMES again. Return None if only `read` can say what became of them."""
        if names is None or self.problem or self._unread:
            return None
        try:
            return [self._again(name) for name in names if self._wanted(name)]
        except Exception:  # noqa: BLE001  # `read` reports it
            return None

    def _again(self, name: str) -> Value:
        """Read a known file again. Raise an error if it is new, gone, resting, not kept or cannot be read."""
        path = f"{self.path}{os.sep}{name}"
        before, found = self.values[name], os.lstat(path)  # at every event: a Path costs more
        value = self._parse(name, self._read_file(path, self._largest, follow=False))
        if self._is_resting(before) or self._is_resting(value) or not self._is_kept(value):
            raise ValueError("only `read` handles a file that rests or is not kept")
        self.values[name], self._signatures[name] = value, _signature(found)
        return value

    def get(self, name: str) -> Value | None:
        """Return what a file held at the last reading, the same object each time; None if there is no such file."""
        if name in self.values or name not in self._signatures:
            return self.values.get(name)
        signature = self._signatures[name]
        if name not in self._lent or self._lent[name][0] != signature:
            try:
                value = self._parse(name, self._read_file(self.path / name, self._largest, follow=False))
            except Exception:  # noqa: BLE001  # `read` reports it
                return None
            while len(self._lent) >= MOST_LENT:
                self._lent.pop(next(iter(self._lent)))
            self._lent[name] = signature, value
        return self._lent[name][1]

    def _plan(self, now: float) -> None:
        """Decide when to try again what cannot be read at the moment."""
        self.patience = min(self._settling, default=None)
        if not self._unread and not self.problem:
            self._retry, self._pause = float("-inf"), FIRST_PAUSE
            return
        if now >= self._retry:
            self._retry, self._pause = now + self._pause, min(2 * self._pause, FULL_LOOK_EVERY)
        self.patience = min([self._retry - now, *self._settling])

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
        """Read a file if its signature is not the one BEFORE. At a full reading, also decide whether it rests."""
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
        """Parse a file and keep its value. Return False if it must be read again although it does not change."""
        try:
            self.values[entry.name] = self._parse(entry.name, self._read_file(entry.path, self._largest, follow=False))
        except FileNotFoundError:
            return False  # removed since it was listed
        except Exception as error:  # noqa: BLE001  # an error in one file must not affect the others
            age = abs(time.time() - found.st_mtime)  # a file with a time in the future counts as settled too
            if is_settled := age >= SETTLED_AFTER:
                problems.add(entry.path, reason_of(error))
            if is_passing(error):
                self._unread[entry.name] = signature
                return False
            if is_settled:
                self.values.pop(entry.name, None)
            else:
                self._settling.append(SETTLED_AFTER - age)
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
    """Return the inode and a hash in one number: it takes a third of the memory of a tuple, for 100,000 files."""
    return found.st_ino << HASH | hash((found.st_mtime_ns, found.st_size)) & (1 << HASH) - 1
