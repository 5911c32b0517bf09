"""Read what was appended to transcripts since the last time, and return how each conversation stands.

One call reads at most NEAREST + STEP bytes. A transcript that is missing or cannot be read says nothing, and a line
that cannot be read costs that line alone.
"""

import os
import stat
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace

from deskbell.files.read import is_passing, opened
from deskbell.sessions.conversation import Conversation, Tail
from deskbell.sessions.folder import Problems, reason_of
from deskbell.sessions.spending import Spending

__all__ = ["Tail", "Transcripts"]

NEAREST = 256 * 1024
"""Bytes at the end of a file that are read for the present state of the conversation."""
STEP = 1024 * 1024
"""Bytes by which one call at most advances in counting what was spent since the beginning of the file."""
WHOLE = 1024 * STEP
"""Bytes that `read_whole` reads at most. Of a longer file, or one that grows for ever, what was spent stays unknown."""
MARK = 64
"""Bytes before the position in a file that are compared to see whether it is still the same file."""
MOST_FILES = 512
"""How many transcripts are remembered."""
UNKNOWN = Tail()


@dataclass
class _Reading:
    """How far one file was read."""

    inode: int
    conversation: Conversation
    seen: tuple[int, int] | None = None
    """The size and time of the file if both passes have reached its end."""
    latest: int = 0
    """The offset up to which the conversation was read."""
    spent: int = 0
    """The offset up to which the spending was counted. It follows from the beginning of the file."""
    mark: bytes = b""
    """The bytes before `latest`. Other bytes there mean that the file was written anew."""
    spending: Spending = field(default_factory=Spending)
    tail: Tail = UNKNOWN


class Transcripts:
    def __init__(
        self,
        step: int = STEP,
        problems: Problems | None = None,
        conversation: Callable[[], Conversation] = Conversation,
    ) -> None:
        self._step = step
        self._conversation = conversation
        self._problems = problems or Problems()
        self._readings: dict[str, _Reading] = {}
        self._wanted: set[str] = set()
        """The paths that were asked for since the last `tidy`."""

    def read(self, path: str) -> Tail:
        """Return the same object as the last time if nothing changed."""
        reading = self._readings.get(path)
        self._wanted.add(path)
        try:
            found = os.stat(path)  # noqa: PTH116  # fifty times a look: a Path costs more than the question
            if not stat.S_ISREG(found.st_mode):
                raise FileNotFoundError(path)  # to open a named pipe would wake up its writer
            is_done = reading and reading.seen == (found.st_size, found.st_mtime_ns) and reading.inode == found.st_ino
            return reading.tail if reading and is_done else self._read(path)
        except (OSError, ValueError, MemoryError) as error:  # ValueError: a path with a NUL in it
            if is_passing(error):
                self._problems.add(f"transcript {path}", reason_of(error))
            if reading and is_passing(error):
                return reading.tail  # it says what it said until it can be read again
            self._readings.pop(path, None)
            return UNKNOWN

    def tidy(self) -> None:
        """Forget the transcripts that were not read since the last call."""
        for path in self._readings.keys() - self._wanted:
            del self._readings[path]
            self._problems.solved(path)
        self._wanted.clear()

    def read_whole(self, path: str) -> Tail:
        """Read on until what was spent is counted to the end of the file, or for WHOLE bytes."""
        tail = self.read(path)
        for _ in range(WHOLE // self._step):
            if not (reading := self._readings.get(path)) or reading.seen:
                break
            tail = self.read(path)
        return tail

    def _read(self, path: str) -> Tail:
        with opened(path) as (fd, found):
            reading = self._readings.pop(path, None)
            if reading is None or not _is_continued(reading, fd, found):
                reading = _Reading(found.st_ino, self._conversation())
                self._problems.solved(path)  # another file
            self._problems.solved(f"transcript {path}")
            self._remember(path, reading)
            if error := _advance(reading, fd, found, self._step):
                self._problems.add(path, f"has a line that {reason_of(error)}")
        return reading.tail

    def _remember(self, path: str, reading: _Reading) -> None:
        self._readings[path] = reading
        if len(self._readings) > MOST_FILES:
            del self._readings[next(iter(self._readings))]


def _is_continued(reading: _Reading, fd: int, found: os.stat_result) -> bool:
    if found.st_ino != reading.inode or found.st_size < max(reading.latest, reading.spent):
        return False
    return _bytes(fd, max(0, reading.latest - MARK), len(reading.mark)) == reading.mark


def _advance(reading: _Reading, fd: int, found: os.stat_result, step: int) -> Exception | None:
    """Read on with both passes. Return what the last unreadable line raised."""
    size = found.st_size
    lines, reading.latest = _lines(fd, max(reading.latest, size - NEAREST), size, NEAREST)
    failed = take_each(lines, reading.conversation.take)
    is_at_end = reading.spent + step >= size
    lines, reading.spent = _lines(fd, reading.spent, min(size, reading.spent + step), step)
    failed = take_each(lines, reading.spending.take) or failed
    reading.mark = _bytes(fd, max(0, reading.latest - MARK), min(MARK, reading.latest))
    reading.seen = (size, found.st_mtime_ns) if is_at_end else None
    tail = reading.conversation.tail()
    if is_at_end:
        spending = reading.spending
        tokens, dollars = spending.output_tokens, spending.cost_usd
        tail = replace(tail, output_tokens=tokens, cost_usd=dollars, spent=spending.by_day)
    if tail != reading.tail:
        reading.tail = tail
    return failed


def take_each(lines: Iterable[bytes], take: Callable[[bytes], None]) -> Exception | None:
    """Give each line to TAKE. Return what it raised for the last line that it could not take."""
    failed = None
    for line in lines:
        try:
            take(line)
        except Exception as error:  # noqa: BLE001  # whatever one line raises costs that line alone
            failed = error
    return failed


def _lines(fd: int, start: int, end: int, longest: int) -> tuple[list[bytes], int]:
    """The complete lines of a part of the file, and the offset behind the last of them.

    A piece of LONGEST bytes without the end of a line is passed over. The rest of its line is then read as a line of
    its own, which is not JSON.
    """
    data = _bytes(fd, start, end - start)
    whole = data.rfind(b"\n") + 1
    if not whole:
        return [], start + len(data) if len(data) >= longest else start
    return data[:whole].splitlines(), start + whole


def _bytes(fd: int, start: int, length: int) -> bytes:
    os.lseek(fd, start, os.SEEK_SET)
    parts = []
    while length > 0 and (data := os.read(fd, length)):
        parts.append(data)
        length -= len(data)
    return b"".join(parts)
