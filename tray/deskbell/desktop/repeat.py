"""Run an action at the start and again whenever `again` is called, never twice at a time.

A Supervisor keeps `Repeater.run`: an action that raises is run again after the supervisor's pause.
"""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress


class Repeater:
    """Runs one action again and again."""

    def __init__(self, action: Callable[[], Awaitable[None]]) -> None:
        self._action = action
        self._due: float | None = 0.0
        self._asked = asyncio.Event()

    def again(self, after: float = 0.0) -> None:
        """Run the action in AFTER seconds, in place of the run that is due. Call this in the loop."""
        self._due = asyncio.get_running_loop().time() + after
        self._asked.set()

    async def run(self) -> None:
        self.again()
        while True:
            await self._wait()
            self._due = None
            await self._action()

    async def _wait(self) -> None:
        while (seconds := self._seconds()) is None or seconds > 0:
            self._asked.clear()
            with suppress(TimeoutError):
                async with asyncio.timeout(seconds):
                    await self._asked.wait()

    def _seconds(self) -> float | None:
        return None if self._due is None else self._due - asyncio.get_running_loop().time()
