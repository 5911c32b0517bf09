"""Which session does the person who typed a command mean, of all that run here or were recorded?"""

import sys
import time

from deskbell.commands._world import world
from deskbell.history.past import past
from deskbell.home import home
from deskbell.sessions.find import Found, find


def named_session(said: str) -> Found:
    places = home()
    return find(said, world().read(time.time()), lambda: past(places.sessions, places.events, tell))


def tell(sentence: str) -> None:
    """Beside what was asked for, so that it can still be piped on."""
    print(f"deskbell: {sentence}", file=sys.stderr)
