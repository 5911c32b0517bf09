"""Measure the program on a real panel: how soon the icon appears and follows a record, and what it costs."""

import itertools
import json
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import psutil

from tests.bench.table import Table
from tests.bench.world import registered
from tests.desktop.conftest import PYTHONPATH, ROOT
from tests.desktop.desktop import Desktop, desktop, missing

HOOK = ROOT / "hooks/deskbell_hooks/__main__.py"
SESSIONS = 54
CHANGES = 60
STARTS = 5
IDLE = 30.0
BUSY = 10.0
RATE = 10
DAYS = 5
"""How often the cost of an event is measured: the speed of a shared machine changes from one second to the next."""

Records = list[tuple[Path, bytes, bytes]]
"""The file of each session, and its content while the session works and while it waits."""


class Start(NamedTuple):
    seconds: float
    processor: float
    """Processor seconds, which do not depend on the load of the machine."""


class Eye:
    """Look at the corner of the panel in which the icon is."""

    def __init__(self, one: Desktop) -> None:
        self._desktop = one

    def look(self) -> bytes:
        return self._desktop.pixels(self._desktop.size[0] - 40, 0, 40, 32)

    def wait_for_change(self, before: bytes, patience: float = 10.0) -> float:
        begun = time.perf_counter()
        while self.look() == before:
            if time.perf_counter() - begun > patience:
                raise TimeoutError("the icon did not change")
        return time.perf_counter() - begun

    def settle(self, quiet: float = 0.3) -> bytes:
        """Return the picture once it has stayed the same for QUIET seconds."""
        since, seen = time.perf_counter(), self.look()
        while time.perf_counter() - since < quiet:
            if (now := self.look()) != seen:
                since, seen = time.perf_counter(), now
            time.sleep(0.01)
        return seen


