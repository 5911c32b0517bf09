"""Read what an asker sends: one request of one client, with the input of its tool as the client gave it. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from deskbell_hooks.client import is_safe_id

VERSION = 1
"""The version of the messages between asker and program."""
LARGEST = 1024 * 1024
"""Bytes of a message."""
FURTHEST = 1e15
"""The latest time that is accepted, in seconds since 1970. Arithmetic with a later one would fail."""

Kind = Literal["permission", "question", "plan"]
"""The kind of a request is the status of its session."""
KINDS: Mapping[str, Kind] = {"AskUserQuestion": "question", "ExitPlanMode": "plan"}


@dataclass(frozen=True, slots=True)
class Question:
    """One question of AskUserQuestion."""

    text: str
    options: tuple[str, ...]
    abouts: tuple[str, ...]
    """What the client shows beside each option: its description, and its preview below that."""
    several: bool = False
    """Whether more than one option may be chosen."""


@dataclass(frozen=True, slots=True)
class Request:
    """A request of a client that can be answered from outside of its terminal."""

    code: str
    """Names it in every answer: 128 random bits."""
    session_id: str
    pid: int
    start: int | None
    """When the client started, in clock ticks."""
    at: float
    """When its asker started."""
    kind: Kind
    tool: str
    tool_input: Mapping[str, object]
    cwd: str = ""
    questions: tuple[Question, ...] = ()
    event: Mapping[str, object] = field(default_factory=dict)
    """What the client gave the asker, to the letter."""

    @property
    def rules(self) -> tuple[Mapping[str, object], ...]:
        """The lasting permissions that the client suggests, if all they do is add rules for the session or project."""
        given = self.event.get("permission_suggestions")
        suggested = given if isinstance(given, list) else []
        return tuple(one for one in suggested if isinstance(one, dict) and _adds_rules(one))


def request_of(message: object, code: str) -> Request | None:
    """Return the request in MESSAGE; None if it is not one that can be answered from outside."""
    said = message.get("ask") if isinstance(message, dict) and message.get("v") == VERSION else None
    event = said.get("event") if isinstance(said, dict) else None
    if not isinstance(said, dict) or not isinstance(event, dict) or not _is_answerable(event):
        return None
    session_id, pid, start, at = event.get("session_id"), said.get("pid"), said.get("start"), said.get("at")
    tool, tool_input, cwd = event.get("tool_name"), event.get("tool_input"), event.get("cwd")
    if not isinstance(session_id, str) or not is_safe_id(session_id) or type(pid) is not int or pid <= 0:
        return None
    if not isinstance(at, int | float) or not abs(at) < FURTHEST or not isinstance(start, int | None):
        return None
    if not isinstance(tool, str) or not tool or not isinstance(tool_input, dict):
        return None
    questions = _questions(tool_input) if tool == "AskUserQuestion" else ()
    if questions is None:
        return None
    return Request(
        code=code,
        session_id=session_id,
        pid=pid,
        start=start,
        at=float(at),
        kind=KINDS.get(tool, "permission"),
        tool=tool,
        tool_input=tool_input,
        cwd=cwd if isinstance(cwd, str) else "",
        questions=questions,
        event=event,
    )


def _adds_rules(suggestion: Mapping[str, object]) -> bool:
    allows = suggestion.get("behavior", "allow") == "allow"
    return (
        allows
        and suggestion.get("type") == "addRules"
        and suggestion.get("destination") in ("session", "localSettings")
    )


def _is_answerable(event: Mapping[str, object]) -> bool:
    """Return whether EVENT is a permission request, and not a subagent's: its dialog waits until its asker has left."""
    return event.get("hook_event_name") == "PermissionRequest" and "agent_id" not in event


def _questions(tool_input: Mapping[str, object]) -> tuple[Question, ...] | None:
    """Return the questions; None unless all texts, and all options of each, are given and differ."""
    given = tool_input.get("questions")
    if not isinstance(given, list) or not given:
        return None
    found = [question for one in given if (question := _question(one))]
    texts = {question.text for question in found}
    return tuple(found) if len(found) == len(given) == len(texts) else None


def _question(value: object) -> Question | None:
    if not isinstance(value, dict) or not isinstance(value.get("question"), str) or not value["question"].strip():
        return None
    labels = _labels(value.get("options"))
    if labels is None:
        return None
    return Question(value["question"], labels, tuple(map(_about, value["options"])), value.get("multiSelect") is True)


def _about(option: Mapping[str, object]) -> str:
    said = (option.get("description"), option.get("preview"))
    return "\n".join(one for one in said if isinstance(one, str) and one.strip())


def _labels(options: object) -> tuple[str, ...] | None:
    given: Sequence[object] = options if isinstance(options, list) else []
    labels = [one["label"] for one in given if isinstance(one, dict) and isinstance(one.get("label"), str)]
    usable = labels and all(label.strip() for label in labels) and len(set(labels)) == len(labels) == len(given)
    return tuple(labels) if usable else None
