"""Open `deskbell board` in the person's terminal, for a click. It takes up to a second.

Only that click imports this module.
"""

import os
from pathlib import Path

from deskbell.desktop import autostart
from deskbell.home import Home, own_home
from deskbell.program.resuming import own_words
from deskbell.program.terminal import open_own_terminal


def board_in_terminal(home: Home) -> None:
    """Raise Problem if no terminal opens."""
    command = own_words(autostart.program(), ("board",), os.environ.get("DESKBELL_HOME"))
    open_own_terminal(command, str(own_home() or Path.cwd()), home)
