"""Go to a session, and open a terminal with it where it cannot be reached otherwise.

Clicks and commands import it only when they jump. Everything here blocks: call it in a thread.
"""

import os
import time
from contextlib import suppress
from pathlib import Path

from deskbell.desktop.jump import jump
from deskbell.desktop.jump.arrival import Arrival
from deskbell.home import Home, own_home
from deskbell.session import Session
from deskbell.sessions.visits import remember


def go_to(session: Session, token: str | None, home: Home) -> Arrival:
    """Bring SESSION to the front. TOKEN: the activation token that the desktop gave with the click, if any.

    Raise Problem if a jump cannot be tried. Remember the visit if the session was reached.
    """
    came = jump(session, token)
    if came.reached:
        with suppress(OSError):  # a full disk must not keep anybody from a session
            remember(home.state, session.session_id, time.time())
    return came


def attach_in_terminal(came: Arrival, session: Session, home: Home) -> None:
    """Open a terminal with the command that CAME offers, such as one that attaches to tmux. It starts no client.

    The command needs no folder, so it runs elsewhere if that of SESSION has gone.
    """
    from deskbell.program.terminal import open_own_terminal  # imported here: a jump needs no settings (35 ms)

    folder = session.cwd if session.cwd and os.access(session.cwd, os.X_OK) and Path(session.cwd).is_dir() else None
    open_own_terminal(came.offer, folder or str(own_home() or "/"), home)
