"""Take threads and open files from this process, as on a machine that has run out of them."""

import os
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

NEED_LINUX = pytest.mark.skipif(sys.platform != "linux", reason="other systems refuse such a stack before it is needed")


@contextmanager
def no_threads() -> Iterator[None]:
    """Let no thread start: ask for a stack that no machine has."""
    before = threading.stack_size(2**46)
    try:
        yield
    finally:
        threading.stack_size(before)


@contextmanager
def no_descriptors() -> Iterator[None]:
    """Let no file open: allow only the descriptors that are taken."""
    if sys.platform == "win32":
        pytest.skip("no such limits there")
    import resource

    before, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    with open(os.devnull) as lowest:
        free = lowest.fileno()
    resource.setrlimit(resource.RLIMIT_NOFILE, (free, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (before, hard))
