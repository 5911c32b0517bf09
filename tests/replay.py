"""Replay a recorded run of the real client: fold its hooks, write its registry files, read the world after each step.

The world is also read whenever it asks to be read again.
"""

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from deskbell.session import Session
from deskbell.sessions.world import World
from deskbell_hooks.codec import encode
from deskbell_hooks.fold import fold
from deskbell_hooks.schema import Record
from deskbell_hooks.trim import trim
from tests.captures import Deed, Hook, RegistryChange, Step, steps

HOOK_TAKES, REGISTRY_TAKES = 0.03, 0.01
"""Seconds from a step to the moment at which it is seen, as in the recorded runs."""


@dataclass
class Replay:
    root: Path
    records: dict[str, Record] = field(default_factory=dict)
    dead: set[int] = field(default_factory=set)
    client: int = 0

    def __post_init__(self) -> None:
        self.sessions = self.root / "state" / "sessions"
        self.claude = self.root / "claude"
        self.sessions.mkdir(parents=True)
        (self.claude / "sessions").mkdir(parents=True)
        self.world = World(self.sessions, lambda: [self.claude], alive=lambda pid, start, heard: pid not in self.dead)

    def play(self, name: str) -> Iterator[tuple[float, list[Session]]]:
        for step in steps(name):
            yield from self._until(step.at)
            yield self._look(self._take(step))

    def _until(self, at: float) -> Iterator[tuple[float, list[Session]]]:
        while (due := self.world.again) is not None and due < at:
            yield self._look(due)

    def _look(self, now: float) -> tuple[float, list[Session]]:
        return now, self.world.read(now)

    def _take(self, step: Step) -> float:
        if isinstance(step, Hook):
            self._record(step)
            return step.at + HOOK_TAKES
        if isinstance(step, RegistryChange):
            self._register(step)
            return step.at + REGISTRY_TAKES
        if isinstance(step, Deed) and step.what.startswith("kill -9"):
            self.dead.add(self.client)
        return step.at

    def _record(self, hook: Hook) -> None:
        session_id, pid = hook.event["session_id"], int(hook.env.get("CLAUDE_PID", 0))
        line = trim(hook.name, dict(hook.event))
        line.update(at=hook.at, order=int(hook.at * 1000), client={"pid": pid, "start": None})
        if self.client != pid or session_id not in self.records:
            attended = hook.env.get("CLAUDE_CODE_SESSION_ATTENDED") != "0"
            line["where"] = {"pid": pid, "start": None, "attended": attended}
        self.client = pid
        self.records[session_id] = fold(self.records.get(session_id), line, session_id)
        _replace(self.sessions / f"{session_id}.json", encode(self.records[session_id]), hook.at)

    def _register(self, change: RegistryChange) -> None:
        file = self.claude / "sessions" / change.file
        if change.content is None:
            file.unlink(missing_ok=True)
        else:
            _replace(file, json.dumps(change.content).encode(), change.at)


def _replace(path: Path, data: bytes, at: float) -> None:
    temporary = path.with_suffix(".tmp")
    temporary.write_bytes(data)
    os.utime(temporary, (at, at))
    temporary.replace(path)


def stories(root: Path, name: str) -> dict[str, str]:
    """Return the statuses of each session of a recorded run, a word for each change; unattended in brackets."""
    found: dict[str, list[str]] = {}
    for _, sessions in Replay(root).play(name):
        for session in sessions:
            word = f"({session.status})" if session.hidden else session.status
            words = found.setdefault(session.session_id, [])
            if not words or words[-1] != word:
                words.append(word)
    return {chr(65 + n): " ".join(words) for n, words in enumerate(found.values())}
