"""Measure how long the commands take on a session with a million events, and how much memory."""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from deskbell_hooks.codec import encode
from deskbell_hooks.schema import Event
from deskbell_hooks.trim import trim
from tests.bench.table import Table

SIZES = (1_000, 100_000, 1_000_000)
TOOLS: tuple[Event, ...] = (
    {"tool_name": "Bash", "tool_input": {"command": "make test"}},
    {"tool_name": "Read", "tool_input": {"file_path": "/home/person/api/src/module.py"}},
    {"tool_name": "Edit", "tool_input": {"file_path": "/home/person/api/src/module.py", "new_string": "x" * 60}},
)
STEPS = ("PreToolUse", "PostToolUse", "PostToolBatch")
TURN = 90
"""Events of a turn between its prompt and its end."""


def run() -> Table:
    with tempfile.TemporaryDirectory() as name:
        rows = tuple(row for size in SIZES for row in _measured(Path(name), size))
    return Table("history: one journal", ("events", "MB", "command", "seconds", "of them CPU", "peak MB"), rows)


def _measured(root: Path, size: int) -> Iterator[tuple[str, ...]]:
    events = root / "state" / "events"
    events.mkdir(parents=True, exist_ok=True)
    journal = events / "a1b2c3d4.jsonl"
    with journal.open("wb") as file:
        file.writelines(_lines(size))
    for command in ("show a1", "show a1 --json", "events a1 --event Stop"):
        seconds, busy, peak = _ran(root, command.split())
        megabytes = f"{journal.stat().st_size / 1e6:.0f}"
        yield f"{size:,}", megabytes, command, f"{seconds:.2f}", f"{busy:.2f}", f"{peak / 1024:.0f}"


def _ran(root: Path, command: list[str]) -> tuple[float, float, int]:
    """Return seconds, processor seconds and peak kilobytes of the whole process, with its start."""
    paths = os.pathsep.join(path for path in sys.path if path)
    environment = {**os.environ, "DESKBELL_HOME": str(root), "CLAUDE_CONFIG_DIR": str(root), "PYTHONPATH": paths}
    began = time.perf_counter()
    child = subprocess.Popen([sys.executable, "-m", "deskbell", *command], env=environment, stdout=subprocess.DEVNULL)
    _, _, used = os.wait4(child.pid, 0)
    child.returncode = 0
    return time.perf_counter() - began, used.ru_utime + used.ru_stime, used.ru_maxrss


def _lines(size: int) -> Iterator[bytes]:
    for number in range(size):
        place = number % (TURN + 2)
        if place == 0:
            yield _line(number, "UserPromptSubmit", {"prompt": f"Do the thing number {number}"})
        elif place == TURN + 1:
            yield _line(number, "Stop", {"last_assistant_message": "All done.", "background_tasks": []})
        else:
            call = TOOLS[place // 3 % 3] if place % 3 else {}
            more = {"tool_use_id": f"toolu_{number:024}", "duration_ms": 120} if call else {}
            yield _line(number, STEPS[(place - 1) % 3], {**call, **more})


def _line(number: int, name: str, event: Event) -> bytes:
    line = trim(name, {"cwd": "/home/person/api", "permission_mode": "default", **event})
    line["order"], line["at"] = number * 500, 1_790_000_000 + number / 2
    line["client"] = {"pid": 4242, "start": 777}
    return encode(line) + b"\n"
