"""Call, start and restart every part that touches the system. What breaks is logged, counted and shown.

Panels, buses, disks and other people's code fail in every way there is; the program goes on without the part.
This module holds the one broad `except` of the program: an error ends the part that raised it and nothing else.
"""

import asyncio
import logging
import threading
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, ParamSpec, TypeVar

from deskbell.errors import Problem, reason
from deskbell.supervision import Work

P = ParamSpec("P")
T = TypeVar("T")

FIRST_PAUSE, LONGEST_PAUSE = 1.0, 60.0
"""Seconds until kept work that raised runs again; the pause doubles each time."""
RUNS_WELL = 10.0
"""Seconds after which kept work that was started again counts as working, and its pauses begin anew."""
CLEANS_UP, ATTEMPTS = 2.0, 3
"""Seconds that a cancelled task has to clean up, and how often it is cancelled."""
ERRORS_REMEMBERED = 200

log = logging.getLogger(__name__)


def _nothing() -> None:
    """Wake no one."""


class Boundary:
    """The Supervisor of the program; see `deskbell.supervision` for keep, once and thread. Any thread may use it."""

    def __init__(self) -> None:
        self.broken: dict[str, str] = {}
        """Each part that does not work at the moment, and its last error."""
        self.attempts: dict[str, int] = {}
        """How often each broken part has failed since it last worked."""
        self.changed: Callable[[], None] = _nothing
        """Called in any thread when a task or a thread has changed `broken`: wakes the loop."""
        self._lock = threading.Lock()
        self._logged: set[tuple[str, str]] = set()
        self._tasks: set[asyncio.Task[None]] = set()

    def call(self, part: str, effect: Callable[P, T], *args: P.args, **named: P.kwargs) -> T | None:
        """Return what EFFECT returns, or None if it raises. The loop looks at `broken` itself after its calls."""
        try:
            result = effect(*args, **named)
        except Exception as error:  # noqa: BLE001  # the boundary: see the module
            self._failed(part, error)
            return None
        self._works(part)
        return result

    async def wait(self, part: str, effect: Awaitable[T]) -> T | None:
        """Return the result of EFFECT, or None if it raises."""
        try:
            result = await effect
        except Exception as error:  # noqa: BLE001  # the boundary: see the module
            self._announce(self._failed(part, error))
            return None
        self._announce(self._works(part))
        return result

    def keep(self, part: str, work: Work) -> asyncio.Task[None]:
        return self._start(part, self._kept(part, work))

    def once(self, part: str, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = self._start(part, self._once(part, work))
        task.add_done_callback(lambda _: work.close())  # a task that is cancelled before its first step leaves it open
        return task

    def thread(self, part: str, work: Callable[[], None]) -> None:
        def run() -> None:
            try:
                work()
            except Exception as error:  # noqa: BLE001  # the boundary: see the module
                self._announce(self._failed(part, error))
            else:
                self._announce(self._works(part))

        threading.Thread(target=run, name=part, daemon=True).start()

    async def stopped(self) -> None:
        """Cancel every task and wait until all have ended.

        A task may miss its cancellation: asyncio.wait_for loses it if its result comes at the same moment
        (https://github.com/python/cpython/issues/86296). So cancel again what has not ended after CLEANS_UP seconds.
        """
        for _ in range(ATTEMPTS):
            tasks = [task for task in self._tasks if task is not asyncio.current_task()]
            if not tasks:
                return
            for task in tasks:
                task.cancel()
            await asyncio.wait(tasks, timeout=CLEANS_UP)
        log.error("still running at the end: %s", ", ".join(sorted(task.get_name() for task in self._tasks)))

    def _start(self, part: str, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = asyncio.get_running_loop().create_task(work, name=part)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def _once(self, part: str, work: Coroutine[Any, Any, None]) -> None:
        await self.wait(part, work)

    async def _kept(self, part: str, work: Work) -> None:
        loop, pause, well = asyncio.get_running_loop(), FIRST_PAUSE, None
        while True:
            begun = loop.time()
            try:
                await work()
            except Exception as error:  # noqa: BLE001  # the boundary: see the module
                self._announce(self._failed(part, error))
            else:
                if well:
                    self._announce(self._works(part))
                return
            finally:
                if well:
                    well.cancel()
            pause = FIRST_PAUSE if loop.time() - begun >= RUNS_WELL else pause
            await asyncio.sleep(pause)
            pause = min(pause * 2, LONGEST_PAUSE)
            well = loop.call_later(RUNS_WELL, lambda: self._announce(self._works(part)))

    def _announce(self, changed: bool) -> None:
        if changed:
            self.changed()

    def _failed(self, part: str, error: Exception) -> bool:
        """Return whether that is another error than before."""
        said = reason(error)
        with self._lock:
            # A Problem is a sentence for the person: where it was raised says nothing more.
            new = (part, said) not in self._logged and not isinstance(error, Problem)
            changed = self.broken.get(part) != said
            if len(self._logged) >= ERRORS_REMEMBERED:
                self._logged.clear()
            self._logged.add((part, said))
            self.broken[part] = said
            self.attempts[part] = self.attempts.get(part, 0) + 1
        if changed:
            log.error("%s: %s", part, said, exc_info=error if new else None)
        return changed

    def _works(self, part: str) -> bool:
        """Return whether it was broken."""
        with self._lock:
            was_broken = self.broken.pop(part, None) is not None
            failures = self.attempts.pop(part, 0)
        if was_broken:
            log.info("%s: works again, after %d failure%s", part, failures, "" if failures == 1 else "s")
        return was_broken
