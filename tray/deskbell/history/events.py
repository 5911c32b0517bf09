"""What happened, one event after the other, in one session or in all? As it was, and as it goes on."""

import heapq
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from deskbell.history.journal import BEGINS, Reader, journals, parsed
from deskbell_hooks.schema import Line

SIDE_BY_SIDE = 16 * 1024
"""Bytes that are read at a time of each of many journals."""


class Event(NamedTuple):
    session_id: str
    line: Line


@dataclass(frozen=True)
class Wanted:
    session_id: str | None = None
    names: frozenset[str] = frozenset()
    since: float = 0.0

    def of(self, session_id: str, lines: list[bytes]) -> Iterator[Event]:
        begins = tuple(BEGINS + name.encode("utf-8", "replace") + b'"' for name in self.names)
        for line in lines:
            # Most lines are ours and tell by how they begin that they are not wanted.
            if begins and line.startswith(BEGINS) and not line.startswith(begins):
                continue
            read = parsed(line)
            if read and read["at"] >= self.since and (not begins or read["event"] in self.names):
                yield Event(session_id, read)


class Events:
    """Those that are wanted; `read` again for those that have come since."""

    def __init__(self, folder: Path, wanted: Wanted, foreign: Callable[[list[str]], None]) -> None:
        self._folder = folder
        self._wanted = wanted
        self._foreign = foreign
        self._readers: dict[str, Reader] = {}

    def skip(self) -> None:
        for reader in self._look().values():
            reader.skip()

    def read(self) -> Iterator[Event]:
        """The oldest first."""
        streams = [self._of(session_id, reader) for session_id, reader in self._look().items()]
        return heapq.merge(*streams, key=lambda event: event.line["at"])

    def _of(self, session_id: str, reader: Reader) -> Iterator[Event]:
        for lines in reader.batches():
            yield from self._wanted.of(session_id, lines)

    def _look(self) -> dict[str, Reader]:
        found = journals(self._folder)
        if found.foreign:
            self._foreign(found.foreign)
            self._foreign = lambda names: None
        only = self._wanted.session_id
        paths = {name: path for name, path in found.paths.items() if only in (None, name)}
        chunk = {"chunk": SIDE_BY_SIDE} if len(paths) > 1 else {}
        self._readers = {name: self._readers.get(name) or Reader(path, **chunk) for name, path in paths.items()}
        return self._readers
