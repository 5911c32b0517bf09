"""List the clients that may run a session, each with the record and the registry entry that belong to it. Pure.

A client is known from the hooks, from the registry, or from having just left the registry.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from math import inf
from typing import NamedTuple

from deskbell.session import Key
from deskbell.sessions.registry import Entry
from deskbell_hooks.schema import Record, Run


class Candidate(NamedTuple):
    session_id: str
    record: Record | None
    run: Run | None
    entry: Entry | None
    pid: int | None
    start: int | None
    """The start of the process in clock ticks; None if unknown."""

    @property
    def key(self) -> Key:
        return self.session_id, self.pid

    @property
    def heard(self) -> float:
        """The time of the last event of its hooks; 0.0 if there was none."""
        return self.run["last_at"] if self.run else 0.0


def candidates(
    records: Iterable[Record],
    living: Mapping[int, Entry],
    left: Iterable[Entry],
    record_of: Callable[[str], Record | None],
) -> Iterator[Candidate]:
    """Yield the clients that hooks reported, then those that only the registry lists, then those that just left it.

    LIVING are the entries of running processes by pid, LEFT the last entries of clients that have left the registry or
    are dead. A client may come more than once; the first time counts.
    """
    reported: set[int] = set()
    for record in records:
        for run in (record, *record.get("others", [])):
            candidate = _reported(record, run, living)
            if candidate.entry:
                reported.add(candidate.entry.pid)
            yield candidate
    for pid, entry in living.items():
        if pid not in reported:
            yield Candidate(entry.session_id, record_of(entry.session_id), None, entry, pid, entry.pid_start)
    for entry in left:
        known = record_of(entry.session_id)
        yield Candidate(entry.session_id, known, _run_of(known, entry), None, entry.pid, entry.pid_start)


def _run_of(record: Record | None, entry: Entry) -> Run | None:
    """Return what the hooks recorded of this client in RECORD, whose session may have ended; None if nothing."""
    for run in (record, *record.get("others", [])) if record else ():
        where = run.get("where")
        if where and where["pid"] == entry.pid and _can_be_same(where.get("start"), entry.pid_start):
            return run
    return None


def _reported(record: Record, run: Run, living: Mapping[int, Entry]) -> Candidate:
    session_id, where = record["session_id"], run.get("where")
    if where is None:
        entry = next((one for one in living.values() if one.session_id == session_id), None)
        return Candidate(session_id, record, run, entry, entry.pid if entry else None, None)
    pid, start = where["pid"], where.get("start")
    entry = living.get(pid)
    is_same = entry and entry.session_id == session_id and _can_be_same(start, entry.pid_start)
    return Candidate(session_id, record, run, entry if is_same else None, pid, start)


def _can_be_same(start: int | None, other: int | None) -> bool:
    """Return True if two starts can be those of one process. None is an unknown start."""
    return None in (start, other) or start == other


def newest_sessions(records: Iterable[Record]) -> dict[tuple[int, int | None], str]:
    """Return the session of the newest event of each process. A process is a pid and its start."""
    found: dict[tuple[int, int | None], tuple[float, str]] = {}
    for record in records:
        for run in (record, *record.get("others", [])):
            if where := run.get("where"):
                process, heard = (where["pid"], where.get("start")), (run["last_at"], record["session_id"])
                found[process] = max(heard, found.get(process, heard))
    return {process: session_id for process, (_, session_id) in found.items()}


def was_resumed(candidate: Candidate, since: float) -> bool:
    """Return True if another client of its session began after SINCE, by its events.

    What cannot be known: which of two clients worked on, if both were killed while Deskbell did not run.
    """
    record = candidate.record
    runs = (record, *record.get("others", [])) if record else ()
    others = [run for run in runs if run.get("where", {}).get("pid") != candidate.pid]
    return any(run["last_at"] > since and run.get("began", inf) > since for run in others)
