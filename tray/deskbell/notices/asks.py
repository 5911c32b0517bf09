"""Tell whether a session still waits for the same thing, or for the next one. Pure. Used by `wants` and `adopt`."""

from typing import NamedTuple

from deskbell.session import Ask, Session

SAME_ASK = 1.0
"""Seconds. The registry and the hook report one request with two times, at most this far apart, and only the hook says
which request it is."""


class Asked(NamedTuple):
    """What a want waits for: since when, in which turn, and for which request, as far as a hook has said so."""

    since: float
    ask: Ask | None = None
    turn: float | None = None
    """When its turn began."""
    code: str = ""
    """The name of the request, if it can be answered from here."""


def asked_of(session: Session, since: float, ask: Ask | None) -> Asked:
    """What SESSION has waited for SINCE then."""
    return Asked(since, ask, session.turn_started, session.asking.code if session.asking else "")


def is_same_ask(session: Session, asked: Asked) -> bool:
    """True if SESSION waits for what was ASKED, and not for the next request.

    An earlier request is not the next one: its hook was slower. Where it is not known which requests they are, time
    decides. The connection of a request that can be answered from here is its own.
    """
    if session.asking and asked.code and session.asking.code:
        return session.asking.code == asked.code
    if session.ask is not None and asked.ask is not None:
        return session.ask <= asked.ask
    return session.since - asked.since < SAME_ASK


def is_just_that(session: Session, asked: Asked | None) -> bool:
    """True if SESSION waits for what was ASKED and for nothing else of that very moment.

    A turn is interrupted once. It seems to be interrupted again if the client works off the next prompt before the hook
    of that prompt has come.
    """
    if asked is None:
        return False
    if session.status == "interrupted" and session.turn_started is not None and asked.turn == session.turn_started:
        return True
    if asked.since != session.since:
        return False
    return asked.ask == session.ask or None in (asked.ask, session.ask)
