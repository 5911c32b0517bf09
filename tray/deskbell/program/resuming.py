"""Open the person's terminal in which `deskbell resume` goes on with a session that is over.

What can be told beforehand is told by a message; what has to be asked is asked in the terminal.
"""

import os
import sys
from collections.abc import Sequence
from pathlib import Path

from deskbell.desktop import autostart
from deskbell.home import Home
from deskbell.program.terminal import open_own_terminal
from deskbell.session import Session
from deskbell.sessions.resumable import resumable
from deskbell.sessions.written import written
from deskbell.settings.known import remembered_config_dirs


def resume_in_terminal(session: Session, home: Home) -> None:
    """Raise Problem if it has no folder to be resumed from, or if no terminal opens. It takes up to a second."""
    own = [Path(session.config_dir)] if session.config_dir else []
    accounts = list(dict.fromkeys([*remembered_config_dirs(home.config), *own]))
    transcript = next((one for one in written(accounts) if one.session_id == session.session_id), None)
    found = resumable(session.session_id, home.sessions, transcript, "")
    command = resume_words(autostart.program(), session.session_id, os.environ.get("DESKBELL_HOME"))
    open_own_terminal(command, found.cwd, home)


def resume_words(program: tuple[str, ...], session_id: str, moved: str | None) -> list[str]:
    """Return the command that goes on with a session. MOVED: see `own_words`."""
    return own_words(program, ("resume", session_id, "--hold"), moved)


def own_words(program: tuple[str, ...], words: Sequence[str], moved: str | None) -> list[str]:
    """Return a command of Deskbell's own for a terminal. MOVED is DESKBELL_HOME, which its server does not know.

    -P: Python must import nothing from the folder of the session, in which the terminal opens.
    """
    first, *rest = program
    if sys.platform == "win32" and Path(first).name.lower() == "pythonw.exe":
        first = str(Path(first).with_name("python.exe"))  # the other one has no console
    safe = ["-P"] if rest[:1] == ["-m"] else []
    elsewhere = ["--home", str(Path(moved).absolute())] if moved else []
    return [first, *safe, *rest, *words, *elsewhere]
