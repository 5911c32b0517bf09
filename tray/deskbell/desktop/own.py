"""Tell the sockets and terminals of the person who runs this from those of others, and name this machine."""

import os
import re
import stat
import sys
from pathlib import Path

_TERMINAL = re.compile(r"/dev/(pts/[0-9]{1,9}|tty[0-9a-zA-Z]{1,20})")


def is_mine(path: str | Path) -> bool:
    """Return whether PATH exists and belongs to the person who runs this. Sockets of others are never used."""
    if sys.platform == "win32":
        return Path(path).exists()
    try:
        return Path(path).stat().st_uid == os.getuid()
    except (OSError, ValueError):
        return False


def is_my_terminal(path: str) -> bool:
    """Return whether PATH is a terminal of the person who runs this, and no link."""
    if sys.platform == "win32" or not _TERMINAL.fullmatch(path):
        return False
    try:
        found = os.stat(path, follow_symlinks=False)  # noqa: PTH116  # a link would lead elsewhere
    except (OSError, ValueError):
        return False
    return stat.S_ISCHR(found.st_mode) and found.st_uid == os.getuid()


def this_host() -> str:
    """Return the name of this machine, as the hook records it."""
    if sys.platform == "win32":
        return os.environ.get("COMPUTERNAME", "")[:100]
    return os.uname().nodename[:100]
