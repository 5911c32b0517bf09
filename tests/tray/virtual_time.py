"""Run a story in an event loop whose clock jumps to the next timer, so that a pause of minutes takes no time."""

import asyncio
import selectors
from collections.abc import Coroutine
from typing import Any


class _Jumping(selectors.DefaultSelector):
    """A selector that never waits: if nothing is ready, it counts the time that the loop would have waited."""

    passed = 0.0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        if timeout is None:
            return super().select(None)
        ready = super().select(0)
        if not ready and timeout > 0:
            self.passed += timeout
        return ready


class _Loop(asyncio.SelectorEventLoop):
    def __init__(self) -> None:
        self._jumping = _Jumping()
        super().__init__(self._jumping)

    def time(self) -> float:
        return self._jumping.passed


def play(story: Coroutine[Any, Any, None]) -> None:
    """Run STORY. It must not start threads, because the clock does not wait for them."""
    with asyncio.Runner(loop_factory=_Loop) as runner:
        runner.run(story)
