"""Which session does the person who typed a command mean, of all that run here or were recorded?"""

import sys
import time

from deskbell.find import Found, find
from deskbell.history.archive import past
from deskbell.home import home
from deskbell.sessions.here import world


def meant(said: str) -> Found:
    places = home()
    return find(said, world().read(time.time()), lambda: past(places.sessions, places.events, tell))


def tell(sentence: str) -> None:
    """Beside what was asked for, so that it can still be piped on."""
    print(f"deskbell: {sentence}", file=sys.stderr)
