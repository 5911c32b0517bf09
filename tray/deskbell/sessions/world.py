"""Read all that is known of the sessions on this machine, and let `truth` decide what each of them is doing.

The loop and the commands that look at sessions call `World.read`. It reads files and asks for processes; it writes
nothing and starts nothing.
"""

import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from pathlib import Path

from deskbell.session import Key, Session
from deskbell.sessions.accounts import account_of, accounts
from deskbell.sessions.assemble import transcript_of
from deskbell.sessions.candidates import Candidate, candidates, newest_sessions, was_resumed
from deskbell.sessions.conversation import Tail
from deskbell.sessions.crashes import DAY, Crash, Crashes, is_kept, kept_until, left_behind
from deskbell.sessions.evidence import NO_TAIL, Evidence
from deskbell.sessions.examined import Examined, examined, is_due, still_holds, unexamined, without_ended_doubles
from deskbell.sessions.folder import Problems, cannot_be, reason_of
from deskbell.sessions.memory import Memories, Memory
from deskbell.sessions.processes import Processes, boot_time, host, is_alive, is_suspended
from deskbell.sessions.records import Records
from deskbell.sessions.registry import Entry, Registry, has_registry
from deskbell.sessions.shared import own_tail
from deskbell.sessions.stand_in import Probe
from deskbell.sessions.transcript import Transcripts
from deskbell.sessions.truth import LAST_WORD
from deskbell_hooks.schema import Record

GLANCE = 0.5
"""Seconds until a transcript is read again whose change wakes no one."""
FORGOTTEN_AFTER = 24 * 3600.0
"""Seconds without an event after which a client whose process cannot be asked is taken to be gone."""


@dataclass
class _Found:
    """What one reading has found before it examines each client."""

    records: Sequence[Record]
    living: Mapping[int, Entry]
    left_behind: Mapping[Key, Entry]
    """The registry's entries of dead processes."""
    crashes: Crashes
    """What was noted of crashes by earlier looks."""

    @cached_property
    def newest(self) -> Mapping[tuple[int, int | None], str]:
        """The session that each process was heard of last."""
        return newest_sessions(self.records)

    @cached_property
    def shared(self) -> frozenset[str]:
        """The sessions that several living processes run."""
        clients = Counter(entry.session_id for entry in self.living.values())
        return frozenset(session_id for session_id, count in clients.items() if count > 1)

    def last_of(self, candidate: Candidate) -> str:
        """The session that the process of CANDIDATE was heard of last."""
        return self.newest.get((candidate.pid or 0, candidate.start), candidate.session_id)

    def has_moved_on(self, candidate: Candidate, is_exiting: bool) -> bool:
        """True if the process of CANDIDATE runs another session now. While it exits, only its hooks know."""
        if entry := self.living.get(candidate.pid or 0):
            return entry.session_id != candidate.session_id
        return is_exiting and self.last_of(candidate) != candidate.session_id

    def is_left(self, candidate: Candidate) -> bool:
        """True if the process of CANDIDATE, which is dead, went on with another session."""
        later = {self.last_of(candidate)}
        for (session_id, pid), entry in self.left_behind.items():
            if pid == candidate.pid and candidate.start in (None, entry.pid_start):
                later.add(session_id)
        return bool(later - {candidate.session_id})


