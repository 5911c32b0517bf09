"""The machine that a modelled client runs on: its hooks through the recorder's fold, its files on disk, and two looks.

One World looks at every change, as the tray does; a fresh World looks at the same moment, as `deskbell list` does.
"""

import json
import os
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from deskbell.session import Session
from deskbell.sessions.crashes import CrashFile
from deskbell.sessions.turns import UNREPORTED
from deskbell.sessions.world import World
from deskbell_hooks.codec import encode
from deskbell_hooks.fold import fold
from deskbell_hooks.schema import Record
from deskbell_hooks.trim import trim
from tests.simulation.client import Client, Death, Happening, Hook, Registry, Transcript, Truth

GRACE = 1.0
"""Seconds after which a verdict must be right once everything has arrived."""


class Weather(NamedTuple):
    """What befalls the hooks on their way."""

    seed: int = 0
    slow: float = 0.0
    """The part of the hooks that takes up to two seconds to be written down."""
    doubled: float = 0.0
    deaf_from: float = float("inf")
    """Seconds after the start from which no hook is heard (settings.json broken, hooks taken out, disk full) ..."""
    deaf_for: float = 0.0
    """... and for how long."""
    jitter: float = 0.0
    """Seconds by which the registry may be early or late."""


class Arrival(NamedTuple):
    at: float
    what: Happening
    stamp: float
    """When it happened; a slow hook arrives later."""


class Moment(NamedTuple):
    now: float
    seen: Sequence[Session]
    fresh: Sequence[Session]
    believable: frozenset[tuple[str, str]]
    """Every (status, asked) that is right to say now: what is so, or was so within the grace."""
    heard: bool
    """Every hook has been heard so far."""
    is_picking: bool
    """A dialog is open that the person opened."""
    is_busy: bool
    """The registry says so."""
    compacts: bool
    """The person compacts the conversation by hand, or did so within the grace."""
    changed: float
    """When the registry says that its status changed."""
    settles: bool
    """The registry changed within the grace."""


def arrivals(client: Client, weather: Weather) -> list[Arrival]:
    dice = random.Random(weather.seed)
    found = []
    for one in client.happenings:
        at = one.at
        if isinstance(one, Truth):
            continue
        if isinstance(one, Hook):
            if weather.deaf_from <= at - client.begun < weather.deaf_from + weather.deaf_for:
                continue
            at += 0.01 + (dice.uniform(0, 2.0) if dice.random() < weather.slow else 0.0)
            if dice.random() < weather.doubled:
                found.append(Arrival(at + dice.uniform(0, 0.5), one, one.at))
        elif isinstance(one, Registry):
            at += dice.uniform(-weather.jitter, weather.jitter)
        found.append(Arrival(at, one, one.at))
    return sorted(found, key=lambda arrival: arrival.at)


