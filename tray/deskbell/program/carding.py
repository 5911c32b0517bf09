"""Open a terminal with the board of cards, or with the details of a session.

Imported only for a click that does so. It blocks for up to a second: call it in a thread.
"""

import os
from pathlib import Path

from deskbell.desktop import autostart
from deskbell.home import Home, own_home
from deskbell.program.resuming import own_words
from deskbell.program.terminal import open_own_terminal
from deskbell.session import Session


def board_in_terminal(session: Session | None, home: Home) -> None:
    """Open the board, with the details of SESSION if one is given. Raise Problem if no terminal opens."""
    options = ["--details", *([f"--pid={session.pid}"] if session.pid is not None else [])] if session else []
    command = own_words(autostart.program(), "board", options, session.session_id if session else None, os.environ)
    open_own_terminal(command, str(own_home() or Path.cwd()), home)
