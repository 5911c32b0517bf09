"""A terminal of its own for a command, and what the command writes to it."""

import os
import pty
import re
import select
import signal
import struct
import time
from collections.abc import Sequence
from fcntl import ioctl
from termios import TIOCSWINSZ
from types import TracebackType
from typing import Self

import psutil

PATIENCE = 60.0
COLOUR = re.compile(r"\x1b\[[0-9;]*m")


class Terminal:
    def __init__(self, command: Sequence[str], columns: int = 100, lines: int = 30, **more: str) -> None:
        env = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "COLUMNS", "LINES")}
        self._written = b""
        self._code: int | None = None
        self._pid, self._fd = pty.fork()
        if self._pid == 0:
            ioctl(0, TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))
            os.execvpe(command[0], command, env | {"TERM": "xterm-256color", **more})

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._code is None:
            os.kill(self._pid, signal.SIGKILL)
            os.waitpid(self._pid, 0)
        if self._fd >= 0:
            os.close(self._fd)

    def hang_up(self) -> None:
        """Close the terminal, as its window does."""
        os.close(self._fd)
        self._fd = -1

    @property
    def written(self) -> str:
        return self._written.decode(errors="replace")

    def until(self, text: str) -> None:
        """Wait until TEXT was written since something was last sent to the command. Colours do not matter."""
        ends = time.monotonic() + PATIENCE
        while text not in COLOUR.sub("", self.written):
            assert time.monotonic() < ends, f"{text!r} is not on the terminal: {self.written[-2000:]}"
            self._read(0.1)

    def type(self, text: str) -> None:
        self._written = b""
        self.send(text.encode())

    def send(self, data: bytes) -> None:
        """Send DATA, and keep what was written before."""
        os.write(self._fd, data)

    def resize(self, columns: int, lines: int) -> None:
        self._written = b""
        ioctl(self._fd, TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))

    def signal(self, name: str) -> None:
        self._written = b""
        os.kill(self._pid, getattr(signal, name))

    def is_stopped(self) -> bool:
        return psutil.Process(self._pid).status() == psutil.STATUS_STOPPED

    def ended(self) -> int:
        """Wait until the command has ended and return its exit code."""
        ends = time.monotonic() + PATIENCE
        while not self.has_ended():
            assert time.monotonic() < ends, f"it does not end: {self.written[-2000:]}"
        self._read(0.05)
        assert self._code is not None
        return self._code

    def has_ended(self, patience: float = 0.05) -> bool:
        """Return whether the command has ended, or ends within PATIENCE seconds."""
        ends = time.monotonic() + patience
        while time.monotonic() < ends and not self._has_ended():
            self._read(0.05)
        return self._has_ended()

    def _has_ended(self) -> bool:
        if self._code is not None:
            return True
        done, status = os.waitpid(self._pid, os.WNOHANG)
        if done:
            self._code = os.waitstatus_to_exitcode(status)
        return self._code is not None

    def was_left_as_it_was(self) -> bool:
        """Tell whether the other screen, the mouse and the hidden cursor were taken back."""
        return all(code in self.written for code in ("\x1b[?1049l", "\x1b[?1000l", "\x1b[?25h"))

    def _read(self, patience: float) -> None:
        if self._fd < 0:
            time.sleep(patience)
            return
        ready, _, _ = select.select([self._fd], [], [], patience)
        if ready:
            try:
                self._written += os.read(self._fd, 65536)
            except OSError:  # the command has ended
                time.sleep(0.01)
