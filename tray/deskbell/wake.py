"""Let any thread wake one loop, which waits with a time limit.

A wake carries no information, so lost and doubled wakes do no harm. `deskbell.changes` collects what has changed.
"""

import asyncio
import threading
from contextlib import suppress


class Wake:
    def __init__(self) -> None:
        self._woken = asyncio.Event()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread = 0

    def __call__(self) -> None:
        """Wake the loop, from any thread."""
        if self._loop is None or threading.get_ident() == self._thread:
            self._woken.set()
        else:
            with suppress(RuntimeError):  # the loop has ended
                self._loop.call_soon_threadsafe(self._woken.set)

    @property
    def is_set(self) -> bool:
        """Whether it was woken since `clear`: `wait` then returns before anything else in the loop has its turn."""
        return self._woken.is_set()

    def clear(self) -> None:
        """Forget earlier wakes. Call this in the loop before reading what may have changed."""
        self._loop, self._thread = asyncio.get_running_loop(), threading.get_ident()
        self._woken.clear()

    async def wait(self, seconds: float) -> None:
        """Return when woken, or after SECONDS.

        The end of the time is one more wake: `asyncio.timeout` could mistake a cancellation, such as Ctrl+C, for its
        own.
        """
        end = asyncio.get_running_loop().call_later(seconds, self._woken.set)
        try:
            await self._woken.wait()
        finally:
            end.cancel()
