"""Test every row of the table, every rule above it, and the laws that hold for any sequence of events."""

import copy
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deskbell_hooks.fold import TABLE, WORK, Row, fold, status_of, words
from deskbell_hooks.schema import Call, Event, Line, Record
from deskbell_hooks.trim import FACTS
from deskbell_hooks.work import STEPS
from tests.hooks.said import (
    AGENT,
    SESSION,
    SHELL,
    STEP,
    SUBAGENT,
    e,
    folded,
    line,
    lines,
    notification,
    prompt,
    recorded,
    shown,
    task_over,
    tool,
)  # fmt: skip

START = e("SessionStart", source="startup", cwd="/home/user/proj")
ASK_BASH = tool("PermissionRequest")

BEFORE: dict[str, list[Event]] = {
    "nothing": [],
    "new": [START],
    "idle": [START, prompt(), e("Stop")],
    "working": [START, prompt()],
    "in a tool": [START, prompt(), tool("PreToolUse", use="t1")],
    "permission": [START, prompt(), tool("PreToolUse", use="t1"), ASK_BASH],
    "question": [START, prompt(), tool("PreToolUse", "AskUserQuestion", "Which?", use="q1")],
    "plan": [START, prompt(), tool("PreToolUse", "ExitPlanMode", "# The plan\nsteps", use="p1")],
    "input": [START, prompt(), e("Elicitation", mcp_server_name="elic", message="Your name?")],
    "guess": [START, prompt(), notification("permission_prompt")],
    "error": [START, prompt(), e("StopFailure", error="rate_limit", last_assistant_message="slow down")],
    "interrupted": [START, prompt(), tool("PostToolUseFailure", error="cut", is_interrupt=True)],
    "compacting": [START, prompt(), e("PreCompact", trigger="auto")],
    "background": [START, prompt(), e("Stop", background_tasks=[SHELL])],
    "agent waits": [START, prompt(), e("Stop", background_tasks=[SUBAGENT]), tool("PermissionRequest", **AGENT)],
    "two waits": [START, prompt(), ASK_BASH, tool("PermissionRequest", what="rm x", **AGENT)],
    "ended": [START, e("SessionEnd", reason="logout")],
}

