"""Define a risk, the folders that it depends on, and which of several risks counts. Pure."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

Verdict = Literal["plain", "careful", "jump"]
"""One click; two clicks; no button that allows."""

SEVERITY: dict[Verdict, int] = {"plain": 0, "careful": 1, "jump": 2}


@dataclass(frozen=True, slots=True)
class Risk:
    """How dangerous something is to allow, and why."""

    verdict: Verdict
    reason: str
    """One phrase that a person reads: "deletes files". Empty for plain."""


@dataclass(frozen=True, slots=True)
class Place:
    """Absolute paths: the folder that a command starts in, the project, and the home folder of the person."""

    cwd: str
    project: str
    home: str


PLAIN = Risk("plain", "")


def careful(reason: str) -> Risk:
    return Risk("careful", reason)


def jump(reason: str) -> Risk:
    return Risk("jump", reason)


def worst(risks: Iterable[Risk]) -> Risk:
    """Return the first of the most severe risks; plain if there are none."""
    return max(risks, key=lambda risk: SEVERITY[risk.verdict], default=PLAIN)
