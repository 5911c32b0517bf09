"""Test that what is written to a terminal arrives whole or not at all, and only at a terminal of one's own."""

import os
import pty
import subprocess
import sys
import termios
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from deskbell.desktop.jump.tty import write_to

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="pseudo-terminals")


@pytest.fixture
def terminal() -> Iterator[tuple[int, int]]:
    ours, its = pty.openpty()
    yield ours, its
    os.close(ours)
    os.close(its)


def test_a_terminal_takes_a_text(terminal: tuple[int, int]) -> None:
    ours, its = terminal
    assert write_to(os.ttyname(its), "\x1b]9;hello\x1b\\")
    assert os.read(ours, 99) == b"\x1b]9;hello\x1b\\"


def test_the_terminal_does_not_become_that_of_the_program(terminal: tuple[int, int]) -> None:
    """The first terminal that the leader of a session without one opens becomes its own: Ctrl+C there would end it."""
    program = f"from deskbell.desktop.jump.tty import write_to; print(write_to({os.ttyname(terminal[1])!r}, 'hello')); open('/dev/tty')"
    done = subprocess.run(
        [sys.executable, "-c", program],
        start_new_session=True,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout == "True\n"
    assert "No such device or address: '/dev/tty'" in done.stderr


def test_a_terminal_that_is_stopped_takes_nothing_and_costs_no_time(terminal: tuple[int, int]) -> None:
    ours, its = terminal
    termios.tcflow(its, termios.TCOOFF)
    begun = time.monotonic()
    assert not write_to(os.ttyname(its), "hello")
    assert not write_to(os.ttyname(its), "hello", 0.1)
    assert 0.1 <= time.monotonic() - begun < 2
    termios.tcflow(its, termios.TCOON)
    os.set_blocking(ours, False)
    with pytest.raises(BlockingIOError):
        os.read(ours, 1)


def test_the_rest_of_a_text_is_written_once_there_is_room(terminal: tuple[int, int]) -> None:
    """A full terminal takes a part. Left alone, the half of a sequence would swallow what the session writes."""
    ours, its = terminal
    path, text = os.ttyname(its), "x" * 200_000
    got = bytearray()

    def read() -> None:
        while len(got) < len(text):
            got.extend(os.read(ours, 65_536))

    reader = threading.Thread(target=read)
    assert not write_to(path, text), "there is no room for it"
    os.set_blocking(ours, False)
    with suppress(BlockingIOError):
        while True:
            os.read(ours, 65_536)
    os.set_blocking(ours, True)
    reader.start()
    assert write_to(path, text, 10)
    reader.join(10)
    assert len(got) == len(text)


def test_what_is_no_terminal_of_this_person_is_not_written_to(tmp_path: Path, terminal: tuple[int, int]) -> None:
    file, link = tmp_path / "file", tmp_path / "link"
    file.touch()
    link.symlink_to(os.ttyname(terminal[1]))
    for path in (None, str(file), str(link), "/dev/null", "/dev/pts/999999", "/dev/pts/../null"):
        assert not write_to(path, "hello")
    if os.getuid() == 0:
        os.chown(os.ttyname(terminal[1]), 12345, -1)
        assert not write_to(os.ttyname(terminal[1]), "hello")
