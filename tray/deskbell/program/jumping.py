"""Go to a session for a click, and open a terminal where it cannot be reached otherwise.

Imported for such a click, and for no other. Everything here blocks: call it in a thread.
"""

import time
from contextlib import suppress

from deskbell.desktop.jump import jump
from deskbell.desktop.jump.arrival import Arrival
from deskbell.home import Home
from deskbell.program.terminal import open_own_terminal
from deskbell.session import Session
from deskbell.sessions.visits import remember


def go_to(session: Session, token: str | None, home: Home) -> Arrival:
    """Bring SESSION to the front. TOKEN: what the desktop gave with the click. Raise Problem if it cannot be tried."""
    came = jump(session, token)
    if came.reached:
        with suppress(OSError):  # a full disk must not keep anybody from a session
            remember(home.state, session.session_id, time.time())
    return came


def attach_in_terminal(came: Arrival, session: Session, home: Home) -> None:
    """Open a terminal with the command that CAME offers. It shows the session, and starts nothing twice."""
    open_own_terminal(came.offer, session.cwd or "/", home)
