"""Measure what a request costs where the asker leaves at once, and what the asker takes while it waits."""

import json
import os
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from tests.bench.recorder import ROUNDS, bare
from tests.bench.table import Table
from tests.bench.timing import Deed, Times, interleaved, process
from tests.hooks.program import ATTENDED, BASH, accepted, fields, listening, start
from tests.hooks.recorder import MAIN

ENV = {"PATH": os.environ.get("PATH", ""), **ATTENDED}
WAIT = 2.0
"""Seconds of a wait that is looked at."""
ROW = ("python -I -S -c pass", "asker, no program", "asker, a subagent's request", "asker, an unattended run")


def asker(python: str, state: Path, stdin: Path, **env: str) -> Deed:
    return process([python, "-I", "-S", str(MAIN), "ask", str(state)], stdin, {**ENV, **env})


def run(python: str = sys.executable) -> Table:
    with tempfile.TemporaryDirectory(prefix="deskbell-bench-") as name:
        found, rows = measured(python, Path(name)), tuple(waiting(Path(name)))
    floor = found[ROW[0]]
    made = tuple(_row(name, times, times.to(floor) if name != ROW[0] else 0) for name, times in found.items())
    title = f"asker: one request, {ROUNDS} interleaved rounds, {Path(python).resolve().name}"
    return Table(title, ("", "median", "p95", "processor", "ratio of it", "target"), (*made, *rows))


def measured(python: str, root: Path) -> dict[str, Times]:
    request, of_agent = root / "request.json", root / "agent.json"
    request.write_text(json.dumps(BASH))
    of_agent.write_text(json.dumps(BASH | {"agent_id": "a1", "agent_type": "Explore"}))
    deeds = {
        ROW[0]: bare(python, request),
        ROW[1]: asker(python, root, request),
        ROW[2]: asker(python, root, of_agent),
        ROW[3]: asker(python, root, request, CLAUDE_CODE_SESSION_ATTENDED="0"),
    }
    for deed in deeds.values():
        deed()  # compiled and cached
    return interleaved(deeds, ROUNDS)


def waiting(state: Path) -> Iterator[tuple[str, ...]]:
    if sys.platform != "linux":
        return
    with listening(state) as server, start(state, BASH) as waits:
        connection, _ = accepted(server)
        with connection:
            time.sleep(WAIT / 4)
            before = fields(waits.pid)
            time.sleep(WAIT)
            after = fields(waits.pid)
    memory = int(after["VmRSS"].split()[0])
    wakes = int(after["voluntary_ctxt_switches"]) - int(before["voluntary_ctxt_switches"])
    yield (
        "asker that waits, memory",
        f"{memory / 1000:.1f} MB",
        "",
        "",
        "",
        f"<= 11 MB {'met' if memory < 11_000 else 'NOT MET'}",
    )
    yield ("its wakeups in 2 s", str(wakes), "", "", "", "0 " + ("NOT MET" if wakes else "met"))


def _row(name: str, times: Times, ratio: float) -> tuple[str, ...]:
    shown = (times.median, times.p95, sorted(times.processor)[len(times.processor) // 2])
    target = f"<= 1.3x {'met' if ratio <= 1.3 else 'NOT MET'}" if ratio else ""
    return (name, *(f"{ms:.2f} ms" for ms in shown), f"{ratio or 1:.2f}x", target)
