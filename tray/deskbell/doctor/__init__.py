"""Check every link between Claude Code and the person's screen, and say how to fix a broken one.

`hooks` checks the links from Claude Code to the records, `statusline` what Claude Code shows of them, `desktop` those
from the settings to the screen. `report` runs them all; the command `deskbell doctor` and the menu both show its text.
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
