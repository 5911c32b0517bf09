"""Run modelled clients on a machine: fold their hooks, write their files, and look at them in two ways.

One World looks at every change, as the tray does. A fresh World looks at the same moment, as `deskbell list` does.
"""

import json
import os
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

from deskbell.changes import Changes
from deskbell.files.stamp import stamp
from deskbell.session import Session
from deskbell.sessions.crashes import CrashFile
from deskbell.sessions.here import Here
from deskbell.sessions.world import World
from deskbell_hooks.codec import encode
from deskbell_hooks.fold import fold
from deskbell_hooks.runs import has_clock
from deskbell_hooks.schema import Record
from deskbell_hooks.trim import trim
from tests.simulation.rings import Bell
from tests.simulation.story import SESSION, Story
from tests.simulation.traces import Death, Hook, Registry, Transcript
from tests.simulation.traces import stamp as stamped
from tests.simulation.weather import NEVER, Arrival, Wall, Weather, arrivals

BOOT, BOOTED = "b", 500_000.0
"""The id of the machine's start, and when that was."""
AFTERWARDS = 5.0
"""Seconds for which both go on looking after the last happening."""


class Moment(NamedTuple):
    now: float
    seen: Sequence[Session]
    """What the running look says."""
    fresh: Sequence[Session]
    registered: Mapping[int, Mapping[str, Any]]
    """The file of each client in the registry."""
    began: float
    """When the running World was last started."""


