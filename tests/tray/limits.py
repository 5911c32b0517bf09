"""Take from this process what a machine may run out of."""

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

NEED_LINUX = pytest.mark.skipif(sys.platform != "linux", reason="other systems refuse such a stack before it is needed")


@contextmanager
def no_threads() -> Iterator[None]:
    """Start no thread: ask for a stack that no machine has."""
    before = threading.stack_size(2**46)
    try:
        yield
    finally:
        threading.stack_size(before)
