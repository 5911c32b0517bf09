"""Find the tmux servers of this user, and send one of them a command, for at most 0.4 s.

Other people's sockets are never used. Call this in a thread.
"""

import os
import re
import stat
import sys
from collections.abc import Mapping
from pathlib import Path

from deskbell.desktop.focus.asked import AT_ONCE
from deskbell.desktop.own import is_mine
from deskbell.errors import Problem, reason
from deskbell.helper import run

OLDEST = (3, 0)
"""The first version with options of panes."""
MOST_BYTES = 12_000
"""Bytes of one request. tmux refuses a message of more than 16 KB."""


class Hung(Problem):
    """A server did not answer in time."""


def ask(socket: str, *command: str, given: bytes = b"") -> str | None:
    """Return what tmux prints; None if it fails. Raise Hung if it does not answer, and Problem if it cannot start.

    GIVEN: the input for a command that reads the file "-".
    """
    try:
        done = run(["tmux", "-S", socket, *command], AT_ONCE, given=given)
    except TimeoutError:
        raise Hung(f"tmux does not answer at {socket}.", "Attach to it, or end it: it may be stopped.") from None
    except FileNotFoundError:
        raise Problem("tmux is not installed.", "Install it, or put it on the PATH.") from None
    except (OSError, ValueError) as error:
        raise Problem(f"tmux cannot be started: {reason(error)}.", "Try again.") from None
    return None if done.code else done.said


def is_usable(socket: str) -> bool:
    """Return whether SOCKET is a socket that belongs to the person."""
    try:
        return stat.S_ISSOCK(Path(socket).stat().st_mode) and is_mine(socket)
    except (OSError, ValueError):
        return False


def sockets(env: Mapping[str, str] = os.environ) -> list[str]:
    """Return the sockets of the person's servers in the usual folder, and of the server in which this process runs."""
    if sys.platform == "win32":
        return []
    folder = Path(env.get("TMUX_TMPDIR") or "/tmp") / f"tmux-{os.getuid()}"  # noqa: S108  # the folder of tmux itself
    try:
        found = [str(path) for path in sorted(folder.iterdir())]
    except OSError:
        found = []
    around = env.get("TMUX", "").rsplit(",", 2)[0]
    return [path for path in dict.fromkeys([*found, *([around] if around else [])]) if is_usable(path)]


def version(socket: str) -> str | None:
    """Return the version that the server names; None if no server listens. Raise Problem as `ask` does."""
    said = ask(socket, "display-message", "-p", "#{version}")
    return said.strip() if said and said.strip() else None


def is_new_enough(version: str) -> bool:
    """Return whether a server of this version has options of panes. A version without a number is the newest."""
    found = re.search(r"(\d+)\.(\d+)", version)
    return found is None or (int(found[1]), int(found[2])) >= OLDEST
