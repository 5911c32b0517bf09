"""Which command brings a session back? Pure."""

import shlex
import subprocess
from pathlib import Path

from deskbell.session import Session


def resume_command(session: Session, usual_config: Path, windows: bool = False) -> str:
    """For a shell of the person's: in the session's folder, with the account it belongs to."""
    command = ["claude", "--resume", session.session_id]
    elsewhere = session.config_dir and Path(session.config_dir) != usual_config
    if windows:
        parts = [f'set "CLAUDE_CONFIG_DIR={session.config_dir}"'] if elsewhere else []
        parts += [f'cd /d "{session.cwd}"'] if session.cwd else []
        return " && ".join([*parts, subprocess.list2cmdline(command)])
    where = f"cd {shlex.quote(session.cwd)} && " if session.cwd else ""
    account = f"CLAUDE_CONFIG_DIR={shlex.quote(str(session.config_dir))} " if elsewhere else ""
    return f"{where}{account}{shlex.join(command)}"
