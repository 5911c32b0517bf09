"""Measure how soon a change is on the board, and what it costs to follow the changes."""

import asyncio
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from deskbell.board import board
from deskbell.sessions.world import World
from deskbell_hooks.client import process_start
from deskbell_hooks.codec import encode
from deskbell_hooks.fold import fold
from deskbell_hooks.schema import Record
from tests.bench.table import Table

SESSIONS, RATE, SECONDS = 54, 10, 10
ON_DISK = 5000

FOLLOWER = """
import asyncio, json, sys, time
from deskbell.board import board
from deskbell.commands._follow import following
from deskbell.commands._world import world
delays, heard = [], {}
def show(sessions, now):
    arranged, at = board(sessions, now), time.time()
    for session in arranged.sessions:
        if heard.get(session.key) != session.heard:
            heard[session.key] = session.heard
            delays.append(at - session.heard)
async def main():
    following = asyncio.ensure_future(following(world(), show, 60.0))
    await asyncio.sleep(1.0)
    delays.clear()
    before = time.process_time()
    print("ready", flush=True)
    await asyncio.to_thread(sys.stdin.readline)
    print(json.dumps([time.process_time() - before, delays]), flush=True)
    following.cancel()
asyncio.run(main())
"""


def run() -> Table:
    with tempfile.TemporaryDirectory() as root:
        cpu, delays = _follow(Path(root))
    with tempfile.TemporaryDirectory() as root:
        start, change = asyncio.run(_on_disk(Path(root)))
    return Table(
        "world",
        ("measure", "value"),
        (
            (f"{SESSIONS} sessions x {RATE}/s: changes seen", f"{len(delays)} of {SESSIONS * RATE * SECONDS}"),
            ("record replaced -> board, median", f"{1000 * statistics.median(delays):.1f} ms"),
            ("record replaced -> board, p95", f"{1000 * statistics.quantiles(delays, n=20)[-1]:.1f} ms"),
            ("part of a processor", f"{100 * cpu / SECONDS:.1f} %"),
            (f"{ON_DISK} sessions on disk: start", f"{1000 * start:.0f} ms"),
            (f"{ON_DISK} sessions on disk: one change", f"{1000 * change:.1f} ms"),
        ),
    )


def _follow(root: Path) -> tuple[float, list[float]]:
    """Have a process follow what this one writes. Return its processor seconds and its delays."""
    sessions, claude = root / "deskbell" / "state" / "sessions", root / "claude" / "sessions"
    sessions.mkdir(parents=True)
    claude.mkdir(parents=True)
    records: dict[int, Record] = {}
    clients = [subprocess.Popen(["sleep", "600"]) for _ in range(SESSIONS)]
    for n, client in enumerate(clients):
        _event(sessions, records, n, client.pid)
        registered(claude, f"s{n}", client.pid)
    environ = {**os.environ, "DESKBELL_HOME": str(root / "deskbell"), "CLAUDE_CONFIG_DIR": str(root / "claude")}
    environ["PYTHONPATH"] = os.pathsep.join(sys.path)
    follower = subprocess.Popen(
        [sys.executable, "-c", FOLLOWER], env=environ, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert follower.stdin
    assert follower.stdout
    follower.stdout.readline()
    started = time.monotonic()
    for number in range(SESSIONS * RATE * SECONDS):
        time.sleep(max(0.0, started + number / (SESSIONS * RATE) - time.monotonic()))
        n = random.randrange(SESSIONS)
        _event(sessions, records, n, clients[n].pid)
    time.sleep(0.5)
    cpu, delays = json.loads(follower.communicate("\n")[0])
    for client in clients:
        client.kill()
        client.wait()
    return cpu, delays


def _event(folder: Path, records: dict[int, Record], n: int, pid: int, subject: str = "") -> None:
    """Replace a record. Its `at` is the time of the replacement, as near as the record itself can say it.

    SUBJECT: what a call that begins is about; without it any event of a call is recorded.
    """
    client = {"pid": pid, "start": process_start(pid)}
    name = "PreToolUse" if subject else random.choice(["PreToolUse", "PostToolUse"])
    line: Any = {"v": 1, "event": name, "client": client, "where": {**client, "attended": True}}
    line |= {
        "tool": "Bash",
        "subject": subject or "make test",
        "use": subject or "u",
        "cwd": f"/home/user/project-{n}",
        "at": time.time(),
    }
    line["order"] = int(line["at"] * 1000)
    records[n] = fold(records.get(n), line, f"s{n}")
    temporary = folder / f"s{n}.json.tmp"
    temporary.write_bytes(encode(records[n]))
    temporary.replace(folder / f"s{n}.json")


def registered(folder: Path, session: str, pid: int) -> None:
    """Enter a client that works into Claude Code's registry."""
    entry = {"pid": pid, "procStart": str(process_start(pid)), "sessionId": session, "cwd": "/", "status": "busy"}
    (folder / f"{pid}.json").write_text(json.dumps({**entry, "statusUpdatedAt": 1}), encoding="utf-8")


async def _on_disk(root: Path) -> tuple[float, float]:
    """Return the seconds of a start and of a change with thousands of ended sessions and one that runs."""
    records: dict[int, Record] = {}
    for n in range(ON_DISK):
        client = {"pid": 2**22 + n, "start": 1}
        over: Any = {"v": 1, "event": "SessionEnd", "client": client, "where": client, "at": 1e9, "order": 1}
        (root / f"old{n}.json").write_bytes(encode(fold(None, over, f"old{n}")))
    world = World(root, list)
    began = time.perf_counter()
    board(world.read(time.time()), time.time())
    start = time.perf_counter() - began
    changes = []
    for _ in range(100):
        _event(root, records, 0, os.getpid())
        began = time.perf_counter()
        board(world.read(time.time()), time.time())
        changes.append(time.perf_counter() - began)
    return start, statistics.median(changes)
