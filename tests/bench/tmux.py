"""Measure what showing the sessions in tmux costs: the hook, with and without a tray, and the piece of the status line."""

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

from deskbell_hooks.client import process_start
from deskbell_hooks.panes import ON, TRAY
from tests.bench.recorder import tool_call
from tests.bench.table import Table
from tests.bench.timing import Deed, Times, interleaved, process
from tests.hooks.neighbours import Neighbours, asks, session
from tests.hooks.recorder import MAIN
from tests.hooks.said import prompt
from tests.tmuxes import Tmux, tmux

ROUNDS = int(os.environ.get("DESKBELL_BENCH_ROUNDS", "60"))
SESSIONS = 54


def run(python: str = sys.executable) -> Table:
    columns = ("", "median", "processor", "ratio of it", "target")
    if shutil.which("tmux") is None:
        return Table("tmux: not installed", columns, ())
    with tempfile.TemporaryDirectory(prefix="deskbell-bench-") as name, tmux(Path(name)) as server:
        hook = _hook(python, Path(name), server)
    with tempfile.TemporaryDirectory(prefix="deskbell-bench-") as name:
        line = _line(python, Path(name))
    rows = (
        ("recorder, tmux not installed", *_cells(hook["without"])),
        ("recorder, a tray writes the options", *_cells(hook["tray"], hook["without"], 1.1)),
        ("recorder, no tray", *_cells(hook["alone"], hook["without"], 1.6)),
        ("python -I -S -c pass", *_cells(line["bare"])),
        (f"the line, {SESSIONS} sessions, a tray", *_cells(line["tray"], line["bare"], 1.4)),
        (f"the line, {SESSIONS} sessions, no tray", *_cells(line["alone"], line["bare"], 1.4)),
    )
    return Table(f"tmux: {ROUNDS} interleaved rounds", columns, rows)


def _hook(python: str, root: Path, server: Tmux) -> dict[str, Times]:
    """Measure an event of a client that runs in a pane. A ratio is of processor time; the child is not waited for."""
    stdin = tool_call(root, "small")
    pid, variables = server.value("#{pane_pid}"), {"TMUX": server.variable, "TMUX_PANE": "%0"}
    env = {"PATH": os.environ.get("PATH", ""), "CLAUDE_PID": pid, **variables}

    def deed(name: str) -> Deed:
        state = root / name
        state.mkdir()
        if name != "without":
            (state / ON).touch()
        if name == "tray":
            (state / TRAY).write_text(f"{os.getpid()} {process_start('self')}")
        return process([python, "-I", "-S", str(MAIN), "record", str(state)], stdin, env)

    return _interleaved({name: deed(name) for name in ("without", "tray", "alone")})


def _line(python: str, root: Path) -> dict[str, Times]:
    found = Neighbours(root / "state", root / "account")
    with_tray = Neighbours(root / "with tray", root / "account")
    stdin = tool_call(root, "unread")
    with ExitStack() as stack:
        for number in range(SESSIONS):
            client = stack.enter_context(subprocess.Popen(["sleep", "600"]))
            stack.callback(client.kill)
            one, status = session(number), ("waiting", "busy", "idle")[number % 3]
            found.record(one, *(asks() if status == "waiting" else [prompt()]), pid=client.pid, folder=f"p{number}")
            found.entry(one, status, pid=client.pid)
        rows = [[session(number), f"p{number}", "wants"] for number in range(SESSIONS)]
        with_tray.board(time.time(), blocked=rows[::3], your_turn=rows[2::3])
        env = {"PATH": os.environ.get("PATH", ""), **found.env}
        deeds: dict[str, Callable[[], float]] = {
            "bare": process([python, "-I", "-S", "-c", "pass"], stdin, env),
            "alone": process([python, "-I", "-S", str(MAIN), "tmuxline", str(found.state)], stdin, env),
            "tray": process([python, "-I", "-S", str(MAIN), "tmuxline", str(with_tray.state)], stdin, env),
        }
        return _interleaved(deeds)


def _interleaved(deeds: dict[str, Deed]) -> dict[str, Times]:
    for deed in deeds.values():
        deed()  # compiled, cached, with its session
    return interleaved(deeds, ROUNDS)


def _cells(times: Times, floor: Times | None = None, target: float = 0.0) -> tuple[str, str, str, str]:
    ratio = times.to(floor) if floor else 1.0
    verdict = f"<= {target}x {'met' if ratio <= target else 'NOT MET'}" if floor else ""
    return (
        f"{times.median:.2f} ms",
        f"{sorted(times.processor)[len(times.processor) // 2]:.2f} ms",
        f"{ratio:.2f}x",
        verdict,
    )
