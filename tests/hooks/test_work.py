"""Test the words of the column WORK: what each does to compaction, subagents, background tasks and the error text."""

import copy
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deskbell_hooks import segments
from deskbell_hooks.fold import TABLE
from deskbell_hooks.schema import Event, Line, Record
from deskbell_hooks.work import MOST_ENDED, MOST_RUNNING, MOST_TASKS, OF_THE_NEWEST, STEPS, work
from tests.hooks.said import (
    AGENT,
    SHELL,
    SUBAGENT,
    e,
    folded,
    line,
    notification,
    prompt,
    recorded,
    shown,
    task_over,
    tool,
)  # fmt: skip

ORDER, AT = 5_000, 1_000_005.0
TASK = {"id": "b1", "type": "shell", "description": "make serve"}


def agent(name: str, status: str = "running", order: int = 1_000) -> dict[str, Any]:
    return {"id": name, "type": "Explore", "started": 1.0, "status": status, "order": order}


def ended(name: str, order: int = 1_000) -> dict[str, Any]:
    """The same subagent after the event of these tests ended it."""
    return {**agent(name, order=order), "status": "done", "ended": AT, "order": ORDER}


def without_order(name: str, status: str = "running") -> dict[str, Any]:
    """A subagent as a record without the orders of its subagents has it."""
    return {field: value for field, value in agent(name, status).items() if field != "order"}


QUOTING = "<task-id>b1</task-id><status>killed</status><result><task-id>b2</task-id><status>running</status></result>"
"""A notification of a task whose result quotes that of another one."""

