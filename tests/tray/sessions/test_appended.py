"""Test that the complete lines of a part of a file are read, and that a bad line costs itself alone."""

import os
from pathlib import Path

import pytest

from deskbell.sessions.appended import bytes_of, lines_of, take_each

PARTS: list[tuple[bytes, int, int, tuple[list[bytes], int]]] = [
    (b"one\ntwo\n", 0, 8, ([b"one", b"two"], 8)),
    (b"one\ntwo", 0, 7, ([b"one"], 4)),  # the last line is being written
    (b"one\ntwo\n", 4, 8, ([b"two"], 8)),
    (b"one", 0, 3, ([], 0)),
    (b"x" * 20 + b"\ntwo\n", 0, 10, ([], 10)),  # a piece of a line that is too long
    (b"", 0, 0, ([], 0)),
]


@pytest.mark.parametrize(("content", "start", "end", "expected"), PARTS)
def test_complete_lines_are_read(
    tmp_path: Path, content: bytes, start: int, end: int, expected: tuple[list[bytes], int]
) -> None:
    path = tmp_path / "file"
    path.write_bytes(content)
    fd = os.open(path, os.O_RDONLY)
    try:
        assert lines_of(fd, start, end, 10) == expected
        assert bytes_of(fd, start, 1000) == content[start:]
    finally:
        os.close(fd)


def test_a_line_that_cannot_be_taken_costs_itself_alone() -> None:
    taken: list[bytes] = []

    def take(line: bytes) -> None:
        if line == b"bad":
            raise ValueError("no")
        taken.append(line)

    assert str(take_each([b"a", b"bad", b"b"], take)) == "no"
    assert taken == [b"a", b"b"]
    assert take_each([b"c"], take) is None
