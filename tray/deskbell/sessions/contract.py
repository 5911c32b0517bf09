"""Turn a session into the object that `deskbell list --json` prints, version 1. Pure.

Later versions only add fields. What is not known is null, never guessed. Texts are without secrets. `docs/json.md`
describes every field.
"""

from dataclasses import asdict
from typing import Any

from deskbell.session import Session
from deskbell_hooks.trim import without_secrets

VERSION = 1
INTERNAL = ("ask", "asking", "began", "lost", "person_at", "spent", "stalls_at", "started_in")
"""The fields that are for Deskbell alone."""
TEXTS = ("detail", "reason", "project", "branch", "title", "prompt", "last_line", "last_error")
"""The fields with words of a person or an assistant. Paths and ids stay unchanged, because scripts use them."""


def as_json(session: Session) -> dict[str, Any]:
    """Return the object for SESSION, with the ids first."""
    fields = {name: value for name, value in asdict(session).items() if name not in INTERNAL}
    fields |= {name: without_secrets(fields[name]) for name in TEXTS if fields[name]}
    fields["agents"] = tuple(
        agent | {name: without_secrets(agent[name]) for name in ("type", "detail")} for agent in fields["agents"]
    )
    fields["tasks"] = tuple(without_secrets(task) for task in session.tasks)
    fields["place"] = {"tty": session.place.tty, "handles": dict(session.place.handles)}
    fields["todo"] = {"done": session.todo[0], "all": session.todo[1]} if session.todo else None
    groups = {"group": session.group, "blocked": session.blocked}
    return {"session_id": session.session_id, "pid": session.pid, **groups, **fields}