# run, event, words -> what of the run changes
CHANGES: list[tuple[dict[str, Any], Event, str, dict[str, Any]]] = [
    ({}, e("PreCompact"), "compacts", {"compacting": True}),
    ({"compacting": True}, e("PostCompact"), "compacted", {"compacting": False}),
    ({"error": "x"}, prompt(), "no-error", {"error": ""}),
    ({}, tool("PostToolUseFailure"), "cut", {"error": "Bash: make test"}),
    ({}, tool("PostToolUseFailure", what="x" * 200), "cut", {"error": "Bash: " + "x" * 100}),
    ({}, e("StopFailure", error="rate_limit"), "failed", {"error": "rate_limit"}),
    ({}, e("StopFailure"), "failed", {"error": "unknown"}),
    ({}, e("StopFailure", error="a", last_assistant_message="b"), "failed", {"error": "a: b"}),
    ({}, e("StopFailure", error="a", last_assistant_message="b" * 400), "failed", {"error": "a: " + "b" * 297}),
    ({}, e("SessionEnd", reason="logout"), "left", {"error": "logout"}),
    ({}, e("SessionEnd", reason="r" * 60), "left", {"error": "r" * 40}),
    ({}, e("SessionEnd"), "left", {"error": ""}),
    ({"tasks": [TASK]}, e("SessionEnd"), "no-tasks", {"tasks": []}),
    ({}, e("Stop", background_tasks=[SHELL]), "tasks", {"tasks": [TASK]}),
    ({"tasks": [TASK]}, e("Stop", background_tasks=[]), "tasks", {"tasks": []}),
    ({}, e("Stop", background_tasks=[{**SHELL, "status": "completed"}]), "tasks", {"tasks": []}),
    ({}, e("Stop", background_tasks=[{"id": "b1"}]), "tasks", {"tasks": [{"id": "b1", "type": "task", "description": ""}]}),
    ({}, e("Stop", background_tasks=[{}]), "tasks", {"tasks": [{"id": "", "type": "task", "description": ""}]}),
    ({"agents": [agent("a1")]}, e("Stop", background_tasks=[]), "tasks", {"tasks": [], "agents": [ended("a1")]}),
    ({"agents": [agent("a1"), agent("a2")]}, e("Stop", background_tasks=[SUBAGENT]), "tasks",
     {"tasks": [{"id": "a1", "type": "subagent", "description": "look round"}], "agents": [ended("a2"), agent("a1")]}),
    ({"agents": [agent("a1", "done", ORDER)]}, e("Stop", background_tasks=[SUBAGENT]), "tasks", {"tasks": []}),
    ({"agents": [agent("a1", "done", ORDER - 1)]}, e("Stop", background_tasks=[SUBAGENT]), "tasks",
     {"tasks": [{"id": "a1", "type": "subagent", "description": "look round"}]}),
    ({"tasks": [TASK]}, task_over("b1"), "task-over", {"tasks": []}),
    ({"tasks": [TASK]}, task_over("b1", "killed"), "task-over", {"tasks": []}),
    ({"tasks": [TASK]}, task_over("b1", ""), "task-over", {"tasks": []}),
    ({"tasks": [TASK]}, prompt("<task-id>b1</task-id>"), "task-over", {"tasks": []}),
    ({"tasks": [TASK]}, prompt(QUOTING), "task-over", {"tasks": []}),
    ({"tasks": [], "agents": [agent("a1")]}, task_over("a1"), "task-over", {"agents": [ended("a1")]}),
    ({"agents": [agent("a1")]}, e("SessionStart"), "agents-over", {"agents": [ended("a1")]}),
    ({"agents": [agent("a1", order=ORDER)]}, e("SessionEnd"), "all-over", {"agents": [ended("a1", ORDER)]}),
    ({"agents": [without_order("a1")]}, e("SessionStart"), "agents-over", {"agents": [ended("a1")]}),
    ({"agents": [without_order("a1", "done")]}, e("SubagentStart", **AGENT), "agent-runs",
     {"agents": [{**agent("a1"), "started": AT, "order": ORDER}]}),
    ({}, e("SubagentStart", **AGENT), "agent-runs",
     {"agents": [{"id": "a1", "type": "Explore", "started": AT, "status": "running", "order": ORDER}]}),
    ({"agents": [agent("a1", "done")]}, e("SubagentStart", **AGENT), "agent-runs",
     {"agents": [{**agent("a1"), "started": AT, "order": ORDER}]}),
    ({"agents": [agent("a1", "done", ORDER)]}, e("SubagentStart", **AGENT), "agent-runs",
     {"agents": [{**agent("a1", "done", ORDER), "started": AT}]}),
    ({}, e("SubagentStart", agent_id="a1"), "agent-runs",
     {"agents": [{"id": "a1", "type": "", "started": AT, "status": "running", "order": ORDER}]}),
    ({"agents": [agent("a1", order=ORDER + 1)]}, e("SubagentStart", **AGENT), "agent-runs",
     {"agents": [{**agent("a1"), "started": AT, "order": ORDER}]}),
    ({}, e("SubagentStop", **AGENT), "agent-over",
     {"tasks": [], "agents": [{"id": "a1", "type": "Explore", "status": "done", "ended": AT, "order": ORDER}]}),
    ({"agents": [agent("a1"), agent("a2")], "tasks": [{**TASK, "id": "a1"}]}, e("SubagentStop", **AGENT), "agent-over",
     {"tasks": [], "agents": [ended("a1"), agent("a2")]}),
    ({"agents": [agent("a1")], "tasks": []}, e("SubagentStop", agent_id="a1"), "agent-over", {"agents": [ended("a1")]}),
    ({"agents": [agent("a1")], "tasks": [{**TASK, "id": "a1"}]}, e("StopFailure", **AGENT), "agent-failed",
     {"tasks": [], "agents": [{**ended("a1"), "status": "error"}]}),
    ({"agents": [agent("a1")], "tasks": []}, task_over("a1", "failed"), "task-over",
     {"agents": [{**ended("a1"), "status": "error"}]}),
    ({}, e("TeammateIdle", teammate_name="davinci"), "teammate-idle",
     {"agents": [{"id": "davinci", "type": "teammate", "status": "idle", "order": ORDER}]}),
    ({}, e("TaskCompleted", teammate_name="davinci"), "teammate-done",
     {"agents": [{"id": "davinci", "type": "teammate", "status": "done", "order": ORDER}]}),
    ({}, e("Hereafter", **AGENT), "",
     {"agents": [{"id": "a1", "type": "Explore", "started": AT, "status": "running", "order": ORDER}]}),
    ({"agents": [agent("a1", "done")]}, tool("PostToolUse", **AGENT), "",
     {"agents": [{**agent("a1"), "started": AT, "order": ORDER}]}),
    ({"compacting": True, "error": "x"}, prompt(), "compacted no-error", {"compacting": False, "error": ""}),
]  # fmt: skip
NOOPS: list[tuple[dict[str, Any], Event, str]] = [
    ({"compacting": True, "error": "x", "tasks": [TASK]}, prompt(), ""),
    ({"compacting": True, "error": "x", "tasks": [TASK]}, tool("PreToolUse"), "call"),
    ({"tasks": [TASK], "agents": [agent("a1")]}, e("Stop"), "tasks"),
    ({"tasks": [TASK]}, task_over("b1", "running"), "task-over"),
    ({"tasks": [TASK]}, task_over("b2"), "task-over"),
    ({"tasks": [TASK]}, prompt("<task-notification>"), "task-over"),
    ({"tasks": [], "agents": [agent("a1", "idle")]}, task_over("a1"), "task-over"),
    ({"agents": [agent("a1", order=ORDER)]}, e("SessionStart"), "agents-over"),
    ({"agents": [agent("a1", order=ORDER + 1)]}, e("SessionEnd"), "all-over"),
    ({"agents": [agent("a1", "idle"), agent("a2", "done")]}, e("SessionEnd"), "all-over"),
    ({}, e("SessionEnd"), "all-over"),
    ({}, e("SubagentStart"), "agent-runs"),
    ({}, e("SubagentStop"), "agent-over"),
    ({}, e("StopFailure"), "agent-failed"),
    ({}, e("SubagentStop", agent_type="Explore"), "agent-over"),
    ({}, e("SubagentStop", agent_id="a1", agent_type=""), "agent-over"),
    ({}, e("TeammateIdle"), "teammate-idle"),
    ({}, e("TaskCompleted"), "teammate-done"),
    ({"agents": [agent("a1")]}, tool("PostToolUse", **AGENT), ""),
    ({"agents": [agent("a1", "done", ORDER)]}, tool("PostToolUse", **AGENT), ""),
    ({"agents": [agent("n" * 100)]}, tool("PostToolUse", agent_id="n" * 200, agent_type="Explore"), ""),
]


