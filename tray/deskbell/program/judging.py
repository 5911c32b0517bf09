"""Judge requests in threads, because following links may block on a disk, and a disk may hang.

All methods are called in the loop, and none blocks it. Each request has one thread at a time, and all together have
MOST, so that a disk that hangs takes no more.
"""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import NamedTuple

from deskbell.answers.door import PART
from deskbell.answers.request import Request
from deskbell.answers.steps import Rules
from deskbell.supervision import Supervisor

MOST = 8
"""Threads at the same time."""
FRESH = 2.0
"""Seconds from its beginning for which a judgement counts as that of a click."""


class _Open(NamedTuple):
    """A judgement that is under way."""

    begun: float
    found: asyncio.Future[Rules | None]


@dataclass
class Judging:
    judge: Callable[[Request], Rules]
    """Works out the Rules of a request. Called in a thread; it may raise."""
    supervisor: Supervisor
    _open: dict[str, _Open] = field(default_factory=dict)
    """By the code of the request."""
    _found: dict[str, tuple[float, Rules]] = field(default_factory=dict)
    """What was found for a click, and when the judgement began, by the code of the request."""

    async def of(self, request: Request) -> Rules | None:
        """Return the Rules of REQUEST; None if they cannot be worked out."""
        while len(self._open) >= MOST:
            await asyncio.wait([one.found for one in self._open.values()], return_when=asyncio.FIRST_COMPLETED)
        return await self._begun(request).found

    async def again(self, request: Request, patience: float) -> None:
        """Judge REQUEST anew for a click, and wait at most PATIENCE seconds until `take` returns what was found."""
        self._found.pop(request.code, None)
        if request.code not in self._open and len(self._open) >= MOST:
            return
        one = self._begun(request)
        done, _ = await asyncio.wait([one.found], timeout=patience)
        if done and (rules := one.found.result()):
            self._found[request.code] = one.begun, rules

    def take(self, request: Request) -> Rules | None:
        """Return what `again` has found of REQUEST, once; None if nothing or too long ago."""
        begun, rules = self._found.pop(request.code, (float("-inf"), None))
        return rules if asyncio.get_running_loop().time() - begun < FRESH else None

    def _begun(self, request: Request) -> _Open:
        if request.code in self._open:
            return self._open[request.code]
        loop = asyncio.get_running_loop()
        one = self._open[request.code] = _Open(loop.time(), loop.create_future())

        def run() -> None:
            rules = None
            try:
                rules = self.judge(request)
            finally:
                with suppress(RuntimeError):  # the loop has ended
                    loop.call_soon_threadsafe(self._end, request.code, rules)

        if not self.supervisor.thread(PART, run):
            self._end(request.code, None)
        return one

    def _end(self, code: str, rules: Rules | None) -> None:
        self._open.pop(code).found.set_result(rules)
