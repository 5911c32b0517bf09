"""Open a terminal in which `deskbell resume` goes on with a session that is over.

Problems that can be found beforehand are raised here. `deskbell resume` asks its questions in the terminal.
"""

import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from deskbell.desktop import autostart
from deskbell.home import Home, expanded
from deskbell.program.terminal import open_own_terminal
from deskbell.session import Session
from deskbell.sessions.resumable import resumable
from deskbell.sessions.written import written
from deskbell.settings.known import remembered_config_dirs

MOVED = {"DESKBELL_HOME": "--home", "CLAUDE_CONFIG_DIR": "--claude"}
"""Variables of the environment, and the options that say the same."""


def resume_in_terminal(session: Session, home: Home) -> None:
    """Resume SESSION in a terminal. Block for up to a second.

    Raise Problem if the session has no folder to be resumed from, or if no terminal opens.
    """
    own = [Path(session.config_dir)] if session.config_dir else []
    accounts = list(dict.fromkeys([*remembered_config_dirs(home.config), *own]))
    transcript = next((one for one in written(accounts) if one.session_id == session.session_id), None)
    found = resumable(session.session_id, home.sessions, transcript, "")
    command = resume_words(autostart.program(), session.session_id, os.environ)
    open_own_terminal(command, found.cwd, home)


def resume_words(program: tuple[str, ...], session_id: str, env: Mapping[str, str]) -> list[str]:
    """Return the command that goes on with a session. ENV: see `own_words`."""
    return own_words(program, "resume", (), session_id, env)


def own_words(
    program: tuple[str, ...], verb: str, options: Sequence[str], session_id: str | None, env: Mapping[str, str]
) -> list[str]:
    """Return a command of Deskbell for a terminal, which stays open if the command fails.

    SESSION_ID may be any text: after "--" it is no option. ENV: the environment of this process. Its moved folders
    become options, because the server of a terminal has another environment.
    -P: Python must import nothing from the folder of the session, in which the terminal opens.
    """
    first, *rest = program
    if sys.platform == "win32" and Path(first).name.lower() == "pythonw.exe":
        first = str(Path(first).with_name("python.exe"))  # pythonw.exe has no console
    safe = ["-P"] if rest[:1] == ["-m"] else []
    moved = [word for name, option in MOVED.items() if env.get(name) for word in (option, _absolute(env[name]))]
    return [first, *safe, *rest, verb, *options, "--hold", *moved, *(["--", session_id] if session_id else [])]


def _absolute(path: str) -> str:
    return str(expanded(path).absolute())
