"""Tell whether a session still waits for the same request, or for the next one. Pure. `wants` and `adopt` call this."""

from typing import NamedTuple

from deskbell.session import Ask, Session

SAME_ASK = 1.0
"""Seconds. The registry and the hook report one request with two times that differ by less than this. Only the hook
says which request it is."""


class Asked(NamedTuple):
    """What a want waits for: since when, in which turn, and for which request, if a hook has said so."""

    since: float
    ask: Ask | None = None
    turn: float | None = None
    """When its turn began."""
    code: str = ""
    """The name of the request, if it can be answered from here."""
    latest: float | None = None
    """If the clock was set back since: another request has a stamp before this."""


def asked_of(session: Session, since: float, ask: Ask | None) -> Asked:
    """Return what SESSION has waited for since SINCE."""
    return Asked(since, ask, session.turn_started, session.asking.code if session.asking else "")


def is_same_ask(session: Session, asked: Asked) -> bool:
    """Return True if SESSION waits for what was ASKED, and not for the next request.

    Requests that can be answered from here are compared by their codes. Others are compared by the order of their
    hooks: an earlier request is not the next one, its hook was only slower. If a hook is missing, the times decide.
    They go backwards if the clock was set back meanwhile.
    """
    if session.asking and asked.code and session.asking.code:
        return session.asking.code == asked.code
    if session.ask is not None and asked.ask is not None:
        return session.ask <= asked.ask
    if asked.latest is not None and session.since < asked.latest:
        return False
    return session.since - asked.since < SAME_ASK


def is_just_that(session: Session, asked: Asked | None) -> bool:
    """Return True if SESSION waits for what was ASKED, and not for another request of the same moment.

    A turn is interrupted only once. It seems to be interrupted again if the client finishes the next prompt before the
    hook of that prompt has come.
    """
    if asked is None:
        return False
    if session.status == "interrupted" and session.turn_started is not None and asked.turn == session.turn_started:
        return True
    if asked.since != session.since:
        return False
    return asked.ask == session.ask or None in (asked.ask, session.ask)
