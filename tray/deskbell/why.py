"""Why did it ring, or not? The log of every decision, and each as a sentence."""

from dataclasses import dataclass
from typing import Literal

from deskbell_hooks.schema import Status

Verdict = Literal[
    "shown", "replaced", "withdrawn", "not shown", "held", "sent", "displayed", "lost", "clicked", "closed"
]

LONGEST = 1_000_000
"""Bytes of the log before it makes room; the one before is kept."""


@dataclass(frozen=True, slots=True)
class Decision:
    at: float
    session_id: str
    pid: int | None
    project: str
    status: Status | None
    verdict: Verdict
    reason: str


def sentence(decision: Decision) -> str:
    """ "web: shown after 12 s turn", "api: not shown, its pane was focused"."""
    joint = " " if decision.reason.startswith(("after ", "at ", "to ", "by ")) else ", "
    said = decision.verdict + (f"{joint}{decision.reason}" if decision.reason else "")
    return f"{decision.project or 'deskbell'}: {said}"


def duration(seconds: float) -> str:
    whole = round(seconds)
    if whole < 120:
        return f"{whole} s"
    if whole < 7200:
        return f"{whole // 60} min"
    return f"{whole // 3600} h {whole % 3600 // 60} min"
