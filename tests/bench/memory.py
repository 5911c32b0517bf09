"""Measure the memory of `deskbell list` and of the program with many records on disk, and after an afternoon of new ones."""

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from functools import cache
from pathlib import Path
from typing import Any

import psutil

from deskbell_hooks.codec import encode
from deskbell_hooks.fold import fold
from tests.bench.table import Table

ON_DISK = 100_000
NEW, BATCH, HOURS = 10_000, 100, 4
CALM = 3.0
"""Seconds without work after which the program has read everything."""

SESSION, BEGAN = "00000000-0000-4000-8000-000000000000", 1111111111

AFTERNOON = """
import json, sys
from pathlib import Path
from deskbell.board import board
from deskbell.sessions.world import World
world = World(Path(sys.argv[1]), list)
for line in sys.stdin:
    now = float(line)
    board(world.read(now), now)
    with open("/proc/self/statm") as file:
        print(int(file.read().split()[1]) * 4096, flush=True)
"""


def run() -> Table:
    with tempfile.TemporaryDirectory() as root:
        folder = Path(root, "deskbell", "state", "sessions")
        folder.mkdir(parents=True)
        now = time.time()
        for number in range(ON_DISK):
            _ended(folder, number, now - 86_400 - number % 600_000)
        listed, running = _of_list(Path(root)), _of_program(Path(root))
    with tempfile.TemporaryDirectory() as root:
        first, last = _afternoon(Path(root))
    return Table(
        "memory",
        ("what", "measured", "at most"),
        (
            (f"{ON_DISK} records on disk: list, the most", f"{listed / 1e6:.0f} MB", "90 MB"),
            (f"{ON_DISK} records on disk: the program", f"{running / 1e6:.0f} MB", "90 MB"),
            (f"{NEW} new sessions in {HOURS} hours: after the first {NEW // 10}", f"{first / 1e6:.1f} MB", ""),
            (f"{NEW} new sessions in {HOURS} hours: at the end", f"{last / 1e6:.1f} MB", "flat"),
        ),
    )


@cache
def _template() -> bytes:
    """Return the record of session 0, which began, was at work and ended, all at the moment BEGAN."""
    client = {"pid": 2**22, "start": 1}
    record = None
    said: tuple[dict[str, Any], ...] = (
        {"event": "UserPromptSubmit", "prompt": f"Mend number {SESSION} of the many things that are broken"},
        {"event": "PreToolUse", "tool": "Bash", "subject": "make test", "use": "u"},
        {"event": "SessionEnd"},
    )
    for event in said:
        line: Any = {"v": 1, "client": client, "where": client, "cwd": "/home/user/project", **event}
        record = fold(record, {**line, "at": BEGAN, "order": BEGAN}, SESSION)
    assert record
    return encode(record)


def _ended(folder: Path, number: int, at: float) -> None:
    """Write the record of a session of its own that ended at AT."""
    session = f"{number:08}{SESSION[8:]}"
    content = _template().replace(SESSION.encode(), session.encode()).replace(b"%d" % BEGAN, b"%d" % at)
    (folder / f"{session}.json").write_bytes(content)


def _environment(root: Path) -> dict[str, str]:
    moved = {"HOME": str(root), "DESKBELL_HOME": str(root / "deskbell"), "CLAUDE_CONFIG_DIR": str(root / "claude")}
    without = {"DBUS_SESSION_BUS_ADDRESS": "unix:path=/nowhere"}
    return {**os.environ, **moved, **without, "PYTHONPATH": os.pathsep.join(sys.path)}


def _of_list(root: Path) -> int:
    command = [sys.executable, "-m", "deskbell", "list", "--json"]
    with subprocess.Popen(command, env=_environment(root), stdout=subprocess.DEVNULL) as listing:
        _, code, used = os.wait4(listing.pid, 0)
        listing.returncode = code
    return used.ru_maxrss * 1024


def _of_program(root: Path) -> int:
    command = [sys.executable, "-m", "deskbell", "run", "--headless"]
    with subprocess.Popen(command, env=_environment(root)) as running:
        program, spent = psutil.Process(running.pid), -1.0
        while (now := sum(program.cpu_times()[:2])) - spent > CALM * 0.2:
            spent = now
            time.sleep(CALM)
        memory = program.memory_info().rss
        running.send_signal(signal.SIGTERM)
    return int(memory)


def _afternoon(root: Path) -> tuple[int, int]:
    """Return the memory of a process that looks after every BATCH sessions, early and at the end."""
    follower = subprocess.Popen(
        [sys.executable, "-c", AFTERNOON, str(root)],
        env=_environment(root),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert follower.stdin
    assert follower.stdout
    begun, used = time.time() - HOURS * 3600, list[int]()
    with follower:
        for number in range(NEW):
            at = begun + number * HOURS * 3600 / NEW
            _ended(root, number, at)
            if number % BATCH == BATCH - 1:
                follower.stdin.write(f"{json.dumps(at + 60)}\n")
                follower.stdin.flush()
                used.append(int(follower.stdout.readline()))
        follower.stdin.close()
    return used[len(used) // 10 - 1], used[-1]
