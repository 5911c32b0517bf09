"""Test the bounds of what the asker takes from its connection, and whom it speaks with."""

from collections.abc import Iterator

import pytest

from deskbell_hooks.wire import LARGEST, check_user, collected, is_pipe

NAME = "\\\\.\\pipe\\deskbell-" + "0123456789abcdef" * 2


def parts(*lengths: int) -> Iterator[bytes]:
    yield from (b"x" * length for length in lengths)
    while True:
        yield b""


def test_all_parts_are_collected_until_the_end() -> None:
    found = parts(1, 2, LARGEST - 3)
    assert len(collected(lambda: next(found))) == LARGEST


def test_more_than_a_line_may_hold_is_refused_as_soon_as_it_is_seen() -> None:
    found = parts(LARGEST, 1, 10)
    with pytest.raises(ValueError, match=str(LARGEST + 1)):
        collected(lambda: next(found))
    assert len(next(found)) == 10


def test_only_the_own_user_is_spoken_with() -> None:
    check_user(1000, 1000)
    for other in (0, 1001):
        with pytest.raises(PermissionError):
            check_user(other, 1000)


@pytest.mark.parametrize(
    ("name", "ours"),
    [
        (NAME, True),
        (NAME[:-1], False),
        (NAME + "0", False),
        (NAME[:-1] + "G", False),
        (NAME[:-1] + "F", False),
        (NAME.replace(".", "host"), False),
        (NAME[9:], False),
        ("", False),
    ],
)
def test_only_the_name_of_a_pipe_of_the_program_is_one(name: str, ours: bool) -> None:
    assert is_pipe(name) is ours
