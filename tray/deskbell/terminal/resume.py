"""Word the command that resumes a session. Pure."""

import shlex
import subprocess
from pathlib import Path

from deskbell.session import Session


def resume_command(session: Session, usual_config: Path, windows: bool = False) -> str:
    """Return a command for the person's shell that resumes the session in its folder and with its account.

    USUAL_CONFIG: the Claude folder that needs no CLAUDE_CONFIG_DIR.
    """
    command = ["claude", "--resume", session.session_id]
    elsewhere = session.config_dir and Path(session.config_dir) != usual_config
    if windows:
        parts = [f'set "CLAUDE_CONFIG_DIR={session.config_dir}"'] if elsewhere else []
        parts += [f'cd /d "{session.cwd}"'] if session.cwd else []
        return " && ".join([*parts, subprocess.list2cmdline(command)])
    where = f"cd {shlex.quote(session.cwd)} && " if session.cwd else ""
    account = f"CLAUDE_CONFIG_DIR={shlex.quote(str(session.config_dir))} " if elsewhere else ""
    return f"{where}{account}{shlex.join(command)}"
