"""Test `deskbell list --watch` in a real terminal: what it draws, at another size and at its end."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

import pytest

from tests.tray.commands.said import running
from tests.waiting import wait

if sys.platform == "win32":
    pytest.skip("it opens a terminal of Unix", allow_module_level=True)

import fcntl
import pty
import struct
import termios

ENTER, LEAVE, CLEAR = "\x1b[?1049h", "\x1b[?1049l", "\x1b[2J"


@dataclass
class Terminal:
    master: int
    process: "subprocess.Popen[bytes]"
    seen: bytearray = field(default_factory=bytearray)

    def resize(self, columns: int, rows: int) -> None:
        _resize(self.master, columns, rows)
        self.process.send_signal(signal.SIGWINCH)  # the kernel sends it to the foreground group of a terminal only

    def says(self, words: str) -> bool:
        """Whether WORDS have been written since the last call that found its words."""
        try:
            self.seen += os.read(self.master, 65_536)
        except BlockingIOError:
            pass
        except OSError:  # Linux says EIO once the program has closed the terminal
            return words.encode() in self.seen
        found = self.seen.find(words.encode())
        if found >= 0:
            del self.seen[: found + len(words.encode())]
        return found >= 0


def _resize(terminal: int, columns: int, rows: int) -> None:
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))


@contextmanager
def watching(term: str = "xterm-256color", columns: int = 80, rows: int = 12) -> Iterator[Terminal]:
    master, slave = pty.openpty()
    os.set_blocking(master, False)
    _resize(slave, columns, rows)
    environment = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "COLUMNS", "LINES")}
    environment |= {"PYTHONPATH": os.pathsep.join(sys.path), "TERM": term}
    command = [sys.executable, "-m", "deskbell", "list", "--watch"]
    process = subprocess.Popen(command, stdin=slave, stdout=slave, stderr=subprocess.PIPE, env=environment)
    os.close(slave)
    try:
        yield Terminal(master, process)
    finally:
        process.kill()
        process.communicate()
        os.close(master)


@pytest.fixture
def sessions(monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(20):
        running(f"{number:08x}", f"/p/project-{number:02}", os.getpid() if number % 2 else os.getppid(), monkeypatch)


@pytest.mark.usefixtures("sessions")
def test_the_list_fits_the_screen_at_every_size_and_leaves_it_at_ctrl_c() -> None:
    with watching() as terminal:
        wait(lambda: terminal.says(ENTER), "the screen")
        wait(lambda: terminal.says("… 13 more"), "the number of those that do not fit")
        wait(lambda: terminal.says("20 running"), "the summary")
        terminal.resize(80, 10)
        wait(lambda: terminal.says("… 15 more"), "the list on a lower screen")
        terminal.resize(50, 10)
        wait(lambda: terminal.says("… 17 more"), "the list on a narrower screen")
        wait(lambda: terminal.says("20 running"), "the summary")
        terminal.process.send_signal(signal.SIGINT)
        wait(lambda: terminal.says(CLEAR), "an empty screen")
        wait(lambda: terminal.says(LEAVE), "the screen of before")
        assert terminal.process.wait(30) == 130
        assert terminal.process.stderr
        assert terminal.process.stderr.read() == b""


def test_a_terminal_that_cannot_be_drawn_on_gets_one_list_after_another() -> None:
    with watching(term="dumb") as terminal:
        wait(lambda: terminal.says("No session is running\r\n"), "the list")
        terminal.resize(50, 10)
        wait(lambda: terminal.says("No session is running\r\n"), "another list")
        assert b"\x1b" not in terminal.seen