CHANGES: list[tuple[str, Event, tuple[str, str]]] = [
    ("nothing", START, ("new", "")),
    ("nothing", e("SessionStart", source="clear"), ("new", "")),
    ("nothing", e("SessionStart", source="resume"), ("idle", "")),
    ("nothing", e("SessionStart", source="fork"), ("idle", "")),
    ("nothing", e("SessionStart"), ("idle", "")),
    ("new", prompt(), ("working", "Thinking")),
    ("new", e("Stop"), ("idle", "")),
    ("new", e("SessionStart", source="resume"), ("idle", "")),
    ("new", e("PreCompact", trigger="manual"), ("working", "Compacting")),
    ("new", e("SubagentStart", **AGENT), ("background", "1 subagent")),
    ("new", e("SessionEnd", reason="other"), ("ended", "other")),
    ("nothing", prompt(), ("working", "Thinking")),
    ("nothing", tool("PreToolUse"), ("working", "Bash: make test")),
    ("nothing", tool("PostToolUse"), ("working", "Thinking")),
    ("nothing", e("PostToolBatch", tool_calls=[]), ("working", "Thinking")),
    ("nothing", ASK_BASH, ("permission", "Bash: make test")),
    ("nothing", e("Stop"), ("idle", "")),
    ("nothing", e("SessionEnd", reason="other"), ("ended", "other")),
    ("nothing", e("Setup", trigger="init"), ("working", "Setup")),
    ("idle", prompt(), ("working", "Thinking")),
    ("idle", task_over("b1"), ("working", "Thinking")),
    ("idle", e("PreCompact", trigger="manual"), ("working", "Compacting")),
    ("working", e("PreCompact", trigger="manual"), ("working", "Compacting")),
    ("idle", notification("permission_prompt"), ("permission", "Claude needs your permission")),
    ("idle", e("SessionEnd", reason="prompt_input_exit"), ("ended", "prompt_input_exit")),
    ("working", tool("PreToolUse", "Read", "x"), ("working", "Read: x")),
    ("working", tool("PreToolUse", "AskUserQuestion", "Which?"), ("question", "Which?")),
    ("working", tool("PreToolUse", "ExitPlanMode", "# Do it\nnow"), ("plan", "Do it")),
    ("working", tool("PreToolUse", "ExitPlanMode", ""), ("plan", "Plan approval")),
    ("working", tool("PreToolUse", "EnterPlanMode", ""), ("plan", "Plan approval")),
    ("working", tool("PermissionRequest", "AskUserQuestion", "Which?"), ("question", "Which?")),
    ("working", tool("PermissionRequest", "ExitPlanMode", ""), ("plan", "Plan approval")),
    ("working", tool("PermissionRequest", "EnterPlanMode", ""), ("plan", "Plan approval")),
    ("working", e("Elicitation", mcp_server_name="elic", message="Name?"), ("input", "elic: Name?")),
    ("working", notification("permission_prompt"), ("permission", "Claude needs your permission")),
    ("working", notification("worker_permission_prompt", "w"), ("permission", "w")),
    ("working", notification("permission_prompt", "needs your approval for the plan"),
     ("plan", "needs your approval for the plan")),
    ("working", e("Notification", message="Claude needs your permission to use Bash"),
     ("permission", "Claude needs your permission to use Bash")),
    ("working", e("Notification", message="Claude is waiting for your input"), ("idle", "")),
    ("working", notification("agent_needs_input", "Auto mode can't check actions"),
     ("input", "Auto mode can't check actions")),
    ("working", notification("elicitation_dialog", "needs input"), ("input", "needs input")),
    ("working", notification("elicitation_url_dialog", "open this"), ("input", "open this")),
    ("working", notification("idle_prompt", "waiting"), ("idle", "")),
    ("working", e("Stop"), ("idle", "")),
    ("working", e("Stop", background_tasks=[SHELL]), ("background", "make serve")),
    ("working", e("Stop", background_tasks=[SHELL, {**SHELL, "id": "b2"}]), ("background", "2 shells")),
    ("working", e("Stop", background_tasks=[SHELL, SUBAGENT]), ("background", "1 subagent, 1 shell")),
    ("working", e("StopFailure", error="server_error", last_assistant_message="500"), ("error", "server_error: 500")),
    ("working", e("StopFailure"), ("error", "unknown")),
    ("working", tool("PostToolUseFailure", error="x", is_interrupt=True), ("interrupted", "Bash: make test")),
    ("in a tool", tool("PostToolUse", use="t1"), ("working", "Thinking")),
    ("in a tool", tool("PostToolUseFailure", use="t1", error="Exit code 3"), ("working", "Thinking")),
    ("in a tool", tool("PermissionDenied", use="t1", reason="no"), ("working", "Thinking")),
    ("in a tool", e("PostToolBatch"), ("working", "Thinking")),
    ("in a tool", tool("PreToolUse", what="ls", use="t2"), ("working", "Bash: ls")),
    ("permission", tool("PostToolUse", use="t1"), ("working", "Thinking")),
    ("permission", tool("PermissionDenied", use="t1"), ("working", "Thinking")),
    ("permission", e("PostToolBatch"), ("working", "Thinking")),
    ("permission", e("Stop"), ("idle", "")),
    ("permission", prompt("no, rather"), ("working", "Thinking")),
    ("permission", e("StopFailure", error="server_error"), ("error", "server_error")),
    ("permission", notification("idle_prompt"), ("idle", "")),
    ("permission", e("SessionEnd", reason="other"), ("ended", "other")),
    ("permission", e("SessionStart", source="resume"), ("idle", "")),
    ("question", tool("PostToolUse", "AskUserQuestion", "Which?", use="q1"), ("working", "Thinking")),
    ("plan", tool("PostToolUse", "ExitPlanMode", "# The plan\nsteps", use="p1"), ("working", "Thinking")),
    ("input", e("ElicitationResult", mcp_server_name="elic", action="accept"), ("working", "Thinking")),
    ("input", notification("elicitation_response", 'Elicitation response for server "elic": cancel'),
     ("working", "Thinking")),
    ("input", notification("elicitation_complete", 'server "elic" is done'), ("working", "Thinking")),
    ("guess", tool("PreToolUse", what="ls"), ("working", "Bash: ls")),
    ("guess", tool("PostToolUse"), ("working", "Thinking")),
    ("guess", ASK_BASH, ("permission", "Bash: make test")),
    ("guess", tool("PermissionRequest", "AskUserQuestion", "Which?"), ("question", "Which?")),
    ("error", prompt(), ("working", "Thinking")),
    ("error", e("Stop"), ("idle", "")),
    ("error", START, ("new", "")),
    ("interrupted", prompt(), ("working", "Thinking")),
    ("interrupted", e("Stop"), ("idle", "")),
    ("compacting", e("PostCompact", trigger="auto"), ("working", "Thinking")),
    ("compacting", e("PostCompact", trigger="manual"), ("idle", "")),
    ("compacting", e("SessionStart", source="compact"), ("working", "Thinking")),
    ("compacting", tool("PreToolUse", what="ls"), ("working", "Bash: ls")),
    ("compacting", e("Stop"), ("idle", "")),
    ("compacting", ASK_BASH, ("permission", "Bash: make test")),
    ("background", task_over("b1"), ("working", "Thinking")),
    ("background", e("Stop", background_tasks=[]), ("idle", "")),
    ("background", START, ("new", "")),
    ("agent waits", tool("PostToolUse", **AGENT), ("background", "look round")),
    ("agent waits", e("SubagentStop", **AGENT), ("idle", "")),
    ("agent waits", e("StopFailure", error="unknown", **AGENT), ("idle", "")),
    ("agent waits", prompt(), ("working", "Thinking")),
    ("two waits", tool("PostToolUse"), ("permission", "Bash: rm x")),
    ("two waits", e("Stop"), ("permission", "Bash: rm x")),
    ("ended", START, ("new", "")),
    ("ended", prompt(), ("working", "Thinking")),
    ("idle", e("SubagentStart", **AGENT), ("background", "1 subagent")),
    ("idle", tool("PreToolUse", **AGENT), ("background", "1 subagent")),
    ("idle", e("TaskCompleted", **AGENT, teammate_name="davinci"), ("background", "1 subagent")),
    ("background", e("SubagentStart", **AGENT), ("background", "1 subagent, 1 shell")),
]  # fmt: skip

