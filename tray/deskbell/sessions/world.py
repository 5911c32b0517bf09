"""What is there right now? Puts the evidence for every client together, and asks `truth` what each is doing.

Everything that is remembered from one look to the next is what cannot be read again: which client was seen alive,
when it was first found dead, and what it did before it opened a dialog.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from deskbell.session import STALE_AFTER, Key, Session
from deskbell.sessions.assemble import portrait, transcript_of
from deskbell.sessions.evidence import NO_TAIL, Evidence, Verdict
from deskbell.sessions.folder import Problems
from deskbell.sessions.processes import host, is_alive
from deskbell.sessions.records import Records
from deskbell.sessions.registry import Entry, Registry
from deskbell.sessions.transcript import Transcripts
from deskbell.sessions.truth import verdict
from deskbell_hooks.schema import Record, Run

FORGOTTEN_AFTER = 24 * 3600.0
"""Seconds of silence after which a client whose process cannot be asked is taken to be gone."""
BELIEVED_FOR = 0.5
"""Seconds for which a process that was alive is not asked again."""


class Candidate(NamedTuple):
    session_id: str
    record: Record | None
    run: Run | None
    entry: Entry | None
    pid: int | None
    start: int | None

    @property
    def key(self) -> Key:
        return self.session_id, self.pid


@dataclass
class Memory:
    """Of one client."""

    entry: Entry | None = None
    seen_alive: bool = False
    died: float | None = None
    own_dialog: bool = False


class World:
    """`ended_for`: how long what has ended is told of. `fresh_for`: a client that is dead at the first look died just
    now if it was heard within so many seconds; one who has been looking all the time knows better."""

    def __init__(
        self,
        sessions: Path,
        config_dirs: Callable[[], Sequence[Path]],
        tell: Callable[[str], None] = lambda sentence: None,
        ended_for: float = 15.0,
        fresh_for: float = 0.0,
        alive: Callable[[int, int | None, float], bool] = is_alive,
    ) -> None:
        self._records = Records(sessions)
        self._registry = Registry()
        self._transcripts = Transcripts()
        self._config_dirs = config_dirs
        self._problems = Problems(tell)
        self._ended_for = ended_for
        self._fresh_for = fresh_for
        self._ask = alive
        self._asked: dict[tuple[int, int | None], tuple[float, bool]] = {}
        self._host = host()
        self._memories: dict[Key, Memory] = {}
        self._known: dict[Key, tuple[Evidence, Verdict, Session]] = {}
        self._buried: set[tuple[Key, float]] = set()
        self.config_dirs: tuple[Path, ...] = tuple(config_dirs())
        """Claude's folders of all accounts, those among them that only a session told of."""
        self.again: float | None = None
        """When to look again even if nothing changes."""
        self.pids: frozenset[int] = frozenset()
        """The processes whose end matters."""

    @property
    def watched(self) -> list[Path]:
        """The folders of the registries whose changes matter."""
        return [folder / "sessions" for folder in self.config_dirs]

    @property
    def problem(self) -> str | None:
        """Why what the hooks wrote down cannot be read at all."""
        return self._records.problem

    def died(self, pid: int) -> None:
        """Somebody saw that process end."""
        self._asked = {process: answer for process, answer in self._asked.items() if process[0] != pid}

    def read(self, now: float) -> list[Session]:
        records = self._records.read(self._problems, now - self._ended_for)
        told = dict.fromkeys(found for record in records if (found := config_dir_of(record)))
        self.config_dirs = tuple(dict.fromkeys([*self._config_dirs(), *map(Path, told)]))
        entries = self._registry.read(self.config_dirs, self._problems)
        living = {entry.pid: entry for entry in entries if self._lives(entry, now)}
        left: set[Key] = {(entry.session_id, entry.pid) for entry in entries if entry.pid not in living}
        known = {}
        for client in self._clients(records, living):
            if client.key not in known and (look := self._look(client, living, left, now)):
                known[client.key] = look
        living_ids = {session.session_id for _, _, session in known.values() if session.group != "ended"}
        known = {key: look for key, look in known.items() if look[2].group != "ended" or key[0] not in living_ids}
        self._known = known
        self._asked = {process: answer for process, answer in self._asked.items() if now - answer[0] < 60}
        self._memories = {key: memory for key, memory in self._memories.items() if key in known}
        self.again = min((found.again for _, found, _ in known.values() if found.again is not None), default=None)
        sessions = [session for _, _, session in known.values()]
        self.pids = frozenset(session.pid for session in sessions if session.pid and session.group != "ended")
        return sessions

    def _clients(self, records: list[Record], living: dict[int, Entry]) -> Iterator[Candidate]:
        """Those that hooks told of, then those that only the registry knows, then those that just left it."""
        for record in records:
            for run in (record, *record.get("others", [])):
                client = _client(record, run, living)
                if not self._is_buried(client):
                    yield client
        for pid, entry in living.items():
            yield Candidate(entry.session_id, self._records.of(entry.session_id), None, entry, pid, entry.pid_start)
        for (session_id, gone), memory in list(self._memories.items()):
            if memory.entry and gone not in living:
                yield Candidate(session_id, self._records.of(session_id), None, None, gone, memory.entry.pid_start)

    def _is_buried(self, client: Candidate) -> bool:
        run = client.run
        return bool(run and not client.entry and (client.key, run["last_at"]) in self._buried)

    def _look(
        self, client: Candidate, living: dict[int, Entry], left: set[Key], now: float
    ) -> tuple[Evidence, Verdict, Session] | None:
        alive = self._is_alive(client, now)
        heard = client.run["last_at"] if client.run else 0.0
        if alive is None and now - heard > FORGOTTEN_AFTER:
            return None
        memory = self._remember(client, alive, now)
        path = transcript_of(client.session_id, client.record, client.entry)
        elsewhere = living.get(client.pid or 0)
        evidence = Evidence(
            now=now,
            run=client.run,
            entry=client.entry,
            alive=alive,
            died=memory.died or 0.0,
            had_entry=memory.entry is not None or client.key in left,
            left_behind=client.key in left,
            moved_on=elsewhere is not None and elsewhere.session_id != client.session_id,
            own_dialog=memory.own_dialog,
            tail=self._transcripts.read(path) if path and alive is not False else NO_TAIL,
        )
        before = self._known.get(client.key)
        look = before if before and _still_holds(before, evidence) else _looked(client, memory, evidence)
        if alive is False and look[1].again is None and now - look[1].since > self._ended_for:
            self._buried.add((client.key, heard))
            return None
        return look

    def _is_alive(self, client: Candidate, now: float) -> bool | None:
        if client.entry:
            return True
        if client.pid is None or not client.run:
            return None if client.run else False
        if client.run["where"].get("host", self._host) != self._host:
            return None
        return self._alive(client.pid, client.start, client.run["last_at"], now)

    def _lives(self, entry: Entry, now: float) -> bool:
        """Another program with its number can only be younger than what it said."""
        return self._alive(entry.pid, entry.pid_start, entry.status_since or entry.started or now, now)

    def _alive(self, pid: int, start: int | None, heard_at: float, now: float) -> bool:
        asked, answer = self._asked.get((pid, start), (float("-inf"), False))
        if not 0 <= now - asked < BELIEVED_FOR:
            asked, answer = now, self._ask(pid, start, heard_at)
            self._asked[pid, start] = asked, answer
        return answer

    def _remember(self, client: Candidate, alive: bool | None, now: float) -> Memory:
        memory = self._memories.setdefault(client.key, Memory())
        if client.entry and client.entry is not memory.entry:
            came_from = memory.entry.status if memory.entry else None
            if client.entry.status == "busy":
                memory.own_dialog = False
            elif client.entry.status == "waiting" and came_from in ("idle", "shell"):
                memory.own_dialog = True
            memory.entry = client.entry
        if alive is False and memory.died is None:
            heard = client.run["last_at"] if client.run else now
            memory.died = now if memory.seen_alive or now - heard < self._fresh_for else heard
        memory.seen_alive = memory.seen_alive or alive is True
        return memory


