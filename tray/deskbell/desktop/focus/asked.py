"""What does a program answer, if it does at once?"""

import json
import subprocess
from typing import Any

AT_ONCE = 0.4
"""Seconds; the loop waits for it."""


def text(*command: str) -> str | None:
    try:
        done = subprocess.run(  # the programs that rule windows, tabs and panes
            command, capture_output=True, text=True, timeout=AT_ONCE, check=True, stdin=subprocess.DEVNULL
        )
    except (OSError, subprocess.SubprocessError, UnicodeDecodeError):
        return None
    return done.stdout


def answer(*command: str) -> Any:
    """As JSON; None where there is no answer."""
    try:
        return json.loads(text(*command) or "null")
    except ValueError:
        return None
