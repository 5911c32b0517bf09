"""Build events, journal lines and records for tests.

`e("Stop")` is an event, `lines` makes a journal of events, `recorded` is the record after them.
"""

from collections.abc import Iterable
from typing import Any, cast

from deskbell_hooks.fold import fold
from deskbell_hooks.schema import Event, Line, Record
from deskbell_hooks.trim import trim

SESSION = "5e551011-0000-4000-8000-000000000001"
STEP = 1_000
"""Milliseconds between two events, unless a test gives other orders."""
AGENT = {"agent_id": "a1", "agent_type": "Explore"}
"""The fields of an event that a subagent fires."""
SHELL = {"id": "b1", "type": "shell", "status": "running", "description": "make serve"}
SUBAGENT = {"id": "a1", "type": "subagent", "status": "running", "description": "look round", "agent_type": "Explore"}
"""Two background tasks as Stop lists them."""


def e(name: str, /, **fields: Any) -> Event:
    return {"session_id": SESSION, "hook_event_name": name, **fields}


def tool(name: str, tool_name: str = "Bash", what: str = "make test", use: str = "", **fields: Any) -> Event:
    given = {"AskUserQuestion": {"questions": [{"question": what}]}, "ExitPlanMode": {"plan": what}}
    more = {"tool_use_id": use} if use else {}
    return e(name, tool_name=tool_name, tool_input=given.get(tool_name, {"command": what}), **more, **fields)


def prompt(text: str = "do it", **fields: Any) -> Event:
    return e("UserPromptSubmit", prompt=text, **fields)


def notification(kind: str, message: str = "Claude needs your permission", **fields: Any) -> Event:
    return e("Notification", notification_type=kind, message=message, **fields)


def task_over(task: str, status: str = "completed") -> Event:
    return prompt(f"<task-notification>\n<task-id>{task}</task-id>\n<status>{status}</status>\n</task-notification>")


def line(event: Event, order: int, **more: Any) -> Line:
    found = trim(event["hook_event_name"], event)
    return cast("Line", {**found, "order": order, "at": 1_000_000 + order / 1000, **more})


def lines(events: Iterable[Event], first: int = STEP) -> list[Line]:
    return [line(event, first + n * STEP) for n, event in enumerate(events)]


def of_client(pid: int, *events: Event, first: int = STEP) -> list[Line]:
    """The journal of one client, whose first line says where it runs."""
    client = {"pid": pid, "start": pid * 10}
    where = {**client, "host": "h", "handles": {"TMUX_PANE": f"%{pid}"}}
    first_line, *rest = lines(events, first)
    found = [{**first_line, "client": client, "where": where}, *({**one, "client": client} for one in rest)]
    return cast("list[Line]", found)


def folded(journal: Iterable[Line], record: Record | None = None) -> Record:
    for one in journal:
        record = fold(record, one, SESSION)
    assert record is not None
    return record


def recorded(*events: Event) -> Record:
    return folded(lines(events))


def shown(record: Record) -> tuple[str, str]:
    return record["status"], record["detail"]