def config_dir_of(record: Record) -> str | None:
    """Whose account it is: where the hooks were told so, else above the `projects` folder of its transcript."""
    if told := record.get("config_dir"):
        return told
    above, found, _ = record.get("transcript", "").rpartition("/projects/")
    return above if found else None


def _client(record: Record, run: Run, living: dict[int, Entry]) -> Candidate:
    where = run.get("where")
    if where is None:
        entry = next((one for one in living.values() if one.session_id == record["session_id"]), None)
        return Candidate(record["session_id"], record, run, entry, entry.pid if entry else None, None)
    pid, start = where["pid"], where.get("start")
    entry = living.get(pid)
    same = entry and entry.session_id == record["session_id"] and (start is None or entry.pid_start in (None, start))
    return Candidate(record["session_id"], record, run, entry if same else None, pid, start)


def _looked(client: Candidate, memory: Memory, evidence: Evidence) -> tuple[Evidence, Verdict, Session]:
    found, entry = verdict(evidence), client.entry or memory.entry
    return (
        evidence,
        found,
        portrait(client.session_id, client.record, client.run, entry, evidence.tail, found, evidence.now),
    )


def _still_holds(before: tuple[Evidence, Verdict, Session], new: Evidence) -> bool:
    old, found, session = before
    same = old.run is new.run and old.entry is new.entry and old.tail is new.tail
    same = same and (old.alive, old.left_behind, old.moved_on) == (new.alive, new.left_behind, new.moved_on)
    due = found.again is not None and new.now >= found.again
    return same and not due and session.stale == (new.now - session.heard > STALE_AFTER)
