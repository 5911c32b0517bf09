"""Find which sessions began to want their person since the last reading, and which no longer do. Pure.

A want is one thing that a session waits for. A transition begins it, and it is over when the session goes on for any
reason. `news` calls `wants` and decides what to do about each.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, NamedTuple

from deskbell.board import Board
from deskbell.notices.asks import Asked, asked_of, is_just_that, is_same_ask
from deskbell.notices.notice import Notice, slot
from deskbell.notices.policy import Policy
from deskbell.session import Ask, Key, Session
from deskbell_hooks.requests import BY_ITSELF
from deskbell_hooks.schema import Status

ASKS: frozenset[Status] = frozenset(("permission", "question", "input", "plan"))
TURN_ENDS: frozenset[Status] = frozenset(("interrupted", "error", "idle"))
WANTING: frozenset[Status] = ASKS | TURN_ENDS | {"crashed"}
AT_FIRST_SIGHT: frozenset[Status] = WANTING - {"idle", "crashed"}
"""The statuses that ring for a session that is new on the board. Every session starts idle; one may be found dead."""

SLOWEST = 3.0
"""Seconds by which a hook may be slower than another, or than the registry. A stamp that is further off, in a direction
in which time does not go, was made before the clock was set back."""
CORRECTED = 0.05
"""Seconds. A clock that is set by less was only corrected."""
CRASHED_FOR = 600.0
"""Seconds for which the notification of a crash stays after it rang, even if its session has left the board."""

HeldBy = Literal["the snooze", "quiet hours", "do-not-disturb", "Later"]
"""What holds a ring back, as it is called in a sentence."""
RingState = Literal["new", "held", "seen", "silent", "shown", "summary"]
# new: its delay is not over   held: it waits for the end of a quiet time   seen: the person was looking at its pane
# silent: it never rings       shown: it rang by itself                     summary: it rang as one of many
# A request that is seen rings when its pane is left, or after a minute; an end of turn that is seen never rings.
ON_SCREEN: tuple[RingState, ...] = ("shown", "summary")
UNANSWERED: tuple[RingState, ...] = (*ON_SCREEN, "seen")
"""The states in which a want may ring again."""


@dataclass(frozen=True, slots=True)
class Want:
    session: Session
    slot: str
    asked: float
    """When the session began to wait, but never later than it was found: the clock may have been set back meanwhile."""
    due: float
    """When its delay is over."""
    ask: Ask | None = None
    """The request that it waits for, if a hook has reported it."""
    turn: float | None = None
    """Seconds from the person's last prompt or answer to the end of the turn; None for a want of another kind."""
    run: float | None = None
    """When the session began to run without its person, before it began to wait."""
    state: RingState = "new"
    held_by: HeldBy | None = None
    """What last held it back."""
    rung: float | None = None
    """When it last rang, took a step of the escalation, or was seen."""
    seen: float | None = None
    """When its delay was over while its pane had the focus."""
    looked: float = 0.0
    """When its pane was last checked for the focus."""
    called: float | None = None
    """When it last rang; a step that only sends is not counted."""
    steps: int = 0
    """Steps of the escalation taken."""
    shown: Notice | None = None
    """The notification on the screen that is for this want alone."""
    again: bool = False
    """Whether it rang before and the session only seemed to go on: its notification then comes back without a ring."""
    found: float | None = None
    """When it was found, if it waited before Deskbell started; None for a want that Deskbell saw begin."""
    stamp: float | None = None
    """When the session says that it began to wait. With it the request is recognised."""
    set_back: bool = False
    """Whether the clock was set back since it was found, so that a later request may have an earlier stamp."""


