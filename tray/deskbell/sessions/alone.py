"""Find the clients that do not depend on others, so that a change in their own files changes no other client. Pure.

Two clients depend on each other if they run the same session, or if one process has run the sessions of both. A client
that is over is left out, because another client may have resumed its session.
"""

from collections import Counter
from collections.abc import Container, Iterable, Sequence

from deskbell.session import Key
from deskbell.sessions.accounts import account_of
from deskbell.sessions.candidates import Candidate
from deskbell.sessions.registry import Entry
from deskbell_hooks.schema import Record


class Alone:
    def __init__(self, listed: Sequence[Candidate], running: Container[Key]) -> None:
        """Choose from LISTED, which has every client once. RUNNING are the keys of those that are not over."""
        ids, pids = Counter([one.session_id for one in listed]), Counter([one.pid for one in listed])
        only = [one for one in listed if ids[one.session_id] == 1 and one.pid is not None and pids[one.pid] == 1]
        self._of = {one.session_id: one for one in only if (one.session_id, one.pid) in running}

    def renewed(self, records: Iterable[Record], entries: Iterable[Entry]) -> list[Candidate] | None:
        """Return the clients of RECORDS and ENTRIES with these new values; None if another client may depend on one."""
        of: dict[str, Candidate] = {}
        for record in records:
            known = of.get(record["session_id"]) or self._of.get(record["session_id"])
            if known is None or not _is_of(record, known):
                return None
            of[known.session_id] = known._replace(record=record, run=record)
        for entry in entries:
            known = of.get(entry.session_id) or self._of.get(entry.session_id)
            if known is None or not known.entry or not _is_same(entry, known.entry):
                return None
            of[known.session_id] = known._replace(entry=entry)
        self._of |= of
        return list(of.values())


def _is_of(record: Record, known: Candidate) -> bool:
    """Return True if RECORD is of the client KNOWN alone, with the same process and account as before."""
    where, before = record.get("where"), known.record
    if where is None or before is None or known.run is not before or record.get("others"):
        return False
    return (where["pid"], where.get("start")) == (known.pid, known.start) and account_of(record) == account_of(before)


def _is_same(entry: Entry, known: Entry) -> bool:
    return (entry.pid, entry.pid_start, entry.config_dir) == (known.pid, known.pid_start, known.config_dir)
