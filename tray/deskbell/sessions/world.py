"""Read all that is known of the sessions on this machine, and let `truth` decide what each of them is doing.

The loop and the commands that look at sessions call `World.read`. It reads files and asks for processes; it writes
nothing and starts nothing.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from deskbell.session import STALE_AFTER, Key, Session
from deskbell.sessions.assemble import assemble, transcript_of
from deskbell.sessions.candidates import Candidate, candidates, others_wrote_until
from deskbell.sessions.conversation import Tail
from deskbell.sessions.evidence import NO_TAIL, Evidence, Verdict
from deskbell.sessions.folder import Problems, reason_of
from deskbell.sessions.memory import Memories, Memory
from deskbell.sessions.processes import Processes, host, is_alive
from deskbell.sessions.records import Records
from deskbell.sessions.registry import Entry, Registry
from deskbell.sessions.transcript import Transcripts
from deskbell.sessions.truth import verdict
from deskbell.sessions.turns import can_end_unseen, is_unreported, own_lines
from deskbell_hooks.schema import Record

GLANCE = 0.5
"""Seconds until a transcript is read again whose change wakes no one."""
FORGOTTEN_AFTER = 24 * 3600.0
"""Seconds without an event after which a client whose process cannot be asked is taken to be gone."""


class Examined(NamedTuple):
    """One client as it was last examined."""

    evidence: Evidence
    verdict: Verdict
    session: Session


class World:
    """ENDED_FOR: seconds for which an ended session is still returned.

    FRESH_FOR: seconds. A client that is found dead by the first look counts as having just died if its last event is
    more recent than this. 0 for the tray, which has seen it alive.
    """

    def __init__(
        self,
        sessions: Path,
        config_dirs: Callable[[], Sequence[Path]],
        tell: Callable[[str], None] = lambda sentence: None,
        ended_for: float = 15.0,
        fresh_for: float = 0.0,
        alive: Callable[[int, int | None, float], bool] = is_alive,
    ) -> None:
        """TELL is called with a sentence for each item that cannot be read."""
        self._problems = Problems(tell)
        self._records = Records(sessions)
        self._registry = Registry()
        self._transcripts = Transcripts(problems=self._problems)
        self._processes = Processes(alive)
        self._memories = Memories(fresh_for)
        self._ended_for = ended_for
        self._host = host()
        self._examined: dict[Key, Examined] = {}
        self._read_at = 0.0
        self._known_dirs = config_dirs
        self.config_dirs: tuple[Path, ...] = tuple(config_dirs())
        """Claude Code's folders of all accounts, including those that only a record names."""

    @property
    def watched(self) -> list[Path]:
        """The folders of the registries, whose changes matter."""
        return [folder / "sessions" for folder in self.config_dirs]

    @property
    def problem(self) -> str | None:
        """Why no record can be read, as a sentence for the person."""
        return self._records.problem

    @property
    def again(self) -> float | None:
        """When to read again even if nothing changes."""
        due = [one.verdict.again for one in self._examined.values()]
        if any(can_end_unseen(one.evidence) for one in self._examined.values()):
            due.append(self._read_at + GLANCE)
        return min((at for at in due if at is not None), default=None)

    @property
    def pids(self) -> frozenset[int]:
        """The processes whose end matters."""
        sessions = (one.session for one in self._examined.values())
        return frozenset(session.pid for session in sessions if session.pid and session.group != "ended")

    def died(self, pid: int) -> None:
        """Ask again for this process at the next reading: something saw it end."""
        self._processes.forget(pid)

    def read(self, now: float) -> list[Session]:
        self._read_at = now
        records = self._records.read(self._problems, now - self._ended_for)
        self.config_dirs = _without_doubles([*self._known_dirs(), *_config_dirs_of(records)])
        entries = self._registry.read(self.config_dirs, self._problems)
        living = {entry.pid: entry for entry in entries if self._lives(entry, now)}
        left_behind: set[Key] = {(entry.session_id, entry.pid) for entry in entries if entry.pid not in living}
        left = self._memories.left(living)
        examined: dict[Key, Examined] = {}
        for candidate in candidates(records, living, left, self._records.of):
            if candidate.key not in examined and (one := self._examine(candidate, living, left_behind, now)):
                examined[candidate.key] = one
        self._examined = _without_ended_doubles(examined)
        self._processes.tidy(now)
        self._memories.keep(self._examined)
        return [one.session for one in self._examined.values()]

    def _lives(self, entry: Entry, now: float) -> bool:
        """Guards against a reused pid: another process with this pid started after the entry was written."""
        heard_at = entry.status_since or entry.started or now
        try:
            return self._processes.is_alive(entry.pid, entry.pid_start, heard_at, now)
        except Exception as error:  # noqa: BLE001  # a process that cannot be asked for must not hide the others
            self._problems.add(f"process {entry.pid}", reason_of(error))
            return True  # its client has not removed the entry

    def _examine(
        self, candidate: Candidate, living: Mapping[int, Entry], left_behind: set[Key], now: float
    ) -> Examined | None:
        """None for a client that is not shown. If it cannot be examined, what was last known of it stays."""
        name = f"session {candidate.session_id}"
        try:
            found = self._look(candidate, living, left_behind, now)
        except Exception as error:  # noqa: BLE001  # a session that cannot be examined must not hide the others
            self._problems.add(name, reason_of(error))
            return self._examined.get(candidate.key)
        self._problems.solved(name)
        return found

    def _look(
        self, candidate: Candidate, living: Mapping[int, Entry], left_behind: set[Key], now: float
    ) -> Examined | None:
        alive = self._is_alive(candidate, now)
        is_forgotten = alive is None and now - candidate.heard > FORGOTTEN_AFTER
        if is_forgotten or self._memories.is_buried(candidate):
            return None
        memory = self._memories.of(candidate, alive, now)
        path = transcript_of(candidate.session_id, candidate.record, candidate.entry)
        of_same_pid = living.get(candidate.pid or 0)
        evidence = Evidence(
            now=now,
            run=candidate.run,
            entry=candidate.entry,
            alive=alive,
            died=memory.died or 0.0,
            had_entry=memory.entry is not None or candidate.key in left_behind,
            left_behind=candidate.key in left_behind,
            left=memory.left,
            moved_on=of_same_pid is not None and of_same_pid.session_id != candidate.session_id,
            own_dialog=memory.own_dialog,
            tail=self._tail(path, candidate, living) if path and alive is not False else NO_TAIL,
        )
        before = self._examined.get(candidate.key)
        found = before if before and _still_holds(before, evidence) else _examined(candidate, memory, evidence)
        if alive is False and found.verdict.again is None and now - found.verdict.since > self._ended_for:
            self._memories.bury(candidate)
            return None
        return found

    def _tail(self, path: str, candidate: Candidate, living: Mapping[int, Entry]) -> Tail:
        tail, until = self._transcripts.read(path), others_wrote_until(candidate, living.values())
        return tail if until is None or not candidate.entry else own_lines(tail, candidate.entry, until)

    def _is_alive(self, candidate: Candidate, now: float) -> bool | None:
        if candidate.entry:
            return True
        if candidate.pid is None or not candidate.run:
            return None if candidate.run else False
        if candidate.run["where"].get("host", self._host) != self._host:
            return None
        return self._processes.is_alive(candidate.pid, candidate.start, candidate.heard, now)


