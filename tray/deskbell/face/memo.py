"""Remember what was made of each session, so that it is made again only when the session has changed."""

from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

from deskbell.session import Key, Session

Made = TypeVar("Made")

MOST = 256
"""The most sessions that are remembered: more than a menu shows."""


class Memo(Generic[Made]):
    """What MAKE last returned for each session. MAKE is pure, and a session that has changed is another object.

    Sessions are compared by identity: comparing their forty fields takes as long as making a row of one.
    """

    def __init__(self, make: Callable[..., Made]) -> None:
        self._make = make
        self._known: dict[Key, tuple[Session, tuple[Hashable, ...], Made]] = {}

    def of(self, session: Session, *given: Hashable) -> Made:
        """Return what MAKE makes of SESSION and GIVEN."""
        known = self._known.get(key := session.key)
        if known and known[0] is session and known[1] == given:
            return known[2]
        made = self._make(session, *given)
        self._known.pop(key, None)
        while len(self._known) >= MOST:
            del self._known[next(iter(self._known))]
        self._known[key] = session, given, made
        return made
