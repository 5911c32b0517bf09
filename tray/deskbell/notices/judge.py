"""Judge whether a want may ring now, and say why not. Pure: the focus, the desktop and the clock are arguments."""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from deskbell.notices.decisions import Outcome
from deskbell.notices.policy import Policy
from deskbell.notices.quiet import Quiet, matches
from deskbell.notices.screen import Left
from deskbell.notices.wants import ASKS, UNANSWERED, HeldBy, RingState, Want, reported_until
from deskbell.session import Session
from deskbell.text.times import clock, span
from deskbell_hooks.schema import Status

REPORTED_BY_HOOK: frozenset[Status] = frozenset(("permission", "question", "plan"))
"""The statuses that a PermissionRequest hook reports, and that another such hook may answer by itself."""
ANSWER_OF_HOOK = 0.35
"""Seconds within which a hook of the person's own answers a request."""
SETTLES = 0.5
"""Seconds after which what waited before the start rings even if the desktop has not reported everything."""
LOOK = 2.0
"""Seconds between two checks whether the pane of a seen request still has the focus."""
SEEN_FOR = 60.0
"""Seconds after which a request that was seen rings although its pane has the focus: its person may have left."""
DND_LOOK = 15.0
"""Seconds after which the do-not-disturb of the system is read again while it holds something back."""
LEADS: Mapping[HeldBy | None, str] = {
    "the snooze": "While snoozed",
    "quiet hours": "During quiet hours",
    "do-not-disturb": "During do-not-disturb",
    "Later": "",
}
"""What the title of a summary begins with if the same thing held all its sessions back."""


@dataclass(frozen=True, slots=True)
class Senses:
    """What is known about the person and the desktop."""

    focused: Callable[[Session], bool | None] = lambda _: None
    """Whether the pane of a session has the focus; None if unknown. Called only for a session that is about to ring,
    and every LOOK seconds for one whose request was seen."""
    dnd: str | None = None
    """What holds notifications back on this system, in words; None if nothing does."""
    quiet: Quiet = field(default_factory=Quiet)
    patience: float = 0.0
    """Seconds that a request waits for the answer of a hook before it rings; 0 if no such hook is registered."""
    left: tuple[Left, ...] | None = ()
    """What an earlier run left on the screen; None while the desktop may still report it."""
    awaits_focus: Callable[[Session], bool] = lambda _: False
    """Whether the focus of a session is unknown only because the answer is still on its way."""
    elapsed: float | None = None
    """The seconds on a clock that nobody sets; None if there is none."""


class Judgement(NamedTuple):
    state: RingState
    verdict: Outcome
    reason: str
    held_by: HeldBy | None = None


class Hold(NamedTuple):
    by: HeldBy
    reason: str
    until: float
    """When to check again."""


def judge(want: Want, policy: Policy, now: float, senses: Senses) -> Judgement | None:
    """Judge a want whose next judgement is due. Return None if the want stays as it is."""
    if want.state == "seen":
        return _judge_seen(want, policy, now, senses)
    if never := _never(want, policy) or muted(want.session, policy, now, senses):
        return Judgement("silent", "not shown", never)
    held = held_back(want.session, policy, now, senses)
    if held and want.state == "held":  # this comes at every change, and finding the focus can take 0.4 s
        return Judgement("held", "held", held.reason, held.by)
    if focused(want.session, policy, senses):
        return Judgement("seen", "not shown", "its pane was focused")
    if senses.awaits_focus(want.session):
        return None
    if held:
        return Judgement("held", "held", held.reason, held.by)
    if want.state == "held":
        return Judgement("shown", "shown", f"after {want.held_by}")
    if want.found is not None:
        return Judgement("shown", "shown", "as it was already waiting when Deskbell started")
    turn = want.turn if want.session.status == "idle" else None
    return Judgement(
        "shown", "shown", f"as its turn ended {span(turn)} after your last prompt or answer" if turn else "at once"
    )


def _judge_seen(want: Want, policy: Policy, now: float, senses: Senses) -> Judgement | None:
    """Judge a request that was seen and is still unanswered."""
    if held_back(want.session, policy, now, senses):
        return None
    if never := _never(want, policy) or muted(want.session, policy, now, senses):
        return Judgement("silent", "not shown", never)
    if want.seen is not None and now >= want.seen + SEEN_FOR:
        return Judgement("shown", "shown", "unanswered for a minute")
    if focused(want.session, policy, senses):
        return Judgement("seen", "not shown", "its pane was focused")
    if senses.awaits_focus(want.session):
        return None
    return Judgement("shown", "shown", "its pane was left")


def judge_due(wants: Iterable[Want], policy: Policy, now: float, senses: Senses) -> list[tuple[Want, Judgement]]:
    """Judge those of WANTS that are due, and leave out those that stay as they are.

    Wants that waited before the start or were held back ring together, once the focus of each is known.
    """
    ripe = [want for want in wants if (due := next_judgement(want, senses)) is not None and due <= now]
    judged = [(want, found) for want in ripe if (found := judge(want, policy, now, senses))]
    if any(senses.awaits_focus(want.session) for want in ripe):
        return [(want, found) for want, found in judged if found.state != "shown" or not _rings_with_others(want)]
    return judged