def after(run: dict[str, Any], event: Event, words: str, late: bool = False) -> dict[str, Any]:
    new = copy.deepcopy(run)
    work(cast("Record", new), line(event, ORDER), words, late)
    return new


@pytest.mark.parametrize(("run", "event", "words", "change"), CHANGES)
def test_words_that_change_the_run(
    run: dict[str, Any], event: Event, words: str, change: dict[str, Any]
) -> None:  # fmt: skip
    assert after(run, event, words) == {**run, **change}


@pytest.mark.parametrize(("run", "event", "words"), NOOPS)
def test_words_that_change_nothing_of_the_run(run: dict[str, Any], event: Event, words: str) -> None:
    assert after(run, event, words) == run


@pytest.mark.parametrize(("run", "event", "words", "change"), CHANGES)
def test_a_late_event_changes_only_what_has_an_order_of_its_own(
    run: dict[str, Any], event: Event, words: str, change: dict[str, Any]
) -> None:
    expected = run if words and set(words.split()) <= OF_THE_NEWEST else {**run, **change}
    assert after(run, event, words, late=True) == expected


def test_the_table_uses_every_word_and_no_other() -> None:
    used = {word for row in TABLE.values() for word in row.work.split()}
    assert used - {"call"} == set(STEPS)
    assert set(STEPS) > OF_THE_NEWEST


def test_long_names_are_cut() -> None:
    long = "n" * 200
    (found,) = after({}, e("SubagentStart", agent_id=long, agent_type=long), "agent-runs")["agents"]
    assert (found["id"], found["type"]) == ("n" * 100, "n" * 80)
    (found,) = after({}, e("SubagentStop", agent_id=long, agent_type=long), "agent-over")["agents"]
    assert (found["id"], found["type"]) == ("n" * 100, "n" * 80)
    for name, word in (("TeammateIdle", "teammate-idle"), ("TaskCompleted", "teammate-done")):
        (found,) = after({}, e(name, teammate_name=long), word)["agents"]
        assert found["id"] == "n" * 100
    tasks = cast("list[dict[str, str]]", [{"id": "b", "type": long, "description": long}])
    run = cast("Record", {})
    work(run, cast("Line", {**line(e("Stop"), ORDER), "tasks": tasks}), "tasks", False)
    assert run["tasks"] == [{"id": "b", "type": "n" * 40, "description": "n" * 80}]


def test_only_so_many_tasks_are_kept() -> None:
    tasks = [{**SHELL, "id": f"b{n}"} for n in range(MOST_TASKS + 1)]
    found = after({}, e("Stop", background_tasks=tasks), "tasks")["tasks"]
    assert [task["id"] for task in found] == [f"b{n}" for n in range(MOST_TASKS)]


NAMES = st.sampled_from(["a1", "a2", "a3"])
AGENT_EVENTS = st.one_of(
    st.builds(lambda name: ("agent-runs", e("SubagentStart", agent_id=name, agent_type="x")), NAMES),
    st.builds(lambda name: ("agent-over", e("SubagentStop", agent_id=name, agent_type="x")), NAMES),
    st.builds(lambda name: ("", tool("PostToolUse", agent_id=name, agent_type="x")), NAMES),
)


@given(st.lists(AGENT_EVENTS, max_size=30))
def test_a_subagent_is_listed_once_and_its_last_event_decides_whether_it_runs(story: list[tuple[str, Event]]) -> None:
    run: Any = {}
    last: dict[str, str] = {}
    for n, (words, event) in enumerate(story):
        work(run, line(event, 1_000 * (n + 1)), words, False)
        last[event["agent_id"]] = "done" if words == "agent-over" else "running"
    assert {one["id"]: one["status"] for one in run.get("agents", [])} == last
    assert len(run.get("agents", [])) == len(last)


# The same, folded from journals


def agents(record: Record) -> list[tuple[str, str]]:
    return [(one["id"], one["status"]) for one in record.get("agents", [])]


