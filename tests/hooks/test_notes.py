"""Test what a record remembers besides the status: titles, prompts, counts, files and errors."""

from typing import Any, cast

import pytest

from deskbell_hooks.notes import MOST_PROMPTS, MOST_TOOLS, call_text, is_by_client, is_machine
from deskbell_hooks.schema import Event, Line
from tests.hooks.said import (
    AGENT,
    SHELL,
    e,
    folded,
    line,
    lines,
    notification,
    of_client,
    prompt,
    recorded,
    task_over,
    tool,
)


def wrote(name: str, path: str, response: object = None, **fields: Any) -> Event:
    return e("PostToolUse", tool_name=name, tool_input={"file_path": path}, tool_response=response, **fields)


REMEMBERED: list[tuple[list[Event], str, object]] = [
    ([prompt("fix the bug\nin main.py")], "title", ""),
    ([prompt("one"), prompt("two")], "title", ""),
    ([prompt("one"), prompt("two")], "prompt", "two"),
    ([prompt("one"), prompt("two")], "turns", 2),
    ([e("SessionStart", session_title="Named"), prompt("one")], "title", "Named"),
    ([prompt("one"), prompt("two", session_title="Renamed")], "title", "Renamed"),
    ([prompt("one"), task_over("b1")], "prompt", "one"),
    ([prompt("one"), task_over("b1")], "turns", 1),
    ([prompt("x" * 600)], "prompt", "x" * 500),
    ([prompt(f'<pasted_content id="a1">\n{"x" * 490}\n</pasted_content id="a1">')], "prompt", "x" * 490),
    ([e("SessionStart", cwd="/home/user/proj"), prompt(cwd="/tmp/x")], "start_cwd", "/home/user/proj"),
    ([e("SessionStart", cwd="/home/user/proj"), prompt(cwd="/tmp/x")], "cwd", "/tmp/x"),
    ([e("SessionStart", cwd="/home/user/proj"), prompt(cwd="/tmp/x")], "project", "proj"),
    ([prompt(cwd="C:\\Users\\me\\proj\\")], "project", "proj"),
    ([prompt(cwd="\\\\server\\share\\proj")], "project", "proj"),
    ([prompt(cwd="/home/user/back\\slash")], "project", "back\\slash"),
    ([prompt(cwd="/")], "project", "/"),
    ([e("CwdChanged", old_cwd="/a", new_cwd="/b", cwd="/a")], "cwd", "/b"),
    ([e("SessionStart", model="claude-opus")], "model", "claude-opus"),
    ([e("SessionStart", model="claude-opus"), e("PostModelSwitch", to_model="haiku")], "model", "haiku"),
    ([prompt(permission_mode="plan")], "mode", "plan"),
    ([prompt(permission_mode="plan"), tool("PreToolUse", permission_mode="default", **AGENT)], "mode", "plan"),
    ([e("Stop", last_assistant_message="Done.")], "last_message", "Done."),
    ([e("TaskCreated"), e("TaskCreated"), e("TaskCompleted")], "todo", [1, 2]),
    ([prompt(), task_over("b1")], "person_at", 1_000_001.0),
    ([prompt(), prompt()], "person_at", 1_000_002.0),
    ([prompt(), tool("PermissionRequest"), tool("PostToolUse")], "asked_at", 1_000_002.0),
    ([prompt(), e("Elicitation", mcp_server_name="elic", message="Name?")], "asked_at", 1_000_002.0),
]  # fmt: skip

COUNTED: list[tuple[list[Event], dict[str, int]]] = [
    ([wrote("Write", "/a")], {"new": 1}),
    ([wrote("Write", "/a", {"type": "create"})], {"new": 1}),
    ([wrote("Write", "/a", {"type": "update"})], {"edited": 1}),
    ([wrote("Edit", "/a"), wrote("MultiEdit", "/a"), wrote("NotebookEdit", "/a.ipynb")], {"edited": 3}),
    ([wrote("Read", "/a"), wrote("Read", "/a", agent_id="a1", agent_type="Plan")], {"read": 2}),
    ([tool("PostToolUseFailure", error="Exit code 3")], {"errors": 1}),
    ([tool("PostToolUse", tool_response={"error": "not found"})], {"errors": 1}),
    ([tool("PostToolUse", tool_response={"is_error": True})], {"errors": 1}),
    ([e("StopFailure", error="rate_limit")], {"errors": 1}),
    ([notification("permission_prompt"), notification("auth_success")], {"notifications": 2}),
    ([prompt(), prompt()], {"prompts": 2}),
]
NOT_COUNTED: list[Event] = [
    e("PreToolUse", tool_name="Write", tool_input={"file_path": "/a"}),
    e("PostToolUseFailure", tool_name="Write", tool_input={"file_path": "/a"}, is_interrupt=True, error="cut"),
    tool("PermissionRequest"),
    task_over("b1"),
    e("PostToolBatch", tool_calls=[{"tool_name": "Write"}]),
    e("SubagentStop", **AGENT, last_assistant_message="x"),
]


