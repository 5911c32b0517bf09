"""Check every link between Claude Code and the person's screen, and say how to fix a broken one.

`hooks` checks the links from Claude Code to the records, `answers` the way back, `statusline` and `tmux` what is shown
there, and `desktop` the links from the settings to the screen. `report` runs all of these for `deskbell doctor` and the
menu. `jump` tries jumps, for `deskbell doctor --jump` only.
"""

from dataclasses import dataclass
from typing import Literal

Grade = Literal["ok", "warn", "bad"]
MARKS: dict[Grade, str] = {"ok": "✓", "warn": "!", "bad": "✗"}


@dataclass(frozen=True, slots=True)
class Check:
    """What one check found."""

    name: str
    verdict: Grade
    sentence: str
    mend: str = ""
    """What the person can do about it; empty only if the verdict is ok."""
