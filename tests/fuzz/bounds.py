"""Limit the time and the memory that one input may take. The limits are far above what any input needs."""

import signal
import time
import tracemalloc
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

PATIENCE = 30.0
"""Seconds by the clock, for an input that blocks its reader or that is read without end."""
WORK, WORK_PER_BYTE = 3.0, 1e-4
"""Seconds of processor time of an input, and for each of its bytes."""
MEMORY, MEMORY_PER_BYTE = 2**26, 2**10
"""Bytes of an input, and for each of its bytes."""


class Endless(BaseException):
    """The time is over. It is not an Exception, so that no reader catches it."""


@contextmanager
def bounded(size: int, traced: bool) -> Iterator[None]:
    """Raise Endless or AssertionError if the block takes more than it may for an input of SIZE bytes.

    Its memory is TRACED only for some inputs, because that takes longer than most readers do.
    """
    began = time.thread_time()
    signal.setitimer(signal.ITIMER_REAL, PATIENCE)
    if traced:
        tracemalloc.start()
    yield
    signal.setitimer(signal.ITIMER_REAL, 0)
    worked, taken = time.thread_time() - began, tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert worked < WORK + WORK_PER_BYTE * size, f"{worked:.1f} s for {size} bytes"
    assert taken < MEMORY + MEMORY_PER_BYTE * size, f"{taken} bytes of memory for {size} bytes"


@contextmanager
def watched() -> Iterator[None]:
    """Make the timer of `bounded` raise Endless."""

    def stop(_number: int, _frame: FrameType | None) -> None:
        raise Endless

    before = signal.signal(signal.SIGALRM, stop)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
        tracemalloc.stop()
