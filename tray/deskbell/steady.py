"""Tell a time that goes on evenly, whatever is done to the clock of the machine while the program runs."""

import sys
import time
from collections.abc import Callable

if sys.platform == "linux":

    def _elapsed() -> float:
        """Seconds since the machine was started, with those in which it slept."""
        return time.clock_gettime(time.CLOCK_BOOTTIME)

else:

    def _elapsed() -> float:
        """Seconds since some moment. macOS does not count those in which the machine slept."""
        return time.monotonic()


def steady(clock: Callable[[], float], elapsed: Callable[[], float] = _elapsed) -> Callable[[], float]:
    """Return a clock that shows the time of CLOCK now, and later that time and the seconds that have gone by."""
    start = clock() - elapsed()
    return lambda: start + elapsed()
