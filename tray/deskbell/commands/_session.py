"""Find the session that is named on the command line, among those that run and those that were recorded."""

import time

from deskbell.board import ENDED_FOR
from deskbell.commands._world import world
from deskbell.history.past import past
from deskbell.home import home
from deskbell.sessions.crashes import DAY
from deskbell.sessions.find import Found, find
from deskbell.terminal.out import complain


def named_session(said: str) -> Found:
    """Raise Problem if no session or more than one matches."""
    places, now = home(), time.time()
    # A crash is part of what is known of a session, also after it was seen.
    known = [s for s in world(ended_for=DAY).read(now) if s.status != "ended" or now - s.since < ENDED_FOR]
    return find(said, known, lambda: past(places.sessions, places.events, complain))