@dataclass(frozen=True, slots=True)
class Memory:
    """What one call of `news` hands to the next."""

    first: float | None = None
    """When the first reading was made. Of the wants that began before it, only requests ring."""
    runs: Mapping[Key, float] = field(default_factory=dict)
    """When each session began to run without its person: at their last prompt or answer. Turns that begin by themselves
    do not change it."""
    wants: Mapping[Key, Want] = field(default_factory=dict)
    latest: Mapping[Key, Mapping[Status, Asked]] = field(default_factory=dict)
    """The last want that rang, by session and status. It may be over."""
    summary: Notice | None = None
    """The summary on the screen."""
    adopted: bool = False
    """Whether what an earlier run left on the screen has been adopted or withdrawn."""
    at: float | None = None
    """The time of the last call."""
    elapsed: float | None = None
    """The same on a clock that nobody sets; None if there is none."""
    by: float = 0.0
    """Seconds by which the clock was set back between that call and this one; negative if it was set ahead."""
    aged: frozenset[Key] = frozenset()
    """The sessions that may name a time by the clock as it was before somebody set it."""


def by_the_clock(memory: Memory, now: float, elapsed: float | None) -> Memory:
    """Return MEMORY by the clock as it is set NOW. Then nothing waits for a time to come again, and nothing is early.

    ELAPSED: the time on a clock that nobody sets. Without it, only a clock that was set back is noticed.
    """
    if memory.at is None:
        return memory
    passed = None if elapsed is None or memory.elapsed is None else elapsed - memory.elapsed
    by = memory.at + (passed or 0.0) - now
    if abs(by) < CORRECTED or (by < 0 and passed is None):
        return memory
    return replace(
        memory,
        by=by,
        first=None if memory.first is None else memory.first - by,
        runs={key: at - by for key, at in memory.runs.items()},
        wants={key: _earlier(want, by) for key, want in memory.wants.items()},
    )


def _earlier(want: Want, by: float) -> Want:
    times = {name: at - by for name in _TIMES if (at := getattr(want, name)) is not None}
    return replace(want, set_back=want.set_back or by > SLOWEST, **times)


_TIMES = ("asked", "due", "rung", "seen", "looked", "called", "found")
"""The fields of a Want that are times of the clock."""


class Wants(NamedTuple):
    now: dict[Key, Want]
    """The wants of the board, new and old."""
    latest: dict[Key, Mapping[Status, Asked]]
    runs: dict[Key, float]
    over: list[tuple[Want, str]]
    """The wants that are over, each with what ended it."""
    aged: frozenset[Key]


class _Seen(NamedTuple):
    """One session, with what is known from the reading before."""

    session: Session
    before: Session | None
    want: Want | None
    run: float | None
    latest: Mapping[Status, Asked]
    by: float
    """By how much the clock was set back since the reading before."""
    is_aged: bool = False
    """Whether BEFORE may name a time by the clock as it was before somebody set it."""


def wants(before: Board, after: Board, policy: Policy, now: float, memory: Memory) -> Wants:
    """Return the wants of the board AFTER, given the board BEFORE and the MEMORY that went with it."""
    known = {id(one) for one in before.sessions}
    run_on = {one.key for one in after.sessions if id(one) in known and one.group == "running"}
    run_on &= memory.runs.keys() - memory.wants.keys()  # nothing has changed for these
    latest = {key: memory.latest[key] for key in run_on & memory.latest.keys()}
    result = Wants({}, latest, {key: memory.runs[key] for key in run_on}, [], _aged(before, after, memory))
    rest = [one for one in after.sessions if one.key not in run_on]
    seen = [
        _seen(one, before.clients.get(one.session_id, ()), after.clients[one.session_id], now, memory) for one in rest
    ]
    for one in seen:
        _follow(result, one, policy, now, now if memory.first is None else memory.first)
        if asked := _latest(one):
            result.latest[one.session.key] = asked
        if (start := _run(one, now)) is not None:
            result.runs[one.session.key] = min(start, now)
    followed = run_on | {(one.before or one.session).key for one in seen}
    for key, old in memory.wants.items():
        if key not in followed:
            _leave(result, old, after, now)
    return result


def _aged(before: Board, after: Board, memory: Memory) -> frozenset[Key]:
    """Return the sessions of the board AFTER that may name a time by the clock as it was before somebody set it."""
    if memory.by:
        return frozenset(one.key for one in after.sessions)
    same = {one.key: one.since for one in before.sessions if one.key in memory.aged}
    return frozenset(one.key for one in after.sessions if same.get(one.key) == one.since)


