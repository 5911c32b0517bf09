"""Read what was appended to transcripts since the last time, and return the state of each conversation.

One call reads at most NEAREST + STEP bytes of the session and NEAREST of its subagents. If the session has not changed,
it reads at most STEP bytes of the subagents. A transcript that is missing or cannot be read gives an empty Tail, and a
line that cannot be read is left out.
"""

import os
import stat
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from deskbell.files.read import is_passing, opened
from deskbell.sessions.appended import bytes_of, lines_of, take_each
from deskbell.sessions.conversation import Conversation, Tail
from deskbell.sessions.folder import Problems, reason_of
from deskbell.sessions.spending import Spending, by_day, total
from deskbell.sessions.subagents import Subagents

__all__ = ["Tail", "Transcripts"]

NEAREST = 256 * 1024
"""Bytes at the end of a file that are read for the present state of the conversation."""
STEP = 1024 * 1024
"""The most bytes that one call reads to count what was spent since the beginning of the file."""
WHOLE = 1024 * STEP
"""The most bytes that `read_whole` reads. What a longer file has spent stays unknown."""
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
    subagents: Subagents
    seen: tuple[int, int] | None = None
    """The size and time of the file, if both the conversation and the spending are read to its end."""
    latest: int = 0
    """The offset up to which the conversation was read."""
    spent: int = 0
    """The offset up to which the spending was counted, from the beginning of the file."""
    mark: bytes = b""
    """The bytes before `latest`. Other bytes there mean that the file was written anew."""
    spending: Spending = field(default_factory=Spending)
    said: Tail = UNKNOWN
    """What the conversation says, without what was spent."""
    tail: Tail = UNKNOWN


class Transcripts:
    def __init__(
        self,
        step: int = STEP,
        problems: Problems | None = None,
        conversation: Callable[[], Conversation] = Conversation,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._step = step
        self._conversation = conversation
        self._clock = clock
        self._problems = problems or Problems()
        self._readings: dict[str, _Reading] = {}
        self._wanted: set[str] = set()
        """The paths that were asked for since the last `tidy`."""

    def read(self, path: str) -> Tail:
        """Return what the transcript says; the same object as the last time if nothing has changed."""
        reading = self._readings.get(path)
        self._wanted.add(path)
        try:
            found = os.stat(path)  # noqa: PTH116  # for fifty sessions at every reading: a Path costs more
            if not stat.S_ISREG(found.st_mode):
                raise FileNotFoundError(path)  # opening a named pipe would wake its writer
            is_done = reading and reading.seen == (found.st_size, found.st_mtime_ns) and reading.inode == found.st_ino
            if not (reading and is_done):
                reading = self._read(path)
                self._count(reading, NEAREST)
            elif reading.subagents.is_due(self._clock()):
                self._count(reading, self._step)
            return reading.tail
        except (OSError, ValueError, MemoryError) as error:  # ValueError: a path with a NUL in it
            if is_passing(error):
                self._problems.add(f"transcript {path}", reason_of(error))
            if reading and is_passing(error):
                return reading.tail  # nothing changes until it can be read again
            self._readings.pop(path, None)
            return UNKNOWN

    def tidy(self) -> None:
        """Forget the transcripts that were not read since the last call."""
        for path in self._readings.keys() - self._wanted:
            del self._readings[path]
            self._problems.solved(path)
        self._wanted.clear()

    def read_whole(self, path: str) -> Tail:
        """Read until everything that was spent is counted, but at most WHOLE bytes."""
        tail = self.read(path)
        for _ in range(WHOLE // self._step):
            if not (reading := self._readings.get(path)) or (reading.seen and reading.subagents.are_counted):
                break
            tail = self.read(path)
        return tail

    def _read(self, path: str) -> _Reading:
        with opened(path) as (fd, found):
            reading = self._readings.pop(path, None)
            if reading is None or not _is_continued(reading, fd, found):
                reading = _Reading(found.st_ino, self._conversation(), Subagents(path))
                self._problems.solved(path)  # another file
            self._problems.solved(f"transcript {path}")
            self._remember(path, reading)
            if error := _advance(reading, fd, found, self._step):
                self._problems.add(path, f"has a line that {reason_of(error)}")
        return reading

    def _count(self, reading: _Reading, step: int) -> None:
        """Add what the subagents have spent, once the session's own transcript is counted."""
        if reading.seen:
            reading.subagents.advance(self._clock(), step)
        _add_up(reading)

    def _remember(self, path: str, reading: _Reading) -> None:
        self._readings[path] = reading
        if len(self._readings) > MOST_FILES:
            del self._readings[next(iter(self._readings))]


def _is_continued(reading: _Reading, fd: int, found: os.stat_result) -> bool:
    if found.st_ino != reading.inode or found.st_size < max(reading.latest, reading.spent):
        return False
    return bytes_of(fd, max(0, reading.latest - MARK), len(reading.mark)) == reading.mark


def _advance(reading: _Reading, fd: int, found: os.stat_result, step: int) -> Exception | None:
    """Continue to read the conversation and the spending. Return what the last unreadable line raised."""
    size = found.st_size
    lines, reading.latest = lines_of(fd, max(reading.latest, size - NEAREST), size, NEAREST)
    failed = take_each(lines, reading.conversation.take)
    is_at_end = reading.spent + step >= size
    lines, reading.spent = lines_of(fd, reading.spent, min(size, reading.spent + step), step)
    failed = take_each(lines, reading.spending.take) or failed
    reading.mark = bytes_of(fd, max(0, reading.latest - MARK), min(MARK, reading.latest))
    reading.seen = (size, found.st_mtime_ns) if is_at_end else None
    reading.said = reading.conversation.tail()
    return failed


def _add_up(reading: _Reading) -> None:
    """Put what was spent into the tail, once all of it is counted."""
    tail = reading.said
    if reading.seen and reading.subagents.are_counted:
        spending, subagents = reading.spending, reading.subagents
        whole, days = total((spending.whole, subagents.whole)), by_day((*spending.by_day, *subagents.days))
        tail = replace(tail, output_tokens=whole.tokens, cost_usd=whole.dollars, spent=days)
    if tail != reading.tail:
        reading.tail = tail
