"""Define what can happen to a session, as Claude Code reports it: in hook events and in its registry.

Pure. All times are minutes since the beginning of the afternoon.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

Event = dict[str, Any]


class RegistryState(NamedTuple):
    """The state of a session in Claude Code's registry."""

    status: Literal["busy", "idle", "waiting"]
    waiting_for: str = ""


BUSY, IDLE = RegistryState("busy"), RegistryState("idle")


@dataclass(frozen=True, slots=True)
class Moment:
    """What happens to one session at one time."""

    at: float
    """Minutes since the beginning of the afternoon."""
    who: str
    events: tuple[Event, ...] = ()
    client: RegistryState | None = None
    text: str = ""
    """What the demo prints; empty for nothing."""
    leaves: Literal["", "by itself", "killed"] = ""
    interrupts: bool = False
    """Whether the person ends the turn, which the client notes only in its transcript."""


def starts(at: float, who: str) -> Iterator[Moment]:
    yield Moment(at, who, (_event("SessionStart", source="startup", model="claude-opus-5-5"),), IDLE, "starts")


def closes(at: float, who: str) -> Iterator[Moment]:
    yield Moment(at, who, (_event("SessionEnd", reason="prompt_input_exit"),), None, "closes", "by itself")


def is_killed(at: float, who: str) -> Iterator[Moment]:
    yield Moment(at, who, text="is killed, and no hook fires", leaves="killed")


def is_prompted(at: float, who: str, prompt: str) -> Iterator[Moment]:
    yield Moment(at, who, (_event("UserPromptSubmit", prompt=prompt),), BUSY, f"“{prompt}”")


def runs_tool(at: float, who: str, until: float, tool: str, **given: Any) -> Iterator[Moment]:
    call = _call(at, who, tool, given)
    yield Moment(at, who, (_event("PreToolUse", **call),), BUSY)
    yield Moment(until, who, (_event("PostToolUse", **call, tool_response={}),), BUSY)


def asks_permission(
    at: float, who: str, until: float, answer: Literal["yes", "no"], tool: str, **given: Any
) -> Iterator[Moment]:
    """Yield a request and its answer. A denied request fires no hook: only the registry changes."""
    call = _call(at, who, tool, given)
    said = given.get("command") or given.get("file_path")
    yield _asking(at, who, call, "permission prompt", f"asks for permission: {said}")
    if answer == "yes":
        yield Moment(until, who, (_event("PostToolUse", **call, tool_response={}),), BUSY, "gets the permission")
    else:
        yield Moment(until, who, (), IDLE, "is denied, and no hook fires", interrupts=True)


def is_left_waiting(at: float, who: str, tool: str, **given: Any) -> Iterator[Moment]:
    yield next(asks_permission(at, who, at, "no", tool, **given))


def asks_question(at: float, who: str, until: float, question: str, options: Sequence[str]) -> Iterator[Moment]:
    choices = [{"label": option, "description": ""} for option in options]
    questions = [{"question": question, "header": "Choice", "options": choices, "multiSelect": False}]
    call = _call(at, who, "AskUserQuestion", {"questions": questions})
    yield _asking(at, who, call, "input needed", f"asks: {question}")
    yield Moment(until, who, (_event("PostToolUse", **call, tool_response={}),), BUSY, "gets its answer")


def asks_for_plan(at: float, who: str, until: float) -> Iterator[Moment]:
    call = _call(at, who, "ExitPlanMode", {})
    yield _asking(at, who, call, "permission prompt", "has a plan to approve")
    yield Moment(until, who, (_event("PostToolUse", **call, tool_response={}),), BUSY, "carries out its plan")


def needs_input(at: float, who: str, until: float, server: str, message: str) -> Iterator[Moment]:
    """Yield a dialog in which an MCP server asks the person, and the answer."""
    call = _call(at, who, f"mcp__{server}__search", {})
    dialog = {"mcp_server_name": server, "mode": "form"}
    asked = (_event("PreToolUse", **call), _event("Elicitation", **dialog, message=message))
    yield Moment(at, who, asked, RegistryState("waiting", "input needed"), f"{server} asks: {message}")
    answered = (_event("ElicitationResult", **dialog, action="accept"), _event("PostToolUse", **call, tool_response={}))
    yield Moment(until, who, answered, BUSY, "gets its answer")


