"""Make the plain session that takes the place of one that cannot be examined or shown. Pure.

It says why. It keeps the status, so that a request still counts and rings, but no text that may be the cause.
"""

from collections.abc import Callable
from dataclasses import replace

from deskbell.session import Session
from deskbell.sessions.assemble import project_of
from deskbell.sessions.attended import is_hidden, kind_of
from deskbell.sessions.candidates import Candidate
from deskbell.sessions.evidence import Verdict

Probe = Callable[[Session, float], None]
"""Raises if a session cannot be shown."""


def stand_in(candidate: Candidate, found: Verdict | None, why: str, now: float, probe: Probe) -> Session:
    """Return a session with the status in FOUND; if that is None, a working one, which does not ring. Never raise."""
    barest = Session(candidate.session_id, candidate.pid, None, "working", why, why, now, now, "?", "")
    try:
        fuller = replace(
            barest,
            pid_start=candidate.start,
            status=found.status if found else barest.status,
            since=found.since if found else now,
            project=project_of(candidate.record, candidate.entry),
            kind=kind_of(candidate.run, candidate.entry),
            hidden=is_hidden(candidate.run, candidate.entry),
        )
        probe(fuller, now)
    except Exception:  # noqa: BLE001  # any of these values may be what is wrong with the session
        return barest
    return fuller
