"""Test that everything that breaks is shown, and that nothing else breaks with it."""

import asyncio
import errno
import sys
import threading
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any

import pytest

from deskbell.errors import Problem
from deskbell.program.boundary import BACKGROUND, LONGEST_PAUSE, RUNS_WELL, SHOWN_FOR, Boundary
from deskbell.supervision import Supervisor
from tests.faults.injector import failing
from tests.limits import NEED_LINUX, no_threads
from tests.tray.virtual_time import play
from tests.waiting import wait


def fail() -> None:
    raise OSError("no panel")


async def fail_later() -> None:
    fail()


def logged(caplog: pytest.LogCaptureFixture) -> list[tuple[str, str]]:
    return [(record.levelname, record.getMessage()) for record in caplog.records]


def tracebacks(caplog: pytest.LogCaptureFixture) -> int:
    return sum(record.exc_info is not None for record in caplog.records)


def test_the_boundary_is_the_supervisor() -> None:
    supervisor: Supervisor = Boundary()
    assert isinstance(supervisor, Boundary)


def test_a_broken_part_is_logged_once_and_again_when_it_works(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO")
    boundary = Boundary()
    assert [boundary.call("tray", fail) for _ in range(3)] == [None] * 3
    assert boundary.broken == {"tray": "OSError: no panel"}
    assert boundary.attempts == {"tray": 3}
    assert boundary.call("tray", lambda: 7) == 7
    assert (boundary.broken, boundary.attempts) == ({}, {})
    assert logged(caplog) == [("ERROR", "tray: OSError: no panel"), ("INFO", "tray: works again, after 3 failures")]


def test_the_traceback_of_an_error_is_logged_once(caplog: pytest.LogCaptureFixture) -> None:
    """Also when two errors alternate, and when the part works in between."""
    boundary, errors = Boundary(), [OSError("one"), ValueError("two")] * 3

    def fail_differently() -> None:
        raise errors.pop()

    for _ in range(6):
        boundary.call("tray", fail_differently)
    boundary.call("tray", int)
    boundary.call("tray", fail)
    boundary.call("tray", int)
    boundary.call("tray", fail)
    assert tracebacks(caplog) == 3


def test_the_sentence_of_a_problem_is_shown_as_it_is_without_a_traceback(caplog: pytest.LogCaptureFixture) -> None:
    def refuse() -> None:
        raise Problem("Cannot read claude.json. Delete it.")

    boundary = Boundary()
    boundary.call("hooks", refuse)
    assert boundary.broken == {"hooks": "Cannot read claude.json. Delete it."}
    assert (len(caplog.records), tracebacks(caplog)) == (1, 0)


def test_an_awaited_effect_is_guarded() -> None:
    boundary = Boundary()
    assert asyncio.run(boundary.wait("bus", fail_later())) is None
    assert list(boundary.broken) == ["bus"]


def test_a_part_that_works_is_not_logged(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO")
    assert Boundary().call("tray", max, 1, 2) == 2
    assert logged(caplog) == []


@pytest.mark.parametrize("end", [KeyboardInterrupt, SystemExit])
def test_the_end_of_the_program_is_not_a_broken_part(end: type[BaseException]) -> None:
    async def leave() -> None:
        raise end

    def leave_now() -> None:
        raise end

    async def kept() -> None:
        await boundary.keep("tray", leave)

    boundary = Boundary()
    with pytest.raises(end):
        boundary.call("tray", leave_now)
    with pytest.raises(end):
        asyncio.run(boundary.wait("tray", leave()))
    with pytest.raises(end):
        asyncio.run(kept())
    assert boundary.broken == {}


async def await_what_was_cancelled() -> None:
    """Raise a CancelledError in a task that nobody has cancelled."""
    awaited = asyncio.get_running_loop().create_future()
    awaited.cancel()
    await awaited


def be_cancelled() -> None:
    raise asyncio.CancelledError


def be_closed() -> None:
    raise GeneratorExit


async def be_closed_later() -> None:
    await asyncio.sleep(1)
    be_closed()


def test_a_generator_exit_that_closes_nothing_is_an_error_like_others() -> None:
    async def story() -> None:
        boundary = Boundary()
        assert boundary.call("bell", be_closed) is None
        boundary.guarded("focus", be_closed)()
        await boundary.once("menu", be_closed_later())
        boundary.keep("tray", be_closed_later)
        await asyncio.sleep(10)
        assert boundary.broken == dict.fromkeys(("bell", "focus", "menu", "tray"), "GeneratorExit")
        assert boundary.attempts["tray"] > 1
        await boundary.stopped()

    play(story())


Begin = Callable[[Boundary], Coroutine[Any, Any, object]]


@pytest.mark.parametrize(
    "begin",
    [
        lambda boundary: boundary.wait("menu", asyncio.sleep(1)),
        lambda boundary: boundary._kept("tray", lambda: asyncio.sleep(1)),
    ],
    ids=["wait", "keep"],
)
def test_work_that_python_closes_ends_and_is_not_broken(begin: Begin) -> None:
    """A loop that is closed leaves coroutines that have begun. Python closes them later, also while another loop runs."""
    boundary = Boundary()

    async def begun() -> Coroutine[Any, Any, object]:
        work = begin(boundary)
        work.send(None)
        return work

    async def close(work: Coroutine[Any, Any, object]) -> None:
        work.close()

    asyncio.run(begun()).close()
    asyncio.run(close(asyncio.run(begun())))
    assert boundary.broken == {}


def test_a_cancellation_that_nobody_asked_for_is_an_error_like_others() -> None:
    async def story() -> None:
        boundary = Boundary()
        assert boundary.call("bell", be_cancelled) is None
        boundary.guarded("focus", be_cancelled)()
        await boundary.once("menu", await_what_was_cancelled())
        boundary.keep("tray", await_what_was_cancelled)
        await asyncio.sleep(10)
        assert boundary.broken == dict.fromkeys(("bell", "focus", "menu", "tray"), "CancelledError")
        assert boundary.attempts["tray"] == 4
        await boundary.stopped()

    play(story())


@pytest.mark.parametrize("end", [asyncio.CancelledError, SystemExit, KeyboardInterrupt])
def test_whatever_ends_a_thread_breaks_its_part(end: type[BaseException]) -> None:
    def leave() -> None:
        raise end

    boundary, changed = Boundary(), threading.Event()
    boundary.changed = changed.set
    boundary.thread("sound", leave)
    assert changed.wait(20)
    assert boundary.broken == {"sound": end.__name__}


class Work:
    """Fails as often as it is asked to; then it runs until it is cancelled."""

    def __init__(self, failures: float, after: float = 0.0) -> None:
        self.failures = failures
        self.after = after
        self.begun: list[float] = []

    async def __call__(self) -> None:
        self.begun.append(asyncio.get_running_loop().time())
        await asyncio.sleep(self.after)
        if len(self.begun) <= self.failures:
            fail()
        await asyncio.Event().wait()

    def pauses(self) -> list[float]:
        pairs = zip(self.begun, self.begun[1:], strict=False)
        return [round(later - earlier - self.after, 3) for earlier, later in pairs]


def test_kept_work_is_run_again_after_pauses_that_double_up_to_a_minute(caplog: pytest.LogCaptureFixture) -> None:
    async def story() -> None:
        boundary, work = Boundary(), Work(failures=float("inf"))
        boundary.keep("tray", work)
        await asyncio.sleep(200)
        assert work.pauses() == [1, 2, 4, 8, 16, 32, LONGEST_PAUSE, LONGEST_PAUSE]
        assert boundary.broken == {"tray": "OSError: no panel"}
        assert boundary.attempts == {"tray": 9}
        await boundary.stopped()

    play(story())
    assert (len(caplog.records), tracebacks(caplog)) == (1, 1)


def test_after_it_has_run_well_for_a_while_kept_work_is_shown_as_working_and_the_pauses_begin_anew() -> None:
    async def story() -> None:
        boundary, work = Boundary(), Work(failures=3)
        boundary.keep("tray", work)
        await asyncio.sleep(8)
        assert boundary.broken == {"tray": "OSError: no panel"}  # it runs, but for how long?
        await asyncio.sleep(20)
        assert boundary.broken == {}
        await boundary.stopped()
        often = Work(failures=4, after=100)
        boundary.keep("tray", often)
        await asyncio.sleep(600)
        assert often.pauses() == [1, 1, 1, 1]
        await boundary.stopped()

    play(story())


@pytest.mark.parametrize("seconds", [0.5, 3], ids=["while it pauses", "while it runs again"])
def test_what_kept_work_raised_is_shown_until_it_is_cancelled(seconds: float, caplog: pytest.LogCaptureFixture) -> None:
    async def story() -> None:
        boundary, changes = Boundary(), list[dict[str, str]]()
        boundary.changed = lambda: changes.append(dict(boundary.broken))
        task = boundary.keep("logout", Work(failures=1))
        await asyncio.sleep(seconds)
        task.cancel()
        await asyncio.wait([task])
        assert task.cancelled()
        await asyncio.sleep(60)
        assert changes == [{"logout": "OSError: no panel"}, {}]

    play(story())
    assert [message for _, message in logged(caplog)] == ["logout: OSError: no panel"]


def test_kept_work_that_is_cancelled_leaves_the_error_of_another_task_of_its_part() -> None:
    async def story() -> None:
        boundary = Boundary()
        task = boundary.keep("focus", Work(failures=1))
        await asyncio.sleep(0.5)
        boundary.call("focus", [].pop)
        task.cancel()
        await asyncio.wait([task])
        assert boundary.broken == {"focus": "IndexError: pop from empty list"}

    play(story())


def test_kept_work_that_returns_is_over() -> None:
    async def story() -> None:
        runs = []

        async def once_only() -> None:
            runs.append(1)

        await Boundary().keep("tray", once_only)
        assert runs == [1]

    play(story())


def test_a_task_that_raises_is_shown_until_it_next_succeeds(caplog: pytest.LogCaptureFixture) -> None:
    async def story() -> None:
        boundary = Boundary()
        await boundary.once("menu", fail_later())
        assert boundary.broken == {"menu": "OSError: no panel"}
        await boundary.once("menu", asyncio.sleep(0))
        assert boundary.broken == {}

    play(story())
    assert tracebacks(caplog) == 1


Start = Callable[[Boundary], "asyncio.Task[None]"]


@pytest.mark.parametrize("seconds", [0, 1], ids=["before its first step", "later"])
@pytest.mark.parametrize(
    "start",
    [lambda boundary: boundary.keep("tray", Work(0)), lambda boundary: boundary.once("tray", Work(0)())],
    ids=["keep", "once"],
)
def test_a_cancelled_task_ends_quietly(start: Start, seconds: float, caplog: pytest.LogCaptureFixture) -> None:
    async def story() -> None:
        boundary = Boundary()
        task = start(boundary)
        if seconds:
            await asyncio.sleep(seconds)
        task.cancel()
        await asyncio.wait([task])
        assert task.cancelled()
        assert boundary.broken == {}

    play(story())
    assert caplog.records == []


def test_at_the_end_every_task_is_stopped_also_one_that_pauses() -> None:
    async def story() -> None:
        boundary = Boundary()
        tasks = [boundary.keep("tray", Work(0)), boundary.keep("bus", Work(99)), boundary.once("menu", Work(0)())]
        await asyncio.sleep(0.5)
        await boundary.stopped()
        assert all(task.cancelled() for task in tasks)
        assert len(asyncio.all_tasks()) == 1

    play(story())


def changes_of(story: Callable[[Boundary], Awaitable[object]]) -> int:
    async def within() -> None:
        boundary = Boundary()
        boundary.changed = lambda: changes.append(1)
        await story(boundary)
        boundary.changed = lambda: None  # the end is a change, too
        await boundary.stopped()

    changes: list[int] = []
    play(within())
    return len(changes)


async def _fails_and_works(boundary: Boundary) -> None:
    for work in (fail_later, fail_later, lambda: asyncio.sleep(0)):
        await boundary.once("tray", work())


async def _fails_on(boundary: Boundary) -> None:
    boundary.keep("tray", Work(99))
    await asyncio.sleep(100)


@pytest.mark.parametrize(("story", "changes"), [(_fails_and_works, 2), (_fails_on, 1)])
def test_a_change_of_what_is_broken_wakes_the_loop_and_a_repetition_does_not(
    story: Callable[[Boundary], Awaitable[object]], changes: int
) -> None:
    assert changes_of(story) == changes


def test_a_thread_that_raises_is_shown_and_logged(caplog: pytest.LogCaptureFixture) -> None:
    changed = threading.Event()
    boundary = Boundary()
    boundary.changed = changed.set
    boundary.thread("sound", fail)
    assert changed.wait(20)
    assert boundary.broken == {"sound": "OSError: no panel"}
    changed.clear()
    boundary.thread("sound", lambda: None)
    assert changed.wait(20)
    assert boundary.broken == {}
    assert tracebacks(caplog) == 1


def test_a_thread_that_runs_on_works_after_a_while_and_one_that_ends_by_an_error_does_not() -> None:
    def serve() -> None:
        over.wait(20)

    async def story() -> None:
        boundary = Boundary()
        with boundary.strays():
            for part in ("clipboard", "sound"):
                boundary.thread(part, fail)
            wait(lambda: {"clipboard", "sound"}.isdisjoint(thread.name for thread in threading.enumerate()))
            boundary.thread("clipboard", serve)
            boundary.thread("sound", fail)
            wait(lambda: "sound" not in [thread.name for thread in threading.enumerate()])
            await asyncio.sleep(RUNS_WELL - 1)
            assert boundary.broken == dict.fromkeys(("clipboard", "sound"), "OSError: no panel")
            await asyncio.sleep(2)
            assert boundary.broken == {"sound": "OSError: no panel"}
            over.set()

    over = threading.Event()
    play(story())


@NEED_LINUX
def test_a_thread_that_cannot_be_started_is_shown_and_its_work_does_not_run(caplog: pytest.LogCaptureFixture) -> None:
    ran, changes = list[None](), list[None]()
    boundary = Boundary()
    boundary.changed = lambda: changes.append(None)
    with no_threads():
        assert [boundary.thread("sound", lambda: ran.append(None)) for _ in range(2)] == [False, False]
    assert boundary.broken["sound"].startswith("The system starts no more threads. ")
    assert (ran, len(changes), tracebacks(caplog)) == ([], 1, 0)


def test_a_thread_does_not_keep_the_program_from_ending() -> None:
    daemons: list[bool] = []
    done = threading.Event()

    def look() -> None:
        daemons.append(threading.current_thread().daemon)
        done.set()

    Boundary().thread("sound", look)
    assert done.wait(20)
    assert daemons == [True]


def test_many_threads_that_fail_at_once_are_all_counted() -> None:
    boundary = Boundary()
    threads = 50
    over = threading.Barrier(threads + 1)

    def fail_together() -> None:
        over.wait(20)
        fail()

    for _ in range(threads):
        boundary.thread("sound", fail_together)
    over.wait(20)
    for thread in threading.enumerate():
        if thread.name == "sound":
            thread.join(20)
    assert boundary.attempts == {"sound": threads}


def test_what_guarded_work_returns_is_passed_on_and_what_it_raises_is_shown(caplog: pytest.LogCaptureFixture) -> None:
    async def story() -> None:
        boundary = Boundary()
        assert boundary.guarded("focus", max)(1, 2) == 2
        boundary.guarded("focus", fail)()
        assert boundary.broken == {"focus": "OSError: no panel"}
        boundary.guarded("focus", max)(1, 2)  # another message proves nothing
        assert boundary.broken == {"focus": "OSError: no panel"}

    play(story())
    assert tracebacks(caplog) == 1


def test_what_guarded_work_raises_is_shown_though_something_else_of_its_part_works() -> None:
    async def story() -> None:
        boundary = Boundary()
        boundary.guarded("answers", fail)()
        await boundary.once("answers", asyncio.sleep(0))
        boundary.call("answers", int)
        assert boundary.broken == {"answers": "OSError: no panel"}
        await asyncio.sleep(SHOWN_FOR + 1)
        assert boundary.broken == {}

    play(story())


def test_what_guarded_work_raises_is_forgotten_ten_minutes_after_the_last_time() -> None:
    async def story() -> None:
        boundary, changes = Boundary(), list[int]()
        boundary.changed = lambda: changes.append(1)
        failing = boundary.guarded("focus", fail)
        failing()
        await asyncio.sleep(SHOWN_FOR - 1)
        failing()
        await asyncio.sleep(SHOWN_FOR - 1)
        assert boundary.broken == {"focus": "OSError: no panel"}
        assert boundary.attempts == {"focus": 2}
        assert len(changes) == 1
        await asyncio.sleep(2)
        assert (boundary.broken, boundary.attempts) == ({}, {})
        assert len(changes) == 2
        failing()
        assert boundary.broken == {"focus": "OSError: no panel"}

    play(story())


def test_what_has_been_shown_for_long_does_not_take_a_newer_error_of_the_part_with_it() -> None:
    async def story() -> None:
        boundary = Boundary()
        boundary.guarded("focus", fail)()
        await asyncio.sleep(1)
        boundary.call("focus", [].pop)
        await asyncio.sleep(SHOWN_FOR + 1)
        assert boundary.broken == {"focus": "IndexError: pop from empty list"}

    play(story())


def test_guarded_work_may_fail_in_any_thread_and_after_the_loop_has_ended() -> None:
    async def story() -> Callable[[], None]:
        failing = boundary.guarded("file watcher", fail)
        await asyncio.to_thread(failing)
        assert boundary.broken == {"file watcher": "OSError: no panel"}
        return failing

    boundary = Boundary()
    failing = asyncio.run(story())
    failing()
    assert boundary.attempts == {"file watcher": 2}


async def _raise_in_the_loop() -> None:
    asyncio.get_running_loop().call_soon(fail)


async def _raise_in_a_task_that_nobody_awaits() -> None:
    asyncio.get_running_loop().create_task(fail_later())


async def _raise_in_a_thread_of_others() -> None:
    thread = threading.Thread(target=fail)
    thread.start()
    thread.join(20)


class Unclosable:
    def __del__(self) -> None:
        fail()


async def _raise_in_a_finalizer() -> None:
    Unclosable()


async def _raise_below_a_library() -> None:
    """As PyGObject passes on what a callback of GTK raises."""
    try:
        fail()
    except OSError as error:
        sys.excepthook(OSError, error, error.__traceback__)


@pytest.mark.parametrize(
    "stray",
    [
        _raise_in_the_loop,
        _raise_in_a_task_that_nobody_awaits,
        _raise_in_a_thread_of_others,
        _raise_in_a_finalizer,
        _raise_below_a_library,
    ],
)
def test_what_breaks_outside_every_part_is_shown_for_ten_minutes(
    stray: Callable[[], Awaitable[None]], caplog: pytest.LogCaptureFixture
) -> None:
    async def story() -> None:
        boundary = Boundary()
        with boundary.strays():
            await stray()
            await asyncio.sleep(1)
            assert boundary.broken == {BACKGROUND: "OSError: no panel"}
            await asyncio.sleep(SHOWN_FOR)
            assert boundary.broken == {}

    play(story())
    assert tracebacks(caplog) == 1


def test_a_finalizer_that_raises_while_an_error_is_noted_does_not_stop_the_program() -> None:
    class Falling(str):
        """Compared while the boundary holds its lock, when memory may be collected, too."""

        def __ne__(self, other: object) -> bool:
            Unclosable()
            return str.__ne__(self, other)

    async def story() -> None:
        boundary = Boundary()
        with boundary.strays():
            boundary.broken["tray"] = Falling("an older error")
            boundary.call("tray", fail)
            assert boundary.broken == {"tray": "OSError: no panel", BACKGROUND: "OSError: no panel"}

    play(story())


def test_what_asyncio_reports_without_an_exception_is_shown_in_its_words() -> None:
    async def story() -> None:
        boundary = Boundary()
        with boundary.strays():
            asyncio.get_running_loop().call_exception_handler({"message": "Task was destroyed but it is pending!"})
        assert boundary.broken == {BACKGROUND: "Task was destroyed but it is pending!"}

    play(story())


def test_a_thread_that_exits_is_not_broken_and_the_handlers_of_before_come_back() -> None:
    async def story() -> None:
        boundary, loop = Boundary(), asyncio.get_running_loop()
        before = threading.excepthook, sys.unraisablehook, sys.excepthook, loop.get_exception_handler()
        with boundary.strays():
            assert threading.excepthook is not before[0]
            threading.excepthook(threading.ExceptHookArgs((SystemExit, SystemExit(), None, None)))
        assert (threading.excepthook, sys.unraisablehook, sys.excepthook, loop.get_exception_handler()) == before
        assert boundary.broken == {}

    play(story())


def test_a_thread_that_the_system_does_not_give_is_shown_until_one_has_worked() -> None:
    boundary, done = Boundary(), threading.Event()
    with failing("thread start", errno.EAGAIN):
        assert not boundary.thread("channels", done.set)
    assert boundary.broken["channels"].startswith("The system starts no more threads. ")
    assert boundary.thread("channels", done.set)
    wait(lambda: not boundary.broken)
    assert done.is_set()
