"""May this want ring now, and if not, why not? Pure: the person, the desktop and the clock are arguments."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

from deskbell.notices.decisions import Outcome
from deskbell.notices.policy import Policy
from deskbell.notices.quiet import Quiet, matches
from deskbell.notices.wants import RingState, Want
from deskbell.session import Session
from deskbell.text.times import clock, duration

DND_LOOK = 15.0
"""Seconds between two looks at the system's do-not-disturb while something is held back by it."""


@dataclass(frozen=True, slots=True)
class Senses:
    """What is known of the person and the desktop."""

    focused: Callable[[Session], bool | None] = lambda _: None
    """Whether the session's own pane has the focus; asked only for sessions that are about to ring."""
    dnd: str | None = None
    """What holds notifications back on this system, in words; None when nothing does."""
    quiet: Quiet = field(default_factory=Quiet)


class Judgement(NamedTuple):
    state: RingState
    verdict: Outcome
    reason: str


class Hold(NamedTuple):
    reason: str
    until: float
    """When to look again."""


def judge(want: Want, policy: Policy, now: float, senses: Senses) -> Judgement:
    if never := _never(want, policy) or muted(want.session, policy, now, senses):
        return Judgement("silent", "not shown", never)
    held = hold(policy, now, senses)
    if held and want.state == "held":  # asked for at every change, which to look at the focus is too dear for
        return Judgement("held", "held", held.reason)
    if focused(want.session, policy, senses):
        return Judgement("seen", "not shown", "its pane was focused")
    if held:
        return Judgement("held", "held", held.reason)
    if want.state == "held":
        return Judgement("shown", "shown", "after it was held back")
    took = f"after {duration(want.turn)} turn" if want.session.status == "idle" and want.turn else "at once"
    return Judgement("shown", "shown", took)


def _never(want: Want, policy: Policy) -> str | None:
    status = want.session.status
    ring = policy.rings.of(status)
    if ring is None or not ring.ring:
        return f"{status} is switched off"
    if status == "idle" and (want.turn or 0.0) < policy.rings.idle.min_turn:
        return f"its turn took only {duration(want.turn or 0.0)}"
    return None


def muted(session: Session, policy: Policy, now: float, senses: Senses) -> str | None:
    glob = next((g for g in policy.silence.projects if matches(session, g)), None)
    return f"project {glob} never rings" if glob else senses.quiet.muted(session, now)


def focused(session: Session, policy: Policy, senses: Senses) -> bool:
    """Where it cannot be known, it rings."""
    return policy.silence.when_focused and senses.focused(session) is True


def snoozed(now: float, senses: Senses) -> Hold | None:
    end = senses.quiet.snooze(now)
    return Hold(f"snoozed until {clock(end, now)}", end) if end else None


def hold(policy: Policy, now: float, senses: Senses) -> Hold | None:
    """What holds every ring back now."""
    if snooze := snoozed(now, senses):
        return snooze
    if end := policy.silence.hours_end(now):
        return Hold(f"quiet hours until {clock(end, now)}", end)
    if senses.dnd and policy.silence.system_dnd:
        return Hold(senses.dnd, now + DND_LOOK)
    return None


def next_step(want: Want, policy: Policy) -> float | None:
    """When it is to call again if it is still unanswered then."""
    ladder = policy.escalation
    if not ladder.minutes or want.session.status not in ladder.statuses or want.steps >= len(ladder.steps):
        return None
    return None if want.rung is None else want.rung + ladder.minutes * 60
