"""Find out which browser shows the person's pages, and in which folder it can read them.

A browser that is a snap, as Ubuntu's is, reads no hidden folder of the home folder and no other's temporary files:
https://snapcraft.io/docs/home-interface
"""

import os
import sys
from pathlib import Path

from deskbell.helper import run
from deskbell.home import environment, own_home

PATIENCE = 3.0
"""Seconds that xdg-mime has."""
SNAPS = Path("/var/lib/snapd/desktop/applications")
"""The entries of programs that are snaps: each is named after its snap, an underscore and its program."""


def browser() -> str | None:
    """Return the name of the program for pages; None if there is none or it cannot be found out. Blocks."""
    if sys.platform != "linux":
        return "the browser of this system"
    try:
        done = run(("xdg-mime", "query", "default", "text/html"), PATIENCE, env=environment(os.environ))
    except (OSError, TimeoutError):
        return None
    return done.said.strip() or None


def readable(usual: Path, snaps: Path = SNAPS) -> Path:
    """Return USUAL, or the folder for pages that a browser can read which is a snap. Blocks."""
    name, home = browser() if sys.platform == "linux" else None, own_home()
    if not name or not home or "/" in name or not (snaps / name).exists():
        return usual
    own = home / "snap" / name.partition("_")[0] / "common"
    return own / "deskbell" if own.is_dir() else usual
