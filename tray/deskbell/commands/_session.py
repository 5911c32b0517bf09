"""Find the session that the command line names, among those that run and those that were recorded."""

import time

from deskbell.board import ENDED_FOR
from deskbell.commands._world import probe, world
from deskbell.history.past import past
from deskbell.home import home
from deskbell.sessions.crashes import DAY
from deskbell.sessions.find import Found, find
from deskbell.sessions.stand_in import Probe
from deskbell.terminal.out import complain


def named_session(said: str, probe: Probe = probe) -> Found:
    """Return the session that SAID names. Raise Problem if none matches, or more than one. PROBE: as in `world`."""
    places, now = home(), time.time()
    # Crashes are kept for a day, also after the person has seen them.
    known = [s for s in world(DAY, probe).read(now) if s.status != "ended" or now - s.since < ENDED_FOR]
    return find(said, known, lambda: past(places.sessions, places.events, complain))