NOOPS: list[tuple[str, Event]] = [
    *((state, e("MessageDisplay", turn_id="1", index=0, final=True)) for state in BEFORE if state != "nothing"),
    *((state, e("ThoughtOfTomorrow", mood="new")) for state in BEFORE if state != "nothing"),
    *((state, notification("auth_success", "signed in")) for state in BEFORE if state != "nothing"),
    *((state, e("Notification", message="Something new")) for state in BEFORE if state != "nothing"),
    *((state, e("SubagentStop", agent_id="x", agent_type="")) for state in BEFORE if state != "nothing"),
    ("compacting", tool("PreToolUse", **AGENT)),
    ("working", e("PostToolBatch")),
    ("working", prompt("and this too")),
    ("idle", e("PostToolBatch")),
    ("new", notification("idle_prompt")),
    ("new", e("PostToolBatch")),
    ("idle", notification("idle_prompt")),
    ("error", notification("idle_prompt")),
    ("interrupted", notification("idle_prompt")),
    ("error", e("PostToolBatch")),
    ("permission", notification("permission_prompt")),
    ("permission", tool("PreToolUse", what="ls", use="t2")),
    ("permission", tool("PostToolUse", what="ls", use="t2")),
    ("permission", tool("PostToolUse", use="t1", **AGENT)),
    ("permission", tool("PostToolUse", what="ls")),
    ("permission", tool("PostToolUse", "Read")),
    ("permission", e("Elicitation", mcp_server_name="elic", message="later")),
    ("permission", ASK_BASH),
    ("question", tool("PermissionRequest", "AskUserQuestion", "Which?")),
    ("question", notification("permission_prompt")),
    ("plan", tool("PermissionRequest", "ExitPlanMode", "# The plan\nsteps")),
    ("plan", notification("permission_prompt", "needs your approval for the plan")),
    ("input", e("ElicitationResult", mcp_server_name="other", action="accept")),
    ("input", notification("elicitation_response", 'Elicitation response for server "other": accept')),
    ("input", notification("elicitation_dialog")),
    ("input", tool("PostToolUse", what="ls")),
    ("agent waits", tool("PreToolUse", what="ls", agent_id="a2", agent_type="Plan")),
    ("agent waits", tool("PostToolUse", agent_id="a2", agent_type="Plan")),
    ("agent waits", task_over("other")),
    ("working", tool("PreToolUse", "AskUserQuestion", "Mine?", **AGENT)),
    ("working", e("CwdChanged", old_cwd="/a", new_cwd="/b")),
    ("working", e("ConfigChange", source="user_settings")),
    ("ended", tool("PostToolUse", **AGENT)),
    ("background", e("TeammateIdle", teammate_name="davinci")),
    ("background", e("TaskCompleted", teammate_name="davinci")),
]


def seen(record: Record) -> dict[str, Any]:
    names = ("status", "detail", "turn", "pending", "since", "error", "compacting", "tasks")
    return {name: record.get(name) for name in names}


def test_every_row_of_the_table_occurs_in_these_tests() -> None:
    shown = {key for _, event, _ in CHANGES for key in keys(event)} | {key for _, event in NOOPS for key in keys(event)}
    assert set(TABLE) <= shown


def keys(event: Event) -> set[str]:
    name = event["hook_event_name"]
    more = (event.get("source"), event.get("notification_type"), event.get("tool_name"), event.get("trigger"))
    known = {f"{name}:{text}" for text in more if text}
    if event.get("agent_id"):
        known.add(f"{name}:subagent")
    if event.get("is_interrupt"):
        known.add(f"{name}:interrupt")
    return known | {name, f"{name}:machine"} if "<task" in event.get("prompt", "") else known | {name}


def test_a_row_names_its_five_cells() -> None:
    row = Row("idle", "Setup", "all", "plan", "call")
    assert (row.turn, row.doing, row.settles, row.asks, row.work) == ("idle", "Setup", "all", "plan", "call")


WORDS = [("al", "", ""), ("", "plan?", ""), ("", "permision", ""), ("", "", "compactd"), ("", "", "call tsks")]


@pytest.mark.parametrize(("settles", "asks", "work"), WORDS)
def test_a_row_with_an_unknown_word_is_refused(settles: str, asks: str, work: str) -> None:
    with pytest.raises(ValueError, match="unknown word"):
        Row(None, "", settles, asks, work)


