"""Pass calls from any thread to one receiver in the loop.

A Relay is made before its receiver, so that parts that need each other can be built one after the other.
"""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import Generic, ParamSpec

P = ParamSpec("P")


class Relay(Generic[P]):
    """Calls its receiver in the loop, once both are connected."""

    def __init__(self) -> None:
        self._receiver: Callable[P, object] | None = None
        self._loop: asyncio.AbstractEventLoop | None = None

    def connect(self, receiver: Callable[P, object]) -> None:
        self._receiver = receiver

    def open(self) -> None:
        """Pass on the calls that come from now on, and drop those before. Call this in the loop."""
        self._loop = asyncio.get_running_loop()

    def __call__(self, *args: P.args, **named: P.kwargs) -> None:
        if self._loop is not None:
            with suppress(RuntimeError):  # the loop has ended
                self._loop.call_soon_threadsafe(lambda: self._pass_on(*args, **named))

    def _pass_on(self, *args: P.args, **named: P.kwargs) -> None:
        if self._receiver is not None:
            self._receiver(*args, **named)