def _rings_with_others(want: Want) -> bool:
    return want.found is not None or want.state == "held"


def next_judgement(want: Want, senses: Senses) -> float | None:
    """Return when to judge WANT; None if it is not judged again, such as an end of turn that was seen."""
    if want.state in ("new", "held"):
        waits = want.session.status in REPORTED_BY_HOOK
        due = max(want.due, want.asked + senses.patience) if waits else want.due
        return due if want.found is None or senses.left is not None else max(due, want.found + SETTLES)
    if want.state != "seen" or want.seen is None or want.session.status not in ASKS:
        return None
    return min(want.looked + LOOK, want.seen + SEEN_FOR)


def _never(want: Want, policy: Policy) -> str | None:
    """Return why the settings never let WANT ring; None if they let it ring."""
    status = want.session.status
    ring = policy.rings.of(status, want.session.stalled)
    if ring is None or not ring.ring:
        said = "stalled" if want.session.stalled else status
        return f"status {said} is switched off in the settings"
    shortest = policy.rings.idle.min_turn
    if status == "idle" and (want.turn or 0.0) < shortest:
        return f"its turn ended less than {shortest:g} s after your last prompt or answer"
    return None


def muted(session: Session, policy: Policy, now: float, senses: Senses) -> str | None:
    """Return which mute silences SESSION, of the settings or of the person."""
    glob = next((g for g in policy.silence.projects if matches(session, g)), None)
    return f"the settings silence project {glob}" if glob else senses.quiet.muted(session, now)


def focused(session: Session, policy: Policy, senses: Senses) -> bool:
    """Return whether the person looks at SESSION; False if that is unknown, so that it rings."""
    return policy.silence.when_focused and senses.focused(session) is True


def snoozed(now: float, senses: Senses) -> Hold | None:
    end = senses.quiet.snooze(now)
    return Hold("the snooze", f"snoozed until {clock(end, now)}", end) if end else None


def hold(policy: Policy, now: float, senses: Senses) -> Hold | None:
    """Return what holds every ring back now: a snooze, quiet hours or do-not-disturb."""
    if snooze := snoozed(now, senses):
        return snooze
    if end := policy.silence.hours_end(now):
        return Hold("quiet hours", f"quiet hours until {clock(end, now)}", end)
    if senses.dnd and policy.silence.system_dnd:
        return Hold("do-not-disturb", senses.dnd, now + DND_LOOK)
    return None


def later(session: Session, now: float, senses: Senses) -> Hold | None:
    end = senses.quiet.laters(now).get(session.session_id)
    return Hold("Later", f"later until {clock(end, now)}", end) if end else None


def put_off(session: Session, now: float, senses: Senses) -> Hold | None:
    """Return the snooze or Later that holds SESSION back. Unlike other holds, these also take its notification away."""
    return snoozed(now, senses) or later(session, now, senses)


def held_back(session: Session, policy: Policy, now: float, senses: Senses) -> Hold | None:
    """Return what holds the rings of SESSION back now."""
    return hold(policy, now, senses) or later(session, now, senses)


def lead(held: Iterable[Want]) -> str:
    """Return what the title of the summary of HELD begins with, the wants that were held back until now."""
    reasons = {want.held_by for want in held}
    return LEADS.get(reasons.pop(), "Meanwhile") if len(reasons) == 1 else "Meanwhile"


def next_step(want: Want, policy: Policy) -> float | None:
    """Return when WANT takes the next step of the escalation if it is still unanswered; None if it takes none."""
    escalation = policy.escalation
    left = len(escalation.steps) - want.steps
    if not escalation.minutes or want.session.status not in escalation.statuses or left <= 0 or want.rung is None:
        return None
    return want.rung + escalation.minutes * 60


def next_call(wants: Collection[Want], policy: Policy, now: float, senses: Senses) -> float | None:
    """Return when something is next due for one of WANTS without a change; None if nothing is."""
    every = hold(policy, now, senses)
    times = (_next(want, policy, senses, every or later(want.session, now, senses)) for want in wants)
    return min((at for at in times if at is not None), default=None)


def _next(want: Want, policy: Policy, senses: Senses, held: Hold | None) -> float | None:
    """Return when something is next due for WANT; None if nothing is. HELD: what holds it back, if anything does."""
    times = [reported_until(want)]
    if want.state == "new":
        times.append(next_judgement(want, senses))
    elif want.state == "held":
        times.append(held.until if held else None)
    elif want.state in UNANSWERED:
        waits = [next_step(want, policy), next_judgement(want, senses)]
        times += [max(at, held.until) if held else at for at in waits if at is not None]
    return min((at for at in times if at is not None), default=None)
