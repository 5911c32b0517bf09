"""Make the evidence about a client: the record that its hooks leave, and its entry in the registry."""

from dataclasses import replace
from typing import Any

from deskbell.sessions.registry import Entry
from deskbell_hooks.fold import fold
from deskbell_hooks.schema import Record

T = 1_000_000.0


def run(*events: tuple[float, str, dict[str, Any]], attended: bool = True) -> Record:
    """A record as the hooks leave it after these events, each (seconds after T, name, fields of the line)."""
    record = None
    for after, name, fields in events:
        line: Any = {"v": 1, "event": name, "at": T + after, "order": int((T + after) * 1000), **fields}
        line["client"] = {"pid": 7, "start": 1}
        line["where"] = {"pid": 7, "start": 1, "attended": attended}
        record = fold(record, line, "s")
    assert record is not None
    return record


def entry(status: str | None, after: float, waiting_for: str | None = None) -> Entry:
    return Entry(7, "s", "/c", pid_start=1, status=status, status_since=T + after, waiting_for=waiting_for)  # type: ignore[arg-type]  # a status as written


def at(one: Entry, status_since: float) -> Entry:
    """Return ONE with exactly this time."""
    return replace(one, status_since=status_since)


START = (0.5, "SessionStart", {"facts": {"source": "startup"}})
PROMPT = (1.0, "UserPromptSubmit", {"facts": {"prompt": "go"}})
BASH = {"tool": "Bash", "subject": "npm publish", "use": "u1"}
CALL = (2.0, "PreToolUse", BASH)
ASK = (2.1, "PermissionRequest", {"tool": "Bash", "subject": "npm publish"})
STOP = (9.0, "Stop", {"tasks": []})
STOP_WITH_SHELL = (
    9.0,
    "Stop",
    {"tasks": [{"id": "b", "type": "shell", "status": "running", "description": "dev server"}]},
)
ASK_LATER = (2.15, "PermissionRequest", {"tool": "Write", "subject": "/a.py"})
REMINDED = (8.2, "Notification", {"facts": {"notification_type": "permission_prompt"}})
END = (9.5, "SessionEnd", {"facts": {"reason": "other"}})