@pytest.mark.parametrize(("story", "name", "value"), REMEMBERED)
def test_what_is_remembered(story: list[Event], name: str, value: object) -> None:
    assert dict(recorded(*story))[name] == value


@pytest.mark.parametrize(("story", "counts"), COUNTED)
def test_what_is_counted(story: list[Event], counts: dict[str, int]) -> None:
    found = dict(recorded(*story)["counters"])
    assert {name: count for name, count in found.items() if count and name not in ("tools", "events")} == counts


@pytest.mark.parametrize("event", NOT_COUNTED)
def test_an_event_that_counts_as_nothing_but_an_event(event: Event) -> None:
    found = dict(recorded(event)["counters"])
    assert {name for name, count in found.items() if count and name not in ("tools", "events")} == set()


def test_every_event_is_counted_and_every_tool_by_its_name() -> None:
    counters = recorded(prompt(), tool("PostToolUse"), tool("PostToolUse", "Read"), tool("PostToolUseFailure"))[
        "counters"
    ]
    assert (counters["events"], counters["tools"]) == (4, {"Bash": 2, "Read": 1})


def test_tools_beyond_the_limit_are_counted_together() -> None:
    counters = recorded(*(tool("PostToolUse", f"mcp__{n}") for n in range(MOST_TOOLS + 5)))["counters"]
    assert len(counters["tools"]) == MOST_TOOLS + 1
    assert counters["tools"]["other"] == 5


def test_the_last_error_names_the_call_and_the_message() -> None:
    error = recorded(tool("PostToolUseFailure", what="make test", error="Exit code 3\nboom"))["last_error"]
    assert (error["kind"], error["message"]) == ("Bash: make test", "Exit code 3\nboom")


def test_the_last_error_names_its_tool_even_if_the_tool_is_counted_with_others() -> None:
    many = [tool("PostToolUse", f"mcp__{n}") for n in range(MOST_TOOLS)]
    record = recorded(*many, tool("PostToolUseFailure", "Extra", "make test", error="Exit code 3"))
    assert (record["last_error"]["kind"], record["counters"]["tools"]["other"]) == ("Extra: make test", 1)


def test_the_last_error_of_a_turn_has_the_message_or_else_the_details() -> None:
    words, details = {"last_assistant_message": "said"}, {"error_details": "detailed"}
    said = [
        recorded(e("StopFailure", error="x", **more))["last_error"]["message"]
        for more in ({**words, **details}, details)
    ]
    assert said == ["said", "detailed"]


def test_an_interrupt_is_not_counted_as_an_error_and_names_its_call() -> None:
    record = recorded(prompt(), tool("PostToolUseFailure", error="cut", is_interrupt=True))
    assert (record["counters"]["errors"], record["error"]) == (0, "Bash: make test")


NEWER = e("PostModelSwitch", to_model="haiku", cwd="/new")
LATE_START = e("SessionStart", model="opus", session_title="Named", cwd="/start")
COMES_LATE: list[tuple[Event, Event, str, object]] = [
    (NEWER, LATE_START, "model", "haiku"),
    (NEWER, LATE_START, "title", "Named"),
    (NEWER, LATE_START, "start_cwd", "/start"),
    (NEWER, LATE_START, "cwd", "/new"),
    (prompt("hello"), LATE_START, "title", "Named"),
    (prompt("hello"), LATE_START, "model", "opus"),
    (prompt("hello", permission_mode="plan"), prompt("before", permission_mode="default"), "mode", "plan"),
    (prompt("hello", cwd="/new"), e("CwdChanged", new_cwd="/old"), "cwd", "/new"),
    (prompt("hello"), e("PreCompact"), "compacting", False),
    (e("PreCompact"), e("PostCompact"), "compacting", True),
    (e("PreCompact"), e("SessionStart", source="compact"), "compacting", True),
    (e("PreCompact"), tool("PreToolUse"), "compacting", True),
    (e("PreCompact"), prompt(), "compacting", True),
    (e("PreCompact"), notification("idle_prompt"), "compacting", True),
    (e("PreCompact"), e("Stop"), "compacting", True),
    (e("PreCompact"), e("StopFailure"), "compacting", True),
    (e("StopFailure", error="rate_limit"), e("Stop", last_assistant_message="ok"), "error", "rate_limit"),
    (e("StopFailure", error="rate_limit"), prompt(), "error", "rate_limit"),
    (e("StopFailure", error="rate_limit"), LATE_START, "error", "rate_limit"),
    (e("StopFailure", error="rate_limit"), e("StopFailure", error="server_error"), "error", "rate_limit"),
    (e("StopFailure", error="new"), tool("PostToolUseFailure", is_interrupt=True, error="x"), "error", "new"),
    (e("Stop", background_tasks=[SHELL]), e("Stop", background_tasks=[]), "tasks",
     [{"id": "b1", "type": "shell", "description": "make serve"}]),
    (e("Stop", background_tasks=[SHELL]), LATE_START, "tasks",
     [{"id": "b1", "type": "shell", "description": "make serve"}]),
    (e("Stop", last_assistant_message="new"), e("Stop", last_assistant_message="old"), "last_message", "new"),
    (prompt("new"), prompt("old"), "prompt", "new"),
    (prompt("new"), e("Notification", message="x"), "last_event", "UserPromptSubmit"),
]  # fmt: skip


