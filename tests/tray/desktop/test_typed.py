"""Test when a key may come in a terminal."""

import os
import pty
import sys
from pathlib import Path

import pytest

from deskbell.desktop.typed import A_MOMENT, STEP, typing
from deskbell.session import Place, Session
from tests.tray.making import session

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the steps of the clock are Linux's")


@pytest.fixture
def terminal() -> Session:
    """A session in a terminal that was last read in the first second of a step."""
    _, tty = pty.openpty()
    name = os.ttyname(tty)
    read = os.stat(name).st_mtime // STEP * STEP + 0.5
    os.utime(name, (read, read))
    return session(place=Place(tty=name))


def read_at(one: Session) -> float:
    return Path(str(one.place.tty)).stat().st_atime


@pytest.mark.parametrize("after", [0.0, A_MOMENT - 0.1])
def test_who_has_just_typed_may_type_again(terminal: Session, after: float) -> None:
    assert typing(terminal, True, read_at(terminal) + after)


def test_it_counts_until_it_cannot_have_been(terminal: Session) -> None:
    step_ends = read_at(terminal) - 0.5 + STEP
    assert typing(terminal, True, step_ends + A_MOMENT - 0.01)
    assert not typing(terminal, True, step_ends + A_MOMENT)


@pytest.mark.parametrize("focused", [False, None])
def test_nobody_types_in_a_terminal_without_the_focus(terminal: Session, focused: bool | None) -> None:
    assert not typing(terminal, focused, read_at(terminal))


@pytest.mark.parametrize("tty", [None, "", "/dev/pts/99999", "/etc/passwd", "pts/0", "/dev/\0", "/dev"])
def test_what_is_no_terminal_was_not_typed_in(tty: str | None) -> None:
    assert not typing(session(place=Place(tty=tty)), True, 0.0)
