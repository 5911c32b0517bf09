"""Find out whether the processes of clients run: here, in another pid namespace, or where nobody can ask."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from deskbell.sessions.candidates import Candidate
from deskbell.sessions.folder import Problems, reason_of
from deskbell.sessions.here import Here, is_identified
from deskbell.sessions.processes import Processes
from deskbell.sessions.registry import Entry

LOST_AFTER = 3600.0
"""Seconds without a sign after which a client that cannot be asked about counts as gone: one of another machine, or
in a container that cannot be looked into."""
INITIAL_PIDS = "pid:[4026531836]"
"""The pid namespace of the system, which sees the processes of all others. Linux gives it this fixed number."""


class Liveness:
    """Whether the processes of clients run, by the newest reading. THIS is where this program runs."""

    def __init__(self, processes: Processes, problems: Problems, here: Callable[[], Here]) -> None:
        self._processes = processes
        self._problems = problems
        self._here = here
        self.this = here()

    def begin(self) -> None:
        """Begin a reading: the machine may have another name now."""
        self.this = self._here()

    def of_all(self, entries: Iterable[Entry], now: float) -> tuple[dict[int, Entry], list[Entry]]:
        """Return the entries of the clients that run, by pid, and those of the clients that were killed.

        One that cannot be asked about counts as running unless its entry is old: it may have been left behind.
        """
        lives = [(entry, self.of_entry(entry, now)) for entry in entries]
        living = {entry.pid: entry for entry, alive in lives if alive or (alive is None and not _is_old(entry, now))}
        return living, [entry for entry, alive in lives if alive is False]

    def of_entry(self, entry: Entry, now: float) -> bool | None:
        """Return whether the process of ENTRY runs; None if that cannot be asked.

        A process that started after the entry was written has only its pid.
        """
        if entry.pids not in ("", self.this.pids) and self.this.pids:
            return self._elsewhere(entry.pid, entry.pid_start, entry.pids, {"machine": entry.machine}, now)
        if entry.machine not in ("", self.this.machine) and self.this.machine:
            return None
        heard_at = entry.status_since or entry.started or now
        try:
            answer = self._processes.is_alive(entry.pid, entry.pid_start, heard_at, now)
        except Exception as error:  # noqa: BLE001  # a process that cannot be examined must not hide the others
            self._problems.add(f"process {entry.pid}", reason_of(error))
            return True  # its client has not removed the entry
        if self._problems.reported:
            self._problems.solved(f"process {entry.pid}")
        return answer

    def of(self, candidate: Candidate, now: float) -> bool | None:
        """Return whether the process of CANDIDATE runs; None if that cannot be asked or no process is known."""
        if candidate.entry:
            return True
        if candidate.pid is None or not candidate.run:
            return None if candidate.run else False
        where = candidate.run["where"]
        if not self.this.has_pids(where.get("pids", "")):
            return self._elsewhere(candidate.pid, candidate.start, where["pids"], where, now)
        is_here = self.this.has_machine(where)
        if not is_here and (is_identified(where) or candidate.start is None):
            return None
        alive = self._processes.is_alive(candidate.pid, candidate.start, candidate.heard, now)
        return alive if is_here else alive or None  # the machine may have had another name then

    def _elsewhere(self, pid: int, start: int | None, pids: str, where: Mapping[str, Any], now: float) -> bool | None:
        """Return whether the process runs that is PID in the namespace PIDS; None if it may run where nobody looks."""
        if self._processes.is_seen(pid, start, pids, now):
            return True
        is_all_seen = self.this.pids == INITIAL_PIDS and self.this.has_machine(where)
        return False if is_all_seen else None

    def is_suspended(self, candidate: Candidate, now: float) -> bool:
        """Return whether the process is stopped. In another pid namespace its number is that of another process."""
        entry, run = candidate.entry, candidate.run
        pids = entry.pids if entry else run.get("where", {}).get("pids", "") if run else ""
        return pids in ("", self.this.pids) and self._processes.is_suspended(candidate.pid, now)

    def host_of(self, candidate: Candidate) -> str | None:
        """Return the name of the client's machine. That of this machine may be another one than its hooks found."""
        where = candidate.run.get("where") if candidate.run else None
        if where is None or "host" not in where:
            return None
        return self.this.name if self.this.has_machine(where) else where["host"]


def _is_old(entry: Entry, now: float) -> bool:
    return now - max(entry.status_since, entry.updated, entry.started or 0.0) >= LOST_AFTER
