"""Count the calls that the program makes, and let one of them fail.

A call is the program's if the nearest caller of ours on the stack is the program. So the calls of `Path.read_bytes` or of
a thread pool that the program uses are the program's; those of a test, or of a fake that the program has called, are not.
"""

import os
import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache, wraps
from pathlib import Path
from types import FrameType
from typing import Any

import deskbell
import deskbell_hooks
from tests.faults.calls import Call, Fault, calls_of_hook, calls_of_program, raised

OURS = tuple(str(Path(one.__path__[0])) for one in (deskbell, deskbell_hooks))
TESTS = str(Path(__file__).parents[1])
_ABSENT = object()


class Injector:
    def __init__(self, fault: Fault | None = None) -> None:
        self.fault = fault
        self.counted: Counter[str] = Counter()
        """How often the program made each call."""
        self.failed: str | None = None
        """Where the program made the call that failed."""
        self.over = False
        """Whether everything works again, and nothing is counted."""
        self._lock = threading.Lock()

    @contextmanager
    def installed(self, calls: list[Call]) -> Iterator[None]:
        before = [(call, vars(call.owner).get(call.attribute, _ABSENT)) for call in calls]
        for call in calls:
            setattr(call.owner, call.attribute, self._around(call))
        try:
            yield
        finally:
            for call, real in before:
                if real is _ABSENT:
                    delattr(call.owner, call.attribute)
                else:
                    setattr(call.owner, call.attribute, real)

    def _around(self, call: Call) -> Any:
        real = getattr(call.owner, call.attribute)

        @wraps(real)
        def run(*given: Any, **named: Any) -> Any:
            self._counts(call, real, given, named)
            return real(*given, **named)

        return run

    def _counts(self, call: Call, real: Callable[..., Any], given: tuple[Any, ...], named: Any) -> None:
        """Count a call of the program, and raise if it is the one that fails."""
        place = None if self.over else _place(sys._getframe(2))
        if place is None or not call.can_fail(*given, **named):
            return
        with self._lock:
            number = self.counted[call.name]
            self.counted[call.name] += 1
            fails = self.fault is not None and self.fault.strikes(call.name, number)
            if fails and not self.failed:
                self.failed = place
        if fails and self.fault:
            call.before(real, given)
            raise raised(call.name, self.fault.error)


@contextmanager
def failing(call: str, error: int, number: int = 0) -> Iterator[None]:
    """Let the call NUMBER of that name, which the program or the hook makes, fail with ERROR. It must be made."""
    injector = Injector(Fault(call, number, error))
    calls = calls_of_hook() if call.startswith("posix.") else calls_of_program()
    with injector.installed(calls):
        yield
    assert injector.failed, f"{call} was not called: {dict(injector.counted)}"


def place() -> str | None:
    """The place of the program that called the caller's caller; None if it was called for a test."""
    return _place(sys._getframe(3))


def _place(frame: FrameType | None) -> str | None:
    """The place of the program on whose behalf FRAME runs; None if it runs for a test or for nobody of ours."""
    while frame:
        whose = _whose(frame.f_code.co_filename)
        if whose:
            name = frame.f_code.co_filename.rpartition(os.sep)[2]  # a Path takes longer than the call that is counted
            return f"{name}:{frame.f_lineno}" if whose == "program" else None
        frame = frame.f_back
    return None


@cache
def _whose(file: str) -> str:
    if file.startswith(TESTS):
        return "test"
    return "program" if file.startswith(OURS) else ""
