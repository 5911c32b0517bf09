"""Has it happened yet? Waiting for a condition, with a deadline generous enough for a loaded machine."""

import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")
PATIENCE = 30.0
STEP = 0.02


def wait(
    condition: Callable[[], T | None],
    what: str = "",
    *,
    within: float = PATIENCE,
    step: float = STEP,
    seen: Callable[[], object] | None = None,
) -> T:
    """The first true answer; `seen` says in the failure what was there instead."""
    deadline = time.monotonic() + within
    while not (answer := condition()):
        if time.monotonic() > deadline:
            there = f"\n{seen()}" if seen else ""
            raise AssertionError(f"{what or condition} did not come within {within:g} s{there}")
        time.sleep(step)
    return answer
