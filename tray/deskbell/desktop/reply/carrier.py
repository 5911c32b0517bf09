"""Define what pastes a text into the prompt of a client, and what is checked before each paste."""

import re
import sys
from typing import NamedTuple, Protocol

from deskbell.desktop.jump.output import output
from deskbell.desktop.jump.spot import Spot
from deskbell.errors import Problem
from deskbell_hooks.client import process_stat

BY_HAND = "Jump to it and type there."
"""What the person can do if the text cannot be pasted."""
BEGIN, END = "\x1b[200~", "\x1b[201~"
"""What surrounds a paste, for a terminal that does not add it: https://cirw.in/blog/bracketed-paste"""
_GROUP, _FRONT = 2, 5
"""Fields of `process_stat`: the process group, and the foreground group of its terminal."""


class Screen(NamedTuple):
    """What a terminal shows."""

    lines: list[str]
    """With the escape sequences of their colours."""
    cursor: tuple[int, int] | None
    """Column and row, from 0; None if the terminal does not tell."""


class Carrier(Protocol):
    """Pastes into the terminal of one client."""

    @property
    def what(self) -> str:
        """The name of the place in a sentence: "tmux pane %3"."""

    def look(self) -> Screen:
        """Return what the terminal shows. Raise Problem if input would not reach the client, or not only the client."""

    def paste(self, text: str, seen: Screen) -> None:
        """Paste TEXT. Raise Problem if that fails, or if the screen is no longer as it was SEEN."""

    def enter(self, seen: Screen) -> None:
        """Press Enter. Raise Problem as `paste` does."""


def moved() -> Problem:
    """Return the Problem for a screen that is no longer as it was seen."""
    return Problem("Something happened in its terminal meanwhile.", "Try again.")


def refuse_behind(there: Spot) -> None:
    """Raise Problem if another program than the client is in the foreground of its terminal: a shell, an editor."""
    if not is_in_front(there.pid):
        raise Problem("Another program has its terminal.", BY_HAND)


def is_in_front(pid: int) -> bool:
    """Return whether PID belongs to the foreground process group of its terminal, which gets what is typed."""
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
    """Return the same on a system without /proc."""
    found = re.fullmatch(r"\s*(\d+)\s+(\d+)\s*", output("ps", "-o", "pgid=,tpgid=", "-p", str(pid)) or "")
    return bool(found and found[1] == found[2])
