"""Test that an event costs at most a quarter more processor time than the start of the interpreter."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.hooks import recorder
from tests.hooks.said import e

pytestmark = pytest.mark.skipif(
    sys.platform == "win32", reason="Windows has no wait4, which gives the processor time of one process"
)

MOST = 1.25
ROUNDS, PAIRS = 5, 12


@pytest.fixture
def stdin(tmp_path: Path) -> Path:
    given = {"command": "make test", "description": "Run the tests"}
    event = e(
        "PostToolUse", cwd="/home/user/proj", tool_name="Bash", tool_input=given, tool_response="ok", duration_ms=9
    )
    path = tmp_path / "event.json"
    path.write_bytes(recorder.said(event))
    return path


def spent(command: list[str], stdin: Path) -> float:
    env = {**recorder.BARE_ENV, "CLAUDE_PID": str(os.getpid())}
    with stdin.open("rb") as file:
        process = subprocess.Popen(command, stdin=file, env=env, close_fds=False)
        _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0
    return used.ru_utime + used.ru_stime


def ratio(state: Path, stdin: Path) -> float:
    """Return the ratio of the fastest runs: other work of the machine can only make a run slower."""
    bare, full = [], []
    for _ in range(PAIRS):
        bare.append(spent([sys.executable, "-I", "-S", "-c", "pass"], stdin))
        full.append(spent([*recorder.COMMAND, str(state)], stdin))
    return min(full) / min(bare)


def test_an_event_costs_at_most_a_quarter_more_than_the_interpreter(tmp_path: Path, stdin: Path) -> None:
    state = tmp_path / "state"
    spent([*recorder.COMMAND, str(state)], stdin)
    found: list[float] = []
    for _ in range(ROUNDS):
        found.append(ratio(state, stdin))
        if found[-1] <= MOST:
            return
    pytest.fail(f"the recorder costs {min(found):.2f} times what the interpreter does, {MOST} is the most")
