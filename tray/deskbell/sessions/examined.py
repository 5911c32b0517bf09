"""Examine one client: ask `truth` for the verdict on its evidence, and make the session. Pure."""

from typing import NamedTuple

from deskbell.session import STALE_AFTER, Key, Session
from deskbell.sessions.assemble import assemble
from deskbell.sessions.candidates import Candidate
from deskbell.sessions.dialogs import has_queue
from deskbell.sessions.evidence import Evidence
from deskbell.sessions.folder import cannot_be
from deskbell.sessions.memory import Memory
from deskbell.sessions.stand_in import Probe, stand_in
from deskbell.sessions.truth import verdict
from deskbell.sessions.turns import can_end_unseen, is_unreported
from deskbell_hooks.fold import THINKING

REREAD_AFTER = 0.5
"""Seconds until a transcript is read again whose change wakes nobody."""
REPEATED_AFTER = 1.0
"""The fewest seconds until a transcript is read again in which only a repeated request would show that the API fails.
The client waits longer before each one, and so does Deskbell."""
COMPARED = ("alive", "died", "left_behind", "moved_on", "went_on", "suspended", "host", "approved")


class Examined(NamedTuple):
    """One client as it was last examined. It holds values only, so that reading them later cannot raise."""

    evidence: Evidence
    session: Session
    candidate: Candidate | None = None
    """What the files said of it; None if it could not be examined."""
    since: float = 0.0
    """When it began to have its status."""
    again: float | None = None
    """When to examine it again even if nothing changes."""
    is_reread: bool = False
    """Whether only its transcript would show a change, so that it is read again without a wake."""
    has_queue: bool = False
    """Whether only its processes would show which request its dialog is for."""
    silent: bool = False
    """Whether no hook has reported its newest prompt."""
    why: str = ""
    """Why the session is only a stand-in for one that cannot be examined or shown; empty if it is none."""


def examined(candidate: Candidate, memory: Memory, evidence: Evidence, probe: Probe) -> Examined:
    """Return what is true of a client. If its session cannot be shown, a stand-in with the same status replaces it."""
    found, entry = verdict(evidence), candidate.entry or memory.entry
    doing = (candidate.record, candidate.run, entry, evidence.tail, found, evidence.now)
    unreported = is_unreported(evidence)
    silent = unreported or bool(evidence.entry and not evidence.run and evidence.tail.prompts)
    again, why = None if found.again is None else float(found.again), ""
    try:
        lost = evidence.alive is None and candidate.pid is not None
        more = unreported, evidence.suspended, memory.left_dialog, evidence.host, lost
        session = assemble(candidate.session_id, *doing, *more)
        probe(session, evidence.now)
    except Exception as error:  # noqa: BLE001  # a session that cannot be shown must not hide the others
        why = cannot_be("shown", error)
        session = stand_in(candidate, found, why, evidence.now, probe)
    queue = has_queue(evidence.run, evidence.entry)
    is_reread = queue or found.status == "limit" or can_end_unseen(evidence)
    return Examined(evidence, session, candidate, found.since, again, is_reread, queue, silent, why)


def unexamined(candidate: Candidate, why: str, now: float, probe: Probe) -> Examined:
    """Return what to show of a client that cannot be examined. Its evidence is new each time, so it is tried again."""
    return Examined(Evidence(now=now), stand_in(candidate, None, why, now, probe), since=now, why=why)


def still_holds(before: Examined, new: Evidence) -> bool:
    """Return True if the evidence is the same as before, and the verdict is not due again."""
    old = before.evidence
    same = old.run is new.run and old.entry is new.entry and old.tail == new.tail
    same = same and all(getattr(old, name) == getattr(new, name) for name in COMPARED)
    return same and not is_due(before, new.now)


def is_due(before: Examined, now: float) -> bool:
    """Return True if time alone may have changed what the same evidence says."""
    session = before.session
    is_stale = now - session.heard > STALE_AFTER
    is_stalled = session.stalls_at is not None and now >= session.stalls_at
    is_changed = is_stale != session.stale or is_stalled != session.stalled
    return is_changed or (before.again is not None and now >= before.again)


def due(one: Examined, now: float) -> float | None:
    """Return when to examine ONE again after NOW without a wake; None if that is not needed."""
    if one.is_reread:
        wait = REREAD_AFTER
    elif one.session.status == "working" and one.session.detail == THINKING:  # or it repeats a request that fails
        wait = max(REPEATED_AFTER, (now - one.session.heard) / 2)
    else:
        return one.again
    return now + wait if one.again is None else min(one.again, now + wait)


def without_ended_doubles(all_of: dict[Key, Examined]) -> dict[Key, Examined]:
    """Leave out the ended and crashed clients whose session another client runs or has resumed."""
    living = [one.session for one in all_of.values() if not one.session.over]
    ids = {session.session_id for session in living}

    def is_shown(one: Session) -> bool:
        if one.status == "crashed":
            return not any(session.resumes(one.session_id, one.since) for session in living)
        return not one.over or one.session_id not in ids

    return {key: one for key, one in all_of.items() if is_shown(one.session)}
