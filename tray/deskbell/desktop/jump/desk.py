"""Hold what the ways of one jump share: environment, connections, marks, and the activation token of the click."""

import os
import time
from collections.abc import Callable, Mapping
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from types import TracebackType
from typing import TYPE_CHECKING, Protocol, Self, TypeVar

from deskbell.desktop.focus import processes
from deskbell.desktop.focus.asked import AT_ONCE
from deskbell.desktop.jump.arrival import Step
from deskbell.desktop.jump.attempt import attempted
from deskbell.desktop.jump.mark import FORGETFUL, Mark
from deskbell.desktop.jump.spot import Spot
from deskbell.errors import Problem

if TYPE_CHECKING:
    from deskbell.desktop.jump.wire import Wire

T = TypeVar("T")
SHOWS_WITHIN = 0.4
"""Seconds that a terminal has to show a title."""
LOOK = 0.004
"""Seconds between two checks of what was asked for."""


class Desk:
    """What one jump opens: everything is closed at its end."""

    def __init__(self, env: Mapping[str, str] = os.environ, token: str | None = None) -> None:
        """TOKEN lets a window come to the front on desktops that require one."""
        self.env = env
        self.token = token
        self.screen: object = None
        """The connection to the X server; None until it is needed."""
        self._open = ExitStack()
        self._marks: dict[int, Mark] = {}
        self._wires: dict[str | None, Wire] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, _kind: type[BaseException] | None, _error: object, _trace: TracebackType | None) -> None:
        with suppress(Problem):  # it is in the log, and what came to the front is there
            attempted(self._open.close)

    @property
    def wire(self) -> "Wire":
        """The session bus."""
        from deskbell.desktop.bus import session_bus  # D-Bus is installed on Linux alone

        return self.wire_to(session_bus(self.env))

    def wire_to(self, address: str | None) -> "Wire":
        """Return the connection of this jump to the bus at ADDRESS."""
        if address not in self._wires:
            from deskbell.desktop.jump.wire import Wire

            self._wires[address] = Wire(address)
            self.keep(self._wires[address])
        return self._wires[address]

    def keep(self, resource: "Closable") -> None:
        """Close RESOURCE at the end of the jump."""
        self._open.callback(resource.close)

    def mark(self, spot: Spot) -> Mark:
        """Return the mark of the terminal of SPOT, which is removed at the end of the jump."""
        if spot.pid not in self._marks:
            is_kept = spot.holder is None or processes.name(spot.holder) not in FORGETFUL
            self._marks[spot.pid] = self._open.enter_context(Mark(spot.tty, is_kept=is_kept))
        return self._marks[spot.pid]


class Closable(Protocol):
    def close(self) -> None: ...


@dataclass(frozen=True, slots=True)
class Tab:
    """The tab of a terminal that holds a session."""

    step: Step
    window: int | None = None
    """The X11 number of its window, if the terminal tells it."""
    raises: bool = False
    """Whether the terminal brings its window to the front by itself."""


@dataclass(frozen=True, slots=True)
class Inside:
    """The pane of a multiplexer that holds a session."""

    step: Step | None
    """None if the pane cannot be chosen."""
    outer: Spot | None
    """The client that shows it; None if no client is attached."""
    obstacle: str = ""
    """Why it cannot be shown; empty if it can."""
    offer: tuple[str, ...] = ()
    """A command that shows it in a new terminal."""


def until(look: Callable[[], T | None], seconds: float = AT_ONCE) -> T | None:
    """Call LOOK until it returns a true value, for at most SECONDS. Return its last value."""
    end = time.monotonic() + seconds
    while not (seen := look()) and time.monotonic() < end:
        time.sleep(LOOK)
    return seen
