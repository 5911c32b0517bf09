"""Read all that is known of the sessions on this machine, and let `truth` decide what each of them is doing.

The loop and the commands that look at sessions call `World.read`. It reads files and asks for processes; it writes
nothing and starts nothing. Given hints of what changed, by the rule of `deskbell.changes`, it looks only at the clients
that the hints name, as long as no other client can depend on these.
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
from deskbell.sessions.conversation import Tail
from deskbell.sessions.crashes import DAY, Crash, Crashes, is_kept, kept_until, left_behind
from deskbell.sessions.evidence import NO_TAIL, Evidence
from deskbell.sessions.examined import Examined, due, examined, is_due, still_holds, unexamined, without_ended_doubles
from deskbell.sessions.folder import Problems, cannot_be, reason_of
from deskbell.sessions.found import Found
from deskbell.sessions.memory import Memories, Memory
from deskbell.sessions.processes import BELIEVED_FOR, Processes, boot_time, host, is_alive, is_suspended
from deskbell.sessions.records import Records
from deskbell.sessions.registry import Entry, Registry, has_registry, registries
from deskbell.sessions.shared import own_tail
from deskbell.sessions.stand_in import Probe
from deskbell.sessions.transcript import Transcripts
from deskbell.sessions.truth import LAST_WORD

EVERYTHING_EVERY = 2.0
"""Seconds until everything is looked at again once hints were followed: one may be lost, and nothing hints at
transcripts and at processes that stop. BELIEVED_FOR seconds if the end of a process may be missed."""
FORGOTTEN_AFTER = 24 * 3600.0
"""Seconds without an event after which a client whose process cannot be asked is taken to be gone."""


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
        self._heard = heard
        self._memories = Memories()
        self._crashes = crashes
        self._booted = booted
        self._probe = probe
        self._ended_for = ended_for
        self._host = host()
        self._examined: dict[Key, Examined] = {}
        self._found: Found | None = None
        """What the last look at everything has found; None if only another one can tell how things are."""
        self._read_at, self._until = 0.0, 0.0
        """When everything was looked at, and until when hints suffice."""
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
        """Why no record can be read, and where."""
        return self._records.problem

    @property
    def silent(self) -> frozenset[Key]:
        """The clients of whose newest prompt no hook reported anything."""
        return frozenset(key for key, one in self._examined.items() if one.silent)

    def died(self, pid: int) -> None:
        """Ask again for this process at the next reading: something saw it end."""
        self._processes.forget(pid)
        self._found = None

    def read(self, now: float, changes: Changes | None = None) -> list[Session]:
        """CHANGES: what changed since the last reading, by the rule of `deskbell.changes`; None if that is not known.

        Without hints and after an error, everything is looked at.
        """
        found, self._found = self._found, None
        if changes is None or found is None or not self._look_at_named(changes, found, now):
            found = self._look_at_everything(now)
        self._found = found
        return self._sessions

    @property
    def _sessions(self) -> list[Session]:
        return [one.session for one in self._examined.values()]

    def _look_at_everything(self, now: float) -> Found:
        self._read_at = now
        records = self._records.read(self._problems, now - self._ended_for)
        self.config_dirs = accounts(self._known_dirs(), records)
        self.watched = registries(self.config_dirs)
        entries = self._registry.read(self.config_dirs, self._problems)
        living = {entry.pid: entry for entry in entries if self._lives(entry, now)}
        killed = [entry for entry in entries if entry.pid not in living]
        crashes = self._crashes()
        killed = [*(one for one in left_behind(crashes, now) if one.pid not in living), *killed]
        rests: dict[Key, Entry] = {(entry.session_id, entry.pid): entry for entry in killed}
        found = Found(records, living, rests, crashes)
        left = [*self._memories.left(living), *killed]
        every: dict[Key, Examined] = {}
        listed: dict[Key, Candidate] = {}
        for candidate in candidates(records, living, left, self._records.of):
            listed.setdefault(candidate.key, candidate)
            if candidate.key not in every and (one := self._examine(candidate, found, now)):
                every[candidate.key] = one
        self._examined = without_ended_doubles(every)
        self._processes.tidy(now)
        self._transcripts.tidy()
        self._memories.keep(every, listed)
        self._look_ahead(list(listed.values()), now)
        return found

    def _look_ahead(self, listed: Sequence[Candidate], now: float) -> None:
        """Find out which clients can be looked at alone from now on, and until when that suffices."""
        shown = self._examined.values()
        running = {one.session.key for one in shown if not one.session.over}
        self.pids = frozenset([pid for _, pid in running if pid])
        self._alone = Alone(listed, running)
        self._until = now + (EVERYTHING_EVERY if all(map(self._heard, self.pids)) else BELIEVED_FOR)
        patience = [now + at for at in (self._records.patience, self._registry.patience) if at is not None]
        self._plan([*patience, *[due(one, now) for one in shown if one.glanced or one.again is not None]])

    def _look_at_named(self, changes: Changes, found: Found, now: float) -> bool:
        """Look at the clients whose files CHANGES names. Return False if others may depend on what they are now."""
        own = (self._records.path, *self.watched)
        if not self._read_at <= now < self._until or any(names for path, names in changes.items() if path not in own):
            return False
        records = self._records.read_named(changes, self._problems)
        entries = self._registry.read_named(changes, self._problems)
        if records is None or entries is None or not all(self._lives(entry, now) for entry in entries):
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
        """Take into account when something must be looked at again."""
        self.again = min((at for at in times if at is not None), default=None)
        self._until = min(self._until, inf if self.again is None else self.again)

    def _lives(self, entry: Entry, now: float) -> bool:
        """Guards against a reused pid: another process with this pid started after the entry was written."""
        heard_at = entry.status_since or entry.started or now
        try:
            return self._processes.is_alive(entry.pid, entry.pid_start, heard_at, now)
        except Exception as error:  # noqa: BLE001  # a process that cannot be asked for must not hide the others
            self._problems.add(f"process {entry.pid}", reason_of(error))
            return True  # its client has not removed the entry

    def _examine(self, candidate: Candidate, found: Found, now: float) -> Examined | None:
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

    def _is_unchanged(self, before: Examined, candidate: Candidate, found: Found, now: float) -> bool:
        """True for a client in the registry of which no file, no process and no other client says anything new."""
        if candidate.entry is None or candidate != before.candidate or is_due(before, now):
            return False
        if candidate.session_id in found.shared or before.evidence.moved_on:
            return False
        path = transcript_of(candidate.session_id, candidate.record, candidate.entry)
        tail = self._transcripts.read(path) if path else NO_TAIL
        is_suspended = self._processes.is_suspended(candidate.pid, now)
        return tail is before.evidence.tail and is_suspended == before.evidence.suspended

    def _look(self, candidate: Candidate, found: Found, now: float) -> Examined | None:
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

    def _last_sign(self, candidate: Candidate, rest: Entry | None, path: str | None, found: Found, now: float) -> float:
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