def _seen(
    session: Session, earlier: Sequence[Session], present: Sequence[Session], now: float, memory: Memory
) -> _Seen:
    """Return what is known of SESSION. EARLIER and PRESENT are the clients with its id before and now."""
    known = _known_as(session, earlier, present)
    if known is None:
        return _Seen(session, None, memory.wants.get(session.key), None, memory.latest.get(session.key, {}), memory.by)
    want, run = memory.wants.get(known.key), memory.runs.get(known.key)
    if (sign := _person_came(session, known, want, now)) is not None:
        run = min(now, sign if run is None else max(run, sign))
    latest, is_aged = memory.latest.get(known.key, {}), memory.by != 0 or known.key in memory.aged
    return _Seen(session, known, want, run, latest, memory.by, is_aged)


def _person_came(session: Session, before: Session, want: Want | None, now: float) -> float | None:
    """Return when the person prompted or answered SESSION since the reading before; None if they did not.

    If nothing else says when they answered a request, they did so when it was first found gone.
    """
    if session.person_at is not None and (before.person_at is None or session.person_at > before.person_at):
        return session.person_at
    if before.status not in ASKS or (session.status in ASKS and is_same_ask(session, _asked(want, before))):
        return None
    asked = want.asked if want else min(before.since, now)
    # The status after a request may have begun before the request did. Then the answer came just now.
    answered = session.since if asked < session.since <= now else now
    return answered if answered - asked >= BY_ITSELF else None


def _known_as(session: Session, earlier: Sequence[Session], present: Sequence[Session]) -> Session | None:
    """Return SESSION as the reading before had it. Its process may have been unknown then, or be unknown now."""
    if found := next((s for s in earlier if s.pid == session.pid), None):
        return found
    before, after = {s.key for s in earlier}, {s.key for s in present}
    gone = [s for s in earlier if s.key not in after]
    come = [s.key for s in present if s.key not in before]
    same = len(gone) == 1 and come[0] == session.key and None in (gone[0].pid, session.pid)
    return gone[0] if same else None


def _follow(result: Wants, seen: _Seen, policy: Policy, now: float, first: float) -> None:
    session, old, change = seen.session, seen.want, _change(seen, now, first)
    if change == "news":
        found = now if seen.before is None and min(session.since, now) <= first else None
        result.now[session.key] = replace(_new_want(seen, policy, now), found=found)
        if old:  # the new want replaces the notification in place: it is not withdrawn
            result.over.append((replace(old, shown=None), _ended_by(session, old)))
    elif old and session.status == "crashed" and _is_reported(old, now):
        result.over.append((old, "it is in the menu"))
    elif old and change == "same":
        result.now[session.key] = replace(old, session=session, ask=session.ask or old.ask)
    elif old:
        result.over.append((old, _ended_by(session, old)))


def _change(seen: _Seen, now: float, first: float) -> Literal["news", "same", "over"]:
    """Return whether the session began to want its person, still does, or does not.

    News is a transition, or a request of a session that was not on the board before.
    """
    session, before, status = seen.session, seen.before, seen.session.status
    if session.stalled:
        return "same" if before is None or before.stalled else "news"
    if status not in WANTING:
        return "over"
    if before is None:
        is_news = status in ASKS or (status in AT_FIRST_SIGHT and min(session.since, now) > first)
        return "news" if is_news else "over"
    if status in ASKS:
        return "same" if before.status in ASKS and is_same_ask(session, _asked(seen.want, before)) else "news"
    passed = session.turns > before.turns and session.since > before.since
    if status == before.status and not passed:
        return "same"
    if status == "crashed":
        return "over" if before.over else "news"
    if before.group == "running" and session.since < before.since and not seen.is_aged:
        return "over"  # no turn ran: a hook refused the prompt, and everything is as it was before
    # The end of a turn is news if a turn ran, or if a whole one passed between two readings.
    ran = before.group == "running" or before.status in ASKS or passed
    return "news" if ran else "over"


