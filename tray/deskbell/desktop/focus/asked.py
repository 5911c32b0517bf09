"""Run a helper program and return what it prints; None if it fails or takes too long. Call this in a thread.

A program that took too long is not asked again until it has answered in `ask_again`. Otherwise a tmux that hangs would
delay the rings of ten sessions one after another.
"""

import json
import logging
import threading
import time
from collections.abc import Callable
from typing import Any

from deskbell.helper import run

AT_ONCE = 0.4
"""Seconds that a program has."""
HUNG_FOR = 30.0
"""Seconds until `ask_again` runs a program again that took too long."""

log = logging.getLogger(__name__)


class Asker:
    """Runs programs, and remembers which hang. Any thread may use it."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._hung: dict[str, tuple[float, tuple[str, ...]]] = {}
        """For each program that hangs: since when, and the command that it did not answer."""

    @property
    def hung(self) -> bool:
        """Whether any program hangs."""
        return bool(self._hung)

    def text(self, *command: str) -> str | None:
        return None if command[0] in self._hung else self._run(command)

    def ask_again(self) -> None:
        """Run each program again that has hung for HUNG_FOR seconds. One that answers is used from now on."""
        with self._lock:
            due = [command for since, command in self._hung.values() if self._clock() - since >= HUNG_FOR]
        for command in due:
            self._run(command)

    def _run(self, command: tuple[str, ...]) -> str | None:
        name = command[0]
        try:
            done = run(command, AT_ONCE)
        except TimeoutError:
            with self._lock:
                new, self._hung[name] = name not in self._hung, (self._clock(), command)
            if new:
                log.info("%s does not answer within %g s; it is asked again after %g s", name, AT_ONCE, HUNG_FOR)
            return None
        except (OSError, ValueError):
            done = None
        with self._lock:
            self._hung.pop(name, None)
        return done.said if done and not done.code else None


_asker = Asker()
text = _asker.text
ask_again = _asker.ask_again


def hung() -> bool:
    return _asker.hung


def answer(*command: str) -> Any:
    """Return the answer, read as JSON; None if there is none."""
    try:
        return json.loads(text(*command) or "null")
    except (ValueError, RecursionError):
        return None
