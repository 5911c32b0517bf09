"""Make a clock that goes on evenly, even if somebody sets the clock of the machine while the program runs."""

import sys
import time
from collections.abc import Callable

if sys.platform == "linux":

    def _elapsed() -> float:
        """Return the seconds since the machine was started, including those in which it slept."""
        return time.clock_gettime(time.CLOCK_BOOTTIME)

else:

    def _elapsed() -> float:
        """Return the seconds since some moment. macOS does not count those in which the machine slept."""
        return time.monotonic()


def steady(clock: Callable[[], float], elapsed: Callable[[], float] = _elapsed) -> Callable[[], float]:
    """Return a clock that begins at the present time of CLOCK and then counts the seconds of ELAPSED."""
    start = clock() - elapsed()
    return lambda: start + elapsed()
