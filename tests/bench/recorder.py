"""Measure what one event costs Claude Code, beside the bare interpreter and beside a hook in bash and jq."""

import json
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from statistics import median

from deskbell_hooks.codec import encode
from deskbell_hooks.fold import fold
from deskbell_hooks.record import bounded
from deskbell_hooks.schema import Line, Record
from tests.bench.table import Table
from tests.bench.timing import Deed, Times, interleaved, process
from tests.hooks.recorder import MAIN

ROUNDS = int(os.environ.get("DESKBELL_BENCH_ROUNDS", "60"))
RIVAL = Path(__file__).with_name("bash_jq_hook.sh")
MANY = 100_000
LARGE = 5 * 1024 * 1024
ENV = {"PATH": os.environ.get("PATH", ""), "CLAUDE_PID": str(os.getpid())}


def bare(python: str, stdin: Path) -> Deed:
    return process([python, "-I", "-S", "-c", "pass"], stdin, ENV)


def recorder(python: str, state: Path, stdin: Path) -> Deed:
    return process([python, "-I", "-S", str(MAIN), "record", str(state)], stdin, ENV)


def event(folder: Path, name: str, session: str, **fields: object) -> Path:
    path = folder / f"{name}-{session}.json"
    path.write_text(json.dumps({"session_id": session, "hook_event_name": name, "cwd": "/home/user/proj", **fields}))
    return path


def tool_call(folder: Path, session: str, response: str = "ok") -> Path:
    given = {"command": "make test", "description": "Run the tests"}
    fields = {"tool_name": "Bash", "tool_input": given, "tool_use_id": "toolu_1", "duration_ms": 12}
    return event(folder, "PostToolUse", session, permission_mode="default", tool_response=response, **fields)


def new_sessions(python: str, state: Path, folder: Path) -> Deed:
    """Return a deed that records the first event of another session every time."""
    numbers = count()

    def deed() -> float:
        return made[next(numbers)]()

    made = [recorder(python, state, tool_call(folder, f"new-{n}")) for n in range(ROUNDS + 1)]
    return deed


def lines(events: int) -> Iterator[Line]:
    """Yield the lines of a session at work: a prompt, a few tool calls, the end of the turn, and so on."""
    turn = ["UserPromptSubmit", *["PreToolUse", "PostToolUse"] * 6, "PostToolBatch", "Stop"]
    for n in range(events):
        line: Line = {
            "v": 1,
            "event": turn[n % len(turn)],
            "order": n * 50,
            "at": 1e9 + n / 20,
            "cwd": "/home/user/proj",
        }
        if "ToolUse" in line["event"]:
            line |= {"tool": f"Tool{n % 30}", "subject": f"make test-{n}", "use": f"toolu_{n // 2}", "input_size": 9}
        yield {**line, "facts": {"prompt": f"do the next thing, number {n}", "last_assistant_message": "It is done."}}


def old_session(state: Path, session: str, events: int) -> None:
    """Write a session of so many events, as the recorder leaves it."""
    record: Record | None = None
    for folder in ("sessions", "events"):
        (state / folder).mkdir(mode=0o700, parents=True, exist_ok=True)
    with (state / "events" / f"{session}.jsonl").open("wb") as journal:
        for line in lines(events):
            record = fold(record, line, session)
            journal.write(encode(line) + b"\n")
        record = {**record, "journal": journal.tell()} if record else None
    assert record
    (state / "sessions" / f"{session}.json").write_bytes(bounded(record))


def run(python: str = sys.executable) -> Table:
    with tempfile.TemporaryDirectory(prefix="deskbell-bench-") as name:
        found = measured(python, Path(name))
    title = f"recorder: one event, {ROUNDS} interleaved rounds, {Path(python).resolve().name}"
    return Table(title, ("", "median", "p95", "processor", "ratio of it", "target"), tuple(_rows(found)))


def measured(python: str, root: Path) -> dict[str, Times]:
    state = root / "state"
    old_session(state, "old", MANY)
    small = tool_call(root, "small")
    agent = event(root, "SubagentStart", "agents", agent_id="a1", agent_type="Explore")
    deeds = {
        "bare": bare(python, small),
        "small": recorder(python, state, small),
        "agent": recorder(python, state, agent),
        "first": new_sessions(python, state, root),
        "many": recorder(python, state, tool_call(root, "old")),
        "large": recorder(python, state, tool_call(root, "large", "x" * LARGE)),
    }
    if shutil.which("bash") and shutil.which("jq"):
        deeds["rival"] = process(["bash", str(RIVAL)], agent, {**ENV, "RIVAL_STATE": str(root / "rival")})
    for name in ("bare", "small", "agent", "many", "large"):
        deeds[name]()  # compiled, cached and with its session
    return interleaved(deeds, ROUNDS)


def _rows(found: dict[str, Times]) -> Iterator[tuple[str, ...]]:
    floor, small, first = found["bare"], found["small"], found["first"]
    yield _row("python -I -S -c pass", floor)
    yield _row("recorder", small, small.to(floor), 1.25)
    if rival := found.get("rival"):
        yield _row("bash + jq hook, to the recorder", rival, rival.to(found["agent"]), 8, at_least=True)
    else:
        yield ("bash + jq hook", *["no bash or jq here"] * 5)
    yield _row("first event of a session", first)
    yield _row(f"event {MANY + 1:,} of a session, to the first", found["many"], found["many"].to(first), 1.1)
    yield _row("5 MB tool_response, to a small one", found["large"], found["large"].to(small), 3)


def _row(name: str, times: Times, ratio: float = 1, target: float = 0, at_least: bool = False) -> tuple[str, ...]:
    met = ratio >= target if at_least else ratio <= target
    verdict = f"{'>=' if at_least else '<='} {target}x {'met' if met else 'NOT MET'}" if target else ""
    shown = (times.median, times.p95, median(times.processor))
    return (name, *(f"{ms:.2f} ms" for ms in shown), f"{ratio:.2f}x", verdict)
