"""Test that reading many sessions costs little for each one that has not changed, by the number of calls."""

import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

from tests.tray.sessions.test_world import Stage, T

CLIENTS = 40
MOST = 50
"""The most calls of Python functions for each client. To examine one anew takes twice as many."""


def called(deed: Callable[[], object]) -> int:
    """Return how many calls of Python functions DEED makes. The number is the same on every machine."""
    count = 0

    def note(_frame: FrameType, event: str, _arg: Any) -> None:
        nonlocal count
        count += event == "call"

    sys.setprofile(note)
    try:
        deed()
    finally:
        sys.setprofile(None)
    return count


def test_a_look_costs_little_for_a_client_that_has_not_changed(tmp_path: Path) -> None:
    stage = Stage(tmp_path)
    for pid in range(1, CLIENTS + 1):
        stage.client("busy", 0.0, f"s{pid}", pid)
        stage.hook("UserPromptSubmit", 0.1, f"s{pid}", pid, prompt="mend it")
    stage.world.read(T + 10)
    stage.world.read(T + 10)
    stage.hook("PreToolUse", 11, "s7", 7, tool="Bash", subject="make test", use="u")
    assert called(lambda: stage.world.read(T + 12)) < CLIENTS * MOST
    assert [one.detail for one in stage.world.read(T + 12) if one.session_id == "s7"] == ["Bash: make test"]


def test_a_client_whose_process_entry_or_record_has_changed_is_examined_again(tmp_path: Path) -> None:
    stage = Stage(tmp_path)
    stage.client("busy", 0.0)
    stage.hook("UserPromptSubmit", 0.1)

    def status(at: float) -> tuple[str, bool]:
        (one,) = stage.world.read(T + at)
        return one.status, one.suspended

    assert [status(10), status(11)] == [("working", False)] * 2
    stage.stopped.add(7)
    assert status(20) == ("working", True)
    stage.stopped.clear()
    stage.client("idle", 21.0)
    assert status(30) == ("interrupted", False)
    stage.hook("Stop", 31)
    assert status(40) == ("idle", False)
    stage.client("busy", 41.0)
    stage.client("idle", 41.0, pid=8)
    assert [(one.pid, one.status) for one in stage.world.read(T + 50)] == [(7, "working"), (8, "new")]
    stage.living.remove(8)
    stage.world.died(8)
    assert (7, "working") in [(one.pid, one.status) for one in stage.world.read(T + 60)]