@pytest.mark.parametrize(("first", "late", "name", "value"), COMES_LATE)
def test_a_late_event_only_fills_gaps(first: Event, late: Event, name: str, value: object) -> None:
    record = folded([line(first, 5_000), line(late, 4_000)])
    assert dict(record).get(name) == value or (value is False and name not in record)


MACHINES: list[tuple[object, bool]] = [
    ("<task-notification>x", True), (" \n<task-notification>", True), ("do <task-notification>", False), ("", False),
    (None, False), (5, False),
    ("Your claude.ai usage limit has reset. Continue the task you were working on when the limit was reached; do.", True),
    ("Your claude.ai usage is available again before the usage-limit reset. Continue the task you were working on", True),
    ("Your claude.ai usage limit has reset", False), ("> Your claude.ai usage limit has reset. Continue", False),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), MACHINES)
def test_a_prompt_of_the_machine_begins_with_its_words(text: object, expected: bool) -> None:
    assert is_machine(text) is expected


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        *((one, True) for one in ("system", "loop_wakeup", "schedule_wakeup")),
        *((one, False) for one in ("user", "sdk")),
    ],
)
def test_a_prompt_whose_source_is_not_the_person_is_no_prompt_of_theirs(source: str, expected: bool) -> None:
    record = folded([line(prompt("mine"), 1_000), line(prompt("report", source=source), 2_000)])
    assert is_by_client(line(prompt("report", source=source), 2_000)) is expected
    assert (record["prompt"], record["turn"]) == ("mine" if expected else "report", "working")


def test_the_transcript_is_that_of_the_newest_event() -> None:
    first, moved = line(e("SessionStart"), 1_000, transcript="/a"), line(e("PostToolUse"), 3_000, transcript="/b")
    assert folded([first, moved])["transcript"] == "/b"
    assert folded([moved, first])["transcript"] == "/b"
    assert folded([line(e("PostToolUse"), 3_000), first])["transcript"] == "/a"


def test_a_call_without_a_tool_still_has_a_text() -> None:
    assert call_text(cast("Line", {"event": "PostToolUse"})) == "?: "
    assert call_text(cast("Line", {"event": "PostToolUse", "tool": "t" * 80, "subject": "s"})) == "t" * 60 + ": s"


def test_which_client_worked_on_a_prompt_is_remembered_when_the_client_has_gone() -> None:
    mine = of_client(7, prompt("a", prompt_id="aaaaaaaa-and-more"), tool("PreToolUse", prompt_id="aaaaaaaa-and-more"))
    yours = of_client(8, prompt("b", prompt_id="bbbbbbbb"), e("SessionEnd", prompt_id="bbbbbbbb"), first=10_000)
    assert folded([*mine, *yours])["prompts"] == {"aaaaaaaa": 7, "bbbbbbbb": 8}


def test_only_the_newest_prompts_are_remembered() -> None:
    prompts = (prompt(prompt_id=f"{number:08}") for number in range(MOST_PROMPTS + 1))
    assert list(folded(of_client(7, *prompts))["prompts"]) == [f"{n:08}" for n in range(1, MOST_PROMPTS + 1)]


@pytest.mark.parametrize(
    "journal", [lines([prompt(prompt_id="a")]), of_client(7, prompt()), of_client(7, prompt(prompt_id=5))]
)
def test_no_client_of_a_prompt_is_remembered_that_is_not_known(journal: list[Line]) -> None:
    assert "prompts" not in folded(journal)
