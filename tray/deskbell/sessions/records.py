"""Read and validate the records of all sessions, which the hooks write. Only changed files are read again."""

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from deskbell.changes import Changes
from deskbell.files.read import LATEST
from deskbell.files.shape import Shape
from deskbell.sessions.folder import Folder, Problems
from deskbell.sessions.numbers import is_pid
from deskbell_hooks.record import is_safe_id
from deskbell_hooks.schema import Record, Run

LARGEST = 64 * 1024
"""The most bytes of a record. The hooks write at most a quarter of this."""
RESUMED_WITHIN = 24 * 3600.0
"""Seconds for which the record of an ended session is checked as closely as that of a running one."""
NEEDED = ("status", "turn", "since", "last_at")
"""Fields that every run must have."""
TIMES = (
    *("since", "last_at", "turn_at", "turn_started", "last_turn_seconds", "started"),
    *("began", "asked_at", "person_at"),
)
"""Fields of a run or record that hold seconds."""


_RECORD = Shape(Record)


class Records:
    """The records of all sessions, or only of the session ONLY.

    The record of an ended session leaves the memory when nothing shows it any more: there may be a hundred thousand.
    """

    def __init__(self, sessions: Path, only: str | None = None, clock: Callable[[], float] = time.monotonic) -> None:
        wanted = _is_record if only is None else f"{only}.json".__eq__
        self._folder = Folder(sessions, wanted, record_of, LARGEST, _is_over, clock, is_kept=self._is_kept)
        self._ended_after = float("-inf")

    @property
    def path(self) -> Path:
        return self._folder.path

    @property
    def problem(self) -> str | None:
        """Why no record can be read, and where; None if they can."""
        return self._folder.problem

    @property
    def patience(self) -> float | None:
        """Seconds until the next attempt to read what cannot be read at the moment; None if everything can."""
        return self._folder.patience

    def read(self, problems: Problems, ended_after: float = float("-inf")) -> list[Record]:
        """Return all records except those of sessions that ended before ENDED_AFTER."""
        self._ended_after = ended_after
        return list(self._folder.read(problems).values())

    def read_named(self, changes: Changes) -> list[Record] | None:
        """Return the records that CHANGES names; None if only `read` can say what became of them."""
        return self._folder.read_named(changes.get(self.path))

    def of(self, session_id: str) -> Record | None:
        """Return the record as it was last read, also if its session ended long ago; None if there is none."""
        return self._folder.get(f"{session_id}.json")

    def _is_kept(self, record: Record) -> bool:
        return record["turn"] != "ended" or record["last_at"] >= self._ended_after or bool(record.get("others"))


def _is_record(name: str) -> bool:
    return name.endswith(".json") and is_safe_id(name[:-5])


def _is_over(record: Record) -> bool:
    """Return True if the session ended so long ago that it will hardly be resumed."""
    return record["status"] == "ended" and time.time() - record["last_at"] > RESUMED_WITHIN


def record_of(name: str, data: bytes) -> Record:
    """Return the record in a file. Raise ValueError if it is not the record of the session in its name.

    Fields that a newer Deskbell has added are left out. Fields that every reader needs are filled in.
    """
    try:
        record = _RECORD.read(data)
    except ValueError as error:
        raise _not_a_record(str(error)) from None
    if record.get("session_id") != name[:-5]:
        raise ValueError("holds the record of another session than its name says")
    if missing := [field for field in NEEDED if field not in record]:
        raise _not_a_record(f"{missing[0]} is missing")
    if not (_has_possible_times(record) and _has_possible_steps(record)):
        raise _not_a_record("a time is out of range")
    if not _has_possible_pid(record):
        raise _not_a_record("where.pid is not a process id")
    record["others"] = [run for run in record.get("others", []) if _can_be_read(run)]
    for run in (record, *record["others"]):
        _complete(run)
    return record


def _not_a_record(why: str) -> ValueError:
    return ValueError(f"is not a record of a session ({why})")


def _has_possible_times(run: Run) -> bool:
    """Return True if no time is infinite, not a number, negative or later than any calendar."""
    times: list[Any] = [run.get(name) or 0.0 for name in TIMES]
    times += [request["at"] for request in run.get("pending", ())]
    times += [agent.get(name, 0.0) for agent in run.get("agents", ()) for name in ("started", "ended")]
    clocks = run.get("zero", 0.0), *(number for step in run.get("steps", ()) for number in step)
    return all(0 <= time < LATEST for time in times) and all(abs(clock) < LATEST for clock in clocks)


def _has_possible_steps(run: Run) -> bool:
    return all(len(step) == 2 for step in run.get("steps", ()))


def _has_possible_pid(run: Run) -> bool:
    return "where" not in run or is_pid(run["where"].get("pid"))


def _can_be_read(run: Run) -> bool:
    return (
        all(field in run for field in NEEDED)
        and _has_possible_times(run)
        and _has_possible_steps(run)
        and _has_possible_pid(run)
    )


def _complete(run: Run) -> None:
    """Add the fields that readers rely on. Leave out subagents without an id or a status."""
    run.setdefault("detail", "")
    run.setdefault("last_event", "")
    run.setdefault("pending", [])
    run.setdefault("calls", [])
    run["agents"] = [agent for agent in run.get("agents", []) if "id" in agent and "status" in agent]
    run["tasks"] = [{"id": "", "type": "", "description": "", **task} for task in run.get("tasks", [])]