def _asked(want: Want | None, before: Session) -> Asked:
    """Return what the session waited for at the reading before."""
    if want is None:
        return asked_of(before, before.since, before.ask)
    stamp = want.asked if want.stamp is None else want.stamp
    return asked_of(want.session, stamp, want.ask)._replace(latest=stamp - SLOWEST if want.set_back else None)


def _new_want(seen: _Seen, policy: Policy, now: float) -> Want:
    session, old = seen.session, seen.want
    ring, asked = policy.rings.of(session.status, session.stalled), min(session.since, now)
    return Want(
        session=session,
        slot=old.slot if old else slot(session.key),
        asked=asked,
        due=asked + (ring.delay if ring else 0.0),
        ask=session.ask,
        run=seen.run,
        turn=_turn(seen, now) if session.status in TURN_ENDS else None,
        shown=old.shown if old else None,
        again=is_just_that(session, seen.latest.get(session.status)),
        stamp=session.since,
    )


def _latest(seen: _Seen) -> Mapping[Status, Asked]:
    if (old := seen.want) is None or old.called is None:
        return seen.latest
    return {**seen.latest, old.session.status: _asked(old, old.session)}


def _turn(seen: _Seen, now: float) -> float:
    """Return the seconds that the session ran without its person until the end of its turn; never less than 0.

    The end was stamped before the clock was set if it is later than NOW or earlier than the run. A prompt long after
    the end was stamped before the clock was set back.
    """
    session = seen.session
    begun = seen.run if seen.run is not None else session.since - (session.last_turn_seconds or 0.0)
    if not begun <= session.since <= now:
        begun += seen.by
    if session.person_at is None or session.person_at < session.since + SLOWEST:
        begun = _person_or(begun, session)
    return max(0.0, session.since - begun)


def _run(seen: _Seen, now: float) -> float | None:
    """Return when SEEN began to run without its person; None if it neither runs nor asks in the middle of a run.

    An end of turn whose delay is not over does not end a run. A run that seems to be older than the pause before it
    begins now. No run begins before the person's last prompt or answer.
    """
    session, before, old = seen.session, seen.before, seen.want
    if seen.run is not None and (session.status in ASKS or session.group == "running"):
        return seen.run
    if session.group != "running":
        return None
    if old and old.session.status == "idle" and old.state == "new" and old.run is not None:
        return old.run
    begun = [at for at in (session.turn_started, session.since) if at is not None]
    paused = before.since if before and before.group != "running" else float("-inf")
    return _person_or(next((at for at in begun if at >= paused), now), session)


def _person_or(begun: float, session: Session) -> float:
    """Return BEGUN, or the person's last prompt or answer to SESSION if that was later."""
    return begun if session.person_at is None else max(begun, session.person_at)


def _leave(result: Wants, old: Want, after: Board, now: float) -> None:
    """Keep or end a want whose session has left the board."""
    session = old.session
    back = any(s.session_id == session.session_id and not s.over for s in after.sessions)
    reported = old.state == "silent" or _is_reported(old, now)
    if session.status == "crashed" and not back and session.kept_until is None and not reported:
        result.now[session.key] = old
    elif session.kept_until is not None and not back:
        result.over.append((old, "it was seen"))
    elif any(s.key == session.key for s in after.hidden):
        result.over.append((old, "it runs unattended"))
    else:
        result.over.append((old, "it was resumed" if back else "its session is gone"))


def reported_until(want: Want) -> float | None:
    """Return until when the crash WANT is reported if nobody reacts; None for any other want, and before it rang."""
    if want.session.status != "crashed" or want.state in ("held", "silent") or want.rung is None:
        return None
    return want.rung + CRASHED_FOR


def _is_reported(want: Want, now: float) -> bool:
    return (until := reported_until(want)) is not None and now >= until


def _ended_by(session: Session, old: Want) -> str:
    if session.over:
        return "it ended" if session.status == "ended" else "it crashed"
    return "it was answered" if old.session.status in ASKS else "it went on"