def test_every_word_of_the_work_has_a_step() -> None:
    assert STEPS.keys() | {"call"} == WORK
    assert {word for row in TABLE.values() for word in row.work.split()} == WORK


def test_the_fields_of_every_event_of_the_table_are_kept() -> None:
    assert {row.partition(":")[0] for row in TABLE} <= set(FACTS)


@pytest.mark.parametrize(("before", "event", "after"), CHANGES)
def test_an_event_that_changes_the_status(before: str, event: Event, after: tuple[str, str]) -> None:
    assert shown(recorded(*BEFORE[before], event)) == after


@pytest.mark.parametrize(("before", "event"), NOOPS)
def test_an_event_that_changes_nothing(before: str, event: Event) -> None:
    record = recorded(*BEFORE[before])
    after = fold(record, line(event, 60_000), SESSION)
    if before == "permission" and event["hook_event_name"] == "Elicitation":
        assert after["pending"][:-1] == record["pending"]
    elif before == "agent waits" and "UserPromptSubmit" in event["hook_event_name"]:
        assert after["pending"] == record["pending"]
    else:
        assert seen(after) == seen(record)
    assert shown(after) == shown(record)


# Rules


def test_in_an_unattended_client_nothing_is_asked() -> None:
    where = {"pid": 1, "start": 2, "attended": False, "handles": {}}
    journal = lines([START, prompt(), tool("PreToolUse"), ASK_BASH, e("Elicitation", mcp_server_name="elic")])
    record = folded([{**journal[0], "client": {"pid": 1, "start": 2}, "where": where}, *journal[1:]])  # type: ignore[typeddict-item]
    assert shown(record) == ("working", "Bash: make test")
    assert record["pending"] == []


def test_a_background_session_asks_although_it_says_that_it_is_unattended() -> None:
    where = {"pid": 1, "start": 2, "attended": False, "entrypoint": "cli", "handles": {}}
    journal = lines([START, prompt(), tool("PreToolUse"), ASK_BASH])
    record = folded([{**journal[0], "client": {"pid": 1, "start": 2}, "where": where}, *journal[1:]])  # type: ignore[typeddict-item]
    assert shown(record) == ("permission", "Bash: make test")


def test_compacting_by_hand_ends_the_turn_and_automatic_compaction_does_not() -> None:
    by_hand = recorded(START, prompt(), tool("PreToolUse"), e("PreCompact", trigger="manual"), e("PostCompact"))
    by_itself = recorded(START, prompt(), e("PreCompact", trigger="auto"), e("PostCompact"))
    assert (shown(by_hand), shown(by_itself)) == (("idle", ""), ("working", "Thinking"))


def test_compacting_by_hand_ends_the_turn_even_if_only_its_end_was_reported() -> None:
    failed = [START, prompt(), e("StopFailure", error="rate_limit")]

    assert shown(recorded(*failed, e("PostCompact", trigger="manual"))) == ("idle", "")
    assert shown(recorded(*failed, e("PostCompact", trigger="auto"))) == ("error", "rate_limit")


def test_since_is_when_the_status_began_or_the_request_was_asked() -> None:
    record = recorded(START, prompt(), tool("PreToolUse", use="t1"), tool("PostToolUse", use="t1"))
    assert record["since"] == 1_000_002
    record = recorded(START, prompt(), ASK_BASH, notification("permission_prompt"))
    assert record["since"] == 1_000_003


def test_the_oldest_request_is_shown_and_then_the_next() -> None:
    first, second = tool("PermissionRequest", what="one"), tool("PermissionRequest", what="two", **AGENT)
    assert shown(recorded(START, prompt(), first, second)) == ("permission", "Bash: one")
    assert shown(recorded(START, prompt(), first, second, tool("PostToolUse", what="one"))) == (
        "permission",
        "Bash: two",
    )


def test_two_identical_calls_are_two_requests_one_after_the_other() -> None:
    story = [prompt(), tool("PreToolUse", use="t1"), tool("PreToolUse", use="t2"), ASK_BASH]
    assert [p["use"] for p in recorded(*story)["pending"]] == ["t1"]
    assert [p["use"] for p in recorded(*story, tool("PostToolUse", use="t1"), ASK_BASH)["pending"]] == ["t2"]


def test_a_permission_names_the_call_it_belongs_to() -> None:
    assert recorded(*BEFORE["permission"])["pending"][0]["use"] == "t1"


def test_subagents_are_counted_while_the_turn_waits_for_them() -> None:
    call = tool("PreToolUse", "Agent", use="g1")
    started = e("SubagentStart", **AGENT)
    assert shown(recorded(prompt(), call, started)) == ("working", "1 subagent")
    assert shown(recorded(prompt(), call, started, {**started, "agent_id": "a2"})) == ("working", "2 subagents")


def test_the_length_of_a_turn_is_remembered() -> None:
    assert recorded(START, prompt(), tool("PreToolUse"), e("Stop"))["last_turn_seconds"] == 2.0


