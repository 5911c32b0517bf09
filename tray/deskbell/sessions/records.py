"""What did the hooks write down? The records of all sessions, validated; only those that changed are read again."""

import time
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from deskbell.sessions.folder import Folder, Problems
from deskbell_hooks.record import is_safe_id
from deskbell_hooks.schema import Record, Run

LARGEST = 64 * 1024
RESUMED_WITHIN = 24 * 3600.0
"""Seconds in which a session that ended is looked at as closely as one that runs."""
LATEST = 2.5e11
"""No calendar knows a later time."""
_ADAPTER: TypeAdapter[Record] = TypeAdapter(Record)


class Records:
    def __init__(self, sessions: Path) -> None:
        self._folder = Folder(sessions, _is_record, record_of, LARGEST, _is_over)

    @property
    def problem(self) -> str | None:
        """Why nothing is known of any session, where somebody should know."""
        return self._folder.problem

    def read(self, problems: Problems, ended_after: float = float("-inf")) -> list[Record]:
        """All but those of sessions that ended before that moment."""
        records = self._folder.read(problems).values()
        return [r for r in records if r["turn"] != "ended" or r["last_at"] >= ended_after or r.get("others")]

    def of(self, session_id: str) -> Record | None:
        """As it was read last."""
        return self._folder.values.get(f"{session_id}.json")


def _is_record(name: str) -> bool:
    return name.endswith(".json") and is_safe_id(name[:-5])


def _is_over(record: Record) -> bool:
    """For so long that nobody is about to resume it."""
    return record["status"] == "ended" and time.time() - record["last_at"] > RESUMED_WITHIN


def record_of(name: str, data: bytes) -> Record:
    """Fields that a newer Deskbell added are passed over; what every reader needs must be there."""
    try:
        record = _ADAPTER.validate_json(data)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(str(part) for part in first["loc"])
        raise ValueError(f"is no record of a session ({where + ': ' if where else ''}{first['msg']})") from None
    if record.get("session_id") != name[:-5]:
        raise ValueError("is the record of another session than its name says")
    if "status" not in record or "turn" not in record or "since" not in record or "last_at" not in record:
        raise ValueError("is no record of a session (what it is doing is missing)")
    runs: list[Run] = [record, *record.get("others", [])]
    if not all(0 <= moment < LATEST for run in runs for moment in (run.get("since", 0.0), run.get("last_at", 0.0))):
        raise ValueError("is no record of a session (a time in it is none)")
    return record
