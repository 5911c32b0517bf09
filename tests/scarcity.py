"""Let this process open no file for a moment, as on a system that has run out of descriptors."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def no_descriptors() -> Iterator[None]:
    """Let no file be opened: "Too many open files"."""
    assert sys.platform != "win32", "it has no such limit"
    import resource  # there is none on Windows

    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (0, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, before)
