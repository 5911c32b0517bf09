"""Test what a transcript tells of the client that wrote into it, alone or with another client of its session."""

import json
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from tests.tray.sessions.test_world import Stage, T, prompt


@pytest.fixture
def stage(tmp_path: Path) -> Stage:
    return Stage(tmp_path)


def two_clients(stage: Stage) -> None:
    """Two clients run one session. One works in a tool, the other one asks; both write into one transcript."""
    for pid, name in ((7, "mine"), (8, "yours")):
        stage.client("busy", 10.0 * pid, pid=pid)
        stage.hook("UserPromptSubmit", 10.0 * pid, pid=pid, **prompt(name), prompt=name)
        stage.hook("PreToolUse", 10.0 * pid + 1, pid=pid, tool="Bash", subject=name, use=name, prompt=name)
    stage.hook("PermissionRequest", 81.1, pid=8, tool="Bash", subject="yours", prompt="yours")
    stage.client("waiting", 81.1, pid=8, waitingFor="permission prompt")


def said(kind: str, at: float, prompt_id: str, content: object, **more: Any) -> bytes:
    stamp = datetime.fromtimestamp(T + at, UTC).isoformat()
    message = {"content": content, "stop_reason": "tool_use"}
    line = {"type": kind, "timestamp": stamp, "promptId": prompt_id, "uuid": f"{at:08.1f}", "message": message, **more}
    return json.dumps(line).encode()


def denial(at: float, prompt_id: str) -> list[bytes]:
    result = {"type": "tool_result", "tool_use_id": prompt_id, "is_error": True, "content": "No"}
    cut = {"type": "text", "text": "[Request interrupted by user for tool use]"}
    return [said("user", at, prompt_id, [result]), said("user", at + 0.001, prompt_id, [cut])]


def ends_by_exit(stage: Stage) -> None:
    stage.hook("SessionEnd", 95.0, pid=8, prompt="yours")
    stage.leaves(8)
    stage.living.discard(8)


def goes_on_elsewhere(stage: Stage) -> None:
    stage.hook("SessionEnd", 95.0, pid=8, prompt="yours")
    stage.hook("SessionStart", 95.1, session="t", pid=8)
    stage.client("idle", 90.0, session="t", pid=8)


@pytest.mark.parametrize("late", [0.1, 0.7, 3.0])
@pytest.mark.parametrize(
    "then",
    [lambda stage: None, ends_by_exit, goes_on_elsewhere, lambda stage: stage.killed(8), lambda stage: stage.leaves(8)],
    ids=["stays", "exits", "goes on elsewhere", "is killed", "leaves the registry"],
)
def test_an_interrupt_in_one_of_two_terminals_says_nothing_of_the_other(
    stage: Stage, late: float, then: Callable[[Stage], None]
) -> None:
    two_clients(stage)
    lines = [said("user", 70.1, "mine", "mine"), said("user", 80.1, "yours", "yours")]
    stage.client("idle", 90.0, pid=8)
    stage.transcript(*lines, *denial(90.0 + late, "yours"))
    stage.look(94)
    assert stage.says(94.1)["s", 8] == "interrupted"
    then(stage)
    for look in (stage.look, stage.fresh):
        (mine,) = [one for one in look(98) if one.pid == 7]
        assert (mine.status, mine.detail, mine.turn_started) == ("working", "Bash: mine", T + 70)


def test_a_request_that_was_refused_with_words_is_named_no_more(stage: Stage) -> None:
    refused = {"type": "tool_result", "tool_use_id": "u1", "is_error": True, "content": "not so"}
    stage.hook("UserPromptSubmit", 1.0, **prompt("go"))
    stage.hook("PreToolUse", 2.0, tool="Bash", subject="touch wrong.txt", use="u1")
    stage.hook("PermissionRequest", 2.1, tool="Bash", subject="touch wrong.txt")
    stage.transcript(said("user", 1.1, "p", "go"), said("user", 5.0, "p", [refused]))
    stage.client("busy", 5.0)
    assert [one.detail for one in (*stage.look(7), *stage.fresh(7))] == ["Thinking", "Thinking"]

    stage.hook("PreToolUse", 8.0, tool="Bash", subject="make test", use="u2")
    stage.killed()
    assert [(one.status, one.detail) for one in (*stage.look(12), *stage.fresh(12))] == [
        ("crashed", "Bash: make test")
    ] * 2


def test_a_dialog_that_the_person_opens_leaves_the_time_of_the_end_as_it_is(stage: Stage) -> None:
    stage.hook("UserPromptSubmit", 1.0, **prompt("go"))
    stage.hook("PreToolUse", 2.0, tool="Bash", subject="make", use="mine")
    stage.transcript(said("user", 1.1, "mine", "go"), *denial(5.1, "mine"))
    for status, at in (("idle", 5.0), ("waiting", 30.0), ("idle", 40.0)):
        stage.client(status, at, **({"waitingFor": "dialog open"} if status == "waiting" else {}))
        for look in (stage.look, stage.fresh):
            (one,) = look(at + 2)
            assert (one.status, one.detail, one.since) == ("interrupted", "Bash: make", pytest.approx(T + 5.101))
