"""Read everything that is known of the sessions on this machine, and ask `truth` what each of them is doing.

The loop and the commands call `World.read`. It reads files and asks the system about processes; it writes nothing and
starts nothing. With hints of what has changed (see `deskbell.changes`), it examines only the clients that the hints
name, if no other client can depend on them.
"""

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from math import inf
from pathlib import Path

from deskbell.changes import Changes
from deskbell.session import Key, Session
from deskbell.sessions.accounts import account_of, accounts
from deskbell.sessions.alone import Alone
from deskbell.sessions.assemble import transcript_of
from deskbell.sessions.candidates import Candidate, candidates, was_resumed
from deskbell.sessions.clock import Clocks
from deskbell.sessions.conversation import Tail
from deskbell.sessions.crashes import DAY, Crash, Crashes, is_kept, kept_until, left_behind
from deskbell.sessions.dialogs import approved, has_queue
from deskbell.sessions.evidence import NO_TAIL, Evidence
from deskbell.sessions.examined import Examined, due, examined, is_due, still_holds, unexamined, without_ended_doubles
from deskbell.sessions.folder import Problems, cannot_be
from deskbell.sessions.found import Found
from deskbell.sessions.here import Here, here
from deskbell.sessions.liveness import LOST_AFTER, Liveness
from deskbell.sessions.memory import Memories, Memory
from deskbell.sessions.processes import (
    BELIEVED_FOR,
    Processes,
    boot_time,
    commands_of,
    is_alive,
    is_suspended,
    process_of,
)
from deskbell.sessions.records import Records
from deskbell.sessions.registry import Entry, Registry, has_registry, registries
from deskbell.sessions.shared import own_tail
from deskbell.sessions.stand_in import Probe
from deskbell.sessions.transcript import Transcripts
from deskbell.sessions.truth import END_DELAY
from deskbell_hooks.schema import Record

EVERYTHING_EVERY = 2.0
"""Seconds until everything is read again although hints come: one may be lost, and there are none for transcripts and
stopped processes. If the end of a process may be missed, it is BELIEVED_FOR seconds."""
FORGOTTEN_AFTER = 24 * 3600.0
"""Seconds without an event after which a client whose process is not known counts as gone."""


