"""How are the sessions arranged, and how many of each kind are there? Pure."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from deskbell.session import URGENCY, Session
from deskbell_hooks.schema import Status

ENDED_FOR = 10.0
"""Seconds an ended session stays on the board before only history knows it."""


@dataclass(frozen=True)
class Board:
    sessions: tuple[Session, ...] = ()
    """The shown ones, the most urgent first."""
    hidden: tuple[Session, ...] = ()
    """`claude -p` and the like: there on request, never ringing, never counted."""

    @cached_property
    def needs_you(self) -> tuple[Session, ...]:
        return tuple(s for s in self.sessions if s.group == "needs_you")

    @cached_property
    def blocked(self) -> tuple[Session, ...]:
        return tuple(s for s in self.sessions if s.blocked)

    @cached_property
    def running(self) -> tuple[Session, ...]:
        return tuple(s for s in self.sessions if s.group == "running")

    @cached_property
    def most_urgent(self) -> Status | None:
        return self.sessions[0].status if self.sessions else None


def board(sessions: Iterable[Session], now: float) -> Board:
    """Order of urgency; within one status the longest waiting, or the latest started turn, first."""
    kept = [s for s in sessions if s.group != "ended" or now - s.since < ENDED_FOR]
    ordered = sorted(kept, key=_rank)
    return Board(tuple(s for s in ordered if not s.hidden), tuple(s for s in ordered if s.hidden))


def _rank(session: Session) -> tuple[int, float, str, int]:
    when = -(session.turn_started or session.since) if session.group == "running" else session.since
    return URGENCY[session.status], when, session.session_id, session.pid or 0
