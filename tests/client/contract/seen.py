"""Read what a client did while the parts of the scenes were played: hooks, registry, transcript. Pure.

Times are seconds since the epoch. A hook's time is when its process was started, a change's when the file changed, a
line's when it came into the transcript.
"""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

Json = dict[str, Any]


class Unseen(Exception):
    """A part was not played to its end, so nothing can be said of it."""


class Missing(Exception):
    """The client did not do what a fact speaks of."""


@dataclass(frozen=True)
class Part:
    """What the clients of one scene did while one part of it was played."""

    name: str
    scene: str
    pid: int
    """The client whose registry file `changes` follows."""
    began: float
    hooks: tuple[Json, ...] = ()
    """Each has `at`, `hook` (the event), `env` and `process`. The oldest comes first."""
    changes: tuple[Json, ...] = ()
    """Each has `at`, `registry` (the name of the file) and `content` (None: it was removed)."""
    lines: tuple[Json, ...] = ()
    """Each has `at`, `session` and `line`."""
    notes: Json = field(default_factory=dict)
    trouble: str = ""
    """Why the part was not played to its end."""

    @property
    def events(self) -> list[Json]:
        return [one["hook"] for one in self.hooks]

    @property
    def fired(self) -> str:
        """The names of the events, in their order."""
        return ", ".join(event["hook_event_name"] for event in self.events) or "nothing"

    @property
    def statuses(self) -> str:
        """The statuses of the client's registry file, in their order; "gone" once it is removed."""
        found: list[str] = []
        for change in self.mine:
            content = change["content"]
            status = str(content.get("status")) if content else "gone"
            if status != "None" and found[-1:] != [status]:
                found.append(status)
        return ", ".join(found) or "nothing"

    @property
    def mine(self) -> list[Json]:
        return [change for change in self.changes if change["registry"] == f"{self.pid}.json"]

    def hook(self, name: str, number: int = 0, **fields: object) -> Json:
        """The event NAME and its time, `at`. FIELDS say what its fields must be. Raise Missing if it did not fire."""
        found = [
            one
            for one in self.hooks
            if one["hook"]["hook_event_name"] == name
            and all(one["hook"].get(key) == value for key, value in fields.items())
        ]
        return _nth(found, number, " ".join([name, *map(str, fields.values())]))

    def event(self, name: str, number: int = 0, **fields: object) -> Json:
        event: Json = self.hook(name, number, **fields)["hook"]
        return event

    def change(self, status: str, number: int = 0) -> Json:
        """The content of the registry file when its status became STATUS. Raise Missing if it never did."""
        found: list[Json] = []
        before = None
        for change in self.mine:
            content = change["content"] or {}
            if content.get("status") == status and (status, content.get("statusUpdatedAt")) != before:
                found.append({**content, "at": change["at"]})
            before = content.get("status"), content.get("statusUpdatedAt")
        return _nth(found, number, f"registry status {status}")

    def since(self, status: str, number: int = 0) -> float:
        """When the client says that its status became STATUS."""
        at = self.change(status, number).get("statusUpdatedAt")
        if not isinstance(at, int):
            raise Missing("no statusUpdatedAt")
        return at / 1000

    def line(self, kind: str, number: int = 0, **fields: object) -> Json:
        """A line of the transcript, with the time of its arrival, `arrived`. Raise Missing if it did not come."""
        found = [
            {**one["line"], "arrived": one["at"]}
            for one in self.lines
            if one["line"].get("type") == kind and all(one["line"].get(key) == value for key, value in fields.items())
        ]
        return _nth(found, number, " ".join(["line", kind, *map(str, fields.values())]))

    def texts(self, kind: str) -> Iterator[tuple[str, Json]]:
        """The texts of the lines of a kind, each with its line. A result of a tool is no text."""
        for one in self.lines:
            if one["line"].get("type") == kind:
                yield from ((block["text"], one["line"]) for block in blocks(one["line"]) if "text" in block)

    def said(self, kind: str, start: str) -> Json:
        """The first line of a kind whose text begins with START. Raise Missing if there is none."""
        found = [line for text, line in self.texts(kind) if text.startswith(start)]
        return _nth(found, 0, f"line {kind} with {start!r}")

    def results(self) -> list[Json]:
        """The results of tool calls that the transcript holds."""
        found = (block for one in self.lines for block in blocks(one["line"]))
        return [block for block in found if block.get("type") == "tool_result"]


class Run:
    """The parts of all scenes, by name. `asked` has the names that were asked for."""

    def __init__(self, parts: Iterable[Part]) -> None:
        self.parts = {part.name: part for part in parts}
        self.asked: set[str] = set()

    def __getitem__(self, name: str) -> Part:
        self.asked.add(name)
        part = self.parts.get(name)
        if part is None or part.trouble:
            raise Unseen(part.trouble if part else f"{name!r} was not played")
        return part

    @property
    def whole(self) -> list[Part]:
        return [part for part in self.parts.values() if not part.trouble]


def blocks(line: Json) -> list[Json]:
    """The blocks of a line's message. Plain words are a block of text."""
    message = line.get("message")
    content = message.get("content") if isinstance(message, dict) else None
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    return [block for block in content or [] if isinstance(block, dict)]


def stamp(line: Json) -> float:
    """When the client says that it wrote the line. Raise Missing if it does not say so."""
    try:
        return datetime.fromisoformat(line["timestamp"]).timestamp()
    except (KeyError, ValueError):
        raise Missing("no timestamp") from None


def parsed(text: str) -> Run:
    """The run that `written` wrote."""
    return Run(Part(**json.loads(line)) for line in text.splitlines())


def written(run: Run) -> str:
    """A line of JSON for each part."""
    lines = (json.dumps(vars(part), separators=(",", ":"), ensure_ascii=False) for part in run.parts.values())
    return "".join(f"{line}\n" for line in lines)


def _nth(found: list[Json], number: int, what: str) -> Json:
    if number >= len(found):
        raise Missing(f"no {what}" if not found else f"only {len(found)} times {what}")
    return found[number]