@pytest.mark.parametrize("status", ["idle", "background"])
def test_the_newest_stop_dates_the_end_of_a_turn_that_a_hook_made_go_on(status: str) -> None:
    stop = e("Stop", background_tasks=[SHELL] if status == "background" else [])
    first = recorded(START, prompt(), stop)
    again = recorded(START, prompt(), stop, stop)
    assert (first["status"], first["since"], first["last_turn_seconds"]) == (status, 1_000_003.0, 1.0)
    assert (again["status"], again["since"], again["last_turn_seconds"]) == (status, 1_000_004.0, 2.0)


@pytest.mark.parametrize("after", [notification("idle_prompt"), e("SubagentStop", **AGENT)])
def test_nothing_but_a_stop_dates_the_end_again(after: Event) -> None:
    record = recorded(START, prompt(), e("Stop"), after)
    assert (record["status"], record["since"], record["last_turn_seconds"]) == ("idle", 1_000_003.0, 1.0)


def test_a_stop_of_a_subagent_dates_nothing() -> None:
    record = recorded(START, prompt(), e("Stop", background_tasks=[SUBAGENT]), e("Stop", **AGENT))
    assert (record["status"], record["since"], record["last_turn_seconds"]) == ("background", 1_000_003.0, 1.0)


def test_a_stop_that_was_overtaken_dates_nothing() -> None:
    first, late, newest = lines([prompt(), e("Stop"), e("Stop")])
    record = folded([first, newest, late])
    assert (record["since"], record["last_turn_seconds"]) == (newest["at"], newest["at"] - first["at"])


def test_a_turn_begins_once_with_a_prompt_or_a_call() -> None:
    for first in (prompt(), task_over("b1"), tool("PreToolUse")):
        assert recorded(START, first, tool("PreToolUse", what="ls"), e("PostToolBatch"))["turn_started"] == 1_000_002


def test_a_clock_that_is_set_back_gives_no_negative_length_of_a_turn() -> None:
    first, second = lines([prompt(), e("Stop")])
    record = folded([first, {**second, "at": 5.0}])
    assert (record["status"], record["last_turn_seconds"], record["since"]) == ("idle", 0.0, 5.0)


def run(turn: str, **fields: Any) -> Any:
    return {"turn": turn, "pending": [], "calls": [], **fields}


def asked(order: int, subject: str) -> dict[str, Any]:
    return {"kind": "permission", "tool": "Bash", "subject": subject, "at": order / 1000, "order": order}


def call(name: str, agent: str = "") -> dict[str, str]:
    return {"tool": name, "subject": "x", "agent": agent}


RUNNING = {"id": "a1", "status": "running"}
TASK = {"id": "b1", "type": "shell", "description": "make serve"}
STATUSES: list[tuple[Any, tuple[str, str, float | None]]] = [
    (run("ended"), ("ended", "", None)),
    (run("ended", error="logout", pending=[asked(1, "ls")], compacting=True), ("ended", "logout", None)),
    (run("idle", pending=[asked(2, "two"), asked(1, "one")]), ("permission", "Bash: one", 0.001)),
    (run("error", compacting=True), ("working", "Compacting", None)),
    (run("error"), ("error", "", None)),
    (run("interrupted", error="Bash: x"), ("interrupted", "Bash: x", None)),
    (run("working"), ("working", "Thinking", None)),
    (run("working", doing="Setup"), ("working", "Setup", None)),
    (run("working", calls=[call("Read"), call("Bash"), call("Bash", "a1")]), ("working", "Bash: x", None)),
    (run("working", calls=[call("Bash")], agents=[RUNNING]), ("working", "Bash: x", None)),
    (run("working", calls=[call("Agent")]), ("working", "Agent: x", None)),
    (run("working", calls=[call("Agent")], agents=[RUNNING]), ("working", "1 subagent", None)),
    (run("working", calls=[call("Task")], agents=[RUNNING]), ("working", "1 subagent", None)),
    (run("idle"), ("idle", "", None)),
    (run("idle", agents=[{"id": "a1", "status": "done"}]), ("idle", "", None)),
    (run("idle", agents=[RUNNING]), ("background", "1 subagent", None)),
    (run("idle", tasks=[TASK]), ("background", "make serve", None)),
    (run("idle", tasks=[{**TASK, "description": ""}]), ("background", "1 shell", None)),
    (run("idle", tasks=[{**TASK, "type": "subagent"}, {**TASK, "type": "subagent", "description": "y"}]),
     ("background", "make serve", None)),
    (run("idle", tasks=[TASK, {**TASK, "type": "monitor"}], agents=[RUNNING]),
     ("background", "1 subagent, 1 monitor, 1 shell", None)),
]  # fmt: skip


@pytest.mark.parametrize(("one", "expected"), STATUSES)
def test_the_status_is_derived_from_the_run(one: Any, expected: tuple[str, str, float | None]) -> None:
    assert status_of(one) == expected


