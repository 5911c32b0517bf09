"""Measure what one statusline costs, beside the bare interpreter and beside ccstatusline, in one interleaved run.

ccstatusline is fetched from npm once, if the registry can be reached, and kept beside the client of the tests.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from statistics import median

from tests.bench.table import Table
from tests.bench.timing import Times, interleaved, process
from tests.client.fetch import kept
from tests.hooks.neighbours import OWN, Neighbours, asks, session
from tests.hooks.recorder import MAIN
from tests.hooks.said import AGENT, e, prompt

ROUNDS = int(os.environ.get("DESKBELL_BENCH_ROUNDS", "40"))
SESSIONS = 54
RIVAL = "ccstatusline@2.2.30"
MOST, FASTER = 1.4, 20


def rival() -> Path | None:
    """Return the program of ccstatusline; None without node or without a registry."""
    if not shutil.which("node") or not shutil.which("npm"):
        return None
    folder = kept() / RIVAL.replace("@", "-")
    program = folder / "node_modules" / "ccstatusline" / "dist" / "ccstatusline.js"
    if not program.exists():
        folder.mkdir(parents=True, exist_ok=True)
        with suppress(subprocess.SubprocessError):
            words = ["npm", "install", "--silent", "--no-save", "--prefix", str(folder), RIVAL]
            subprocess.run(words, capture_output=True, timeout=120, check=True)
    return program if program.exists() else None


def office(near: Neighbours) -> None:
    """The records of 54 sessions at work, of which one in five waits."""
    turns = [prompt("Mend the tests"), e("Stop", last_assistant_message="They pass now.")]
    agents = [prompt("Mend the tests"), e("SubagentStart", **AGENT)]
    for number in range(SESSIONS):
        near.record(session(number), *(asks() if number % 5 == 0 else turns if number % 2 else agents))
    near.record(OWN, *agents)


def given(folder: Path) -> Path:
    path = folder / "given.json"
    window = {"used_percentage": 42, "total_input_tokens": 84_000, "context_window_size": 200_000}
    cost = {"total_cost_usd": 1.23, "total_duration_ms": 7_000, "total_lines_added": 3, "total_lines_removed": 1}
    value = {"session_id": OWN, "cwd": str(folder), "model": {"id": "claude-opus-4-8", "display_name": "Opus 4.8"}}
    more = {"workspace": {"current_dir": str(folder)}, "context_window": window, "cost": cost, "version": "2.1.326"}
    path.write_text(json.dumps({**value, **more}))
    (folder / ".git").mkdir()
    (folder / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    return path


def run(python: str = sys.executable) -> Table:
    with tempfile.TemporaryDirectory(prefix="deskbell-bench-") as name:
        found = measured(python, Path(name), rival())
    title = f"statusline: {SESSIONS} sessions, {ROUNDS} interleaved rounds, {Path(python).resolve().name}"
    return Table(title, ("", "median", "p95", "processor", "ratio", "target"), tuple(_rows(found)))


def measured(python: str, root: Path, other: Path | None) -> dict[str, Times]:
    stdin = given(root)
    alone, told = (Neighbours(root / name / "state", root / "account") for name in ("alone", "told"))
    for near in (alone, told):
        office(near)
    waiting = [[session(number), "shop", "wants to run npm publish"] for number in range(SESSIONS)]
    told.board(time.time(), blocked=waiting[:5], your_turn=waiting[5:])
    env = {"PATH": os.environ.get("PATH", ""), "TERM": "xterm-256color", "COLUMNS": "120", **alone.env}
    line = [python, "-I", "-S", str(MAIN), "statusline"]
    deeds = {
        "bare": process([python, "-I", "-S", "-c", "pass"], stdin, env),
        "told": process([*line, str(told.state), "none"], stdin, env),
        "alone": process([*line, str(alone.state), "none"], stdin, env),
    }
    if other:
        deeds["rival"] = process(["node", str(other)], stdin, env)
    for deed in deeds.values():
        deed()  # compiled and cached
    return interleaved(deeds, ROUNDS)


def _rows(found: dict[str, Times]) -> Iterator[tuple[str, ...]]:
    floor, told, alone = found["bare"], found["told"], found["alone"]
    yield _row("python -I -S -c pass", floor)
    yield _row("with a tray", told, _to(told, floor), MOST)
    yield _row("without a tray: every record is read", alone, _to(alone, floor), MOST)
    if other := found.get("rival"):
        ratio = other.median / alone.median
        verdict = f">= {FASTER}x {'met' if ratio >= FASTER else 'NOT MET'}"
        yield (*_row(f"{RIVAL}, to the one above", other)[:4], f"{ratio:.1f}x", verdict)
    else:
        yield (RIVAL, *["no node, or no registry"] * 5)


def _to(one: Times, other: Times) -> float:
    """Return the ratio of the fastest runs: other work of the machine can only make a run slower."""
    return min(one.processor) / min(other.processor)


def _row(name: str, times: Times, ratio: float = 1, most: float = 0) -> tuple[str, ...]:
    verdict = f"<= {most}x {'met' if ratio <= most else 'NOT MET'}" if most else ""
    shown = (times.median, times.p95, median(times.processor))
    return (name, *(f"{ms:.2f} ms" for ms in shown), f"{ratio:.2f}x", verdict)
