"""Hold what one reading of the world found, so that the examination of one client can refer to the others. Pure."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from deskbell.session import Key
from deskbell.sessions.candidates import Candidate, newest_sessions
from deskbell.sessions.crashes import Crashes
from deskbell.sessions.registry import Entry
from deskbell_hooks.schema import Record


@dataclass
class Found:
    """What `World.read` found when it last read everything."""

    records: Sequence[Record]
    living: dict[int, Entry]
    left_behind: Mapping[Key, Entry]
    """The registry's entries of dead processes."""
    crashes: Crashes
    """What earlier readings noted of crashes."""

    @cached_property
    def newest(self) -> Mapping[tuple[int, int | None], str]:
        """The session of the newest event of each process."""
        return newest_sessions(self.records)

    @cached_property
    def shared(self) -> frozenset[str]:
        """The sessions that several living processes run."""
        clients = Counter(entry.session_id for entry in self.living.values())
        return frozenset(session_id for session_id, count in clients.items() if count > 1)

    def last_of(self, candidate: Candidate) -> str:
        """Return the session of the newest event of CANDIDATE's process."""
        return self.newest.get((candidate.pid or 0, candidate.start), candidate.session_id)

    def has_moved_on(self, candidate: Candidate, is_exiting: bool) -> bool:
        """Return True if the process of CANDIDATE runs another session now. While it exits, only hooks say so."""
        if entry := self.living.get(candidate.pid or 0):
            return entry.session_id != candidate.session_id
        return is_exiting and self.last_of(candidate) != candidate.session_id

    def arrives(self, candidate: Candidate) -> bool:
        """Return True if the hooks of CANDIDATE's process have only reported another session so far."""
        return candidate.run is None and self.last_of(candidate) != candidate.session_id

    def is_dismissed(self, candidate: Candidate) -> bool:
        """Return whether the person has dismissed a client that cannot be asked about, and nothing was heard since."""
        noted = self.crashes.get((*candidate.key, candidate.start))
        return noted is not None and candidate.heard <= noted.died

    def is_left(self, candidate: Candidate) -> bool:
        """Return True if the dead process of CANDIDATE had gone on with another session."""
        later = {self.last_of(candidate)}
        for (session_id, pid), entry in self.left_behind.items():
            if pid == candidate.pid and candidate.start in (None, entry.pid_start):
                later.add(session_id)
        return bool(later - {candidate.session_id})
