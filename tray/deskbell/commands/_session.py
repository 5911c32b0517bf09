"""Find the session that the command line names, among those that run and those that were recorded."""

import re
import time

from deskbell.board import ENDED_FOR
from deskbell.commands._world import probe, world
from deskbell.errors import Misuse, NotFound
from deskbell.history.past import past
from deskbell.home import home
from deskbell.session import Session
from deskbell.sessions.crashes import DAY
from deskbell.sessions.find import Found, find
from deskbell.sessions.stand_in import Probe
from deskbell.terminal.out import complain
from deskbell.text.wording import short_id

CLIENT = re.compile(r"(.+):([1-9][0-9]{0,9})", re.DOTALL)
"""A name of a session with the process of one of its clients."""


def named_session(said: str, probe: Probe = probe) -> Found:
    """Return the session that SAID names. Raise Problem if none matches, or more than one. PROBE: as in `world`.

    "NAME:PID" names one of the clients that run a session, for one that runs in several terminals.
    """
    places, now = home(), time.time()
    # Crashes are kept for a day, also after the person has seen them.
    known = [s for s in world(DAY, probe).read(now) if s.status != "ended" or now - s.since < ENDED_FOR]

    def named(name: str) -> Found:
        return find(name, known, lambda: past(places.sessions, places.events, complain))

    try:
        return named(said)
    except NotFound:
        if not (client := CLIENT.fullmatch(said.strip())):
            raise
        found = named(client[1])
        sessions = tuple(one for one in found.sessions if one.pid == int(client[2]))
        if not sessions:
            raise
        return found._replace(sessions=sessions)


def one_client(found: Found) -> Session | None:
    """Return the client that runs the session FOUND, else one that is over; None if it has left the board.

    Raise Misuse if several run it.
    """
    live = [one for one in found.sessions if not one.over]
    if len(live) > 1:
        name = short_id(found.session_id)
        names = ", ".join(f"{name}:{one.pid} ({one.status})" for one in live)
        raise Misuse(f"Session {name} runs in several terminals: {names}. Use one of these names.")
    return next(iter((*live, *found.sessions)), None)
