"""What does a record remember of an event, besides what the session is doing? Titles, counts, subagents, errors."""

from deskbell_hooks.runs import is_older

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from deskbell_hooks.schema import AgentState, Line, Record

    Note = Callable[[Record, Line, bool], None]

TITLE, PROMPT, PATH, MESSAGE = 120, 500, 512, 300
MOST_TOOLS, MOST_RUNNING, MOST_ENDED, MOST_TASKS = 40, 24, 8, 16
OVER = frozenset(("completed", "failed", "killed", "stopped", "cancelled", "done"))


def note(record: "Record", line: "Line", late: bool) -> None:
    """What happened counts whenever it is heard of; what holds now is not taken from an event that comes too late."""
    record["counters"] = {**record["counters"], "events": record["counters"]["events"] + 1}
    for name in ("transcript", "config_dir"):
        if name in line:
            record[name] = line[name][:PATH]
    if not late and not line.get("agent"):
        _situation(record, line)
    if line.get("agent") and line["event"] not in ("SubagentStart", "SubagentStop"):
        _agent_seen(record, line)
    if handler := NOTES.get(line["event"]):
        handler(record, line, late)


def _situation(record: "Record", line: "Line") -> None:
    if "mode" in line:
        record["mode"] = line["mode"][:40]
    if cwd := line.get("cwd"):
        record["cwd"] = cwd[:PATH]
        if "start_cwd" not in record:
            _started_in(record, cwd)


def _started_in(record: "Record", cwd: str) -> None:
    record["start_cwd"] = cwd[:PATH]
    record["project"] = cwd.replace("\\", "/").rstrip("/").rpartition("/")[2][:100] or cwd[:100]


def _count(record: "Record", name: str, by: int = 1) -> None:
    record["counters"] = {**record["counters"], name: record["counters"][name] + by}  # type: ignore[misc]  # a counter


def _fact(line: "Line", name: str) -> str:
    value = line.get("facts", {}).get(name)
    return value if isinstance(value, str) else ""


def _session_start(record: "Record", line: "Line", late: bool) -> None:
    if (model := _fact(line, "model")) and not (late and record.get("model")):
        record["model"] = model[:100]
    if (title := _fact(line, "session_title")) and not (late and record["title"]):
        record["title"] = title[:TITLE]
    if not late:
        record["compacting"] = False
    if _fact(line, "source") == "compact":
        return
    if cwd := line.get("cwd"):
        _started_in(record, cwd)
    if not late:
        record["tasks"] = []
        record["error"] = ""
    _end_agents(record, line, keep=frozenset())


def _prompt(record: "Record", line: "Line", late: bool) -> None:
    prompt = _fact(line, "prompt").strip()
    if not late:
        record["error"] = ""
        record["compacting"] = False
    if prompt.startswith("<task-notification>"):
        _finish_task(record, line, prompt)
        return
    if title := _fact(line, "session_title"):
        record["title"] = title[:TITLE]
    elif not record["title"]:
        record["title"] = prompt.partition("\n")[0].strip()[:TITLE]
    record["turns"] += 1
    _count(record, "prompts")
    if not is_older(line, record.get("prompt_order", 0)):
        record["prompt"] = prompt[:PROMPT]
        record["prompt_order"] = line["order"]
        record["turn_started"] = line["at"]


def _tool_begins(record: "Record", line: "Line", late: bool) -> None:
    if not late and not line.get("agent"):
        record["compacting"] = False


def _between(text: str, tag: str) -> str:
    return text.partition(f"<{tag}>")[2].partition(f"</{tag}>")[0]


def _finish_task(record: "Record", line: "Line", prompt: str) -> None:
    task = _between(prompt, "task-id").strip()
    if task and (_between(prompt, "status").strip() or "completed") in OVER:
        _forget_task(record, task)
        if any(agent["id"] == task and agent["status"] == "running" for agent in record.get("agents", [])):
            _set_agent(record, {"id": task, "status": "done", "ended": line["at"], "order": line["order"]})


def _forget_task(record: "Record", task: str) -> None:
    record["tasks"] = [one for one in record.get("tasks", []) if one["id"] != task]


def _tool_over(record: "Record", line: "Line", late: bool) -> None:
    tools = record["counters"]["tools"]
    tool = line.get("tool", "?")[:60]
    if tool not in tools and len(tools) >= MOST_TOOLS:
        tool = "other"
    record["counters"] = {**record["counters"], "tools": {**tools, tool: tools.get(tool, 0) + 1}}
    if (kind := line.get("file_kind")) and line["event"] == "PostToolUse":
        _count(record, kind)
    what = f"{tool}: {line.get('subject', '')[:100]}"
    if line.get("interrupt"):
        if not late and not line.get("agent"):
            record["error"] = what
    elif "error" in line:
        _error(record, line, what, line["error"], late)


def _error(record: "Record", line: "Line", kind: str, message: str, late: bool) -> None:
    _count(record, "errors")
    if not late or "last_error" not in record:
        record["last_error"] = {"at": line["at"], "kind": kind[:160], "message": message[:PROMPT]}


def _notification(record: "Record", line: "Line", late: bool) -> None:
    _count(record, "notifications")
    if _fact(line, "notification_type") == "idle_prompt" and not late:
        # It only comes when no subagent runs: whatever is still listed was never heard to stop.
        _end_agents(record, line, keep=frozenset())
        record["compacting"] = False


