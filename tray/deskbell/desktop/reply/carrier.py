"""Define what carries a text into the prompt of a client, and what all carriers look at first."""

import re
import sys
from typing import NamedTuple, Protocol

from deskbell.desktop.jump.spot import Spot
from deskbell.desktop.jump.told import told
from deskbell.errors import Problem
from deskbell_hooks.client import process_stat

BY_HAND = "Jump to it and type there."
"""The next step where nothing carries a text."""
BEGIN, END = "\x1b[200~", "\x1b[201~"
"""What surrounds a paste, for a terminal that sends bytes as they are: https://cirw.in/blog/bracketed-paste"""
_GROUP, _FRONT = 2, 5
"""Fields of `process_stat`: the process group, and that in front of its terminal."""


class Screen(NamedTuple):
    """What a terminal shows."""

    lines: list[str]
    """With the sequences of their colours."""
    cursor: tuple[int, int] | None
    """Column and row, from 0; None where the terminal does not tell."""


class Carrier(Protocol):
    @property
    def what(self) -> str:
        """The place in a sentence: "tmux pane %3"."""

    def look(self) -> Screen:
        """Return what the terminal shows. Raise Problem if what is typed there would not reach the client alone."""

    def paste(self, text: str, seen: Screen) -> None:
        """Paste TEXT if nothing has moved since SEEN. Raise Problem if something has, or if it cannot be pasted."""

    def enter(self, seen: Screen) -> None:
        """Press Enter if nothing has moved since SEEN. Raise Problem as `paste` does."""


def moved() -> Problem:
    return Problem("Something happened in its terminal meanwhile.", "Try again.")


def refuse_behind(there: Spot) -> None:
    """Raise Problem if another program is in front of the terminal of a client: a shell, an editor."""
    if not is_in_front(there.pid):
        raise Problem("Another program has its terminal.", BY_HAND)


def is_in_front(pid: int) -> bool:
    """Return whether what is typed into the terminal of PID goes to its process group."""
    if sys.platform == "win32":
        return False
    if sys.platform == "linux":
        try:
            stat = process_stat(pid)
        except OSError:
            return False
        return len(stat) > _FRONT and stat[_GROUP] == stat[_FRONT]
    return is_in_front_by_ps(pid)


def is_in_front_by_ps(pid: int) -> bool:
    """Return the same where there is no /proc."""
    found = re.fullmatch(r"\s*(\d+)\s+(\d+)\s*", told("ps", "-o", "pgid=,tpgid=", "-p", str(pid)) or "")
    return bool(found and found[1] == found[2])