class World:
    """ENDED_FOR: seconds for which a session that is over is returned. A crash that is to be seen stays until then.

    CRASHES returns what was noted of crashes by earlier looks, BOOTED the start of the machine. PROBE raises for a
    session that cannot be shown: a plain one that says so takes its place. ONLY is the session whose record is read;
    None: all are read.
    """

    def __init__(
        self,
        sessions: Path,
        config_dirs: Callable[[], Sequence[Path]],
        tell: Callable[[str], None] = lambda sentence: None,
        ended_for: float = 15.0,
        alive: Callable[[int, int | None, float], bool] = is_alive,
        suspended: Callable[[int], bool] = is_suspended,
        crashes: Callable[[], Crashes] = dict,
        booted: Callable[[], float] = boot_time,
        probe: Probe = lambda session, now: None,
        only: str | None = None,
        monotonic: Callable[[], float] = time.monotonic,
        heard: Callable[[int], bool] = lambda pid: False,
    ) -> None:
        """TELL is called with a sentence for each item that cannot be read. MONOTONIC times the pauses of reading.

        HEARD says whether `died` is called at the end of a process.
        """
        self._problems = Problems(tell)
        self._records = Records(sessions, only, monotonic)
        self._registry = Registry(monotonic)
        self._transcripts = Transcripts(problems=self._problems)
        self._processes = Processes(alive, suspended, heard)
        self._memories = Memories()
        self._crashes = crashes
        self._booted = booted
        self._probe = probe
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
        """Why no record can be read, and where."""
        return self._records.problem

    @property
    def again(self) -> float | None:
        """When to read again even if nothing changes."""
        due = [one.again for one in self._examined.values()]
        if any(one.glanced for one in self._examined.values()):
            due.append(self._read_at + GLANCE)
        due += [self._read_at + at for at in (self._records.patience, self._registry.patience) if at is not None]
        return min((at for at in due if at is not None), default=None)

    @property
    def pids(self) -> frozenset[int]:
        """The processes whose end matters."""
        sessions = (one.session for one in self._examined.values())
        return frozenset(session.pid for session in sessions if session.pid and not session.over)

    @property
    def silent(self) -> frozenset[Key]:
        """The clients of whose newest prompt no hook reported anything."""
        return frozenset(key for key, one in self._examined.items() if one.silent)

    def died(self, pid: int) -> None:
        """Ask again for this process at the next reading: something saw it end."""
        self._processes.forget(pid)

    def read(self, now: float) -> list[Session]:
        self._read_at = now
        records = self._records.read(self._problems, now - self._ended_for)
        self.config_dirs = accounts(self._known_dirs(), records)
        entries = self._registry.read(self.config_dirs, self._problems)
        living = {entry.pid: entry for entry in entries if self._lives(entry, now)}
        killed = [entry for entry in entries if entry.pid not in living]
        crashes = self._crashes()
        killed = [*(one for one in left_behind(crashes, now) if one.pid not in living), *killed]
        rests: dict[Key, Entry] = {(entry.session_id, entry.pid): entry for entry in killed}
        found = _Found(records, living, rests, crashes)
        left = [*self._memories.left(living), *killed]
        every: dict[Key, Examined] = {}
        listed: set[Key] = set()
        for candidate in candidates(records, living, left, self._records.of):
            listed.add(candidate.key)
            if candidate.key not in every and (one := self._examine(candidate, found, now)):
                every[candidate.key] = one
        self._examined = without_ended_doubles(every)
        self._processes.tidy(now)
        self._transcripts.tidy()
        self._memories.keep(every, listed)
        return [one.session for one in self._examined.values()]

    def _lives(self, entry: Entry, now: float) -> bool:
        """Guards against a reused pid: another process with this pid started after the entry was written."""
        heard_at = entry.status_since or entry.started or now
        try:
            return self._processes.is_alive(entry.pid, entry.pid_start, heard_at, now)
        except Exception as error:  # noqa: BLE001  # a process that cannot be asked for must not hide the others
            self._problems.add(f"process {entry.pid}", reason_of(error))
            return True  # its client has not removed the entry

    def _examine(self, candidate: Candidate, found: "_Found", now: float) -> Examined | None:
        """None for a client that is not shown. If it cannot be examined, what was last known of it stays."""
        name = f"session {candidate.session_id}"
        try:
            before = self._examined.get(candidate.key)
            is_same = before and self._is_unchanged(before, candidate, found, now)
            one = before if is_same else self._look(candidate, found, now)
        except Exception as error:  # noqa: BLE001  # a session that cannot be examined must not hide the others
            self._problems.add(name, why := cannot_be("examined", error))
            is_recent = candidate.entry or now - candidate.heard < FORGOTTEN_AFTER
            known = self._examined.get(candidate.key)
            return known or (unexamined(candidate, why, now, self._probe) if is_recent else None)
        if one and one.why:
            self._problems.add(name, one.why)
        else:
            self._problems.solved(name)
        return one

    def _is_unchanged(self, before: Examined, candidate: Candidate, found: "_Found", now: float) -> bool:
        """True for a client in the registry of which no file, no process and no other client says anything new."""
        if candidate.entry is None or candidate != before.candidate or is_due(before, now):
            return False
        if candidate.session_id in found.shared or before.evidence.moved_on:
            return False
        path = transcript_of(candidate.session_id, candidate.record, candidate.entry)
        tail = self._transcripts.read(path) if path else NO_TAIL
        is_suspended = self._processes.is_suspended(candidate.pid, now)
        return tail is before.evidence.tail and is_suspended == before.evidence.suspended

    def _look(self, candidate: Candidate, found: "_Found", now: float) -> Examined | None:
        alive = self._is_alive(candidate, now)
        is_forgotten = alive is None and now - candidate.heard > FORGOTTEN_AFTER
        if is_forgotten or self._memories.is_buried(candidate):
            return None
        rest = found.left_behind.get(candidate.key) if alive is False else None
        path = transcript_of(candidate.session_id, candidate.record, candidate.entry or rest)
        last_sign = partial(self._last_sign, candidate, rest, path, found, now)
        memory = self._memories.of(candidate, alive, now, last_sign, rest)
        start = memory.entry.pid_start if memory.entry else candidate.start
        living = found.living
        memory.take_listing(alive, candidate.pid in living, now)
        noted = found.crashes.get((*candidate.key, start)) if alive is False else None
        died = noted.died if noted else memory.died or 0.0
        was_killed = memory.killed or noted is not None
        evidence = Evidence(
            now=now,
            run=candidate.run,
            entry=candidate.entry,
            alive=alive,
            died=died,
            had_entry=memory.entry is not None or (memory.unlisted_for() < LAST_WORD and self._has_registry(candidate)),
            left_behind=was_killed,
            left=memory.left,
            moved_on=found.has_moved_on(candidate, alive is True and self._has_registry(candidate)),
            went_on=alive is False and ((not was_killed and found.is_left(candidate)) or was_resumed(candidate, died)),
            own_dialog=memory.own_dialog,
            suspended=alive is True and self._processes.is_suspended(candidate.pid, now),
            tail=self._tail(path, candidate, living) if path and not (alive is False and now - died > DAY) else NO_TAIL,
        )
        before = self._examined.get(candidate.key)
        holds = before and still_holds(before, evidence)
        one = before if before and holds else examined(candidate, memory, evidence, self._probe)
        one = self._kept(one, noted, memory)
        shown_until = max(one.since + self._ended_for, one.session.kept_until or 0.0)
        if alive is False and one.again is None and now > shown_until:
            self._memories.bury(candidate)
            return None
        return one

    def _kept(self, one: Examined, noted: Crash | None, memory: Memory) -> Examined:
        """ONE with the time until which its person has to see that it crashed."""
        if not is_kept(one.session):
            return one
        until = noted.until if noted else kept_until(one.session.since, self._booted() if memory.killed else None)
        return one if until == one.session.kept_until else one._replace(session=replace(one.session, kept_until=until))

    def _last_sign(
        self, candidate: Candidate, rest: Entry | None, path: str | None, found: _Found, now: float
    ) -> float:
        """The last sign of life of a client that was found dead: its last event, its last change in the registry, or
        the last line of its transcript. No client lives longer than the machine runs."""
        own = max(candidate.heard, (rest.status_since or rest.started or 0.0) if rest else 0.0)
        if path is None or now - own > DAY:
            return own
        written, booted = self._tail(path, candidate, found.living).at or 0.0, self._booted()
        return max(own, min(written, booted) if own < booted else written)

    def _has_registry(self, candidate: Candidate) -> bool:
        account = account_of(candidate.record) if candidate.record else None
        return any(map(has_registry, [account] if account else self.config_dirs))

    def _tail(self, path: str, candidate: Candidate, living: Mapping[int, Entry]) -> Tail:
        return own_tail(self._transcripts.read(path), candidate, living.values())

    def _is_alive(self, candidate: Candidate, now: float) -> bool | None:
        if candidate.entry:
            return True
        if candidate.pid is None or not candidate.run:
            return None if candidate.run else False
        if candidate.run["where"].get("host", self._host) != self._host:
            return None
        return self._processes.is_alive(candidate.pid, candidate.start, candidate.heard, now)
