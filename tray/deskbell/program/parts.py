"""Define the interfaces of the parts that the loop drives. `assembly` passes the real ones, and the tests fakes."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple, Protocol

from deskbell.board import Board
from deskbell.changes import Changes
from deskbell.face.actions import Action
from deskbell.session import Session


class World(Protocol):
    """Reads the sessions."""

    @property
    def again(self) -> float | None:
        """When to read again even if nothing happens."""

    @property
    def pids(self) -> frozenset[int]:
        """The processes whose end matters."""

    @property
    def watched(self) -> Sequence[Path]:
        """The folders of other accounts to watch. A session may name a new one at any time."""

    @property
    def problem(self) -> str | None:
        """Why sessions are missing or out of date, in one sentence; None if they are not."""

    def read(self, now: float, changes: Changes | None) -> Sequence[Session]:
        """Return the sessions. CHANGES: what changed since the last call; None if that is not known."""


class Ears(Protocol):
    """Notices changes of files and ends of processes, and wakes the loop."""

    def listen(self, wake: Callable[[], None]) -> None: ...
    def changes(self) -> Changes | None:
        """Return which files changed since the last call; None if that is not known."""

    def follow(self, pids: frozenset[int]) -> float | None:
        """Notice the end of PIDS. Return the seconds until the next look; None if the system reports every end."""

    def mend(self) -> None:
        """Watch the folders that were missing. Call this from time to time."""

    def close(self) -> None: ...


class Bell(Protocol):
    """Shows notifications."""

    def start(self) -> None: ...
    def ring(self, before: Board, after: Board, now: float) -> float | None:
        """Show and withdraw notices. Return when to call this again even if nothing changes."""

    async def stop(self) -> None: ...


class Hands(Protocol):
    """Carries out what the person clicks."""

    async def do(self, action: Action, board: Board) -> None: ...


class Storage(Protocol):
    """Finds out whether the hook can write its files."""

    @property
    def problem(self) -> str | None:
        """Why the hook cannot record, in one sentence."""

    @property
    def again(self) -> float | None:
        """When to look again even if nothing happens."""

    def look(self, now: float) -> None: ...


class GoodStorage:
    """A storage without a problem."""

    problem: str | None = None
    again: float | None = None

    def look(self, now: float) -> None:
        """Do nothing."""


class Outlook(NamedTuple):
    """What the World last said besides the sessions."""

    again: float | None = None
    pids: frozenset[int] = frozenset()
    watched: Sequence[Path] = ()
    problem: str | None = None


def outlook(world: World) -> Outlook:
    return Outlook(world.again, world.pids, world.watched, world.problem)


class Disk(NamedTuple):
    """What the Storage last said."""

    problem: str | None = None
    again: float | None = None


def disk(storage: Storage, now: float) -> Disk:
    """Let STORAGE look, and return what it says."""
    storage.look(now)
    return Disk(storage.problem, storage.again)
