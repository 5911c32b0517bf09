"""Run a helper program and return what it prints; None if it fails or takes too long. Call this in a thread.

What took too long is not asked again until it has answered in `ask_again`. Otherwise a tmux that hangs would delay the
rings of ten sessions one after another. Each server is remembered by its socket, because the others go on to answer.
"""

import json
import logging
import threading
import time
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from deskbell.helper import run

AT_ONCE = 0.4
"""Seconds that a program has."""
HUNG_FOR = 30.0
"""Seconds until `ask_again` runs a program again that took too long."""

log = logging.getLogger(__name__)


class Server(NamedTuple):
    """What answers: a program, or the server at SOCKET that the program asks."""

    program: str
    socket: str

    def __str__(self) -> str:
        return f"{self.program} at {self.socket}" if self.socket else self.program


class Question(NamedTuple):
    """A command with its environment; None for that of this process."""

    command: tuple[str, ...]
    env: Mapping[str, str] | None


class Asker:
    """Runs programs, and remembers which servers hang. Any thread may use it."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._hung: dict[Server, tuple[float, Question]] = {}
        """For each server that hangs: since when, and what it did not answer."""

    @property
    def hung(self) -> bool:
        """Whether any server hangs."""
        return bool(self._hung)

    def text(self, *command: str, socket: str = "", env: Mapping[str, str] | None = None) -> str | None:
        """Return what COMMAND prints. SOCKET: that of the server that it asks; empty if there is only one."""
        server = Server(command[0], socket)
        return None if server in self._hung else self._run(server, Question(command, env))

    def ask_again(self) -> None:
        """Ask each server again that has hung for HUNG_FOR seconds. One that answers is used from now on."""
        with self._lock:
            due = [(one, asked) for one, (since, asked) in self._hung.items() if self._clock() - since >= HUNG_FOR]
        for server, asked in due:
            self._run(server, asked)

    def _run(self, server: Server, asked: Question) -> str | None:
        try:
            done = run(asked.command, AT_ONCE, env=asked.env)
        except TimeoutError:
            with self._lock:
                new, self._hung[server] = server not in self._hung, (self._clock(), asked)
            if new:
                log.info("%s does not answer within %g s; it is asked again after %g s", server, AT_ONCE, HUNG_FOR)
            return None
        except (OSError, ValueError):
            done = None
        with self._lock:
            self._hung.pop(server, None)
        return done.said if done and not done.code else None


_asker = Asker()
text = _asker.text
ask_again = _asker.ask_again


def hung() -> bool:
    return _asker.hung


def answer(*command: str, socket: str = "", env: Mapping[str, str] | None = None) -> Any:
    """Return the answer, read as JSON; None if there is none."""
    try:
        return json.loads(text(*command, socket=socket, env=env) or "null")
    except (ValueError, RecursionError):
        return None
