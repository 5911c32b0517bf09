"""Find the session that is named on the command line, among those that run and those that were recorded."""

import sys
import time

from deskbell.commands._world import world
from deskbell.history.past import past
from deskbell.home import home
from deskbell.sessions.find import Found, find


def named_session(said: str) -> Found:
    """Raise Problem if no session or more than one matches."""
    places = home()
    return find(said, world().read(time.time()), lambda: past(places.sessions, places.events, tell))


def tell(sentence: str) -> None:
    """Print SENTENCE to stderr, so that only the result goes to stdout."""
    print(f"deskbell: {sentence}", file=sys.stderr)
