"""Measure the time from a changed record, and from the start of a hook, to the notification."""

import asyncio
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

from tests.bench.table import Table
from tests.bench.timing import Times
from tests.desktop.conftest import PYTHONPATH, ROOT
from tests.desktop.desktop import Daemon, Desktop, desktop, missing
from tests.tray.desktop.fake_daemon import Daemon as FakeDaemon

HOOK = ROOT / "hooks/deskbell_hooks/__main__.py"
ROUNDS = 40
APPROVED = 200
SOONEST, LATEST = 0.004, 0.105
"""Seconds that a hook of the person's own takes to approve a request."""
PAUSE = 0.4
"""Seconds between two changes, so that the loop is at rest."""
DAEMONS: tuple[Daemon, ...] = ("xfce4-notifyd", "dunst")
FROM_RIGHT, FROM_TOP = 100, 50
WIDE, HIGH = 40, 32


def run() -> Table:
    if absent := missing():
        return Table(f"notifications: not measured, {', '.join(absent)} missing", ("",), ())
    rows = [_row(f"record replaced -> pixels, {name}", _pixels(name), "20 ms") for name in DAEMONS]
    rows.append(_row("record replaced -> Notify on D-Bus", _notify(by_hook=False)))
    rows.append(
        _row("PermissionRequest -> Notify on D-Bus, the start of the hook included", _notify(by_hook=True), "100 ms")
    )
    rang = str(_rings_of_approved())
    rows.append((f"rings, of {APPROVED} requests that a hook of the person's own approves", rang, rang, "0"))
    return Table("notifications, on a screen in memory", ("what", "median", "p95", "at most"), tuple(rows))


def _row(what: str, times: Times, most: str = "") -> tuple[str, str, str, str]:
    return what, f"{times.median:.1f} ms", f"{times.p95:.1f} ms", f"p95 {most}" if most else ""


class Program:
    """Deskbell without an icon, in a private home."""

    def __init__(self, one: Desktop, folder: Path) -> None:
        self.state = folder / "home/deskbell/state"
        self.env = one.env | {
            "PYTHONPATH": PYTHONPATH,
            "HOME": str(folder / "home"),
            "DESKBELL_HOME": str(folder / "home/deskbell"),
            "CLAUDE_CONFIG_DIR": str(folder / "home/.claude"),
            "CLAUDE_PID": str(os.getpid()),
        }
        config = folder / "home/deskbell/config"
        config.mkdir(parents=True)
        (config / "greeted").touch()
        self.settings = folder / "home/.claude/settings.json"

    @contextmanager
    def running(self) -> Iterator[None]:
        program = subprocess.Popen([sys.executable, "-m", "deskbell", "run", "--headless"], env=self.env)
        try:
            time.sleep(2.0)
            yield
        finally:
            program.send_signal(signal.SIGTERM)
            program.wait(20)

    def tell(self, name: str, **fields: object) -> subprocess.Popen[bytes]:
        event = {"session_id": "one", "cwd": "/srv/one", "hook_event_name": name, **fields}
        command = [sys.executable, "-I", "-S", str(HOOK), "record", str(self.state)]
        hook = subprocess.Popen(command, stdin=subprocess.PIPE, env=self.env)
        assert hook.stdin
        hook.stdin.write(json.dumps(event).encode())
        hook.stdin.close()
        return hook

    def ask(self) -> subprocess.Popen[bytes]:
        return self.tell("PermissionRequest", tool_name="Bash", tool_input={"command": "npm publish"})

    def approve_by_hook(self) -> None:
        """Register a hook that may answer requests. What it would do, the caller does."""
        hook = {"matcher": "*", "hooks": [{"type": "command", "command": "true"}]}
        self.settings.parent.mkdir(parents=True, exist_ok=True)
        self.settings.write_text(json.dumps({"hooks": {"PermissionRequest": [hook]}}))

    def ran(self) -> None:
        self.tell("PostToolUse", tool_name="Bash", tool_input={"command": "npm publish"}).wait(20)

    def records(self) -> tuple[Path, bytes, bytes]:
        """Return the file of the record, and its content while the session works and while it asks."""
        self.work()
        record = self.state / "sessions/one.json"
        working = record.read_bytes()
        self.ask().wait(20)
        asking = record.read_bytes()
        _replace(record, working)
        return record, working, asking

    def work(self) -> None:
        self.tell("UserPromptSubmit", prompt="go").wait(20)


