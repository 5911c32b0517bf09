"""Change compaction, subagents, background tasks and the error text of a run, as the column WORK in `fold` says.

`fold` explains the words, and imports this only for an event that has work. It calls `work` with its own copy of the
run, which these functions change.
"""

from deskbell_hooks.notes import call_text
from deskbell_hooks.runs import fact

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from deskbell_hooks.schema import AgentState, Line, Record

    Step = Callable[[Record, Line], None]

TEXT = 300
"""Characters of an error text."""
MOST_RUNNING, MOST_ENDED, MOST_TASKS = 24, 8, 16
"""The most running subagents, ended subagents and background tasks that a record keeps."""
OVER = frozenset(("completed", "failed", "killed", "stopped", "cancelled", "done"))
"""What Claude Code calls a task that no longer runs."""
ENDED = ("done", "error")
"""The statuses of a subagent that no longer runs."""


def work(run: "Record", line: "Line", words: str, late: bool) -> None:
    if line.get("agent") and words not in ("agent-over", "agent-failed"):
        _agent_seen(run, line)
    for word in words.split():
        if word != "call" and not (late and word in OF_THE_NEWEST):
            STEPS[word](run, line)


# Compaction and the error text


def _compacts(run: "Record", line: "Line") -> None:
    run["compacting"] = True


def _compacted(run: "Record", line: "Line") -> None:
    run["compacting"] = False


def _no_error(run: "Record", line: "Line") -> None:
    run["error"] = ""


def _cut(run: "Record", line: "Line") -> None:
    run["error"] = call_text(line)


def _failed(run: "Record", line: "Line") -> None:
    kind, message = fact(line, "error") or "unknown", fact(line, "last_assistant_message")
    run["error"] = f"{kind}: {message}"[:TEXT] if message else kind


def _left(run: "Record", line: "Line") -> None:
    run["error"] = fact(line, "reason")[:40]


# Background tasks


def _tasks(run: "Record", line: "Line") -> None:
    if "tasks" not in line:
        return
    ended = {agent["id"] for agent in run.get("agents", []) if agent["status"] in ENDED and _is_newer(agent, line)}
    running = [_task(task) for task in line["tasks"] if task.get("status", "running") not in OVER]
    run["tasks"] = [task for task in running if task["id"] not in ended][:MOST_TASKS]
    _end_agents(run, line, line["order"], keep=frozenset(task["id"] for task in running))


def _task(task: "dict[str, str]") -> "dict[str, str]":
    kind, description = task.get("type", "task"), task.get("description", "")
    return {"id": task.get("id", ""), "type": kind[:40], "description": description[:80]}


def _no_tasks(run: "Record", line: "Line") -> None:
    run["tasks"] = []


def _task_over(run: "Record", line: "Line") -> None:
    prompt = fact(line, "prompt")
    task, status = _between(prompt, "task-id").strip(), _between(prompt, "status").strip() or "completed"
    if task and status in OVER:
        _forget_task(run, task)
        known = _agent(run, task)
        if known and known["status"] == "running":
            end: AgentState = {"id": task, "status": "done", "ended": line["at"], "order": line["order"]}
            _set_agent(run, {**end, "status": "error"} if status == "failed" else end)


def _between(text: str, tag: str) -> str:
    return text.partition(f"<{tag}>")[2].partition(f"</{tag}>")[0]


def _forget_task(run: "Record", task: str) -> None:
    run["tasks"] = [one for one in run.get("tasks", []) if one["id"] != task]


# Subagents and teammates


def _agent(run: "Record", agent_id: str) -> "AgentState | None":
    return next((agent for agent in run.get("agents", []) if agent["id"] == agent_id), None)


def _is_newer(agent: "AgentState", line: "Line") -> bool:
    return agent.get("order", 0) >= line["order"]


def _set_agent(run: "Record", change: "AgentState") -> None:
    new: AgentState = {**(_agent(run, change["id"]) or {}), **change}
    agents = [*(agent for agent in run.get("agents", []) if agent["id"] != change["id"]), new]
    ended = [agent for agent in agents if agent["status"] != "running"][-MOST_ENDED:]
    run["agents"] = [*ended, *[agent for agent in agents if agent["status"] == "running"][-MOST_RUNNING:]]


def _end_agents(run: "Record", line: "Line", before: int, keep: frozenset[str] = frozenset()) -> None:
    for agent in run.get("agents", []):
        if agent["status"] == "running" and agent["id"] not in keep and agent.get("order", 0) < before:
            _set_agent(run, {"id": agent["id"], "status": "done", "ended": line["at"], "order": line["order"]})


def _agents_over(run: "Record", line: "Line") -> None:
    _end_agents(run, line, line["order"])


def _all_over(run: "Record", line: "Line") -> None:
    """End every subagent, also one that started in this hundredth of a second: nothing runs after a client's end."""
    _end_agents(run, line, line["order"] + 1)


def _agent_runs(run: "Record", line: "Line") -> None:
    """Add the subagent, or start it again: it keeps its id when it is sent another message."""
    agent_id = line.get("agent", "")[:100]
    known = _agent(run, agent_id)
    change: AgentState = {"id": agent_id, "type": line.get("agent_type", "")[:80], "started": line["at"]}
    if known and known["status"] != "running" and _is_newer(known, line):
        _set_agent(run, change)
    elif agent_id:
        _set_agent(run, {**change, "status": "running", "order": line["order"]})


def _agent_seen(run: "Record", line: "Line") -> None:
    known = _agent(run, line["agent"][:100])
    if known is None or (known["status"] != "running" and not _is_newer(known, line)):
        _agent_runs(run, line)


def _agent_over(run: "Record", line: "Line") -> None:
    """End the subagent. Ignore one without a type that never started: compaction reports its end."""
    agent_id = line.get("agent", "")[:100]
    if not agent_id or (_agent(run, agent_id) is None and not line.get("agent_type")):
        return
    change: AgentState = {"id": agent_id, "status": "done", "ended": line["at"], "order": line["order"]}
    if line.get("agent_type"):
        change["type"] = line["agent_type"][:80]
    _set_agent(run, change)
    _forget_task(run, agent_id)


def _agent_failed(run: "Record", line: "Line") -> None:
    _agent_over(run, line)
    if _agent(run, agent_id := line.get("agent", "")[:100]):
        _set_agent(run, {"id": agent_id, "status": "error"})


def _teammate_idle(run: "Record", line: "Line") -> None:
    if name := fact(line, "teammate_name")[:100]:
        _set_agent(run, {"id": name, "type": "teammate", "status": "idle", "order": line["order"]})


def _teammate_done(run: "Record", line: "Line") -> None:
    if name := fact(line, "teammate_name")[:100]:
        _set_agent(run, {"id": name, "type": "teammate", "status": "done", "order": line["order"]})


STEPS: "dict[str, Step]" = {
    "compacts": _compacts,
    "compacted": _compacted,
    "no-error": _no_error,
    "cut": _cut,
    "failed": _failed,
    "left": _left,
    "tasks": _tasks,
    "no-tasks": _no_tasks,
    "task-over": _task_over,
    "agent-runs": _agent_runs,
    "agent-over": _agent_over,
    "agent-failed": _agent_failed,
    "agents-over": _agents_over,
    "all-over": _all_over,
    "teammate-idle": _teammate_idle,
    "teammate-done": _teammate_done,
}
OF_THE_NEWEST = frozenset(("compacts", "compacted", "no-error", "cut", "failed", "left", "tasks", "no-tasks"))
"""Words about the present state, which a late event does not change. The other words compare their own times."""