WORDS = [
    ("Bash", "ls", "Bash: ls"), ("Bash", "", "Bash"), ("", "needs you", "needs you"), ("", "", ""),
    ("AskUserQuestion", "Which?", "Which?"), ("AskUserQuestion", "", "Question"), ("ExitPlanMode", "", "Plan approval"),
    ("EnterPlanMode", "", "Plan approval"), ("EnterPlanMode", "x", "x"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "subject", "expected"), WORDS)
def test_the_words_for_a_call(name: str, subject: str, expected: str) -> None:
    assert words(cast("Call", {"tool": name, "subject": subject})) == expected


def test_a_record_names_its_session_and_the_time_of_its_last_event() -> None:
    record = folded([line(prompt(), 1_000), line(tool("PostToolUse"), 2_000)])
    assert record["session_id"] == SESSION
    assert (record["turn_at"], record["last_at"], record["last_event"]) == (1_000_002.0, 1_000_002.0, "PostToolUse")


def test_the_length_of_a_turn_is_rounded_to_milliseconds() -> None:
    first, second = lines([prompt(), e("Stop")])
    record = folded([{**first, "at": 1.0}, {**second, "at": 2.23456}])
    assert record["last_turn_seconds"] == 1.235


# Time


def test_the_first_event_of_a_clock_is_not_late() -> None:
    assert shown(folded([line(e("SessionEnd", reason="other"), 0)])) == ("ended", "other")


def test_a_reminder_is_not_the_newest_event_of_the_main_loop() -> None:
    reminded = [line(prompt(), 1_000), line(notification("permission_prompt"), 9_000)]
    record = folded(reminded)
    assert (record["turn_at"], record["last_at"]) == (1_000_001.0, 1_000_009.0)
    assert folded([*reminded, line(e("Stop"), 8_000)])["turn"] == "idle"
    assert folded([line(prompt(), 1_000), line(notification("idle_prompt"), 9_000)])["turn_at"] == 1_000_009.0


def test_an_event_of_a_subagent_is_never_late() -> None:
    record = folded([line(prompt(), 2_000), line(tool("PostToolUse", **AGENT), 1_000)])
    assert (record["last_event"], record["last_at"]) == ("PostToolUse", 1_000_001.0)


def test_events_of_two_boots_count_in_the_order_of_arrival() -> None:
    record = folded([line(prompt(), 900_000), line(e("Stop"), 500)])
    assert record["status"] == "idle"


QUESTION = [
    tool("PreToolUse", "AskUserQuestion", "W?", use="u"),
    tool("PermissionRequest", "AskUserQuestion", "W?"),
    tool("PostToolUse", "AskUserQuestion", "W?", use="u"),
]
LATE: list[tuple[list[Event], tuple[str, str]]] = [
    ([prompt(), tool("PreToolUse", use="t1"), tool("PostToolUse", use="t1")], ("working", "Thinking")),
    ([prompt(), tool("PreToolUse"), tool("PostToolUse")], ("working", "Thinking")),
    ([prompt(), tool("PreToolUse", use="t1"), ASK_BASH, tool("PostToolUse", use="t1")], ("working", "Thinking")),
    ([prompt(), tool("PreToolUse", use="t1"), ASK_BASH], ("permission", "Bash: make test")),
    ([prompt(), *QUESTION[:2]], ("question", "W?")),
    ([prompt(), *QUESTION], ("working", "Thinking")),
    ([prompt(), ASK_BASH, e("Stop")], ("idle", "")),
    ([prompt(), e("PostToolBatch"), e("Stop")], ("idle", "")),
    ([prompt(), e("StopFailure", error="rate_limit")], ("error", "rate_limit")),
    ([e("StopFailure", error="rate_limit"), prompt()], ("working", "Thinking")),
    ([prompt(), e("Elicitation", mcp_server_name="elic", message="?"), e("ElicitationResult", mcp_server_name="elic")],
     ("working", "Thinking")),
    ([ASK_BASH, prompt("no")], ("working", "Thinking")),
    ([START, prompt()], ("working", "Thinking")),
    ([e("Stop"), e("SessionEnd", reason="other")], ("ended", "other")),
    ([e("PreCompact"), e("SessionStart", source="compact"), e("PostCompact")], ("idle", "")),
    ([tool("PermissionRequest", **AGENT), e("SubagentStop", **AGENT)], ("idle", "")),
    ([tool("PreToolUse", use="z", **AGENT), tool("PostToolUse", use="z", **AGENT), e("SubagentStop", **AGENT)],
     ("idle", "")),
    ([e("SubagentStart", **AGENT), e("SubagentStop", **AGENT)], ("idle", "")),
    ([e("Stop", background_tasks=[SUBAGENT]), e("SubagentStop", **AGENT)], ("idle", "")),
    ([notification("idle_prompt"), prompt()], ("working", "Thinking")),
    ([notification("permission_prompt"), tool("PostToolUse")], ("working", "Thinking")),
    ([tool("PreToolUse", what="ls"), notification("agent_needs_input", "Auto mode")], ("input", "Auto mode")),
]  # fmt: skip


