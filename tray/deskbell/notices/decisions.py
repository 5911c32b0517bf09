"""Why did it ring, or not? The log of every decision, and each as a sentence."""

import json
import os
from collections import deque
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Literal

from pydantic import TypeAdapter, ValidationError

from deskbell_hooks.schema import Status

Outcome = Literal["shown", "replaced", "withdrawn", "not shown", "held", "sent", "not sent", "clicked", "closed"]

LONGEST = 1_000_000
"""Bytes of the log before a new one is begun; the one before is kept."""


@dataclass(frozen=True, slots=True)
class Decision:
    at: float
    session_id: str
    pid: int | None
    project: str
    status: Status | None
    verdict: Outcome
    reason: str


_DECISION = TypeAdapter(Decision)


def sentence(decision: Decision) -> str:
    """ "web: shown after 12 s turn", "api: not shown, its pane was focused"."""
    joint = " " if decision.reason.startswith(("after ", "at once", "to ")) else ", "
    said = decision.verdict + (f"{joint}{decision.reason}" if decision.reason else "")
    return f"{decision.project or 'Deskbell'}: {said}"


def write(state: Path, decisions: Iterable[Decision]) -> None:
    lines = "".join(json.dumps(asdict(d), ensure_ascii=False) + "\n" for d in decisions)
    if not lines:
        return
    file = _file(state)
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    with os.fdopen(descriptor, "a", encoding="utf-8", errors="replace") as log:
        log.write(lines)
        long = log.tell() > LONGEST
    if long:
        file.replace(_file(state, ".1"))


def read(state: Path, last: int, about: str | None = None) -> list[Decision]:
    """The latest ones, the oldest first; `about` is a project or the beginning of a session's id."""
    found: deque[Decision] = deque(maxlen=last)
    for file in (_file(state, ".1"), _file(state)):
        if file.exists():
            with file.open(encoding="utf-8", errors="replace") as log:
                found.extend(d for line in log if (d := _decision(line)) and _is_about(d, about))
    return list(found)


def _decision(line: str) -> Decision | None:
    """A line that was torn, or that a newer version wrote, is passed over."""
    try:
        return _DECISION.validate_json(line)
    except ValidationError:
        return None


def _is_about(decision: Decision, about: str | None) -> bool:
    return not about or decision.project == about or decision.session_id.startswith(about)


def _file(state: Path, suffix: str = "") -> Path:
    return state / f"decisions.jsonl{suffix}"
