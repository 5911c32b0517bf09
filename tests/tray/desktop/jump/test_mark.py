"""Test what a mark writes to a terminal, and what it leaves there."""

import os
import pty
import sys
from collections.abc import Iterator

import pytest

from deskbell.desktop.jump.mark import KEEP, LONGEST, RESTORE, Mark

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="pseudo-terminals")


class Terminal:
    def __init__(self) -> None:
        self._ours, self._its = pty.openpty()
        os.set_blocking(self._ours, False)
        self.tty = os.ttyname(self._its)

    def got(self) -> str:
        try:
            return os.read(self._ours, 9_999).decode()
        except BlockingIOError:
            return ""

    def close(self) -> None:
        os.close(self._ours)
        os.close(self._its)


@pytest.fixture
def terminal() -> Iterator[Terminal]:
    one = Terminal()
    yield one
    one.close()


def title(text: str | None) -> str:
    return f"\x1b]2;{text}\x07"


def test_a_terminal_keeps_the_title_that_it_had(terminal: Terminal) -> None:
    with Mark(terminal.tty) as mark:
        word = mark.word()
        assert terminal.got() == KEEP + title(word)
        mark.replaces("what it was")
        mark.word()
        assert terminal.got() == title(word)
    assert terminal.got() == RESTORE


BEFORE = {
    "a title": (["Shell No. 1"], "Shell No. 1"),
    "the first one counts": (["Shell No. 1", "deskbell-1234"], "Shell No. 1"),
    "nobody knows": ([], ""),
    "one with a sequence in it": (["a\x07\x1b]52;c;eA==\x07b"], "a]52;c;eA==b"),
    "a long one": (["x" * 9_999], "x" * LONGEST),
}


@pytest.mark.parametrize(("said", "left"), BEFORE.values(), ids=BEFORE)
def test_a_terminal_that_keeps_none_gets_its_title_back(terminal: Terminal, said: list[str], left: str) -> None:
    with Mark(terminal.tty, is_kept=False) as mark:
        assert terminal.got() == ""
        word = mark.word()
        assert terminal.got() == title(word)
        for text in said:
            mark.replaces(text)
    assert terminal.got() == title(left)


@pytest.mark.parametrize("is_kept", [True, False])
def test_a_mark_that_nobody_asks_for_writes_nothing(terminal: Terminal, is_kept: bool) -> None:
    with Mark(terminal.tty, is_kept=is_kept) as mark:
        mark.replaces("what it was")
    assert terminal.got() == ""
