"""The loop: what is there is read, put in order and shown, whenever something may have changed.

A wake carries no information, so lost and doubled ones do no harm. Everything that touches the system comes in from
outside and is called through the boundary.
"""

import asyncio
import contextlib
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Protocol

from deskbell.board import ENDED_FOR, Board, board
from deskbell.face import Face, Tray
from deskbell.face.actions import Action, Quit
from deskbell.face.facts import Facts
from deskbell.face.look import look
from deskbell.face.menu import menu
from deskbell.program.boundary import Boundary
from deskbell.session import Session

RESCAN = 30.0
"""Seconds after which everything is read again, wake or not: watchers lose events, and machines sleep."""
SHARE = 0.02
"""The part of one processor that the loop may take for long; it rests, and what happens meanwhile is one change."""
CREDIT = 3.0
"""Seconds of rest that it may owe: what one session does within a moment is seen step by step, each at once."""
LONGEST_REST = 0.25
SHORTEST_WAIT = 0.1
"""Seconds until something that is due already."""


class World(Protocol):
    @property
    def again(self) -> float | None:
        """When to read again though nothing may have happened."""

    @property
    def pids(self) -> frozenset[int]:
        """The processes whose end matters."""

    @property
    def problem(self) -> str | None:
        """Why it knows less than it should."""

    def read(self, now: float) -> Sequence[Session]: ...


class Ears(Protocol):
    def listen(self, wake: Callable[[], None]) -> None: ...
    def follow(self, pids: frozenset[int]) -> float | None:
        """Hears these processes end; where the system cannot: after how many seconds to look for oneself."""

    def mend(self) -> None:
        """From time to time: folders may have come that were not there."""

    def close(self) -> None: ...


class Bell(Protocol):
    def start(self) -> None: ...
    def ring(self, before: Board, after: Board, now: float) -> float | None:
        """Shows and withdraws notices; says when it wants to be asked again."""

    async def stop(self) -> None: ...


class Hands(Protocol):
    async def do(self, action: Action, board: Board) -> None: ...


@dataclass
class App:
    world: World
    facts: Callable[[], Facts]
    ears: Ears
    tray: Tray
    bell: Bell
    hands: Hands
    clock: Callable[[], float] = time.time
    share: float = SHARE
    boundary: Boundary = field(default_factory=Boundary)
    board: Board = field(default_factory=Board)

    def __post_init__(self) -> None:
        self._loop: asyncio.AbstractEventLoop | None = None
        self._woken = asyncio.Event()
        self._ended = False
        self._first = True
        self._mended = 0.0
        self._rested = float("-inf")
        """Up to when it has taken the rest it owes."""
        self._seen: object = None
        self._shown: Face | None = None
        self._deeds: set[asyncio.Task[None]] = set()

    def wake(self) -> None:
        """From any thread."""
        self._soon(self._woken.set)

    def click(self, action: Action) -> None:
        """From any thread."""
        self._soon(self._begin, action)

    def quit(self) -> None:
        self._ended = True
        self._woken.set()

    async def run(self) -> None:
        self._loop = asyncio.get_running_loop()
        self.boundary.call("tray", self.tray.start)
        self.boundary.call("notifications", self.bell.start)
        self.boundary.call("files", self.ears.listen, self.wake)
        try:
            while not self._ended:
                await self._rest(*self._turn())
        finally:
            self.boundary.call("files", self.ears.close)
            await self.boundary.wait("notifications", self.bell.stop())
            self.boundary.call("tray", self.tray.stop)
            for deed in self._deeds:
                deed.cancel()

    def _turn(self) -> tuple[float, float]:
        """What it took of the processor, and when the next one is due even if nothing happens."""
        begun = time.thread_time()
        self._woken.clear()
        now = self.clock()
        before = self._look_round(now)
        facts = self._facts()
        if face := self.boundary.call("menu", self._face, facts, now):
            self.boundary.call("tray", self.tray.show, face)
        asked = self.boundary.call("notifications", self.bell.ring, before, self.board, now)
        patience = self._listen(now)
        due = [now + patience, self.world.again, asked, facts.snoozed_until, *self._leaving()]
        return time.thread_time() - begun, min(when for when in due if when is not None)

    def _listen(self, now: float) -> float:
        """After how many seconds to look even if nothing is heard."""
        if not 0 <= now - self._mended < RESCAN:
            self._mended = now
            self.boundary.call("files", self.ears.mend)
        patience: float | None = self.boundary.call("processes", self.ears.follow, self.world.pids)
        return min(patience or RESCAN, RESCAN)

    def _leaving(self) -> list[float]:
        return [s.since + ENDED_FOR for s in self.board.sessions if s.group == "ended"]

    def _look_round(self, now: float) -> Board:
        """The board as it was. Before the first reading it was as that one says: what is already there is no news."""
        before, after = self.board, self.boundary.call("sessions", self._read, now)
        if after is not None:
            self.board = after
            before = after if self._first else before
            self._first = False
        return before

    def _read(self, now: float) -> Board:
        return board(self.world.read(now), now)

    def _face(self, facts: Facts, now: float) -> Face:
        """Made anew only for what it can depend on: time is written in it as a time of the day."""
        seen = self.board.sessions, facts, date.fromtimestamp(now)
        if seen != self._seen or self._shown is None:
            self._seen, self._shown = seen, Face(look(self.board, facts, now), menu(self.board, facts, now))
        return self._shown

    def _facts(self) -> Facts:
        facts = self.boundary.call("facts", self.facts) or Facts()
        unread = self.boundary.broken.get("sessions") or self.world.problem
        return replace(facts, problem=f"The sessions cannot be read: {unread}") if unread else facts

    async def _rest(self, spent: float, due: float) -> None:
        now = time.monotonic()
        self._rested = min(max(self._rested, now - CREDIT) + spent / self.share, now + LONGEST_REST)
        await asyncio.sleep(max(0.0, self._rested - now))
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._woken.wait(), max(SHORTEST_WAIT, due - self.clock()))

    def _soon(self, effect: Callable[..., None], *args: Action) -> None:
        if self._loop and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(effect, *args)

    def _begin(self, action: Action) -> None:
        """Deeds may take their time: the loop goes on, and looks again when they are done."""
        if isinstance(action, Quit):
            return self.quit()
        deed = asyncio.ensure_future(self._do(action))
        self._deeds.add(deed)
        return deed.add_done_callback(self._deeds.discard)

    async def _do(self, action: Action) -> None:
        await self.boundary.wait(type(action).__name__, self.hands.do(action, self.board))
        self._woken.set()
