"""Open a file with the program that the person has chosen for it, and find out whether that worked."""

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from deskbell.errors import Problem
from deskbell.files.read import read_text
from deskbell.home import environment
from deskbell_hooks.client import process_stat

PATIENCE = 10.0
"""Seconds that an opener has to find the program that shows the file."""
FAILURES = {3: "it found no program for the file", 4: "the program for the file failed"}
"""What the exit statuses of xdg-open mean."""
HELPERS = frozenset(
    (
        *("sh", "bash", "dash", "busybox", "sed", "grep", "awk", "cut", "head", "sleep"),
        *("xdg-open", "xdg-mime", "xdg-settings", "xprop", "dbus-send", "gdbus", "gio", "exo-open"),
        *("kde-open", "kde-open5", "kde-open6", "kfmclient", "kreadconfig5", "kreadconfig6"),
    )
)
"""Programs that xdg-open runs for itself. Every other one that it runs shows the file."""
SESSION = 3
"""The field of `process_stat` with the session of a process."""
LONGEST_NAME = 1000


def opener() -> str:
    """Return the name of the program that opens files; empty if the system itself does."""
    if sys.platform == "win32":
        return ""
    return "open" if sys.platform == "darwin" else "xdg-open"


def show(path: Path, patience: float = PATIENCE) -> None:
    """Open PATH. Raise Problem or OSError if nothing can. Block for at most PATIENCE seconds: call it in a thread.

    An opener may run for as long as the file is shown, so one that still runs has failed only if it shows nothing.
    """
    if sys.platform == "win32":
        os.startfile(path)
        return
    by_hand = f"Open {path} yourself."
    if not shutil.which(opener()):
        raise Problem(f"{opener()} is not installed.", by_hand)
    process = start([opener(), str(path)])
    try:
        code = process.wait(patience)
    except subprocess.TimeoutExpired:
        if not _shows(process.pid):
            raise Problem(f"{opener()} has opened nothing for {patience:g} seconds.", by_hand) from None
    else:
        if code:
            why = FAILURES.get(code, f"it ended with {code}")
            raise Problem(f"{opener()} could not open {path.name}: {why}.", by_hand)


def start(command: Sequence[str]) -> "subprocess.Popen[bytes]":
    """Start COMMAND in a session of its own, without input and output."""
    nothing = subprocess.DEVNULL
    return subprocess.Popen(  # the callers pass fixed programs
        command, env=environment(os.environ), stdin=nothing, stdout=nothing, stderr=nothing, start_new_session=True
    )


def _shows(session: int) -> bool:
    """Return whether the opener, which still runs and leads SESSION, has started a program that shows something."""
    if sys.platform != "linux":
        return False
    running = [folder.name for folder in Path("/proc").iterdir() if folder.name.isdigit()]
    return any(_session(pid) == session and _name(pid) not in HELPERS for pid in running)


def _session(pid: str) -> int | None:
    stat = process_stat(pid)
    return int(stat[SESSION]) if stat else None


def _name(pid: str) -> str:
    """Return the name of a process, cut as Linux cuts it; the name of the opener if it has just ended."""
    try:
        return read_text(f"/proc/{pid}/comm", LONGEST_NAME).strip()
    except OSError:
        return opener()
