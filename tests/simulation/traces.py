"""Write what a modelled client leaves behind: hooks, its registry file, transcript lines, and what it truly does.

Every hook and every line of the person names the prompt that the client works on. Lines of the assistant and of the
system name only the line before them. So do those of the real client.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, NamedTuple

from deskbell.session import Key
from deskbell_hooks.schema import Status

HOOK, REGISTRY, TRANSCRIPT = 0.03, 0.05, 0.15
"""Seconds from an action to its hook, to the change of the registry and to the line in the transcript."""


class Hook(NamedTuple):
    at: float
    key: Key
    event: Mapping[str, Any]


class Registry(NamedTuple):
    """The new content of the client's own file; None if it was removed."""

    at: float
    key: Key
    content: Mapping[str, Any] | None


class Transcript(NamedTuple):
    at: float
    key: Key
    line: Mapping[str, Any]


class Death(NamedTuple):
    at: float
    key: Key


class Truth(NamedTuple):
    """What the client does from now on. `asked` is the command or question that its dialog shows."""

    at: float
    key: Key
    status: Status
    asked: str = ""


Happening = Hook | Registry | Transcript | Death | Truth


@dataclass
class Traces:
    session_id: str
    pid: int
    now: float
    before: str = ""
    """The line of the transcript that its first line follows."""
    happenings: list[Happening] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.begun = self.now
        self.prompt = ""
        """The id of the prompt that it works on."""
        self._written: tuple[str, str, str] | None = None
        """What the registry says: the session, its status and what it waits for."""
        self._changed = 0.0
        self._made = 0

    @property
    def key(self) -> Key:
        return self.session_id, self.pid

    def _hook(self, name: str, after: float = 0.0, **fields: Any) -> None:
        event = {"session_id": self.session_id, "hook_event_name": name, "cwd": "/home/person/proj", **fields}
        if self.prompt:
            event["prompt_id"] = self.prompt
        self.happenings.append(Hook(self.now + HOOK + after, self.key, event))

    def _tool(
        self, event: str, use: str | None, command: str, agent: str = "", after: float = 0.0, **more: Any
    ) -> None:
        named = {"agent_id": agent, "agent_type": "general-purpose"} if agent else {}
        known = {"tool_use_id": use} if use else {}
        self._hook(event, tool_name="Bash", tool_input={"command": command}, after=after, **known, **named, **more)

    def _registry(self, status: str, after: float = REGISTRY, **more: Any) -> None:
        """Write the file if it changes. The time of the status stays if only the session changes."""
        at = self.now + after
        if (written := (self.session_id, status, str(more.get("waitingFor")))) == self._written:
            return
        if self._written is None or self._written[1:] != written[1:]:
            self._changed = at
        self._written = written
        content = {
            "pid": self.pid,
            "sessionId": self.session_id,
            "cwd": "/home/person/proj",
            "startedAt": self.begun * 1000,
            "kind": "interactive",
            "entrypoint": "cli",
            "status": status,
            "statusUpdatedAt": self._changed * 1000,
            **more,
        }
        self.happenings.append(Registry(at, self.key, content))

    def _leaves_registry(self, after: float) -> None:
        self.happenings.append(Registry(self.now + after, self.key, None))

    def _process_ends(self, after: float = 0.0) -> None:
        self.happenings.append(Death(self.now + after, self.key))

    def _says(self, content: object, prompt: str | None = None, **more: object) -> None:
        """Write a line of the person, or a result of a tool, for this PROMPT."""
        self._line("user", {"promptId": prompt or self.prompt, "message": {"role": "user", "content": content}, **more})

    def _answers(self, content: object, stop_reason: str | None = None, failed: bool = False, **more: object) -> None:
        model = "<synthetic>" if failed else "claude-opus-5-5"
        message = {"role": "assistant", "content": content, "model": model, "stop_reason": stop_reason}
        self._line("assistant", {"message": message, **({"isApiErrorMessage": True} if failed else {}), **more})

    def _notes(self, subtype: str, after: float = TRANSCRIPT) -> None:
        self._line("system", {"subtype": subtype}, after)

    def _announces(self, words: str) -> None:
        """Write a line in which the client tells its person something."""
        self._line("system", {"subtype": "informational", "content": words})

    def _queue(self, operation: str, **more: str) -> None:
        """Write a line of the queue, which is no part of the conversation."""
        line = {"type": "queue-operation", "operation": operation, "timestamp": stamp(self.now), **more}
        self.happenings.append(Transcript(self.now + TRANSCRIPT, self.key, line))

    def _line(self, kind: str, fields: Mapping[str, Any], after: float = TRANSCRIPT) -> None:
        at, own = self.now + after, self._id("line")
        line = {"type": kind, "timestamp": stamp(at), "isSidechain": False, "uuid": own, "parentUuid": self.before}
        self.before = own
        self.happenings.append(Transcript(at, self.key, {**line, **fields}))

    def _truth(self, status: Status, asked: str = "", after: float = 0.0) -> None:
        self.happenings.append(Truth(self.now + after, self.key, status, asked))

    def _begins_prompt(self) -> None:
        self.prompt = self._id("prompt")

    def _id(self, word: str) -> str:
        """A new id. Its first eight characters are its own, as those of the real client are."""
        self._made += 1
        return f"{self.pid}{self._made:07d}-{word}"

    def _name(self, word: str) -> str:
        self._made += 1
        return f"{word} {self.pid}.{self._made}"


def stamp(at: float) -> str:
    return datetime.fromtimestamp(at, UTC).isoformat()


def readable(happenings: Iterable[Happening], begun: float) -> list[tuple[float, str]]:
    """Each happening in words, with the seconds since the beginning."""
    return [(one.at - begun, f"    {one.key[0]}/{one.key[1]} {_words(one)}") for one in happenings]


def _words(one: Happening) -> str:
    match one:
        case Hook(_, _, event):
            about = (event.get("agent_id", ""), str(event.get("tool_input", "")), event.get("prompt_id", "")[:8])
            return f"hook {event['hook_event_name']} {' '.join(about)}"
        case Registry(_, _, content):
            known = {name: content[name] for name in ("status", "waitingFor") if name in content} if content else "gone"
            return f"registry {json.dumps(known)}"
        case Truth(_, _, status, asked):
            return f"= {status} {asked}"
        case Death():
            return "process gone"
        case Transcript(_, _, line):
            said = json.dumps(line.get("message", {}).get("content", line.get("operation", line.get("subtype"))))
            return f"transcript {line['type']} {line.get('promptId', '')[:8]} {said[:80]}"
