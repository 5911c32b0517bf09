"""Find the journals in a folder and read them as streams of lines.

A journal may have any length and hold any lines. It may grow, be cut or be replaced while it is read.
"""

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from deskbell.files.read import json_value, opened
from deskbell_hooks.record import is_safe_id
from deskbell_hooks.schema import Line

SUFFIX = ".jsonl"
CHUNK = 256 * 1024
LONGEST = 512 * 1024
"""Bytes. No recorder writes a longer line."""
BEGINS = b'{"v":1,"event":"'
"""The first bytes of every line that a recorder of this version wrote."""


class Journals(NamedTuple):
    """The journals of a folder by session id, and the names of everything else in it."""

    paths: dict[str, Path]
    foreign: list[str]


def journals(folder: Path) -> Journals:
    found = Journals({}, [])
    with suppress(FileNotFoundError, NotADirectoryError), os.scandir(folder) as entries:
        for entry in entries:
            session_id = entry.name.removesuffix(SUFFIX)
            if entry.name.endswith(SUFFIX) and is_safe_id(session_id) and entry.is_file(follow_symlinks=False):
                found.paths[session_id] = Path(entry.path)
            elif not entry.name.endswith(SUFFIX + ".tmp"):
                found.foreign.append(entry.name)
    return found


class Reader:
    """The complete lines of one journal. Each iteration continues where the last one ended.

    If the journal was cut meanwhile, reading continues after the last line that was read. If another journal has
    replaced it, that one is read from its beginning.
    """

    def __init__(self, path: Path, chunk: int = CHUNK) -> None:
        self.path = path
        self._chunk = chunk
        self._number = 0
        self._offset = 0
        self._size = 0
        self._rest = b""
        self._last = b""

    def skip(self) -> None:
        """Pass over every line that is there now."""
        for _ in self.batches():
            pass

    def __iter__(self) -> Iterator[bytes]:
        for lines in self.batches():
            yield from lines

    def batches(self) -> Iterator[list[bytes]]:
        """Yield many lines at once, which is faster than one by one.

        Stop at the size that the file had at the first read: it may grow faster than it is read.
        """
        end = None
        while (end is None or self._offset < end) and (data := self._read()):
            end = end or self._size
            *lines, self._rest = (self._rest + data).split(b"\n")
            if len(self._rest) > LONGEST:
                self._rest = b"\xff"  # no recorder wrote this line: what follows of it must not be read as a line
            self._last = lines[-1] if lines else self._last
            yield lines

    def _read(self) -> bytes:
        """Open the file again for each read: a thousand journals that are read in turn then need one open file."""
        with suppress(OSError), opened(self.path, follow=False) as (fd, found):
            self._size = found.st_size
            if found.st_ino != self._number or found.st_size < self._offset:
                self._number, self._offset, self._rest = found.st_ino, self._behind_last(fd), b""
            os.lseek(fd, self._offset, os.SEEK_SET)
            data = os.read(fd, self._chunk)
            self._offset += len(data)
            return data
        return b""

    def _behind_last(self, fd: int) -> int:
        """Return the offset after the last line that was read, in a file that replaced it; 0 if it has no such line."""
        line, end, before = self._last + b"\n", 0, b""
        while self._last and (data := os.read(fd, CHUNK)):
            end += len(data)
            seen = before + data
            if (found := seen.find(line)) >= 0:
                return end - len(seen) + found + len(line)
            before = seen[-len(line) :]
        return 0


def parsed(line: bytes) -> Line | None:
    """Return the line; None if it is not JSON, or does not say what happened and when."""
    try:
        found = json_value(line)
    except ValueError:
        return None
    if not isinstance(found, dict) or not isinstance(found.get("event"), str):
        return None
    at = found.get("at")
    if not isinstance(at, (int, float)) or isinstance(at, bool) or not 0 <= at < 1e11:
        return None
    return _typed(found)


# The types that readers rely on. A field of another type is left out.
_TEXTS = ("cwd", "mode", "agent", "agent_type", "tool", "subject", "use", "file", "file_kind", "error")
_NUMBERS = ("ms", "input_size", "output_size", "order")
_TYPES: dict[str, type] = {
    **dict.fromkeys(_TEXTS, str),
    **dict.fromkeys(_NUMBERS, int),
    **dict.fromkeys(("facts", "client", "where"), dict),
    **dict.fromkeys(("tasks", "gone"), list),
}


def _typed(found: dict[str, object]) -> Line:
    return {name: value for name, value in found.items() if _has_its_type(name, value)}  # type: ignore[return-value]  # a Line


def _has_its_type(name: str, value: object) -> bool:
    if isinstance(value, int):
        return _TYPES.get(name, int) is int and 0 <= value < 1e15
    return isinstance(value, _TYPES.get(name, object))


def fact(line: Line, name: str) -> str:
    value = line.get("facts", {}).get(name)
    return value if isinstance(value, str) else ""