@dataclass
class Machine:
    root: Path
    client: Client
    weather: Weather
    record: Record | None = None
    dead: set[int] = field(default_factory=set)
    registered: Mapping[str, Any] = field(default_factory=dict)
    """The client's own file."""

    def __post_init__(self) -> None:
        self.sessions = self.root / "sessions"
        self.claude = self.root / "claude"
        self.transcript = self.claude / "projects" / "-home-person-proj" / f"{self.client.session_id}.jsonl"
        self.transcript.parent.mkdir(parents=True, exist_ok=True)
        self.sessions.mkdir(parents=True, exist_ok=True)
        (self.claude / "sessions").mkdir(parents=True, exist_ok=True)
        for path in (*self.sessions.iterdir(), *(self.claude / "sessions").iterdir()):
            path.unlink()
        self.transcript.write_bytes(b"")
        (self.root / "crashes.json").unlink(missing_ok=True)
        self.crashes = CrashFile(self.root)
        self.world = self._world()

    def _world(self) -> World:
        return World(
            self.sessions,
            lambda: [self.claude],
            alive=lambda pid, start, heard: pid not in self.dead,
            suspended=lambda pid: False,
            crashes=self.crashes.known,
            booted=lambda: 0.0,
        )

    def moments(self) -> Iterator[Moment]:
        """Every moment at which the tray would look: at each change, and whenever it asked to look again."""
        coming = arrivals(self.client, self.weather)
        truths = [one for one in self.client.happenings if isinstance(one, Truth)]
        late = [(a.stamp, a.at) for a in coming if isinstance(a.what, Hook)]
        end = coming[-1].at + 5.0
        for index, arrival in enumerate(coming):
            if index:
                yield from self._until(arrival.at, truths, late)
            self._take(arrival)
            following = coming[index + 1].at if index + 1 < len(coming) else end
            if following > arrival.at:
                yield self._look(arrival.at, truths, late)
        yield from self._until(end, truths, late)

    def _until(self, at: float, truths: list[Truth], late: list[tuple[float, float]]) -> Iterator[Moment]:
        while (due := self.world.again) is not None and due < at:
            yield self._look(due, truths, late)
        quiet = at - 0.001
        if quiet > 0:
            yield self._look(quiet, truths, late)

    def _look(self, now: float, truths: list[Truth], late: list[tuple[float, float]]) -> Moment:
        begin = min([now - GRACE, *(stamp - GRACE for stamp, arrives in late if stamp <= now < arrives + GRACE)])
        if now >= self.weather.deaf_from + self.client.begun:
            begin = min(begin, now - UNREPORTED - GRACE)
        before = [truth for truth in truths if truth.at <= begin][-1:]
        within = [truth for truth in truths if begin < truth.at <= now + 0.15]
        deaf = self.weather.deaf_from + self.client.begun
        seen = self.world.read(now)
        self.crashes.follow(seen, now)
        return Moment(
            now,
            seen,
            self._world().read(now),
            frozenset((truth.status, truth.asked) for truth in (*before, *within)),
            now < deaf and not any(stamp <= now < arrives for stamp, arrives in late),
            self.registered.get("waitingFor") == "dialog open",
            self.registered.get("status") == "busy",
            self._compacts(now),
            self.registered.get("statusUpdatedAt", 0.0) / 1000,
            any(now - GRACE < one.at <= now + 0.1 for one in self.client.happenings if isinstance(one, Registry)),
        )

    def _compacts(self, now: float) -> bool:
        hooks = [one for one in self.client.happenings if isinstance(one, Hook) and one.at <= now]
        fired = [(one.event["hook_event_name"], one.at) for one in hooks]
        names = [name for name, at in fired if name == "PreCompact" or (name == "PostCompact" and at <= now - GRACE)]
        return names[-1:] == ["PreCompact"]

    def _take(self, arrival: Arrival) -> None:
        match arrival.what:
            case Hook(at, event):
                self._record(at, dict(event))
            case Registry(_, content):
                self._register(arrival.at, content)
            case Transcript(_, line):
                with self.transcript.open("ab") as file:
                    file.write(json.dumps(line).encode() + b"\n")
            case Death():
                self.dead.add(self.client.pid)

    def _record(self, at: float, event: dict[str, object]) -> None:
        line = trim(str(event["hook_event_name"]), event)
        line.update(at=round(at, 3), order=int(at * 100) * 10, client={"pid": self.client.pid, "start": None})
        if self.record is None:
            line["where"] = {"pid": self.client.pid, "start": None, "attended": True}
            line["transcript"] = str(self.transcript)
        self.record = fold(self.record, line, self.client.session_id)
        _replace(self.sessions / f"{self.client.session_id}.json", encode(self.record), at)

    def _register(self, at: float, content: Mapping[str, Any] | None) -> None:
        self.registered = content or {}
        file = self.claude / "sessions" / f"{self.client.pid}.json"
        if content is None:
            file.unlink(missing_ok=True)
        else:
            _replace(file, json.dumps(content).encode(), at)


def _replace(path: Path, data: bytes, at: float) -> None:
    beside = path.with_suffix(".tmp")
    beside.write_bytes(data)
    os.utime(beside, (at, at))
    beside.replace(path)