@pytest.mark.parametrize(("events", "after"), LATE)
def test_two_events_in_the_wrong_order_leave_the_status_of_the_right_order(
    events: list[Event], after: tuple[str, str]
) -> None:
    journal = lines(events)
    assert shown(folded(journal)) == after
    for n in range(len(journal) - 1):
        swapped = [*journal[:n], journal[n + 1], journal[n], *journal[n + 2 :]]
        assert shown(folded(swapped)) == after, f"{n} and {n + 1} swapped"


def test_a_settlement_is_forgotten_when_a_newer_one_covers_it() -> None:
    done, theirs = tool("PostToolUse", use="t1"), tool("PostToolUse", use="t2", **AGENT)
    story = [prompt(), done, theirs, e("PostToolBatch")]

    def scopes(journal: list[Line]) -> list[list[str]]:
        return [one[1:3] for one in folded(journal)["settled"]]

    assert scopes(lines(story)) == [["*", "*"], ["a1", "t2"], ["", "*"]]
    assert scopes(lines([*story, prompt()])) == [["*", "*"]]
    assert scopes([*lines(story), line(e("PostToolBatch"), 1_500)]) == [["*", "*"], ["a1", "t2"], ["", "*"], ["", "*"]]
    assert scopes(lines([*story, e("UserPromptSubmit", prompt="x", **AGENT)])) == [["*", "*"], ["", "*"], ["a1", "*"]]


def test_a_question_that_arrives_before_its_call_learns_the_id_of_the_call() -> None:
    other = tool("PermissionRequest", what="ls", **AGENT)
    call, asked = QUESTION[:2]
    record = folded([line(prompt(), 1_000), line(other, 1_500), line(asked, 3_000), line(call, 2_000)])
    assert [(p["tool"], p["use"]) for p in record["pending"]] == [("Bash", ""), ("AskUserQuestion", "u")]
    again = folded([line({**asked, "tool_use_id": "other"}, 4_000)], record)
    assert [(p["tool"], p["use"]) for p in again["pending"]][1:] == [
        ("AskUserQuestion", "u"),
        ("AskUserQuestion", "other"),
    ]


SETTLED = tool("PostToolUse", use="t1")
AFTER_ALL: list[tuple[Event, tuple[str, str]]] = [
    (tool("PreToolUse", use="t1"), ("working", "Thinking")),
    (tool("PreToolUse"), ("working", "Thinking")),
    (tool("PermissionRequest"), ("working", "Thinking")),
    (tool("PreToolUse", use="t2"), ("working", "Bash: make test")),
    (tool("PermissionRequest", what="make other"), ("permission", "Bash: make other")),
    (tool("PermissionRequest", "Shell", "make test"), ("permission", "Shell: make test")),
    (tool("PermissionRequest", **AGENT), ("permission", "Bash: make test")),
]


@pytest.mark.parametrize(("late", "after"), AFTER_ALL)
def test_a_late_event_asks_unless_its_call_is_settled(late: Event, after: tuple[str, str]) -> None:
    assert shown(folded([line(prompt(), 1_000), line(SETTLED, 3_000), line(late, 2_000)])) == after


def test_in_the_moment_of_the_end_only_a_start_comes_after_it() -> None:
    end, stop, start = (line(event, 5_000) for event in (e("SessionEnd", reason="other"), e("Stop"), START))
    assert shown(folded([stop, end])) == ("ended", "other")
    assert shown(folded([end, stop])) == ("ended", "other")
    assert shown(folded([end, start])) == ("new", "")
    agent = line(e("SubagentStart", agent_id="a1", agent_type="Plan"), 5_000)
    assert [agent["status"] for agent in folded([agent, end])["agents"]] == ["done"]


def test_a_late_event_is_counted_and_remembered_but_undoes_nothing() -> None:
    first, second = lines([e("StopFailure", error="rate_limit", last_assistant_message="slow"), prompt("go on")])
    record = folded([second, first])
    assert shown(record) == ("working", "Thinking")
    assert record["counters"]["errors"] == 1
    assert record["last_error"]["kind"] == "rate_limit"
    assert record["last_event"] == "UserPromptSubmit"


def test_the_prompt_of_a_record_is_the_newest_in_any_order_of_arrival() -> None:
    first, second = lines([prompt("first"), prompt("second")])
    record = folded([second, first])
    assert (record["prompt"], record["turns"], record["turn_started"]) == ("second", 2, second["at"])


# Laws

TOOLS = st.sampled_from(["Bash", "Read", "AskUserQuestion", "ExitPlanMode", "Agent", "mcp__elic__ask"])
SCOPES = st.sampled_from([{}, {}, {}, AGENT, {"agent_id": "a2", "agent_type": "Plan"}])
KINDS = [row.partition(":")[2] for row in TABLE if row.startswith("Notification:")]


