"""Word the command that resumes a session. Pure."""

import shlex
from pathlib import Path
from subprocess import list2cmdline

from deskbell.errors import Problem
from deskbell.session import Session
from deskbell.text.clean import is_harmless
from deskbell.text.wording import short


def resume_command(session: Session, usual_config: Path, windows: bool = False) -> str:
    """Return a command for the person's shell that resumes the session in its folder and with its account.

    USUAL_CONFIG: the Claude folder that needs no CLAUDE_CONFIG_DIR. Raise Problem if a name in it would act on the
    terminal: quotes do not help, because the terminal sees a control before the shell does.
    """
    elsewhere = session.config_dir and Path(session.config_dir) != usual_config
    _refuse_controls(session, windows)
    command = ["claude", "--resume", session.session_id]
    if windows:
        parts = [f'set "CLAUDE_CONFIG_DIR={session.config_dir}"'] if elsewhere else []
        parts += [f'cd /d "{session.cwd}"'] if session.cwd else []
        return " && ".join([*parts, list2cmdline(command)])
    where = f"cd {shlex.quote(session.cwd)} && " if session.cwd else ""
    account = f"CLAUDE_CONFIG_DIR={shlex.quote(str(session.config_dir))} " if elsewhere else ""
    return f"{where}{account}{shlex.join(command)}"


def _refuse_controls(session: Session, windows: bool) -> None:
    for what, name in {"folder": session.cwd, "Claude folder": session.config_dir}.items():
        # No folder of Windows has a quote in its name: it would end the argument.
        if name and (not is_harmless(name) or (windows and '"' in name)):
            raise Problem(
                f"The name of the {what} of {short(session.project, 40)} has characters that act on a terminal.",
                f"Go to the folder yourself, then run `claude --resume {session.session_id}`.",
            )
