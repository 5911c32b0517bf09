"""Run a helper program and return what it prints; None if it fails or takes too long. This blocks the loop."""

import json
import subprocess
from typing import Any

AT_ONCE = 0.4
"""Seconds that a program has."""


def text(*command: str) -> str | None:
    try:
        done = subprocess.run(  # the programs that rule windows, tabs and panes
            command, capture_output=True, text=True, timeout=AT_ONCE, check=True, stdin=subprocess.DEVNULL
        )
    except (OSError, subprocess.SubprocessError, UnicodeDecodeError):
        return None
    return done.stdout


def answer(*command: str) -> Any:
    """Return the answer, read as JSON; None if there is none."""
    try:
        return json.loads(text(*command) or "null")
    except ValueError:
        return None
