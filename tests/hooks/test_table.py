"""Test that each row of the fold's table, applied to a busy run, changes what it says and nothing else."""

from typing import Any

import pytest

from deskbell_hooks.fold import TABLE, fold, row_of
from deskbell_hooks.schema import Event, Line
from tests.hooks.said import SESSION, e, line, notification, prompt, task_over, tool

ORDER = 5_000
OWN, OTHER, GUESS, UNNAMED, DIALOG, AGENTS = "own", "other", "guess", "unnamed dialog", "dialog", "agents"
"""The requests that wait: for the event's own call, for another call, two known only from a Notification (a permission
and a dialog), of an MCP server, and of a subagent."""
AGENT = {"agent_id": "a2", "agent_type": "Explore"}
BEFORE: dict[str, Any] = {
    "turn": "error",
    "doing": "what it did before",
    "waits": {OWN, OTHER, GUESS, UNNAMED, DIALOG, AGENTS},
    "calls": {"main", "agent"},
    "compacting": True,
    "error": "the error before",
    "tasks": {"b1"},
    "agents": {"a1", "a2"},
}
SERVER = {"mcp_server_name": "elic"}
WAITS: frozenset[str] = frozenset(BEFORE["waits"])
NONE: frozenset[str] = frozenset()
AFTER_CALL, AFTER_LOOP = WAITS - {OWN, GUESS, UNNAMED}, frozenset({AGENTS})
AFTER_GUESS, AFTER_DIALOG = WAITS - {GUESS, UNNAMED}, WAITS - {UNNAMED, DIALOG}
"""What still waits after each word of the column SETTLES; nothing waits after "all"."""
THINKS: dict[str, Any] = {"turn": "working", "doing": "Thinking"}
BEGINS: dict[str, Any] = {**THINKS, "waits": AFTER_GUESS, "calls": {"agent", "new"}, "compacting": False}
ASKS: dict[str, Any] = {**THINKS, "waits": AFTER_GUESS}
STARTS = {"waits": NONE, "calls": NONE, "compacting": False, "error": "", "tasks": NONE, "agents": NONE}

EFFECTS: dict[str, tuple[Event, dict[str, Any]]] = {
    "SessionStart": (e("SessionStart", source="resume"), {**STARTS, "turn": "idle"}),
    "SessionStart:startup": (e("SessionStart", source="startup"), {**STARTS, "turn": "new"}),
    "SessionStart:clear": (e("SessionStart", source="clear"), {**STARTS, "turn": "new"}),
    "SessionStart:compact": (e("SessionStart", source="compact"), {"compacting": False}),
    "Setup": (e("Setup", trigger="init"), {"turn": "working", "doing": "Setup"}),
    "UserPromptSubmit": (prompt(), {**THINKS, "waits": NONE, "calls": NONE, "compacting": False, "error": ""}),
    "UserPromptSubmit:machine": (
        task_over("b1"),
        {**THINKS, "waits": AFTER_LOOP, "calls": {"agent"}, "compacting": False, "error": "", "tasks": NONE},
    ),
    "PreToolUse": (tool("PreToolUse", use="t1"), BEGINS),
    "PreToolUse:AskUserQuestion": (tool("PreToolUse", "AskUserQuestion", "Which?", use="t1"), BEGINS),
    "PreToolUse:ExitPlanMode": (tool("PreToolUse", "ExitPlanMode", "Do it", use="t1"), BEGINS),
    "PreToolUse:EnterPlanMode": (tool("PreToolUse", "EnterPlanMode", "Do it", use="t1"), BEGINS),
    "PreToolUse:subagent": (tool("PreToolUse", use="t1", **AGENT), {"calls": {"main", "agent", "new"}}),
    "PermissionRequest": (tool("PermissionRequest"), ASKS),
    "PermissionRequest:AskUserQuestion": (tool("PermissionRequest", "AskUserQuestion", "Which?"), ASKS),
    "PermissionRequest:ExitPlanMode": (tool("PermissionRequest", "ExitPlanMode", "Do it"), ASKS),
    "PermissionRequest:EnterPlanMode": (tool("PermissionRequest", "EnterPlanMode", "Do it"), ASKS),
    "PermissionDenied": (tool("PermissionDenied", use="t1"), {**THINKS, "waits": AFTER_CALL, "calls": {"agent"}}),
    "PostToolUse": (tool("PostToolUse", use="t1"), {**THINKS, "waits": AFTER_CALL, "calls": {"agent"}}),
    "PostToolUseFailure": (
        tool("PostToolUseFailure", use="t1", error="Exit code 3"),
        {**THINKS, "waits": AFTER_CALL, "calls": {"agent"}},
    ),
    "PostToolUseFailure:interrupt": (
        tool("PostToolUseFailure", use="t1", error="cut", is_interrupt=True),
        {"turn": "interrupted", "waits": AFTER_LOOP, "calls": {"agent"}, "error": "Bash: make test"},
    ),
    "PostToolBatch": (e("PostToolBatch"), {"doing": "Thinking", "waits": AFTER_LOOP, "calls": {"agent"}}),
    "Elicitation": (e("Elicitation", **SERVER, message="Name?"), ASKS),
    "ElicitationResult": (e("ElicitationResult", **SERVER), {**THINKS, "waits": AFTER_DIALOG}),
    "Stop": (
        e("Stop", background_tasks=[]),
        {"turn": "idle", "waits": AFTER_LOOP, "calls": {"agent"}, "compacting": False, "error": "", "tasks": NONE,
         "agents": NONE},
    ),
    "StopFailure": (
        e("StopFailure", error="rate_limit"),
        {"turn": "error", "waits": AFTER_LOOP, "calls": {"agent"}, "compacting": False, "error": "rate_limit"},
    ),
    "StopFailure:subagent": (
        e("StopFailure", error="unknown", **AGENT),
        {"waits": WAITS - {AGENTS}, "calls": {"main"}, "agents": {"a1"}},
    ),
    "SubagentStart": (e("SubagentStart", **AGENT), {}),
    "SubagentStop": (
        e("SubagentStop", **AGENT),
        {"waits": WAITS - {AGENTS}, "calls": {"main"}, "agents": {"a1"}},
    ),
    "TeammateIdle": (e("TeammateIdle", teammate_name="a1"), {"agents": {"a2"}}),
    "TaskCompleted": (e("TaskCompleted", teammate_name="a1"), {"agents": {"a2"}}),
    "PreCompact": (e("PreCompact", trigger="auto"), {"compacting": True}),
    "PreCompact:manual": (
        e("PreCompact", trigger="manual"), {"turn": "idle", "waits": NONE, "calls": NONE, "compacting": True},
    ),
    "PostCompact": (e("PostCompact", trigger="auto"), {"compacting": False}),
    "PostCompact:manual": (e("PostCompact", trigger="manual"), {"turn": "idle", "compacting": False}),
    "SessionEnd": (
        e("SessionEnd", reason="logout"),
        {"turn": "ended", "waits": NONE, "calls": NONE, "compacting": False, "error": "logout", "tasks": NONE,
         "agents": NONE},
    ),
    "Notification:permission_prompt": (notification("permission_prompt"), {}),
    "Notification:worker_permission_prompt": (notification("worker_permission_prompt"), {}),
    "Notification:agent_needs_input": (notification("agent_needs_input"), {}),
    "Notification:elicitation_dialog": (notification("elicitation_dialog"), {}),
    "Notification:elicitation_url_dialog": (notification("elicitation_url_dialog"), {}),
    "Notification:elicitation_complete": (notification("elicitation_complete", 'server "elic"'), {"waits": AFTER_DIALOG}),
    "Notification:elicitation_response": (notification("elicitation_response", 'server "elic"'), {"waits": AFTER_DIALOG}),
    "Notification:idle_prompt": (
        notification("idle_prompt"), {"waits": NONE, "calls": NONE, "compacting": False, "agents": NONE},
    ),
}  # fmt: skip
KINDS = {"AskUserQuestion": "question", "ExitPlanMode": "plan", "EnterPlanMode": "plan"}