AGENTS: list[tuple[list[Event], list[tuple[str, str]]]] = [
    ([e("SubagentStart", **AGENT), e("SubagentStop", **AGENT), e("SubagentStart", **AGENT)], [("a1", "running")]),
    ([tool("PreToolUse", **AGENT)], [("a1", "running")]),
    ([tool("PostToolUse", **AGENT)], [("a1", "running")]),
    ([e("SubagentStart", **AGENT), e("Stop")], [("a1", "running")]),
    ([e("SubagentStart", **AGENT), e("Stop", background_tasks=[])], [("a1", "done")]),
    ([e("SubagentStart", **AGENT), e("Stop", background_tasks=[SUBAGENT])], [("a1", "running")]),
    ([e("SubagentStart", **AGENT), task_over("a1")], [("a1", "done")]),
    ([e("SubagentStart", **AGENT), notification("idle_prompt")], [("a1", "done")]),
    ([e("SubagentStart", **AGENT), e("StopFailure", error="unknown", **AGENT)], [("a1", "error")]),
    (
        [
            e("SubagentStart", **AGENT),
            e("StopFailure", error="unknown", **AGENT),
            task_over("a1", "failed"),
            e("Stop", background_tasks=[]),
        ],
        [("a1", "error")],
    ),
    (
        [e("SubagentStart", **AGENT), e("StopFailure", error="unknown", **AGENT), tool("PreToolUse", **AGENT)],
        [("a1", "running")],
    ),
    ([e("SubagentStart", **AGENT), e("Notification", message="Claude is waiting for your input")], [("a1", "done")]),
    ([e("SubagentStart", **AGENT), e("SessionEnd", reason="other")], [("a1", "done")]),
    ([e("SubagentStart", **AGENT), e("SessionStart", source="startup")], [("a1", "done")]),
    ([e("SubagentStart", **AGENT), e("SessionStart", source="compact")], [("a1", "running")]),
    ([e("TeammateIdle", teammate_name="davinci"), e("TaskCompleted", teammate_name="davinci")], [("davinci", "done")]),
]


@pytest.mark.parametrize(("story", "expected"), AGENTS)
def test_what_a_journal_says_of_the_subagents(story: list[Event], expected: list[tuple[str, str]]) -> None:
    assert agents(recorded(*story)) == expected


def test_a_subagent_that_a_stop_lists_again_runs_again() -> None:
    over = [e("SubagentStart", **AGENT), e("SubagentStop", **AGENT), prompt()]
    record = recorded(*over, e("Stop", background_tasks=[{**SUBAGENT, "description": "again"}]))
    assert shown(record) == ("background", "again")


def test_a_subagent_that_started_and_stopped_in_one_moment_has_stopped() -> None:
    start, stop = (line(e(name, **AGENT), 5_000) for name in ("SubagentStart", "SubagentStop"))
    assert agents(folded([start, stop])) == agents(folded([stop, start])) == [("a1", "done")]


def test_an_interrupt_in_a_subagent_is_not_the_error_of_the_session() -> None:
    record = recorded(prompt(), tool("PostToolUseFailure", is_interrupt=True, error="cut", **AGENT))
    assert (record["status"], record.get("error")) == ("working", "")


def test_a_late_idle_prompt_still_ends_the_subagents_that_started_before_it() -> None:
    start, idle, later = (e("SubagentStart", **AGENT), notification("idle_prompt"), prompt())
    journal = [line(start, 1_000), line(idle, 2_000), line(later, 3_000)]
    assert agents(folded(journal)) == agents(folded([journal[0], journal[2], journal[1]])) == [("a1", "done")]


def test_a_subagent_that_starts_again_runs_from_then_on() -> None:
    start, idle = e("SubagentStart", **AGENT), notification("idle_prompt")
    journal = [line(start, 1_000), line(start, 3_000), line(prompt(), 4_000), line(idle, 2_000)]
    assert agents(folded(journal)) == [("a1", "running")]


def test_the_statusline_and_the_record_know_the_same_most_ended_subagents() -> None:
    """Neither imports the other: each would start slower."""
    assert segments.MOST_ENDED == MOST_ENDED


def test_all_running_subagents_are_kept_and_the_latest_that_ended() -> None:
    over = [e(name, agent_id=f"e{n}", agent_type="x") for n in range(20) for name in ("SubagentStart", "SubagentStop")]
    running = [e("SubagentStart", agent_id=f"r{n}", agent_type="x") for n in range(MOST_RUNNING + 1)]
    found = agents(recorded(*over, *running))
    assert [name for name, status in found if status == "done"] == [f"e{n}" for n in range(20 - MOST_ENDED, 20)]
    assert [name for name, status in found if status == "running"] == [f"r{n}" for n in range(1, MOST_RUNNING + 1)]