class World:
    """All sessions on this machine, as they were last read.

    ENDED_FOR: for how many seconds a session that is over is still returned; a crash may stay longer. CRASHES returns
    what earlier readings noted of crashes, BOOTED the start of the machine. PROBE raises for a session that cannot be
    shown: a stand-in takes its place. ONLY: read the record of this session alone.
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
        elapsed: Callable[[], float | None] = lambda: None,
        this: Callable[[], Here] = here,
        find: Callable[[int, int | None, str], int | None] = process_of,
        commands: Callable[[int], Iterable[tuple[int, str]]] = commands_of,
    ) -> None:
        """TELL is called with a sentence for each item that cannot be read. MONOTONIC times the pauses of reading.

        ELAPSED returns the seconds since the machine was started; None if unknown. HEARD says whether `died` will be
        called at the end of a process. THIS returns where this program runs, FIND the number here of a process of
        another pid namespace, COMMANDS the start and the command line of each process that a process has started.
        """
        self._problems = Problems(tell)
        self._records = Records(sessions, only, monotonic)
        self._registry = Registry(monotonic)
        self._transcripts = Transcripts(problems=self._problems)
        self._processes = Processes(alive, suspended, heard, find)
        self._heard = heard
        self._memories = Memories()
        self._crashes = crashes
        self._booted = booted
        self._probe = probe
        self._ended_for = ended_for
        self._clocks = Clocks(elapsed)
        self._commands = commands
        self._liveness = Liveness(self._processes, self._problems, this)
        """Where this program runs, by the newest reading."""
        self._examined: dict[Key, Examined] = {}
        self._found: Found | None = None
        """What the last full reading found; None if the next reading must be a full one."""
        self._read_at, self._until = 0.0, 0.0
        """When everything was last read, and until when hints suffice."""
        self._alone = Alone((), ())
        self.again: float | None = None
        """When to read again even if nothing changes."""
        self.pids: frozenset[int] = frozenset()
        """The processes whose end matters."""
        self._known_dirs = config_dirs
        self.config_dirs: tuple[Path, ...] = tuple(config_dirs())
        """Claude Code's folders of all accounts, including those that only a record names."""
        self.watched = registries(self.config_dirs)
        """The folders of the registries, whose changes matter."""

    @property
    def problem(self) -> str | None:
        """Why no record can be read, and where; None if they can."""
        return self._records.problem

    @property
    def silent(self) -> frozenset[Key]:
        """The clients whose newest prompt no hook has reported."""
        return frozenset(key for key, one in self._examined.items() if one.silent)

    def died(self, pid: int) -> None:
        """Read everything at the next reading, and ask again about this process: its end was reported."""
        self._processes.forget(pid)
        self._found = None

    def read(self, now: float, changes: Changes | None = None) -> list[Session]:
        """Return every session. CHANGES are hints of what has changed since the last call; None if there are none.

        Without hints and after an error, everything is read.
        """
        found, self._found = self._found, None
        if by := self._clocks.take(now, self._liveness.this.boot):
            self._memories.shift(by)
            self._examined, found = {}, None
        if changes is None or found is None or not self._read_named(changes, found, now):
            found = self._read_everything(now)
        self._found = found
        return self._sessions

    def _record_of(self, session_id: str) -> Record | None:
        record = self._records.of(session_id)
        return record and self._clocks.records([record])[0]

    @property
    def _sessions(self) -> list[Session]:
        return [one.session for one in self._examined.values()]

    def _read_everything(self, now: float) -> Found:
        self._read_at = now
        self._liveness.begin()
        self._clocks.begin()
        records = self._clocks.records(self._records.read(self._problems, now - self._ended_for))
        self.config_dirs = accounts(self._known_dirs(), records)
        self.watched = registries(self.config_dirs)
        entries = self._clocks.entries(self._registry.read(self.config_dirs, self._problems))
        living, killed = self._liveness.of_all(entries, now)
        crashes = self._crashes()
        killed = [*(one for one in left_behind(crashes, now) if one.pid not in living), *killed]
        rests: dict[Key, Entry] = {(entry.session_id, entry.pid): entry for entry in killed}
        found = Found(records, living, rests, crashes)
        left = [*self._memories.left(living), *killed]
        every: dict[Key, Examined] = {}
        listed: dict[Key, Candidate] = {}
        for candidate in candidates(records, living, left, self._record_of):
            listed.setdefault(candidate.key, candidate)
            if candidate.key not in every and (one := self._examine(candidate, found, now)):
                every[candidate.key] = one
        self._examined = without_ended_doubles(every)
        self._processes.tidy(now)
        self._transcripts.tidy()
        self._memories.keep(every, listed)
        self._plan_ahead(list(listed.values()), now)
        return found

    def _plan_ahead(self, listed: Sequence[Candidate], now: float) -> None:
        """Find out which clients can be read alone after this, and until when that suffices."""
        shown = self._examined.values()
        running = {one.session.key for one in shown if not one.session.over}
        self.pids = frozenset([pid for _, pid in running if pid])
        self._alone = Alone(listed, running)
        self._until = now + (EVERYTHING_EVERY if all(map(self._heard, self.pids)) else BELIEVED_FOR)
        patience = [now + at for at in (self._records.patience, self._registry.patience) if at is not None]
        self._plan([*patience, *[due(one, now) for one in shown]])

    def _read_named(self, changes: Changes, found: Found, now: float) -> bool:
        """Read the clients whose files CHANGES names. Return False if everything must be read instead."""
        own = (self._records.path, *self.watched)
        if not self._read_at <= now < self._until or any(names for path, names in changes.items() if path not in own):
            return False
        records, entries = self._records.read_named(changes), self._registry.read_named(changes)
        if records is None or entries is None:
            return False
        records, entries = self._clocks.records(records), self._clocks.entries(entries)
        if not all(self._liveness.of_entry(entry, now) for entry in entries):
            return False
        renewed = self._alone.renewed(records, entries)
        if renewed is None:
            return False
        for entry in entries:
            found.living[entry.pid] = entry
        for candidate in renewed:
            one = self._examine(candidate, found, now)
            if one is None or one.session.over:
                return False
            self._examined[candidate.key] = one
            self._plan((self.again, due(one, now)))
        self._plan((self.again, self._until))
        return True

    def _plan(self, times: Iterable[float | None]) -> None:
        """Set when to read again to the earliest of TIMES. Hints suffice no longer than that."""
        self.again = min((at for at in times if at is not None), default=None)
        self._until = min(self._until, inf if self.again is None else self.again)

    def _examine(self, candidate: Candidate, found: Found, now: float) -> Examined | None:
        """Examine a client; None if it is not shown. If it cannot be examined, what was last known of it stays."""
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

    def _is_unchanged(self, before: Examined, candidate: Candidate, found: Found, now: float) -> bool:
        """Return True for a client in the registry if no file, process or other client says anything new about it."""
        if candidate.entry is None or candidate != before.candidate or before.has_queue or is_due(before, now):
            return False
        if candidate.session_id in found.shared or before.evidence.moved_on:
            return False
        path = transcript_of(candidate.session_id, candidate.record, candidate.entry)
        tail = self._transcripts.read(path) if path else NO_TAIL
        if self._clocks.behind:
            tail = self._clocks.tail(tail, candidate.pid)
        is_suspended = self._liveness.is_suspended(candidate, now)
        return tail is before.evidence.tail and is_suspended == before.evidence.suspended

    def _look(self, candidate: Candidate, found: Found, now: float) -> Examined | None:
        alive = self._liveness.of(candidate, now)
        is_forgotten = alive is None and (
            now - candidate.heard > (FORGOTTEN_AFTER if candidate.pid is None else LOST_AFTER)
            or found.is_dismissed(candidate)
        )
        if is_forgotten or self._memories.is_retired(candidate):
            return None
        rest = found.left_behind.get(candidate.key) if alive is False else None
        path = transcript_of(candidate.session_id, candidate.record, candidate.entry or rest)
        last_sign = partial(self._last_sign, candidate, rest, path, found, now)
        memory = self._memories.of(candidate, alive, now, last_sign, rest)
        start = memory.entry.pid_start if memory.entry else candidate.start
        living = found.living
        memory.take_listing(alive, living.get(candidate.pid or 0), candidate.session_id, now)
        noted = found.crashes.get((*candidate.key, start)) if alive is False else None
        died = noted.died if noted else memory.died or 0.0
        was_killed = memory.killed or noted is not None
        evidence = Evidence(
            now=now,
            run=candidate.run,
            entry=candidate.entry,
            alive=alive,
            died=died,
            had_entry=memory.unlisted_for() <= END_DELAY
            and (memory.entry is not None or self._has_registry(candidate)),
            left_behind=was_killed,
            left=memory.left,
            was_waiting=memory.entry is not None and memory.entry.status == "waiting",
            arrives=found.arrives(candidate),
            moved_on=found.has_moved_on(candidate, alive is True and self._has_registry(candidate)),
            went_on=alive is False
            and ((not was_killed and (memory.moved_on or found.is_left(candidate))) or was_resumed(candidate, died)),
            approved=self._approved(candidate),
            own_dialog=memory.own_dialog,
            suspended=alive is True and self._liveness.is_suspended(candidate, now),
            host=self._liveness.host_of(candidate),
            tail=self._tail(path, candidate, living) if path and not (alive is False and now - died > DAY) else NO_TAIL,
        )
        before = self._examined.get(candidate.key)
        holds = before and still_holds(before, evidence)
        one = before if before and holds else examined(candidate, memory, evidence, self._probe)
        one = self._kept(one, noted, memory)
        shown_until = max(one.since + self._ended_for, one.session.kept_until or 0.0)
        if alive is False and one.again is None and now > shown_until:
            self._memories.retire(candidate)
            return None
        return one

    def _kept(self, one: Examined, noted: Crash | None, memory: Memory) -> Examined:
        """Return ONE with the time until which a crash stays on the board."""
        if not is_kept(one.session):
            return one
        until = noted.until if noted else kept_until(one.session.since, self._booted() if memory.killed else None)
        return one if until == one.session.kept_until else one._replace(session=replace(one.session, kept_until=until))

    def _last_sign(self, candidate: Candidate, rest: Entry | None, path: str | None, found: Found, now: float) -> float:
        """Return when a dead client last did something: an event, a change in the registry or a line in its transcript.
        If that was before the start of the machine, later lines are not its own."""
        own = max(candidate.heard, (rest.status_since or rest.started or 0.0) if rest else 0.0)
        if path is None or now - own > DAY:
            return own
        written, booted = self._tail(path, candidate, found.living).at or 0.0, self._booted()
        return max(own, min(written, booted) if own < booted else written)

    def _approved(self, candidate: Candidate) -> frozenset[int]:
        """Return the orders of the requests that were approved while others wait behind them: their commands run."""
        run, entry = candidate.run, candidate.entry
        if run is None or entry is None or not has_queue(run, entry) or not self._liveness.this.has_pids(entry.pids):
            return frozenset()
        return approved(run, self._commands(entry.pid))

    def _has_registry(self, candidate: Candidate) -> bool:
        account = account_of(candidate.record) if candidate.record else None
        return any(map(has_registry, [account] if account else self.config_dirs))

    def _tail(self, path: str, candidate: Candidate, living: Mapping[int, Entry]) -> Tail:
        return own_tail(self._clocks.tail(self._transcripts.read(path), candidate.pid), candidate, living.values())