def request(at: float, tool_name: str, subject: str, kind: str = "permission", use: str = "", agent: str = "") -> Any:
    call = {"use": use, "tool": tool_name, "subject": subject, "agent": agent, "order": 1_000}
    return {**call, "kind": kind, "at": at}


def busy(one: Line, compacting: bool) -> Any:
    """Return a record with all these requests, a task, two subagents, and two calls: the event's own unless it begins."""
    name, subject = one.get("tool", "Bash"), one.get("subject", "make test")
    own = {"use": "t1", "tool": name, "subject": subject, "agent": "", "order": 1_000}
    theirs = {**own, "use": "t2", "agent": "a2"}
    begins = one["event"] == "PreToolUse" and not one.get("agent")
    return {
        "v": 1, "session_id": SESSION, "title": "", "prompt": "", "turns": 0, "others": [], "order": 1_000,
        "counters": {"tools": {}, "events": 0, "prompts": 0, "errors": 0, "notifications": 0},
        "turn": BEFORE["turn"], "doing": BEFORE["doing"], "error": BEFORE["error"], "compacting": compacting,
        "pending": [
            request(0, name, subject, KINDS.get(name, "permission"), "t1"),
            request(1, "Read", "x"),
            request(2, "", "needs your permission"),
            request(3, "", "needs you", "input"),
            request(4, "elic", "Name?", "input"),
            request(5, "Bash", "rm x", agent="a2"),
        ],
        "calls": [theirs] if begins else [own, theirs],
        "tasks": [{"id": "b1", "type": "shell", "description": "make serve"}],
        "agents": [{"id": agent, "type": "Explore", "status": "running", "order": 1_000} for agent in ("a1", "a2")],
    }  # fmt: skip


def shape(record: Any) -> dict[str, Any]:
    """Return what of a record the tables above speak of. What the event itself asked is left out."""
    names = dict(enumerate((OWN, OTHER, GUESS, UNNAMED, DIALOG, AGENTS)))
    calls = {"t1": "main", "t2": "agent"}
    return {
        "turn": record["turn"],
        "doing": record["doing"],
        "waits": {names[int(one["at"])] for one in record["pending"] if one["at"] in names},
        "calls": {"new" if one["order"] == ORDER else calls[one["use"]] for one in record["calls"]},
        "compacting": record["compacting"],
        "error": record["error"],
        "tasks": {one["id"] for one in record["tasks"]},
        "agents": {one["id"] for one in record["agents"] if one["status"] == "running"},
    }


def test_every_row_is_here() -> None:
    assert list(EFFECTS) == list(TABLE)


@pytest.mark.parametrize("key", EFFECTS)
def test_the_event_of_a_row_is_taken_by_that_row(key: str) -> None:
    assert row_of(line(EFFECTS[key][0], ORDER)) is TABLE[key]


@pytest.mark.parametrize("key", EFFECTS)
def test_a_row_changes_what_this_table_says_and_nothing_else(key: str) -> None:
    event, changes = EFFECTS[key]
    one = line(event, ORDER)
    compacting = changes.get("compacting") is not True
    assert shape(fold(busy(one, compacting), one, SESSION)) == {**BEFORE, "compacting": compacting, **changes}
