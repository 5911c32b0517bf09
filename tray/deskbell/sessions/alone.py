"""Find the clients of which no other one says anything, so that a change in their own files changes no other. Pure.

Two clients can say something of each other if they run the same session, or if one process has run both of their
sessions. A client that is over may be found again in another one.
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
        """LISTED are all clients, each once, RUNNING those that are not over."""
        ids, pids = Counter([one.session_id for one in listed]), Counter([one.pid for one in listed])
        only = [one for one in listed if ids[one.session_id] == 1 and one.pid is not None and pids[one.pid] == 1]
        self._of = {one.session_id: one for one in only if (one.session_id, one.pid) in running}

    def renewed(self, records: Iterable[Record], entries: Iterable[Entry]) -> list[Candidate] | None:
        """The clients to which RECORDS and ENTRIES belong, with these. None if other clients may depend on one."""
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
    """True if RECORD is that of the client KNOWN and of no other one, in the same place and account as before."""
    where, before = record.get("where"), known.record
    if where is None or before is None or known.run is not before or record.get("others"):
        return False
    return (where["pid"], where.get("start")) == (known.pid, known.start) and account_of(record) == account_of(before)


def _is_same(entry: Entry, known: Entry) -> bool:
    return (entry.pid, entry.pid_start, entry.config_dir) == (known.pid, known.pid_start, known.config_dir)
