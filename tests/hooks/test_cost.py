"""Test what an event and a statusline cost: little more processor time than the start of the interpreter."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from tests.hooks import recorder
from tests.hooks.neighbours import OWN, Neighbours, asks, session
from tests.hooks.program import ATTENDED, BASH
from tests.hooks.said import AGENT, e, prompt

pytestmark = pytest.mark.skipif(
    sys.platform == "win32", reason="Windows has no wait4, which gives the processor time of one process"
)

MOST, MOST_OF_LINE, MOST_OF_ASKER = 1.25, 1.4, 1.3
MOST_OF_FULL_LINE = 1.5
"""Without a tray, where every one of the sessions waits: each takes a file, its JSON and a look at its process."""
SESSIONS = 54
ROUNDS, PAIRS = 20, 12


@pytest.fixture
def stdin(tmp_path: Path) -> Path:
    given = {"command": "make test", "description": "Run the tests"}
    event = e(
        "PostToolUse", cwd="/home/user/proj", tool_name="Bash", tool_input=given, tool_response="ok", duration_ms=9
    )
    path = tmp_path / "event.json"
    path.write_bytes(recorder.said(event))
    return path


def spent(command: list[str], stdin: Path, more: Mapping[str, str] | None = None) -> float:
    env = {**recorder.BARE_ENV, "CLAUDE_PID": str(os.getpid()), **(more or {})}
    with stdin.open("rb") as file:
        process = subprocess.Popen(command, stdin=file, stdout=subprocess.DEVNULL, env=env, close_fds=False)
        _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0
    return used.ru_utime + used.ru_stime


def ratio(command: list[str], stdin: Path, more: Mapping[str, str] | None = None) -> float:
    """Return the ratio of the fastest runs: other work of the machine can only make a run slower."""
    bare, full = [], []
    for _ in range(PAIRS):
        bare.append(spent([sys.executable, "-I", "-S", "-c", "pass"], stdin))
        full.append(spent(command, stdin, more))
    return min(full) / min(bare)


def check(most: float, measured: Callable[[], float]) -> None:
    found: list[float] = []
    for _ in range(ROUNDS):
        found.append(measured())
        if found[-1] <= most:
            return
    pytest.fail(f"it costs {min(found):.2f} times what the interpreter does, {most} is the most")


def test_an_event_costs_at_most_a_quarter_more_than_the_interpreter(tmp_path: Path, stdin: Path) -> None:
    command = [*recorder.COMMAND, str(tmp_path / "state")]
    spent(command, stdin)
    check(MOST, lambda: ratio(command, stdin))


@pytest.mark.parametrize("more", [{}, {"CLAUDE_CODE_SESSION_ATTENDED": "0"}], ids=["no program", "unattended"])
def test_an_asker_that_leaves_costs_at_most_three_tenths_more_than_the_interpreter(
    tmp_path: Path, more: dict[str, str]
) -> None:
    request = tmp_path / "request.json"
    request.write_text(json.dumps(BASH))
    command = [*recorder.COMMAND[:-1], "ask", str(tmp_path)]
    check(MOST_OF_ASKER, lambda: ratio(command, request, {**ATTENDED, **more}))


# The statusline


def with_records(near: Neighbours) -> None:
    """Without a tray and without a registry: the records of a machine at work, where one session in five waits."""
    turns = [prompt("Mend the tests"), e("Stop", last_assistant_message="They pass now.")]
    agents = [prompt("Mend the tests"), e("SubagentStart", **AGENT)]
    for number in range(SESSIONS):
        near.record(session(number), *(asks() if number % 5 == 0 else turns if number % 2 else agents))
    near.record(OWN, *agents)


def with_waiting(near: Neighbours) -> None:
    for number in range(SESSIONS):
        near.record(session(number), *asks())


def with_board(near: Neighbours) -> None:
    with_records(near)
    waiting = [[session(number), "shop", "wants to run npm publish"] for number in range(SESSIONS)]
    near.board(time.time(), blocked=waiting[:5], your_turn=waiting[5:])


OFFICES = {
    "records": (with_records, MOST_OF_LINE),
    "records that all wait": (with_waiting, MOST_OF_FULL_LINE),
    "board": (with_board, MOST_OF_LINE),
}


@pytest.mark.long
@pytest.mark.parametrize(("office", "most"), OFFICES.values(), ids=OFFICES)
def test_a_statusline_costs_at_most_two_fifths_more_than_the_interpreter_and_half_where_all_wait(
    tmp_path: Path, office: Callable[[Neighbours], None], most: float
) -> None:
    near = Neighbours(tmp_path / "state", tmp_path / "account")
    office(near)
    given = tmp_path / "given.json"
    window = {"used_percentage": 42, "total_input_tokens": 84_000, "context_window_size": 200_000}
    given.write_text(
        json.dumps(
            {"session_id": OWN, "cwd": str(tmp_path), "model": {"display_name": "Opus"}, "context_window": window}
        )
    )
    command = [sys.executable, "-I", "-S", str(recorder.MAIN), "statusline", str(near.state), str(tmp_path / "none")]
    said = subprocess.run(command, input=given.read_bytes(), env=near.env, capture_output=True, check=True).stdout
    assert "●".encode() in said
    check(most, lambda: ratio(command, given, near.env))