def config_dir_of(record: Record) -> str | None:
    """The session's account: as the hooks recorded it, else the folder above `projects` in its transcript's path."""
    if config_dir := record.get("config_dir"):
        return config_dir
    above, found, _ = record.get("transcript", "").rpartition("/projects/")
    return above if found else None


def _config_dirs_of(records: Iterable[Record]) -> list[Path]:
    named = dict.fromkeys(config_dir for record in records if (config_dir := config_dir_of(record)))
    return [Path(name) for name in named]


def _without_doubles(paths: Iterable[Path]) -> tuple[Path, ...]:
    return tuple(dict.fromkeys(paths))


def _without_ended_doubles(examined: dict[Key, Examined]) -> dict[Key, Examined]:
    """Leave out the clients that have ended while another client runs the same session."""
    living = {one.session.session_id for one in examined.values() if one.session.group != "ended"}
    return {key: one for key, one in examined.items() if one.session.group != "ended" or key[0] not in living}


def _examined(candidate: Candidate, memory: Memory, evidence: Evidence) -> Examined:
    found, entry = verdict(evidence), candidate.entry or memory.entry
    record, run, tail, now = candidate.record, candidate.run, evidence.tail, evidence.now
    silent = is_unreported(evidence)
    return Examined(evidence, found, assemble(candidate.session_id, record, run, entry, tail, found, now, silent))


def _still_holds(before: Examined, new: Evidence) -> bool:
    """True if the same evidence was examined before and no time has come at which the verdict may change."""
    old, found, session = before
    same = old.run is new.run and old.entry is new.entry and old.tail == new.tail
    same = same and (old.alive, old.left_behind, old.moved_on) == (new.alive, new.left_behind, new.moved_on)
    due = found.again is not None and new.now >= found.again
    return same and not due and session.stale == (new.now - session.heard > STALE_AFTER)
