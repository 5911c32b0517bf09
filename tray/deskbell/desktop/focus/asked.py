"""Run a helper program and return what it prints; None if it fails or takes too long. This blocks the loop.

A program that took too long is not run again for a while: ten sessions and a hung tmux must not stop the loop.
"""

import json
import logging
import subprocess
import time
from collections.abc import Callable
from typing import Any

AT_ONCE = 0.4
"""Seconds that a program has."""
HUNG_FOR = 30.0
"""Seconds for which a program that took longer is not run again."""

log = logging.getLogger(__name__)


class Asker:
    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._hung: dict[str, float] = {}
        """When each program that took too long did so."""

    def text(self, *command: str) -> str | None:
        if self._clock() - self._hung.get(command[0], float("-inf")) < HUNG_FOR:
            return None
        try:
            done = subprocess.run(  # the programs that rule windows, tabs and panes
                command, capture_output=True, text=True, timeout=AT_ONCE, check=True, stdin=subprocess.DEVNULL
            )
        except subprocess.TimeoutExpired:
            self._hung[command[0]] = self._clock()
            log.info("%s does not answer within %g s; it is not asked again for %g s", command[0], AT_ONCE, HUNG_FOR)
            return None
        except (OSError, subprocess.SubprocessError, UnicodeDecodeError):
            return None
        return done.stdout


_asker = Asker()
text = _asker.text


def answer(*command: str) -> Any:
    """Return the answer, read as JSON; None if there is none."""
    try:
        return json.loads(text(*command) or "null")
    except ValueError:
        return None
