"""Find out which browser shows pages, and in which folder it can read them.

Where no browser is installed, the system may open pages with an editor, which shows their source.

A browser that is a snap, as on Ubuntu, can read neither hidden folders of the home folder nor other programs' temporary
files: https://snapcraft.io/docs/home-interface
"""

import os
import sys
from pathlib import Path

from deskbell.errors import Problem
from deskbell.files.read import read_text
from deskbell.helper import run
from deskbell.home import environment, own_home

PATIENCE = 3.0
"""Seconds that xdg-mime has."""
SNAPS = Path("/var/lib/snapd/desktop/applications")
"""The desktop entries of snaps. The name of an entry is that of the snap, an underscore and the program."""

STEP = "Install a browser, or choose one: xdg-mime default NAME.desktop text/html"
LARGEST_ENTRY = 1 << 20
"""Bytes. Entries hold translations of their names, and take a few thousand."""
MARKS = ("WebBrowser;", "x-scheme-handler/http;", "x-scheme-handler/https;")
"""What the entry of a browser names: its category, or one of the schemes that it opens."""


def browser() -> str | None:
    """Return the name of the program for web pages: empty if none is set, None if that cannot be found out. Blocks."""
    if sys.platform != "linux":
        return "the browser of this system"
    try:
        done = run(("xdg-mime", "query", "default", "text/html"), PATIENCE, env=environment(os.environ))
    except (OSError, TimeoutError):
        return None
    return done.said.strip() or os.environ.get("BROWSER", "")


def is_browser(name: str) -> bool:
    """Return whether the desktop entry NAME is that of a web browser; True where the entry cannot be found or read."""
    folders = [os.environ.get("XDG_DATA_HOME") or str(own_home() or "") + "/.local/share"]
    folders += (os.environ.get("XDG_DATA_DIRS") or "/usr/local/share:/usr/share").split(":")
    found = next((path for folder in folders if (path := Path(folder, "applications", name)).is_file()), None)
    try:
        entry = read_text(found, LARGEST_ENTRY) if found else ""
    except OSError:
        return True
    lists = [f"{line.strip()};" for line in entry.splitlines() if line.startswith(("Categories", "MimeType"))]
    return not entry or any(mark in line for line in lists for mark in MARKS)


def no_browser(name: str) -> str:
    """Return why no page can be shown: NAME, the program for web pages, is no browser. NAME is empty if none is set."""
    return f"No web browser is set{f': {name} would show the source of a page' if name else ''}."


def readable(usual: Path, snaps: Path = SNAPS) -> Path:
    """Return USUAL, or another folder for pages if the browser is a snap. Raise Problem if an editor opens pages.

    Blocks.
    """
    name, home = browser() if sys.platform == "linux" else None, own_home()
    if name is not None and not (name and is_browser(name)):
        raise Problem(no_browser(name), STEP)
    if not name or not home or "/" in name or not (snaps / name).exists():
        return usual
    own = home / "snap" / name.partition("_")[0] / "common"
    return own / "deskbell" if own.is_dir() else usual