@st.composite
def events(draw: st.DrawFn) -> Event:
    name = draw(st.sampled_from(sorted(FACTS)))
    fields: dict[str, Any] = dict(draw(SCOPES))
    if "ool" in name or "ermission" in name:
        fields |= {"tool_name": draw(TOOLS), "tool_input": {"command": draw(st.sampled_from("ab"))}}
        if name != "PermissionRequest":
            fields["tool_use_id"] = draw(st.sampled_from(["t1", "t2", "t3"]))
    if name in ("Stop", "SubagentStop") and draw(st.booleans()):
        fields["background_tasks"] = draw(st.lists(st.sampled_from([SHELL, SUBAGENT]), max_size=2))
    own = {
        "SessionStart": {"source": st.sampled_from(["startup", "resume", "clear", "compact", "fork"])},
        "UserPromptSubmit": {"prompt": st.sampled_from(["go", "<task-notification><task-id>a1</task-id>"])},
        "Notification": {"notification_type": st.sampled_from([*KINDS, "auth_success"])},
        "PostToolUseFailure": {"error": st.just("bad"), "is_interrupt": st.booleans()},
        "Elicitation": {"mcp_server_name": st.just("elic")},
        "ElicitationResult": {"mcp_server_name": st.just("elic")},
        "StopFailure": {"error": st.just("rate_limit")},
    }.get(name, {})
    return e(name, **fields, **{field: draw(value) for field, value in own.items()})


@given(st.lists(events(), max_size=40))
def test_fold_changes_neither_of_its_arguments(story: list[Event]) -> None:
    record: Record | None = None
    for one in lines(story):
        before = copy.deepcopy((record, one))
        after = fold(record, one, SESSION)
        assert (record, one) == before
        record = after


@given(st.lists(events(), min_size=1, max_size=40))
def test_a_subagent_never_changes_the_turn_or_the_requests_of_the_main_loop(story: list[Event]) -> None:
    record: Record | None = None
    for one in lines(story):
        after = fold(record, one, SESSION)
        if record and one.get("agent"):
            assert after["turn"] == record["turn"]
            assert [p for p in after["pending"] if not p["agent"]] == [p for p in record["pending"] if not p["agent"]]
            assert after.get("order") == record.get("order")
        record = after


@given(st.lists(events(), min_size=1, max_size=40), st.randoms(use_true_random=False))
def test_counters_do_not_depend_on_the_order_of_arrival(story: list[Event], random: Any) -> None:
    journal = lines(story)
    mixed = random.sample(journal, len(journal))
    first, second = folded(journal), folded(mixed)
    assert first["counters"] == second["counters"]
    assert (first["turns"], first.get("todo")) == (second["turns"], second.get("todo"))


@given(st.lists(events(), min_size=1, max_size=30), events())
def test_an_older_event_neither_begins_a_turn_nor_settles_a_newer_request(story: list[Event], late: Event) -> None:
    record = folded(lines(story, first=100_000))
    after = fold(record, line(late, 99_000), SESSION)
    asked = [(p["kind"], p["tool"], p["order"]) for p in after["pending"]]
    assert all((p["kind"], p["tool"], p["order"]) in asked for p in record["pending"])
    if any(not event.get("agent_id") and event["hook_event_name"] != "Notification" for event in story):
        assert after["turn"] == record["turn"]


TURN = st.sampled_from(
    [
        [tool("PreToolUse", use="u"), tool("PostToolUse", use="u"), e("PostToolBatch")],
        [tool("PreToolUse", use="u"), ASK_BASH, tool("PostToolUse", use="u"), e("PostToolBatch")],
        [*QUESTION, e("PostToolBatch")],
        [tool("PreToolUse", "mcp__elic__ask", use="u"), e("Elicitation", mcp_server_name="elic", message="?"),
         e("ElicitationResult", mcp_server_name="elic"), tool("PostToolUse", "mcp__elic__ask", use="u")],
        [e("SubagentStart", **AGENT), tool("PreToolUse", use="v", **AGENT), tool("PermissionRequest", **AGENT),
         tool("PostToolUse", use="v", **AGENT), e("SubagentStop", **AGENT)],
    ]
)  # fmt: skip
END = st.sampled_from([[], [e("Stop")], [e("StopFailure", error="server_error")], [e("Stop"), prompt("more")]])


@given(st.lists(TURN, min_size=1, max_size=4), END, st.data())
def test_swapping_two_neighbours_does_not_change_the_status(
    turns: list[list[Event]], end: list[Event], data: st.DataObject
) -> None:
    story = [START, prompt()]
    for n, turn in enumerate(turns):
        story += [{**event, "tool_use_id": f"{n}{event['tool_use_id']}"} if "tool_use_id" in event else event
                  for event in turn]  # fmt: skip
    journal = lines([*story, *end])
    at = data.draw(st.integers(0, len(journal) - 2))
    swapped = [*journal[:at], journal[at + 1], journal[at], *journal[at + 2 :]]
    assert shown(folded(swapped)) == shown(folded(journal))
    assert journal[1]["order"] - journal[0]["order"] == STEP
