"""Read the events of one session or of all, the oldest first, and after that the new ones."""

import heapq
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from deskbell.history.journal import BEGINS, Reader, journals, parsed
from deskbell_hooks.schema import Line

SIDE_BY_SIDE = 16 * 1024
"""Bytes read at a time from each journal when there are several."""


class Event(NamedTuple):
    session_id: str
    line: Line


@dataclass(frozen=True)
class Filter:
    """Which events to yield. An empty NAMES means all; SINCE is in seconds since 1970."""

    session_id: str | None = None
    names: frozenset[str] = frozenset()
    since: float = 0.0

    def apply(self, session_id: str, lines: list[bytes]) -> Iterator[Event]:
        begins = tuple(BEGINS + name.encode("utf-8", "replace") + b'"' for name in self.names)
        for line in lines:
            # Most lines can be skipped by their first bytes, without parsing them.
            if begins and line.startswith(BEGINS) and not line.startswith(begins):
                continue
            read = parsed(line)
            if read and read["at"] >= self.since and (not begins or read["event"] in self.names):
                yield Event(session_id, read)


class Events:
    """The events that pass a Filter. Each call of `read` yields those that were added since the last call."""

    def __init__(self, folder: Path, chosen: Filter, foreign: Callable[[list[str]], None]) -> None:
        """Read the journals in FOLDER. FOREIGN is called once, with the names of what is there but is no journal."""
        self._folder = folder
        self._filter = chosen
        self._foreign = foreign
        self._readers: dict[str, Reader] = {}

    def skip(self) -> None:
        """Pass over every event that was recorded before this call."""
        for reader in self._open().values():
            reader.skip()

    def read(self) -> Iterator[Event]:
        """Yield the new events, the oldest first."""
        streams = [self._stream(session_id, reader) for session_id, reader in self._open().items()]
        return heapq.merge(*streams, key=lambda event: event.line["at"])

    def _stream(self, session_id: str, reader: Reader) -> Iterator[Event]:
        for lines in reader.batches():
            yield from self._filter.apply(session_id, lines)

    def _open(self) -> dict[str, Reader]:
        found = journals(self._folder)
        if found.foreign:
            self._foreign(found.foreign)
            self._foreign = lambda names: None
        only = self._filter.session_id
        paths = {name: path for name, path in found.paths.items() if only in (None, name)}
        chunk = {"chunk": SIDE_BY_SIDE} if len(paths) > 1 else {}
        self._readers = {name: self._readers.get(name) or Reader(path, **chunk) for name, path in paths.items()}
        return self._readers
