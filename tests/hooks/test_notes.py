"""What a record remembers besides the status: titles, prompts, counts, files, errors, subagents, tasks, clients."""

from typing import Any

import pytest

from deskbell_hooks.notes import MOST_ENDED, MOST_RUNNING, MOST_TOOLS
from deskbell_hooks.schema import Event, Record
from tests.hooks.said import e, folded, line, lines, notification, prompt, task_over, told, tool

AGENT = {"agent_id": "a1", "agent_type": "Explore"}
SHELL = {"id": "b1", "type": "shell", "status": "running", "description": "make serve"}


def wrote(name: str, path: str, response: object = None, **fields: Any) -> Event:
    return e("PostToolUse", tool_name=name, tool_input={"file_path": path}, tool_response=response, **fields)


REMEMBERED: list[tuple[list[Event], str, object]] = [
    ([prompt("fix the bug\nin main.py")], "title", "fix the bug"),
    ([prompt("one"), prompt("two")], "title", "one"),
    ([prompt("one"), prompt("two")], "prompt", "two"),
    ([prompt("one"), prompt("two")], "turns", 2),
    ([e("SessionStart", session_title="Named"), prompt("one")], "title", "Named"),
    ([prompt("one"), prompt("two", session_title="Renamed")], "title", "Renamed"),
    ([prompt("one"), task_over("b1")], "prompt", "one"),
    ([prompt("one"), task_over("b1")], "turns", 1),
    ([prompt("x" * 600)], "prompt", "x" * 500),
    ([e("SessionStart", cwd="/home/user/proj"), prompt(cwd="/tmp/x")], "start_cwd", "/home/user/proj"),
    ([e("SessionStart", cwd="/home/user/proj"), prompt(cwd="/tmp/x")], "cwd", "/tmp/x"),
    ([e("SessionStart", cwd="/home/user/proj"), prompt(cwd="/tmp/x")], "project", "proj"),
    ([prompt(cwd="C:\\Users\\me\\proj\\")], "project", "proj"),
    ([prompt(cwd="/")], "project", "/"),
    ([e("CwdChanged", old_cwd="/a", new_cwd="/b", cwd="/a")], "cwd", "/b"),
    ([e("SessionStart", model="claude-opus")], "model", "claude-opus"),
    ([e("SessionStart", model="claude-opus"), e("PostModelSwitch", to_model="haiku")], "model", "haiku"),
    ([prompt(permission_mode="plan")], "mode", "plan"),
    ([prompt(permission_mode="plan"), tool("PreToolUse", permission_mode="default", **AGENT)], "mode", "plan"),
    ([e("Stop", last_assistant_message="Done.")], "last_message", "Done."),
    ([e("Stop", background_tasks=[SHELL])], "tasks", [{"id": "b1", "type": "shell", "description": "make serve"}]),
    ([e("Stop", background_tasks=[SHELL]), task_over("b1")], "tasks", []),
    ([e("Stop", background_tasks=[SHELL]), task_over("b1", "running")], "tasks",
     [{"id": "b1", "type": "shell", "description": "make serve"}]),
    ([e("Stop", background_tasks=[{**SHELL, "status": "completed"}])], "tasks", []),
    ([e("TaskCreated"), e("TaskCreated"), e("TaskCompleted")], "todo", [1, 2]),
    ([prompt(), e("PreCompact")], "compacting", True),
    ([prompt(), e("PreCompact"), e("PostCompact")], "compacting", False),
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
    assert dict(told(*story))[name] == value


@pytest.mark.parametrize(("story", "counts"), COUNTED)
def test_what_is_counted(story: list[Event], counts: dict[str, int]) -> None:
    found = dict(told(*story)["counters"])
    assert {name: count for name, count in found.items() if count and name not in ("tools", "events")} == counts


@pytest.mark.parametrize("event", NOT_COUNTED)
def test_what_is_no_file_no_error_no_prompt_and_no_notification(event: Event) -> None:
    found = dict(told(event)["counters"])
    assert {name for name, count in found.items() if count and name not in ("tools", "events")} == set()


def test_every_event_is_counted_and_tools_by_their_names() -> None:
    counters = told(prompt(), tool("PostToolUse"), tool("PostToolUse", "Read"), tool("PostToolUseFailure"))["counters"]
    assert (counters["events"], counters["tools"]) == (4, {"Bash": 2, "Read": 1})


def test_more_tools_than_are_kept_are_counted_together() -> None:
    counters = told(*(tool("PostToolUse", f"mcp__{n}") for n in range(MOST_TOOLS + 5)))["counters"]
    assert len(counters["tools"]) == MOST_TOOLS + 1
    assert counters["tools"]["other"] == 5


def test_the_last_error_says_what_failed_and_how() -> None:
    error = told(tool("PostToolUseFailure", what="make test", error="Exit code 3\nboom"))["last_error"]
    assert (error["kind"], error["message"]) == ("Bash: make test", "Exit code 3\nboom")


def test_the_last_error_of_a_turn_is_told_in_the_words_there_are() -> None:
    words, details = {"last_assistant_message": "said"}, {"error_details": "detailed"}
    said = [
        told(e("StopFailure", error="x", **more))["last_error"]["message"] for more in ({**words, **details}, details)
    ]
    assert said == ["said", "detailed"]


def test_an_interrupt_is_no_error_but_says_what_was_cut_short() -> None:
    record = told(prompt(), tool("PostToolUseFailure", error="cut", is_interrupt=True))
    assert (record["counters"]["errors"], record["error"]) == (0, "Bash: make test")


NEWER = e("PostModelSwitch", to_model="haiku", cwd="/new")
LATE_START = e("SessionStart", model="opus", session_title="Named", cwd="/start")
COMES_LATE: list[tuple[Event, Event, str, object]] = [
    (NEWER, LATE_START, "model", "haiku"),
    (NEWER, LATE_START, "title", "Named"),
    (NEWER, LATE_START, "start_cwd", "/start"),
    (NEWER, LATE_START, "cwd", "/new"),
    (prompt("hello"), LATE_START, "title", "hello"),
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
def test_what_comes_late_fills_a_gap_at_most(first: Event, late: Event, name: str, value: object) -> None:
    record = folded([line(first, 5_000), line(late, 4_000)])
    assert dict(record).get(name) == value or (value is False and name not in record)


# Subagents


def agents(record: Record) -> list[tuple[str, str]]:
    return [(agent["id"], agent["status"]) for agent in record.get("agents", [])]


AGENTS: list[tuple[list[Event], list[tuple[str, str]]]] = [
    ([e("SubagentStart", **AGENT)], [("a1", "running")]),
    ([e("SubagentStart", **AGENT), e("SubagentStop", **AGENT)], [("a1", "done")]),
    ([e("SubagentStart", **AGENT), e("SubagentStop", **AGENT), e("SubagentStart", **AGENT)], [("a1", "running")]),
    ([tool("PreToolUse", **AGENT)], [("a1", "running")]),
    ([e("SubagentStop", **AGENT)], [("a1", "done")]),
    ([e("SubagentStop", agent_id="a1", agent_type="")], []),
    ([e("SubagentStart", **AGENT), e("Stop", background_tasks=[])], [("a1", "done")]),
    ([e("SubagentStart", **AGENT), e("Stop")], [("a1", "running")]),
    (
        [e("SubagentStart", **AGENT), e("Stop", background_tasks=[{"id": "a1", "type": "subagent"}])],
        [("a1", "running")],
    ),
    ([e("SubagentStart", **AGENT), task_over("a1")], [("a1", "done")]),
    ([e("SubagentStart", **AGENT), task_over("a2")], [("a1", "running")]),
    ([e("SubagentStart", **AGENT), notification("idle_prompt")], [("a1", "done")]),
    ([e("SubagentStart", **AGENT), e("SessionEnd", reason="other")], [("a1", "done")]),
    ([e("SubagentStart", **AGENT), e("SessionStart", source="compact")], [("a1", "running")]),
    ([e("TeammateIdle", teammate_name="davinci")], [("davinci", "idle")]),
    ([e("TeammateIdle", teammate_name="davinci"), e("TaskCompleted", teammate_name="davinci")], [("davinci", "done")]),
    ([e("SubagentStart", agent_id="", agent_type="x")], []),
    ([e("SubagentStart")], []),
]


@pytest.mark.parametrize(("story", "expected"), AGENTS)
def test_what_is_known_of_the_subagents(story: list[Event], expected: list[tuple[str, str]]) -> None:
    assert agents(told(*story)) == expected


def test_a_subagent_has_a_type_a_start_and_an_end() -> None:
    (agent,) = told(e("SubagentStart", **AGENT), tool("PreToolUse", **AGENT), e("SubagentStop", **AGENT))["agents"]
    assert (agent["type"], agent["started"], agent["ended"]) == ("Explore", 1_000_001.0, 1_000_003.0)


def test_a_subagent_that_is_said_to_run_again_runs() -> None:
    over = [e("SubagentStart", **AGENT), e("SubagentStop", **AGENT), prompt()]
    record = told(*over, e("Stop", background_tasks=[{"id": "a1", "type": "subagent", "description": "again"}]))
    assert (record["status"], record["detail"]) == ("background", "again")


def test_a_subagent_that_started_and_stopped_in_one_moment_has_stopped() -> None:
    start, stop = (line(e(name, **AGENT), 5_000) for name in ("SubagentStart", "SubagentStop"))
    assert agents(folded([start, stop])) == agents(folded([stop, start])) == [("a1", "done")]


def test_what_was_cut_short_in_a_subagent_is_not_what_the_session_was_cut_short_in() -> None:
    record = told(prompt(), tool("PostToolUseFailure", is_interrupt=True, error="cut", **AGENT))
    assert (record["status"], record.get("error")) == ("working", "")


def test_all_running_subagents_are_kept_and_the_latest_that_ended() -> None:
    ended = [e(name, agent_id=f"e{n}", agent_type="x") for n in range(20) for name in ("SubagentStart", "SubagentStop")]
    running = [e("SubagentStart", agent_id=f"r{n}", agent_type="x") for n in range(MOST_RUNNING)]
    found = agents(told(*ended, *running))
    assert [agent for agent, status in found if status == "done"] == [f"e{n}" for n in range(20 - MOST_ENDED, 20)]
    assert [agent for agent, status in found if status == "running"] == [f"r{n}" for n in range(MOST_RUNNING)]


# Two clients of one session


def of(pid: int, *events: Event, first: int = 1_000) -> list[Any]:
    client = {"pid": pid, "start": pid * 10}
    first_line, *rest = lines(events, first)
    where = {**client, "host": "h", "handles": {"TMUX_PANE": f"%{pid}"}}
    return [{**first_line, "client": client, "where": where}, *({**one, "client": client} for one in rest)]


def test_two_clients_of_one_session_wait_each_for_something_of_its_own() -> None:
    record = folded([*of(1, prompt("one"), tool("PermissionRequest")), *of(2, prompt("two"), first=5_000)])
    assert (record["status"], record["where"]["pid"]) == ("working", 2)
    (other,) = record["others"]
    assert (other["status"], other["detail"], other["where"]["pid"]) == ("permission", "Bash: make test", 1)
    assert record["counters"]["events"] == 3


def test_the_client_that_spoke_last_is_in_front_with_all_that_it_had() -> None:
    first, second = of(1, prompt("one"), tool("PermissionRequest")), of(2, prompt("two"), first=5_000)
    record = folded([*first, *second, *of(1, tool("PreToolUse", what="ls"), first=9_000)])
    assert (record["where"]["pid"], record["status"], record["detail"]) == (1, "permission", "Bash: make test")
    assert record["where"]["handles"] == {"TMUX_PANE": "%1"}


def test_of_three_clients_none_is_lost_and_none_doubled() -> None:
    story = [one for pid in (1, 2, 3, 1, 2) for one in of(pid, prompt(f"of {pid}"), first=pid * 3_000)]
    record = folded(story)
    assert record["where"]["pid"] == 2
    assert sorted(run["where"]["pid"] for run in record["others"]) == [1, 3]


def test_when_one_client_ends_the_other_is_the_session() -> None:
    record = folded([*of(1, prompt("one")), *of(2, prompt("two"), e("SessionEnd", reason="other"), first=5_000)])
    assert (record["status"], record["where"]["pid"], record["others"]) == ("working", 1, [])
    assert (record["title"], record["turns"], record["counters"]["events"]) == ("one", 2, 3)


def test_a_client_that_ended_or_died_is_not_kept_beside_the_next() -> None:
    ended = of(1, prompt("one"), e("SessionEnd", reason="other"))
    assert folded([*ended, *of(2, prompt("two"), first=5_000)])["others"] == []
    first, *rest = of(2, prompt("two"), first=5_000)
    died = {**first, "gone": [{"pid": 1, "start": 10}]}
    assert folded([*of(1, prompt("one")), died, *rest])["others"] == []


def test_a_request_of_a_client_does_not_wait_in_the_next_one() -> None:
    record = folded([*of(1, tool("PermissionRequest")), *of(2, e("SessionStart", source="resume"), first=5_000)])
    assert (record["status"], record["pending"]) == ("idle", [])
