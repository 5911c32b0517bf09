"""Define the Supervisor, which starts tasks and threads and reports what breaks in them.

Every adapter gets one, and `deskbell.program.boundary` implements it. Beside it, only `asyncio.to_thread` starts
threads: the task that awaits one gets what it raises. In such a thread, `desktop/jump/wire.py` and the checks of the
doctor run a loop of their own. The boundary also shows what a thread of a library raises, unless the library keeps it.

Only what `keep` starts is run again when it raises. Whoever starts other work starts it again, if it is still wanted.
"""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, ParamSpec, Protocol, TypeVar

P = ParamSpec("P")
T = TypeVar("T")
Work = Callable[[], Coroutine[Any, Any, None]]


class Supervisor(Protocol):
    def keep(self, part: str, work: Work) -> asyncio.Task[None]:
        """Run WORK as a task until it returns or is cancelled.

        When it raises, log the error, show PART as broken and run WORK again after a pause. Once it is cancelled, its
        last error is no longer shown, because nobody wants WORK any more.
        """

    def once(self, part: str, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Run WORK as a task. When it raises, log the error and show PART as broken until it next succeeds."""

    def thread(self, part: str, work: Callable[[], None]) -> bool:
        """Run WORK once in a daemon thread. When it raises, log that and show PART as broken until it next succeeds.

        It also succeeds by running for ten seconds.

        Return False if the system starts no more threads: PART is then shown as broken, and WORK does not run.
        """

    def guarded(self, part: str, effect: Callable[P, T]) -> Callable[P, T | None]:
        """Return EFFECT for a library that would only log what it raises. Call this in the loop.

        The result may be called in any thread. When EFFECT raises, it returns None, logs the error and shows PART as
        broken until ten minutes have passed without another error. A later success does not end that, because it may
        be about something else.
        """
