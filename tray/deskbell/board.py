"""Arrange the sessions in the order of urgency and count them. Pure."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from deskbell.session import URGENCY, Session

ENDED_FOR = 10.0
"""Seconds that a session stays on the board after its end. A crash may stay until the person has seen it."""


@dataclass(frozen=True)
class Board:
    sessions: tuple[Session, ...] = ()
    """The most urgent first, without the hidden ones."""
    hidden: tuple[Session, ...] = ()
    """`claude -p` and the like, in the same order. They are listed only on request, are not counted and never ring."""

    @cached_property
    def needs_you(self) -> tuple[Session, ...]:
        """The blocked ones, then those whose turn is over."""
        return tuple(s for s in self.sessions if s.group == "needs_you")

    @cached_property
    def blocked(self) -> tuple[Session, ...]:
        return tuple(s for s in self.sessions if s.blocked)

    @cached_property
    def your_turn(self) -> tuple[Session, ...]:
        return tuple(s for s in self.sessions if s.your_turn)

    @cached_property
    def running(self) -> tuple[Session, ...]:
        return tuple(s for s in self.sessions if s.group == "running")

    @cached_property
    def crashed(self) -> tuple[Session, ...]:
        return tuple(s for s in self.sessions if s.group == "crashed")

    @cached_property
    def new(self) -> tuple[Session, ...]:
        """Those that were never prompted. They are shown last and counted nowhere."""
        return tuple(s for s in self.sessions if s.group == "new")

    @cached_property
    def clients(self) -> dict[str, list[Session]]:
        """The clients of each session, by its id: one id may run in two terminals."""
        found: dict[str, list[Session]] = {}
        for session in self.sessions:
            found.setdefault(session.session_id, []).append(session)
        return found

    @cached_property
    def ids(self) -> frozenset[str]:
        """The sessions on the board, the hidden ones too. Their files are never removed."""
        return frozenset(session.session_id for session in (*self.sessions, *self.hidden))

    @cached_property
    def counts(self) -> dict[str, int]:
        """The number of sessions in each part of the board but *new*. Every place shows these numbers."""
        parts = {
            "blocked": self.blocked,
            "your_turn": self.your_turn,
            "running": self.running,
            "crashed": self.crashed,
        }
        return {name: len(sessions) for name, sessions in parts.items()}


def leaves(session: Session) -> float | None:
    """Return when SESSION leaves the board; None while it runs."""
    if not session.over:
        return None
    return session.since + ENDED_FOR if session.kept_until is None else session.kept_until


def board(sessions: Iterable[Session], now: float) -> Board:
    """Sort the sessions by urgency. Within a status the longest wait comes first; if they run, the newest turn."""
    kept = [s for s in sessions if (until := leaves(s)) is None or now < until]
    ordered = sorted(kept, key=_rank)
    return Board(tuple(s for s in ordered if not s.hidden), tuple(s for s in ordered if s.hidden))


def _rank(session: Session) -> tuple[int, float, str, int]:
    when = -(session.turn_started or session.since) if session.group == "running" else session.since
    return URGENCY[session.status], when, session.session_id, session.pid or 0