def _stop(record: "Record", line: "Line", late: bool) -> None:
    if late:
        return
    record["compacting"] = False
    record["error"] = ""
    if message := _fact(line, "last_assistant_message"):
        record["last_message"] = message[:MESSAGE]
    if "tasks" not in line:
        return
    ended = {agent["id"] for agent in record.get("agents", []) if agent["status"] == "done" and _newer(agent, line)}
    running = [_task(task) for task in line["tasks"] if task.get("status", "running") not in OVER]
    record["tasks"] = [task for task in running if task["id"] not in ended][:MOST_TASKS]
    _end_agents(record, line, keep=frozenset(task["id"] for task in running))


def _task(task: "dict[str, str]") -> "dict[str, str]":
    kind, description = task.get("type", "task"), task.get("description", "")
    return {"id": task.get("id", ""), "type": kind[:40], "description": description[:80]}


def _newer(agent: "AgentState", line: "Line") -> bool:
    return agent.get("order", 0) >= line["order"]


def _stop_failure(record: "Record", line: "Line", late: bool) -> None:
    kind, message = _fact(line, "error") or "unknown", _fact(line, "last_assistant_message")
    if not late:
        record["compacting"] = False
        record["error"] = f"{kind}: {message}"[:MESSAGE] if message else kind
    _error(record, line, kind, message or _fact(line, "error_details"), late)


def _session_end(record: "Record", line: "Line", late: bool) -> None:
    if not late:
        record["error"] = _fact(line, "reason")[:40]
        record["compacting"] = False
        record["tasks"] = []
    _end_agents(record, line, keep=frozenset(), is_last=True)


def _compact(record: "Record", line: "Line", late: bool) -> None:
    if not late:
        record["compacting"] = line["event"] == "PreCompact"


def _model(record: "Record", line: "Line", late: bool) -> None:
    if not late:
        record["model"] = _fact(line, "to_model")[:100] or record.get("model", "")


def _cwd(record: "Record", line: "Line", late: bool) -> None:
    if not late:
        record["cwd"] = _fact(line, "new_cwd")[:PATH] or record.get("cwd", "")


# Subagents and teammates


def _set_agent(record: "Record", change: "AgentState") -> None:
    agents = record.get("agents", [])
    old = _agent(record, change["id"]) or {}
    rest = [agent for agent in agents if agent["id"] != change["id"]]
    agents = [*rest, {**old, **change}]
    ended = [agent for agent in agents if agent["status"] != "running"][-MOST_ENDED:]
    record["agents"] = [*ended, *[agent for agent in agents if agent["status"] == "running"][-MOST_RUNNING:]]


def _end_agents(record: "Record", line: "Line", keep: frozenset[str], is_last: bool = False) -> None:
    """Those that started before the event; with the last one also those of the same hundredth of a second."""
    before = line["order"] + is_last
    for agent in record.get("agents", []):
        if agent["status"] == "running" and agent["id"] not in keep and agent.get("order", 0) < before:
            _set_agent(record, {"id": agent["id"], "status": "done", "ended": line["at"], "order": line["order"]})


def _agent(record: "Record", agent_id: str) -> "AgentState | None":
    return next((agent for agent in record.get("agents", []) if agent["id"] == agent_id), None)


def _agent_start(record: "Record", line: "Line", late: bool) -> None:
    """A subagent may be started again under its old id, when it is sent another message."""
    agent_id = line.get("agent", "")[:100]
    known = _agent(record, agent_id)
    change: AgentState = {"id": agent_id, "type": line.get("agent_type", "")[:80], "started": line["at"]}
    if known and known["status"] != "running" and _newer(known, line):
        _set_agent(record, change)
    elif agent_id:
        _set_agent(record, {**change, "status": "running", "order": line["order"]})


def _agent_seen(record: "Record", line: "Line") -> None:
    known = _agent(record, line["agent"][:100])
    if known is None or (known["status"] != "running" and not _newer(known, line)):
        _agent_start(record, line, False)


def _agent_stop(record: "Record", line: "Line", late: bool) -> None:
    """Compaction also ends a subagent, of no type, that never started."""
    agent_id = line.get("agent", "")[:100]
    if not agent_id or (_agent(record, agent_id) is None and not line.get("agent_type")):
        return
    change: AgentState = {"id": agent_id, "status": "done", "ended": line["at"], "order": line["order"]}
    if line.get("agent_type"):
        change["type"] = line["agent_type"][:80]
    _set_agent(record, change)
    _forget_task(record, agent_id)


def _teammate(record: "Record", line: "Line", late: bool) -> None:
    name = _fact(line, "teammate_name")[:100]
    if name:
        status = "idle" if line["event"] == "TeammateIdle" else "done"
        _set_agent(record, {"id": name, "type": "teammate", "status": status, "order": line["order"]})  # type: ignore[typeddict-item]


def _todo(record: "Record", line: "Line", late: bool) -> None:
    done, created = record.get("todo", [0, 0])
    if line["event"] == "TaskCompleted":
        record["todo"] = [done + 1, created]
        _teammate(record, line, late)
    else:
        record["todo"] = [done, created + 1]


NOTES: "dict[str, Note]" = {
    "SessionStart": _session_start,
    "UserPromptSubmit": _prompt,
    "PreToolUse": _tool_begins,
    "PostToolUse": _tool_over,
    "PostToolUseFailure": _tool_over,
    "Notification": _notification,
    "Stop": _stop,
    "StopFailure": _stop_failure,
    "SubagentStart": _agent_start,
    "SubagentStop": _agent_stop,
    "PreCompact": _compact,
    "PostCompact": _compact,
    "PostModelSwitch": _model,
    "CwdChanged": _cwd,
    "SessionEnd": _session_end,
    "TeammateIdle": _teammate,
    "TaskCreated": _todo,
    "TaskCompleted": _todo,
}
