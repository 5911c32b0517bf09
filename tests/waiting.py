"""Wait for a condition, with a deadline generous enough for a loaded machine."""

import asyncio
import threading
import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")

PATIENCE = 30.0
"""Seconds until a wait fails."""
STEP = 0.01
"""Seconds between two looks."""


class Late(AssertionError):
    """The condition did not become true in time."""


def wait(
    condition: Callable[[], T | None],
    what: str = "",
    *,
    within: float = PATIENCE,
    step: float = STEP,
    seen: Callable[[], object] | None = None,
) -> T:
    """Return the first true value of CONDITION. Raise Late after WITHIN seconds; SEEN returns what to show then."""
    deadline = time.monotonic() + within
    while not (answer := condition()):
        if time.monotonic() > deadline:
            raise _late(condition, what, within, seen)
        time.sleep(step)
    return answer


async def wait_in_loop(
    condition: Callable[[], T | None],
    what: str = "",
    *,
    within: float = PATIENCE,
    step: float = STEP,
    seen: Callable[[], object] | None = None,
) -> T:
    """Return the first true value of CONDITION, as `wait` does, while the event loop goes on."""
    deadline = time.monotonic() + within
    while not (answer := condition()):
        if time.monotonic() > deadline:
            raise _late(condition, what, within, seen)
        await asyncio.sleep(step)
    return answer


def new_threads() -> Callable[[], int]:
    """Return a function that counts the living threads started since. Threads of an earlier test may still end."""
    before = set(threading.enumerate())
    return lambda: len(set(threading.enumerate()) - before)


def _late(condition: object, what: str, within: float, seen: Callable[[], object] | None) -> Late:
    there = f"\n{seen()}" if seen else ""
    return Late(f"{what or condition} did not come within {within:g} s{there}")