class Machine:
    def __init__(self, root: Path, story: Story, weather: Weather) -> None:
        self.coming = arrivals(story.happenings, story.begun, weather)
        self._root = root
        self._sessions = root / "sessions"
        self._claude = root / "claude"
        self._transcripts = self._claude / "projects" / "-home-person-proj"
        self._records: dict[str, Record] = {}
        self._registered: dict[int, Mapping[str, Any]] = {}
        self._dead: set[int] = set()
        self._begun = self._began = self._now = story.begun
        self._wall = Wall(story.begun, weather.steps)
        self._again = NEVER
        """When the running World asked to look again."""
        self._named: dict[Path, set[str]] | None = {}
        """The files that changed since the last look; None if something changed of which the system reports nothing."""
        self._restarts = weather.restarts
        self._dice = random.Random(weather.seed)
        for folder in (self._sessions, self._claude / "sessions", self._transcripts):
            folder.mkdir(parents=True, exist_ok=True)
            for path in folder.iterdir():
                path.unlink()
        (self._transcripts / f"{SESSION}.jsonl").write_bytes(b"")
        (root / "crashes.json").unlink(missing_ok=True)
        self._crashes = CrashFile(root)
        self._world = self._new_world()
        self.bell = Bell()

    def _new_world(self) -> World:
        return World(
            self._sessions,
            lambda: [self._claude],
            alive=lambda pid, start, heard: pid not in self._dead,
            suspended=lambda pid: False,
            crashes=self._crashes.known,
            booted=lambda: 0.0,
            elapsed=lambda: self._now - BOOTED,
            this=lambda: Here(boot=BOOT),
        )

    def moments(self) -> Iterator[Moment]:
        """Yield every moment at which the tray would look: each change, and each time at which it asked to look again."""
        coming = [arrival for arrival in self.coming if arrival.at < NEVER]
        for index, arrival in enumerate(coming):
            if index:
                yield from self._until(arrival.at)
            self._take(arrival)
            if index + 1 == len(coming) or coming[index + 1].at > arrival.at:
                yield self._look(arrival.at)
        yield from self._until(coming[-1].at + AFTERWARDS)

    def _until(self, at: float) -> Iterator[Moment]:
        looked = self._begun
        while looked < (due := min(self._again, self.bell.wake_at or NEVER)) < at:
            looked = due
            yield self._look(due)
        if looked < at - 0.001:
            yield self._look(at - 0.001)

    def _look(self, now: float) -> Moment:
        if self._dice.random() < self._restarts:
            self._world, self.bell, self._began = self._new_world(), Bell(), now
        self._now, wall, ahead = now, self._wall.at(now), self._wall.ahead(now)
        seen = self._world.read(wall, self._changes())
        self._again = NEVER if self._world.again is None else self._world.again - ahead
        before = stamp(self._root / "crashes.json")
        self._crashes.follow(seen, wall)
        if stamp(self._root / "crashes.json") != before:
            self._note(self._root / "crashes.json")
        fresh = self._new_world().read(wall)
        seen, fresh = [_earlier(one, ahead) for one in seen], [_earlier(one, ahead) for one in fresh]
        self.bell.follow(seen, now)
        return Moment(now, seen, fresh, dict(self._registered), self._began)

    def _changes(self) -> Changes | None:
        """Return what the watcher of the tray would report."""
        named, self._named = self._named, {}
        if named is None:
            return None
        folders = self._root, self._sessions, self._claude / "sessions"
        return {folder: frozenset(named.get(folder, ())) for folder in folders}

    def _note(self, path: Path) -> None:
        if self._named is not None:
            self._named.setdefault(path.parent, set()).add(path.name)

    def _take(self, arrival: Arrival) -> None:
        match arrival.what:
            case Hook(at, (session_id, pid), event):
                self._record(at, arrival.at, session_id, pid, dict(event))
            case Registry(_, (_, pid), content):
                self._register(arrival.at, pid, content)
            case Transcript(_, (session_id, _), line):
                self._named = None
                line = {**line, "timestamp": self._stamp(str(line["timestamp"]))}
                with (self._transcripts / f"{session_id}.jsonl").open("ab") as file:
                    file.write(json.dumps(line).encode() + b"\n")
            case Death(_, (_, pid)):
                self._dead.add(pid)
                self._world.died(pid)

    def _stamp(self, true: str) -> str:
        return stamped(self._wall.at(datetime.fromisoformat(true).timestamp()))

    def _record(self, at: float, heard: float, session_id: str, pid: int | None, event: dict[str, object]) -> None:
        """Record what the hook does that began AT, by the clock of when it is HEARD."""
        assert pid
        ahead = self._wall.ahead(heard)
        line = trim(str(event["hook_event_name"]), event)
        line.update(at=round(at + ahead, 3), order=int(at * 100) * 10, client={"pid": pid, "start": None})
        record = self._records.get(session_id)
        known = [run["where"]["pid"] for run in (record, *record.get("others", [])) if "where" in run] if record else []
        if pid not in known:
            line["where"] = {"pid": pid, "start": None, "attended": True, "boot": BOOT}
            line["gone"] = [{"pid": one, "start": None} for one in known if one in self._dead]
            line["transcript"] = str(self._transcripts / f"{session_id}.jsonl")
        if not (record and has_clock(record, BOOTED + ahead)):
            line["zero"] = BOOTED + ahead
        self._records[session_id] = fold(record, line, session_id)
        path = self._sessions / f"{session_id}.json"
        _replace(path, encode(self._records[session_id]), at)
        self._note(path)

    def _register(self, at: float, pid: int | None, content: Mapping[str, Any] | None) -> None:
        assert pid
        file = self._claude / "sessions" / f"{pid}.json"
        self._registered[pid] = content or {}
        self._note(file)
        if content is None:
            file.unlink(missing_ok=True)
        else:
            times = {name: self._wall.at(content[name] / 1000) * 1000 for name in ("startedAt", "statusUpdatedAt")}
            _replace(file, json.dumps({**content, **times}).encode(), at)


def _replace(path: Path, data: bytes, at: float) -> None:
    beside = path.with_suffix(".tmp")
    beside.write_bytes(data)
    os.utime(beside, (at, at))
    beside.replace(path)


def _earlier(session: Session, by: float) -> Session:
    """Return SESSION by a clock that is BY seconds behind."""
    if not by:
        return session
    times: dict[str, Any] = {
        name: round(at - by, 3) for name in TIMES if isinstance(at := getattr(session, name), float)
    }
    return replace(session, **times)


TIMES = ("since", "heard", "started", "turn_started", "began", "person_at", "kept_until")
