"""How does a test say what a client said? `e("Stop")` is an event, `lines` its journal, `told` its record."""

from collections.abc import Iterable
from typing import Any, cast

from deskbell_hooks.fold import fold
from deskbell_hooks.schema import Event, Line, Record
from deskbell_hooks.trim import trim

SESSION = "5e551011-0000-4000-8000-000000000001"
STEP = 1_000
"""Milliseconds between two events, unless a test says otherwise."""


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


def folded(journal: Iterable[Line], record: Record | None = None) -> Record:
    for one in journal:
        record = fold(record, one, SESSION)
    assert record is not None
    return record


def told(*events: Event) -> Record:
    return folded(lines(events))


def says(record: Record) -> tuple[str, str]:
    return record["status"], record["detail"]