def starts_subagents(at: float, who: str, stops: float, agents: Mapping[str, float]) -> Iterator[Moment]:
    """Yield the run of subagents. They go on after the turn has stopped; the end of the last one starts a new turn."""
    tasks = {until: _task(who, number, what) for number, (what, until) in enumerate(agents.items())}
    for number, task in enumerate(tasks.values()):
        yield _launch(at + number / 10, who, task)
    yield Moment(stops, who, (_event("Stop", last_assistant_message="I wait.", background_tasks=[*tasks.values()]),))
    for until, task in sorted(tasks.items()):
        running = [other for end, other in tasks.items() if end >= until]
        ended = _event("SubagentStop", **_agent(task), last_assistant_message="Done.", background_tasks=running)
        yield Moment(until, who, (ended,), None, f"a subagent finishes: {task['description']}")
    again = _event("UserPromptSubmit", prompt="<task-notification>completed</task-notification>")
    yield Moment(max(tasks) + 0.5, who, (again,), BUSY)


def finishes(at: float, who: str, says: str) -> Iterator[Moment]:
    stop = _event("Stop", stop_hook_active=False, last_assistant_message=says, background_tasks=[], session_crons=[])
    yield Moment(at, who, (stop,), IDLE, f"finishes: {says}")


def fails(at: float, who: str, error: str, says: str) -> Iterator[Moment]:
    yield Moment(at, who, (_event("StopFailure", error=error, last_assistant_message=says),), IDLE, f"fails: {says}")


def is_interrupted(at: float, who: str) -> Iterator[Moment]:
    yield Moment(at, who, (), IDLE, "is interrupted with Escape, and no hook fires", interrupts=True)


def lists_tasks(at: float, who: str, done: int, *tasks: str) -> Iterator[Moment]:
    """Yield a call that writes down TASKS, of which the first DONE are done."""
    todos = [{"content": task, "status": "completed" if n < done else "pending"} for n, task in enumerate(tasks)]
    call = _call(at, who, "TodoWrite", {"todos": todos})
    yield Moment(at, who, (_event("PreToolUse", **call), _event("PostToolUse", **call, tool_response={})), BUSY)


def _event(name: str, **more: Any) -> Event:
    return {"hook_event_name": name, **more}


def _call(at: float, who: str, tool: str, given: Mapping[str, Any]) -> Event:
    return {"tool_name": tool, "tool_input": dict(given), "tool_use_id": f"toolu_{who}_{at:g}"}


def _asking(at: float, who: str, call: Event, dialog: str, text: str) -> Moment:
    request = {name: value for name, value in call.items() if name != "tool_use_id"}
    events = _event("PreToolUse", **call), _event("PermissionRequest", **request)
    return Moment(at, who, events, RegistryState("waiting", dialog), text)


def _task(who: str, number: int, what: str) -> Event:
    return {
        "id": f"a{who}{number}",
        "type": "subagent",
        "status": "running",
        "description": what,
        "agent_type": "Explore",
    }


def _agent(task: Event) -> Event:
    return {"agent_id": task["id"], "agent_type": task["agent_type"]}


def _launch(at: float, who: str, task: Event) -> Moment:
    given = {"description": task["description"], "prompt": task["description"], "subagent_type": task["agent_type"]}
    call = _call(at, who, "Agent", given)
    launched = {"isAsync": True, "status": "async_launched", "agentId": task["id"]}
    events = _event("PreToolUse", **call), _event("SubagentStart", **_agent(task))
    text = f"starts a subagent: {task['description']}"
    return Moment(at, who, (*events, _event("PostToolUse", **call, tool_response=launched)), BUSY, text)
