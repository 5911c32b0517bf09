"""Build the World of this machine for the commands that read sessions."""

from functools import partial

from deskbell.home import home
from deskbell.session import Session
from deskbell.sessions.clock import since_start
from deskbell.sessions.crashes import CrashFile
from deskbell.sessions.stand_in import Probe
from deskbell.sessions.world import World
from deskbell.settings.known import remembered_config_dirs


def probe(session: Session, now: float) -> None:
    """Raise the error, if there is one, that prevents SESSION from being shown or from ringing."""
    from deskbell.notices.probe import probe  # imported for a session only: it takes a fifth of the time of the start

    probe(session, now)


def world(ended_for: float = 15.0, probe: Probe = probe) -> World:
    """Return a World that reads this machine. ENDED_FOR: the seconds for which it keeps sessions that have ended."""
    places = home()
    crashes = CrashFile(places.state).known
    dirs = partial(remembered_config_dirs, places.config)
    return World(places.sessions, dirs, ended_for=ended_for, crashes=crashes, probe=probe, elapsed=since_start)