def run() -> Table:
    if absent := missing():
        return Table(f"tray: not measured, {', '.join(absent)} missing", ("",), ())
    with tempfile.TemporaryDirectory() as folder, desktop(Path(folder) / "desk") as one:
        eye, env = Eye(one), _env(one, Path(folder))
        starts = [_start_to_icon(eye, env) for _ in range(STARTS)]
        with _clients(SESSIONS) as clients, _running(env) as program:
            records = _records(env, Path(folder), clients)
            eye.settle(1.0)
            delays = _delays(eye, records[0])
            memory = program.memory_full_info()
            idle = _spent(program, lambda: time.sleep(IDLE))
            days = [_spent(program, lambda: _replace_in_turn(records, RATE)) for _ in range(DAYS)]
            busy = _spent(program, lambda: _replace_in_turn(records, SESSIONS * RATE))
            after = program.memory_info().rss
    return _table(starts, delays, (memory.rss, memory.pss, after), (idle, sorted(days)[DAYS // 2], busy))


def _table(
    starts: list[Start],
    delays: list[float],
    memory: tuple[int, int, int],
    spent: tuple[tuple[float, float], tuple[float, float], tuple[float, float]],
) -> Table:
    (rss, pss, after), (idle, day, busy) = memory, spent
    rows = (
        ("record replaced -> pixels changed, median", f"{statistics.median(delays) * 1000:.1f} ms", ""),
        ("record replaced -> pixels changed, p95", f"{sorted(delays)[int(len(delays) * 0.95)] * 1000:.1f} ms", "15 ms"),
        ("start -> icon visible, median", f"{statistics.median(s.seconds for s in starts) * 1000:.0f} ms", "400 ms"),
        ("of it processor time, median", f"{statistics.median(s.processor for s in starts) * 1000:.0f} ms", ""),
        (f"memory with {SESSIONS} sessions, RSS", f"{rss / 1e6:.1f} MB", "50 MB"),
        (f"memory with {SESSIONS} sessions, PSS", f"{pss / 1e6:.1f} MB", ""),
        (f"idle {IDLE:.0f} s: processor", f"{idle[0] * 100:.2f} %", "0.0 %"),
        (f"idle {IDLE:.0f} s: wakeups", f"{idle[1]:.2f} /s", "1 /s"),
        (
            f"{RATE} events/s of {SESSIONS} sessions: processor for each, median",
            f"{day[0] * 1000 / RATE:.2f} ms",
            "1.5 ms",
        ),
        (f"{SESSIONS} sessions x {RATE} events/s: processor", f"{busy[0] * 100:.1f} %", "5 %"),
        ("memory after it, RSS", f"{after / 1e6:.1f} MB", "50 MB"),
    )
    return Table("tray, on Xfce with a screen in memory", ("what", "measured", "at most"), rows)


def _env(one: Desktop, folder: Path) -> dict[str, str]:
    home = folder / "home"
    claude = home / ".claude"
    claude.mkdir(parents=True)
    env = one.env | {
        "PYTHONPATH": PYTHONPATH,
        "HOME": str(home),
        "DESKBELL_HOME": str(home / "deskbell"),
        "CLAUDE_CONFIG_DIR": str(claude),
    }
    command = [sys.executable, "-m", "deskbell", "install", "--yes"]
    subprocess.run(command, env=env, check=True, stdout=subprocess.DEVNULL)
    return env


@contextmanager
def _running(env: dict[str, str]) -> Iterator[psutil.Process]:
    program = subprocess.Popen([sys.executable, "-m", "deskbell", "run"], env=env)
    try:
        yield psutil.Process(program.pid)
    finally:
        program.send_signal(signal.SIGTERM)
        program.wait(20)


def _start_to_icon(eye: Eye, env: dict[str, str]) -> Start:
    empty = eye.settle()
    begun = time.perf_counter()
    with _running(env) as program:
        eye.wait_for_change(empty)
        times = program.cpu_times()
        took = Start(time.perf_counter() - begun, times.user + times.system)
        eye.settle()
    eye.wait_for_change(eye.look()) if eye.look() != empty else None
    return took


@contextmanager
def _clients(count: int) -> Iterator[list[int]]:
    """Give the pids of processes that stand for clients."""
    processes = [subprocess.Popen(["sleep", "600"]) for _ in range(count)]
    try:
        yield [process.pid for process in processes]
    finally:
        for process in processes:
            process.kill()
            process.wait()


def _records(env: dict[str, str], folder: Path, clients: list[int]) -> Records:
    """Have the hook itself write the records. All clients but the first, whose icon is looked at, are registered."""
    state, registry = folder / "home/deskbell/state", Path(env["CLAUDE_CONFIG_DIR"]) / "sessions"
    registry.mkdir()

    def tell(session: str, pid: int, name: str, **fields: object) -> bytes:
        event = {"session_id": session, "cwd": f"/srv/{session}", "hook_event_name": name, **fields}
        command = [sys.executable, "-I", "-S", str(HOOK), "record", str(state)]
        client = env | {"CLAUDE_PID": str(pid)}
        subprocess.run(command, input=json.dumps(event).encode(), env=client, check=True)
        return (state / f"sessions/{session}.json").read_bytes()

    made = []
    for number, pid in enumerate(clients):
        session = f"bench-{number}"
        works = tell(session, pid, "UserPromptSubmit", prompt=f"task {number}")
        asks = tell(session, pid, "PermissionRequest", tool_name="Bash", tool_input={"command": "npm publish"})
        path = state / f"sessions/{session}.json"
        _replace(path, works)
        made.append((path, works, asks))
        if number:
            registered(registry, session, pid)
    return made


def _replace(path: Path, content: bytes) -> None:
    beside = path.with_name(f".{path.name}.tmp")
    beside.write_bytes(content)
    beside.replace(path)


def _delays(eye: Eye, one: tuple[Path, bytes, bytes]) -> list[float]:
    path, works, asks = one
    delays = []
    for content in itertools.islice(itertools.cycle((asks, works)), CHANGES):
        before = eye.settle()
        beside = path.with_name(f".{path.name}.tmp")
        beside.write_bytes(content)
        beside.replace(path)
        delays.append(eye.wait_for_change(before))
    return delays


def _replace_in_turn(records: Records, rate: int) -> None:
    """Change the record of one session after another, RATE times a second in all, evenly over time."""
    begun = time.perf_counter()
    for turn in range(int(BUSY * rate)):
        path, works, _ = records[turn % SESSIONS]
        _replace(path, works.replace(b"task", b"t%03d" % (turn // SESSIONS % 1000)))
        time.sleep(max(0.0, begun + (turn + 1) / rate - time.perf_counter()))


def _spent(program: psutil.Process, during: Callable[[], None]) -> tuple[float, float]:
    """Return which part of a processor PROGRAM used, and its wakeups per second."""

    def now() -> tuple[float, float, float]:
        times = program.cpu_times()
        switches = sum(
            int(line.split()[1])
            for thread in program.threads()
            for line in Path(f"/proc/{program.pid}/task/{thread.id}/status").read_text().splitlines()
            if line.startswith("voluntary")
        )
        return time.perf_counter(), times.user + times.system, float(switches)

    begun, spent, woken = now()
    during()
    ended, spent_then, woken_then = now()
    return (spent_then - spent) / (ended - begun), (woken_then - woken) / (ended - begun)