class Eye:
    """Look at a small part of the screen in which both daemons draw. A larger part would keep the screen busy."""

    def __init__(self, one: Desktop) -> None:
        self._desktop = one
        self._left = one.size[0] - FROM_RIGHT

    def look(self) -> bytes:
        return self._desktop.pixels(self._left, FROM_TOP, WIDE, HIGH)

    def wait_for_change(self, before: bytes) -> float:
        begun = time.perf_counter()
        while self.look() == before:
            if time.perf_counter() - begun > 10:
                raise TimeoutError("no notification was seen")
        return time.perf_counter() - begun


def _pixels(daemon: Daemon) -> Times:
    with tempfile.TemporaryDirectory() as folder, desktop(Path(folder) / "desk", daemon, panel=False) as one:
        program, eye = Program(one, Path(folder)), Eye(one)
        record, working, asking = program.records()
        with program.running():
            return Times(tuple(_shown(eye, record, working, asking) * 1000 for _ in range(ROUNDS)))


def _shown(eye: Eye, record: Path, working: bytes, asking: bytes) -> float:
    empty = eye.look()
    _replace(record, asking)
    took = eye.wait_for_change(empty)
    time.sleep(PAUSE)
    _replace(record, working)
    time.sleep(PAUSE)
    return took


def _replace(record: Path, content: bytes) -> None:
    beside = record.with_suffix(".new")
    beside.write_bytes(content)
    beside.replace(record)


def _notify(by_hook: bool) -> Times:
    with tempfile.TemporaryDirectory() as folder, desktop(Path(folder) / "desk", panel=False) as one:
        program = Program(one, Path(folder))
        record, working, asking = program.records()

        def ask() -> None:
            program.ask() if by_hook else _replace(record, asking)

        def answer() -> None:
            program.work() if by_hook else _replace(record, working)

        return asyncio.run(_times(program, one.env["DBUS_SESSION_BUS_ADDRESS"], ask, answer))


async def _times(program: Program, address: str, ask: Callable[[], None], answer: Callable[[], None]) -> Times:
    daemon = await FakeDaemon(address).up()
    times: list[float] = []
    begun = 0.0

    def notified(_: int) -> None:
        times.append((time.perf_counter() - begun) * 1000)

    daemon.on_notify = notified
    running = program.running()
    await asyncio.to_thread(running.__enter__)
    for turn in range(1, ROUNDS + 1):
        begun = time.perf_counter()
        ask()
        while len(times) < turn:
            await asyncio.sleep(0.001)
        await asyncio.sleep(PAUSE)
        await asyncio.to_thread(answer)
        await asyncio.sleep(PAUSE)
    await asyncio.to_thread(running.__exit__, None, None, None)
    await daemon.down()
    return Times(tuple(times))


def _rings_of_approved() -> int:
    with tempfile.TemporaryDirectory() as folder, desktop(Path(folder) / "desk", panel=False) as one:
        program = Program(one, Path(folder))
        program.approve_by_hook()
        program.work()
        return asyncio.run(_rings(program, one.env["DBUS_SESSION_BUS_ADDRESS"]))


async def _rings(program: Program, address: str) -> int:
    """Return how often it rings while requests are approved, each a moment after it was made."""
    daemon = await FakeDaemon(address).up()
    rung: list[int] = []
    daemon.on_notify = rung.append
    running, seconds = program.running(), Random(0)
    await asyncio.to_thread(running.__enter__)
    for _ in range(APPROVED):
        asked = program.ask()
        await asyncio.sleep(seconds.uniform(SOONEST, LATEST))
        await asyncio.to_thread(asked.wait, 20)
        await asyncio.to_thread(program.ran)
    await asyncio.sleep(PAUSE)
    await asyncio.to_thread(running.__exit__, None, None, None)
    await daemon.down()
    return len(rung)
