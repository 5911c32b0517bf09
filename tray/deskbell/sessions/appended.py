"""Read the complete lines in a part of a growing file, and pass each to a function."""

import os
from collections.abc import Callable, Iterable


def lines_of(fd: int, start: int, end: int, longest: int) -> tuple[list[bytes], int]:
    """Return the complete lines from START to END, and the offset after the last of them.

    A piece of LONGEST bytes without the end of a line is skipped. The rest of its line is then read as a line of its
    own, which is not JSON.
    """
    data = bytes_of(fd, start, end - start)
    whole = data.rfind(b"\n") + 1
    if not whole:
        return [], start + len(data) if len(data) >= longest else start
    return data[:whole].splitlines(), start + whole


def bytes_of(fd: int, start: int, length: int) -> bytes:
    os.lseek(fd, start, os.SEEK_SET)
    parts = []
    while length > 0 and (data := os.read(fd, length)):
        parts.append(data)
        length -= len(data)
    return b"".join(parts)


def take_each(lines: Iterable[bytes], take: Callable[[bytes], None]) -> Exception | None:
    """Give each line to TAKE. Return what it raised for the last line that it could not take."""
    failed = None
    for line in lines:
        try:
            take(line)
        except Exception as error:  # noqa: BLE001  # an error in one line must not affect the others
            failed = error
    return failed
