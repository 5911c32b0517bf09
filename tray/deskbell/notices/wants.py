"""Which sessions have come to want their person since the last reading, and which no longer do? Pure.

A want is one thing a session waits for. It is born with a transition, and it is over when the session goes on, however
that was brought about; what is done about it in between is decided in `news`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Literal, NamedTuple

from deskbell.board import Board
from deskbell.notices.notice import Notice, slot
from deskbell.notices.policy import Policy
from deskbell.session import BLOCKED, Key, Session
from deskbell_hooks.schema import Status

ASKS: frozenset[Status] = frozenset(("permission", "question", "input", "plan"))
TURN_ENDS: frozenset[Status] = frozenset(("interrupted", "error", "idle"))
WANTING: frozenset[Status] = ASKS | TURN_ENDS | {"crashed"}

SAME_ASK = 1.0
"""Seconds within which the registry and the hook speak of the same request, each with its own stamp and name for it."""
CRASHED_FOR = 600.0
"""Seconds a crash stays announced after its session has left the board."""

RingState = Literal["new", "held", "seen", "silent", "shown", "digest"]
# new: its delay is not over   held: kept back until a quiet time ends   seen: the person was looking at it
# silent: it never rings       shown: it rang, by itself                 digest: it rang, as one of many


@dataclass(frozen=True, slots=True)
class Want:
    session: Session
    slot: str
    asked: float
    due: float
    turn: float | None = None
    """Seconds the turn took, where one is over."""
    run: float | None = None
    state: RingState = "new"
    rung: float | None = None
    """When it last rang, took a step of the escalation, or was seen."""
    called: float | None = None
    """When it last came to the screen with a ring."""
    steps: int = 0
    """Steps of the escalation taken."""
    shown: Notice | None = None
    """What is on the screen for it alone."""
    again: bool = False
    """It was there before, and its session seemed to go on: it comes back to the screen without a ring."""


@dataclass(frozen=True, slots=True)
class Memory:
    """What `news` hands from one call to the next."""

    first: float | None = None
    """When the first reading was made: what waited before is not news."""
    runs: Mapping[Key, float] = field(default_factory=dict)
    """Since when each has been running, counted from its person's prompt over every machine-made turn."""
    wants: Mapping[Key, Want] = field(default_factory=dict)
    latest: Mapping[Key, Mapping[Status, float]] = field(default_factory=dict)
    """The latest want of each session in each status, over or not: since when it was."""
    digest: Notice | None = None
    """The digest on the screen."""


class Wants(NamedTuple):
    now: dict[Key, Want]
    latest: dict[Key, Mapping[Status, float]]
    runs: dict[Key, float]
    over: list[tuple[Want, str]]
    """Those that are over, each with how that came."""


class _Seen(NamedTuple):
    """One session, as it is and as it was."""

    session: Session
    before: Session | None
    want: Want | None
    run: float | None
    latest: Mapping[Status, float]


def wants(before: Board, after: Board, policy: Policy, now: float, memory: Memory) -> Wants:
    result = Wants({}, {}, {}, [])
    seen = [_seen(session, before, after, memory) for session in after.sessions]
    for one in seen:
        _follow(result, one, policy, now if memory.first is None else memory.first)
        if latest := _latest(one, result.now.get(one.session.key)):
            result.latest[one.session.key] = latest
        if (start := _run(one)) is not None:
            result.runs[one.session.key] = start
    followed = {(one.before or one.session).key for one in seen}
    for key, old in memory.wants.items():
        if key not in followed:
            _leave(result, old, after, now)
    return result


def _seen(session: Session, before: Board, after: Board, memory: Memory) -> _Seen:
    known = _known_as(session, before, after)
    key = known.key if known else session.key
    run = memory.runs.get(key) if known else None
    return _Seen(session, known, memory.wants.get(key), run, memory.latest.get(key, {}))


def _known_as(session: Session, before: Board, after: Board) -> Session | None:
    """The same session in the reading before; a hook may have been heard before its process was known."""
    same = [s for s in before.sessions if s.session_id == session.session_id]
    if found := next((s for s in same if s.pid == session.pid), None):
        return found
    there = {s.key for s in after.sessions if s.session_id == session.session_id}
    gone = [s for s in same if s.key not in there]
    return gone[0] if len(gone) == 1 and None in (gone[0].pid, session.pid) else None


def _follow(result: Wants, seen: _Seen, policy: Policy, first: float) -> None:
    session, old = seen.session, seen.want
    change = _change(seen, first)
    if change == "news":
        result.now[session.key] = _born(seen, policy)
        if old:  # what the new one replaces in place need not be taken off the screen
            result.over.append((replace(old, shown=None), _how(session, old)))
    elif old and change == "same":
        result.now[session.key] = replace(old, session=session)
    elif old:
        result.over.append((old, _how(session, old)))


def _change(seen: _Seen, first: float) -> Literal["news", "same", "over"]:
    """Whether the session has come to want its person: by a transition, never by a state."""
    session, before, status = seen.session, seen.before, seen.session.status
    if status not in WANTING:
        return "over"
    if before is None:
        return "news" if status in BLOCKED and session.since > first else "over"
    if status in ASKS:
        asked = seen.want.asked if seen.want else before.since
        return "same" if before.status in ASKS and session.since - asked < SAME_ASK else "news"
    passed = session.turns > before.turns and session.since > before.since
    if status == before.status and not passed:
        return "same"
    if status == "crashed":
        return "news" if before.group != "ended" else "over"
    # A turn is over where one ran, or where a whole one passed between two readings.
    ran = before.group == "running" or before.status in ASKS or passed
    return "news" if ran else "over"


def _born(seen: _Seen, policy: Policy) -> Want:
    session, old = seen.session, seen.want
    ring = policy.rings.of(session.status)
    return Want(
        session=session,
        slot=old.slot if old else slot(session.key),
        asked=session.since,
        due=session.since + (ring.delay if ring else 0.0),
        run=seen.run,
        turn=_turn(seen) if session.status in TURN_ENDS else None,
        shown=old.shown if old else None,
        again=seen.latest.get(session.status) == session.since,
    )


def _latest(seen: _Seen, want: Want | None) -> Mapping[Status, float]:
    return {**seen.latest, want.session.status: want.asked} if want else seen.latest


def _turn(seen: _Seen) -> float:
    return seen.session.since - seen.run if seen.run is not None else seen.session.last_turn_seconds or 0.0


def _run(seen: _Seen) -> float | None:
    """Since when it runs; neither a question in between ends that, nor an end of turn that did not last."""
    session, before, old = seen.session, seen.before, seen.want
    if seen.run is not None and (session.status in ASKS or session.group == "running"):
        return seen.run
    if session.group != "running":
        return None
    if old and old.state == "new" and old.run is not None:
        return old.run
    started = session.since if session.turn_started is None else session.turn_started
    return max(started, before.since) if before and before.group != "running" else started


def _leave(result: Wants, old: Want, after: Board, now: float) -> None:
    """For a want whose session is not on the board any more."""
    session = old.session
    back = any(s.session_id == session.session_id and s.group != "ended" for s in after.sessions)
    if session.status == "crashed" and not back and now < old.asked + CRASHED_FOR:
        result.now[session.key] = old
    elif any(s.key == session.key for s in after.hidden):
        result.over.append((old, "it runs unattended"))
    else:
        result.over.append((old, "it was resumed" if back else "it is no longer there"))


def _how(session: Session, old: Want) -> str:
    if session.group == "ended":
        return "it ended" if session.status == "ended" else "its process died"
    return "it was answered" if old.session.status in ASKS else "it went on"
