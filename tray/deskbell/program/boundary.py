"""Call and start every part that touches the system. Errors are logged, counted and shown.

Panels, buses, disks and other people's code fail in many ways. An error ends what raised it and nothing else, and the
program goes on without that part. What is kept runs again after a pause; the owner of any other task or thread starts
it again. `tests/test_layers.py` lists the other modules that may catch every exception.

A CancelledError is an error like others unless the task itself was cancelled: what it awaited was. So is a
GeneratorExit unless it closes the coroutine that awaits. KeyboardInterrupt and SystemExit end the program.
"""

import asyncio
import logging
import sys
import threading
from asyncio import CancelledError
from collections.abc import Awaitable, Callable, Coroutine, Iterator
from contextlib import contextmanager, suppress
from typing import Any, ParamSpec, TypeVar

from deskbell.errors import Problem, reason
from deskbell.supervision import Work

P = ParamSpec("P")
T = TypeVar("T")

FIRST_PAUSE, LONGEST_PAUSE = 1.0, 60.0
"""Seconds until kept work that raised runs again. The pause doubles each time."""
RUNS_WELL = 10.0
"""Seconds after which what runs again counts as working, and the next pause of kept work is the shortest again."""
CLEANS_UP, ATTEMPTS = 2.0, 3
"""Seconds that a cancelled task has to clean up, and how often it is cancelled."""
SHOWN_FOR = 600.0
"""Seconds for which an error is shown that no later success can disprove."""
ERRORS_REMEMBERED = 200
NO_THREAD = "The system starts no more threads.", "Close programs, or raise the limit of processes or memory."
BACKGROUND = "background"
"""The part that stands for every callback and thread that belongs to no other part."""

log = logging.getLogger(__name__)


def _nothing() -> None:
    """Do nothing until the loop is connected."""


