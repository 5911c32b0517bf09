"""Measure the board in the terminal: its start, a change until it is on the screen, and what it costs to follow many."""

import os
import pty
import random
import re
import resource
import select
import signal
import statistics
import struct
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from fcntl import ioctl
from pathlib import Path
from termios import TIOCSWINSZ

import psutil

from deskbell_hooks.schema import Record
from tests.bench.table import Table
from tests.bench.world import _event, registered

STARTS = 7
MANY, RATE, SECONDS = 500, 50, 10
CHANGES = 60
LINES, COLUMNS = 40, 120


def run() -> Table:
    starts, bare = _starts()
    delays = _delays()
    part, size = _storm()
    return Table(
        "the board in the terminal",
        ("what", "value", "at most"),
        (
            ("54 sessions: start -> the first card, median", f"{1000 * starts:.0f} ms", "500 ms"),
            ("the same, of `list`", f"{1000 * bare:.0f} ms", ""),
            ("54 sessions: record replaced -> screen, median", f"{1000 * statistics.median(delays):.0f} ms", ""),
            ("54 sessions: record replaced -> screen, p95", f"{1000 * _p95(delays):.0f} ms", "100 ms"),
            (f"{MANY} sessions x {RATE} changes/s: part of a processor", f"{100 * part:.1f} %", "15 %"),
            (f"{MANY} sessions x {RATE} changes/s: memory", f"{size:.0f} MB", "90 MB"),
        ),
    )


def _p95(values: list[float]) -> float:
    return statistics.quantiles(values, n=20)[-1]


class Office:
    """Sessions of processes that only wait, whose records this process replaces."""

    def __init__(self, root: Path, many: int) -> None:
        self.sessions, self._claude = root / "deskbell" / "state" / "sessions", root / "claude" / "sessions"
        self.sessions.mkdir(parents=True)
        self._claude.mkdir(parents=True)
        self._records: dict[int, Record] = {}
        self._clients = [subprocess.Popen(["sleep", "600"]) for _ in range(many)]
        self.env = {**os.environ, "DESKBELL_HOME": str(root / "deskbell"), "CLAUDE_CONFIG_DIR": str(root / "claude")}
        self.env |= {"PYTHONPATH": os.pathsep.join(sys.path), "TERM": "xterm-256color"}
        for number, client in enumerate(self._clients):
            self.change(number)
            registered(self._claude, f"s{number}", client.pid)

    def change(self, number: int, subject: str = "") -> None:
        _event(self.sessions, self._records, number, self._clients[number].pid, subject)

    def close(self) -> None:
        for client in self._clients:
            client.kill()
            client.wait()


@contextmanager
def _office(many: int) -> Iterator[Office]:
    with tempfile.TemporaryDirectory() as root:
        office = Office(Path(root), many)
        try:
            yield office
        finally:
            office.close()


class Screen:
    """A board in a terminal of its own."""

    def __init__(self, office: Office) -> None:
        self.began = time.perf_counter()
        self.pid, self._fd = pty.fork()
        if self.pid == 0:
            ioctl(0, TIOCSWINSZ, struct.pack("HHHH", LINES, COLUMNS, 0, 0))
            os.execve(sys.executable, [sys.executable, "-m", "deskbell", "board"], office.env)

    def until(self, pattern: bytes, patience: float = 20.0) -> float:
        """Read until PATTERN was written. Return when that was."""
        seen, ends = b"", time.perf_counter() + patience
        while not re.search(pattern, seen):
            seen = seen[-400:] + self.read(max(0.0, ends - time.perf_counter()))
            assert time.perf_counter() < ends, f"{pattern!r} is not on the screen"
        return time.perf_counter()

    def read(self, patience: float) -> bytes:
        ready, _, _ = select.select([self._fd], [], [], patience)
        return os.read(self._fd, 65536) if ready else b""

    def end(self) -> None:
        os.write(self._fd, b"q")
        ends = time.perf_counter() + 10
        while os.waitpid(self.pid, os.WNOHANG) == (0, 0):
            try:
                self.read(0.05)
            except OSError:  # the other end is closed
                time.sleep(0.05)
            if time.perf_counter() > ends:
                os.kill(self.pid, signal.SIGKILL)
        os.close(self._fd)


def _starts() -> tuple[float, float]:
    """Return the seconds until the first card is there, and those that `list` takes."""
    boards, lists = [], []
    with _office(54) as office:
        for _ in range(STARTS):
            screen = Screen(office)
            boards.append(screen.until(b"project-") - screen.began)
            screen.end()
            began = time.perf_counter()
            subprocess.run(
                [sys.executable, "-m", "deskbell", "list"], env=office.env, check=True, stdout=subprocess.DEVNULL
            )
            lists.append(time.perf_counter() - began)
    return statistics.median(boards), statistics.median(lists)


def _delays() -> list[float]:
    delays = []
    with _office(54) as office:
        screen = Screen(office)
        screen.until(b"project-")
        _quiet(screen, 2.0)
        for number in range(CHANGES):
            began = time.perf_counter()
            office.change(random.randrange(30, 54), f"number {number}.")  # on the screen: those that began last
            delays.append(screen.until(rb"number %d\." % number) - began)
            _quiet(screen, 0.1 + random.random() / 10)
        screen.end()
    return delays


def _quiet(screen: Screen, seconds: float) -> None:
    ends = time.perf_counter() + seconds
    while (left := ends - time.perf_counter()) > 0:
        screen.read(left)


def _storm() -> tuple[float, float]:
    """Return which part of a processor the board takes, and its megabytes."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, max(soft, 4096)), hard))
    with _office(MANY) as office:
        screen = Screen(office)
        screen.until(b"project-")
        _quiet(screen, 3.0)
        process = psutil.Process(screen.pid)
        before, began = process.cpu_times(), time.perf_counter()
        for number in range(RATE * SECONDS):
            _quiet(screen, began + number / RATE - time.perf_counter())
            office.change(random.randrange(MANY))
        after, took = process.cpu_times(), time.perf_counter() - began
        size = process.memory_info().rss / 1e6
        screen.end()
    return (after.user + after.system - before.user - before.system) / took, size
