"""Run the hook in this process, as its `__main__` does, with a disk and a process table that fail.

Two functions are replaced: `leave`, which would end this process at once, and the start time of the process, which would
be long ago.
"""

import io
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from pathlib import Path
from types import SimpleNamespace
from typing import NamedTuple

from deskbell_hooks import client, record
from deskbell_hooks.client import process_start
from deskbell_hooks.schema import Event
from tests.faults.calls import calls_of_hook
from tests.faults.injector import Injector
from tests.hooks import recorder


class Ran(NamedTuple):
    exits: int
    """How often it ended its process with 0."""
    printed: str
    counted: dict[str, int]
    failed: str | None
    """Where the call was made that failed."""


def run(state: Path, event: Event, injector: Injector) -> Ran:
    ends: list[None] = []
    given = recorder.said(event)
    with _printed() as printed, _replaced(lambda: ends.append(None), given), injector.installed(calls_of_hook()):
        record.main(str(state))
    return Ran(len(ends), printed.getvalue(), dict(injector.counted), injector.failed)


@contextmanager
def _printed() -> Iterator[io.StringIO]:
    stream = io.StringIO()
    with redirect_stdout(stream), redirect_stderr(stream):
        yield stream


@contextmanager
def _replaced(leave: Callable[[], None], data: bytes) -> Iterator[None]:
    before = record.leave, client.process_start, sys.stdin
    stdin = SimpleNamespace(buffer=io.BytesIO(data))
    record.leave, client.process_start, sys.stdin = leave, _process_start, stdin  # type: ignore[assignment]
    try:
        yield
    finally:
        record.leave, client.process_start, sys.stdin = before


def _process_start(pid: int | str) -> int | None:
    """Return what the real function does; but say that this process has just started."""
    found = process_start(pid)
    return int(time.clock_gettime(time.CLOCK_BOOTTIME) * 1000) // client.TICK if pid == "self" else found