class Boundary:
    """The Supervisor of the program; see `deskbell.supervision` for its methods. Any thread may use it."""

    def __init__(self) -> None:
        self.broken: dict[str, str] = {}
        """Each part that does not work at the moment, and its last error."""
        self.attempts: dict[str, int] = {}
        """How often each broken part has failed since it last worked."""
        self.changed: Callable[[], None] = _nothing
        """Wakes the loop. Called in any thread, when a task or a thread has changed `broken`."""
        self._loop: asyncio.AbstractEventLoop | None = None
        """The loop of the program, once it runs."""
        self._lock = threading.RLock()
        """A finalizer that raises may run in a thread that holds it."""
        self._logged: set[tuple[str, str]] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._timed: dict[str, str] = {}
        """The last error of each part that is shown for a while, whatever else works meanwhile."""
        self._shown: dict[str, asyncio.TimerHandle] = {}
        """The timer that forgets each of these. Only the loop uses it."""

    def call(self, part: str, effect: Callable[P, T], *args: P.args, **named: P.kwargs) -> T | None:
        """Return what EFFECT returns, or None if it raises. The loop calls this, and reads `broken` afterwards."""
        try:
            result = effect(*args, **named)
        except (Exception, CancelledError, GeneratorExit) as error:  # noqa: BLE001  # the boundary: see the module
            self._failed(part, error)
            return None
        self._works(part)
        return result

    async def wait(self, part: str, effect: Awaitable[T]) -> T | None:
        """Return the result of EFFECT, or None if it raises."""
        task = asyncio.current_task()
        try:
            result = await effect
        except (Exception, CancelledError, GeneratorExit) as error:  # the boundary: see the module
            if _ends_the_task(error, task):
                raise
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

    def thread(self, part: str, work: Callable[[], None]) -> bool:
        def run() -> None:
            try:
                work()
            except BaseException as error:  # noqa: BLE001  # the boundary; here even `sys.exit` ends only the thread
                self._announce(self._failed(part, error))
            else:
                self._announce(self._works(part))

        thread = threading.Thread(target=run, name=part, daemon=True)
        try:
            thread.start()
        except (RuntimeError, MemoryError):
            self._announce(self._failed(part, Problem(*NO_THREAD)))
            return False
        if part in self.broken and self._loop:
            with suppress(RuntimeError):  # the loop has ended
                self._loop.call_soon_threadsafe(self._loop.call_later, RUNS_WELL, self._still_runs, part, thread)
        return True

    def guarded(self, part: str, effect: Callable[P, T]) -> Callable[P, T | None]:
        loop = asyncio.get_running_loop()

        def run(*args: P.args, **named: P.kwargs) -> T | None:
            try:
                return effect(*args, **named)
            except (Exception, CancelledError, GeneratorExit) as error:  # noqa: BLE001  # the boundary: see the module
                self._show_for_a_while(loop, part, error)
                return None

        return run

    def _still_runs(self, part: str, thread: threading.Thread) -> None:
        if thread.is_alive():
            self._announce(self._works(part))

    @contextmanager
    def strays(self) -> Iterator[None]:
        """Show the errors that Python would only print.

        They come from callbacks of the running loop, threads of others, finalizers, and C libraries that call Python.
        """
        self._loop = loop = asyncio.get_running_loop()
        of_loop = loop.get_exception_handler()
        of_threads, of_finalizers, of_callers = threading.excepthook, sys.unraisablehook, sys.excepthook
        loop.set_exception_handler(self._callback_failed)
        threading.excepthook = lambda failure: self._stray(loop, failure.exc_value)
        sys.unraisablehook = lambda failure: self._stray(loop, failure.exc_value)
        sys.excepthook = lambda _, error, __: self._stray(loop, error)
        try:
            yield
        finally:
            loop.set_exception_handler(of_loop)
            threading.excepthook, sys.unraisablehook, sys.excepthook = of_threads, of_finalizers, of_callers

    async def stopped(self) -> None:
        """Cancel every task and wait until all have ended.

        A task may miss its cancellation: asyncio.wait_for loses it if its result comes at the same moment
        (https://github.com/python/cpython/issues/86296). So a task that still runs after CLEANS_UP seconds is cancelled
        again.
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
        loop, pause, well, said = asyncio.get_running_loop(), FIRST_PAUSE, None, ""
        begun = loop.time()
        try:
            while (error := await _error_of(work())) is not None:
                if well:
                    well.cancel()
                said = reason(error)
                self._announce(self._failed(part, error))
                pause = FIRST_PAUSE if loop.time() - begun >= RUNS_WELL else pause
                await asyncio.sleep(pause)
                pause = min(pause * 2, LONGEST_PAUSE)
                begun, well = loop.time(), loop.call_later(RUNS_WELL, lambda: self._announce(self._works(part)))
            if well:
                self._announce(self._works(part))
        except CancelledError:  # nobody wants it any more, so it is not missed
            self._announce(self._drop(part, said))
            raise
        finally:
            if well:
                well.cancel()

    def _callback_failed(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        """Take the error of a callback, or of a task whose result nobody has read."""
        error = context.get("exception") or Problem(str(context.get("message")))
        self._show_for_a_while(loop, BACKGROUND, error)

    def _stray(self, loop: asyncio.AbstractEventLoop, error: BaseException | None) -> None:
        if error is not None and not isinstance(error, SystemExit):
            self._show_for_a_while(loop, BACKGROUND, error)

    def _show_for_a_while(self, loop: asyncio.AbstractEventLoop, part: str, error: BaseException) -> None:
        """Show ERROR until SHOWN_FOR seconds after it was last raised."""
        said = reason(error)
        with self._lock:
            self._timed[part] = said
        self._announce(self._failed(part, error))
        with suppress(RuntimeError):  # the loop has ended
            loop.call_soon_threadsafe(self._forget_later, loop, part, said)

    def _forget_later(self, loop: asyncio.AbstractEventLoop, part: str, said: str) -> None:
        if part in self._shown:
            self._shown[part].cancel()
        self._shown[part] = loop.call_later(SHOWN_FOR, self._forget, part, said)

    def _forget(self, part: str, said: str) -> None:
        del self._shown[part]
        with self._lock:
            if self._timed.get(part) == said:
                del self._timed[part]
        self._announce(self._drop(part, said))

    def _drop(self, part: str, said: str) -> bool:
        """Stop showing SAID, unless another error of PART has taken its place. Return whether it was shown."""
        with self._lock:
            if dropped := self.broken.get(part) == said:
                del self.broken[part], self.attempts[part]
        return dropped

    def _announce(self, changed: bool) -> None:
        if changed:
            self.changed()

    def _failed(self, part: str, error: BaseException) -> bool:
        """Record ERROR. Return whether it differs from the error that PART had."""
        said = reason(error)
        with self._lock:
            # A Problem is a sentence for the person: its traceback adds nothing.
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
        """Record that PART works. Return whether it was shown as broken and no longer is.

        The error of a callback is shown for SHOWN_FOR seconds, even if other calls of PART succeed in that time.
        """
        with self._lock:
            if self._timed and self._timed.get(part) == self.broken.get(part):
                return False
            was_broken = self.broken.pop(part, None) is not None
            failures = self.attempts.pop(part, 0)
        if was_broken:
            log.info("%s: works again, after %d failure%s", part, failures, "" if failures == 1 else "s")
        return was_broken


async def _error_of(work: Awaitable[None]) -> BaseException | None:
    """Await WORK. Return what it raises, but raise a cancellation of the running task."""
    task = asyncio.current_task()
    try:
        await work
    except (Exception, CancelledError, GeneratorExit) as error:  # the boundary: see the module
        if _ends_the_task(error, task):
            raise
        return error
    return None


def _ends_the_task(error: BaseException, task: "asyncio.Task[Any] | None") -> bool:
    """Return whether ERROR says that somebody has cancelled TASK, or closes the coroutine that it runs.

    Nobody can close a coroutine that is running: a GeneratorExit in the running task was raised by what it awaits.
    """
    if isinstance(error, GeneratorExit):
        return task is None or _running_task() is not task
    return isinstance(error, CancelledError) and task is not None and task.cancelling() > 0


def _running_task() -> "asyncio.Task[Any] | None":
    try:
        return asyncio.current_task()
    except RuntimeError:  # no loop runs
        return None
