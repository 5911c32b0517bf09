"""What does the end of a transcript say? Reads only what was appended since the last time, and never much at once.

Whatever happens to the file, or stands in it, costs nothing but what it would have said.
"""

import os
import stat
from dataclasses import dataclass, field, replace

from deskbell.sessions.conversation import Conversation, Tail
from deskbell.sessions.spending import Spending

__all__ = ["Tail", "Transcripts"]

NEAREST = 256 * 1024
"""Bytes at the end of a file that are looked at for what is true now."""
STEP = 1024 * 1024
"""Bytes by which one look at most advances in counting what was spent since the file's beginning."""
MARK = 64
MOST_FILES = 512
UNKNOWN = Tail()


@dataclass
class _Reading:
    """How far one file was read. An offset always stands behind a whole line."""

    number: int
    seen: tuple[int, int] = (0, 0)
    """Its size and time when it was last read to the end."""
    told: int = 0
    spent: int = 0
    mark: bytes = b""
    """The bytes before `told`: other bytes there mean that the file was written anew."""
    conversation: Conversation = field(default_factory=Conversation)
    spending: Spending = field(default_factory=Spending)
    tail: Tail = UNKNOWN


class Transcripts:
    def __init__(self, step: int = STEP) -> None:
        self._step = step
        self._readings: dict[str, _Reading] = {}

    def read(self, path: str) -> Tail:
        """The same object as the last time, unless something changed."""
        try:
            found = os.stat(path)  # noqa: PTH116  # fifty times a look: a Path costs more than the question
            if not stat.S_ISREG(found.st_mode):
                raise FileNotFoundError(path)
            reading = self._readings.get(path)
            is_done = reading and reading.seen == (found.st_size, found.st_mtime_ns) and reading.number == found.st_ino
            return reading.tail if reading and is_done else self._read(path)
        except (OSError, ValueError):
            self._readings.pop(path, None)
            return UNKNOWN

    def read_whole(self, path: str) -> Tail:
        """With what was spent since the file's beginning, however long it is."""
        tail = self.read(path)
        while (reading := self._readings.get(path)) and reading.spent < reading.told:
            tail = self.read(path)
        return tail

    def _read(self, path: str) -> Tail:
        fd = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
        try:
            found = os.fstat(fd)
            reading = self._readings.pop(path, None)
            if reading is None or not _is_continued(reading, fd, found):
                reading = _Reading(found.st_ino)
            self._remember(path, reading)
            _advance(reading, fd, found, self._step)
        finally:
            os.close(fd)
        return reading.tail

    def _remember(self, path: str, reading: _Reading) -> None:
        self._readings[path] = reading
        if len(self._readings) > MOST_FILES:
            del self._readings[next(iter(self._readings))]


def _is_continued(reading: _Reading, fd: int, found: os.stat_result) -> bool:
    if found.st_ino != reading.number or found.st_size < max(reading.told, reading.spent):
        return False
    return _bytes(fd, max(0, reading.told - MARK), len(reading.mark)) == reading.mark


def _advance(reading: _Reading, fd: int, found: os.stat_result, step: int) -> None:
    start = max(reading.told, found.st_size - NEAREST)
    lines, reading.told = _lines(fd, start, found.st_size)
    for line in lines:
        reading.conversation.take(line)
    lines, reading.spent = _lines(fd, reading.spent, min(found.st_size, reading.spent + step))
    for line in lines:
        reading.spending.take(line)
    reading.mark = _bytes(fd, max(0, reading.told - MARK), min(MARK, reading.told))
    tail = reading.conversation.tail()
    if reading.spent >= reading.told:
        reading.seen = found.st_size, found.st_mtime_ns
        spending = reading.spending
        tail = replace(tail, output_tokens=spending.output_tokens, cost_usd=spending.cost_usd)
    if tail != reading.tail:
        reading.tail = tail


def _lines(fd: int, start: int, end: int) -> tuple[list[bytes], int]:
    """The whole lines of that part, and where the last of them ends. Of a line that is longer than the part, only its
    last piece is seen, which makes no sense and is passed over."""
    data = _bytes(fd, start, end - start)
    whole = data.rfind(b"\n") + 1
    if not whole:
        return [], start + len(data) if len(data) >= NEAREST else start
    return data[:whole].splitlines(), start + whole


def _bytes(fd: int, start: int, count: int) -> bytes:
    os.lseek(fd, start, os.SEEK_SET)
    parts = []
    while count > 0 and (data := os.read(fd, count)):
        parts.append(data)
        count -= len(data)
    return b"".join(parts)
