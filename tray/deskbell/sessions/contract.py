"""Turn a session into the object that `deskbell list --json` prints, version 1. Pure.

Fields are only ever added. What is not known is null, never guessed. `docs/json.md` describes every field.
"""

from dataclasses import asdict
from typing import Any

from deskbell.session import Session

VERSION = 1


def as_json(session: Session) -> dict[str, Any]:
    fields = asdict(session)
    fields["place"] = {"tty": session.place.tty, "handles": dict(session.place.handles)}
    fields["todo"] = {"done": session.todo[0], "all": session.todo[1]} if session.todo else None
    return {"session_id": session.session_id, "pid": session.pid, "group": session.group, **fields}
