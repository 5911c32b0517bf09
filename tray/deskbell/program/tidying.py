"""Remove old sessions once a day, and try again after a failure."""

import asyncio
import logging
from collections.abc import Callable

from deskbell.board import Board
from deskbell.history.prune import DAY, Keep, Pruned, believable, daily, prune
from deskbell.home import Home
from deskbell.notices.quiet import forget
from deskbell.program.boundary import Boundary

AGAIN = 3600.0
"""Seconds until the next try after a failure."""

log = logging.getLogger(__name__)


class Tidying:
    """Removes old sessions while the program runs."""

    def __init__(
        self,
        home: Home,
        boundary: Boundary,
        clock: Callable[[], float],
        steady: Callable[[], float],
        board: Callable[[], Board],
    ) -> None:
        """STEADY is the clock as it would be if nobody had set it. BOARD returns the board that is shown."""
        self._home = home
        self._boundary = boundary
        self._clock = clock
        self._steady = steady
        self._board = board
        self._started = clock()

    async def run(self) -> None:
        await daily(self._tidy)

    async def _tidy(self) -> None:
        """Remove old sessions. Try again until that succeeds."""
        while (done := await self._boundary.wait("history", asyncio.to_thread(self._prune))) is None:
            await asyncio.sleep(AGAIN)
        if done.removed or done.cut:
            log.info("%d old sessions removed, %d journals cut", len(done.removed), len(done.cut))

    def _prune(self) -> Pruned:
        # A clock that is set ahead must not make every session old. It is believed if nobody corrects it for a day.
        now = min(self._clock(), self._steady())
        is_new = now < self._started + DAY
        done = prune(self._home, Keep(), self._board().ids, believable(self._home, now) if is_new else now)
        forget(self._home.state, self._clock(), done.removed)
        return done
