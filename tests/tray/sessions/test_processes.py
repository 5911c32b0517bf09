"""Test which processes run, and that a process with a reused process id counts as another one."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from deskbell.sessions.processes import (
    BELIEVED_FOR,
    FOREIGN_BELIEVED_FOR,
    FORGOTTEN_AFTER,
    HEARD_BELIEVED_FOR,
    SLACK,
    STOP_BELIEVED_FOR,
    Processes,
    boot_time,
    commands_of,
    host,
    is_alive,
    is_suspended,
    process_of,
)
from deskbell_hooks.client import process_start
from tests.waiting import wait


def test_this_process_runs() -> None:
    assert is_alive(os.getpid(), process_start(os.getpid()), time.time())
    assert is_alive(os.getpid(), None, time.time())


@pytest.mark.skipif(sys.platform != "linux", reason="the start is compared on Linux only")
def test_a_process_with_another_start_is_another_process() -> None:
    assert not is_alive(os.getpid(), 1, time.time())


def test_a_process_that_is_younger_than_its_last_event_is_another_process() -> None:
    assert not is_alive(os.getpid(), None, 0.0)
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as child:
        assert is_alive(child.pid, None, time.time())
        assert not is_alive(child.pid, None, time.time() - SLACK - 60)
        assert child.stdin is not None
        child.stdin.close()


def test_a_process_that_has_ended_does_not_run() -> None:
    with subprocess.Popen([sys.executable, "-c", ""]) as child:
        pass
    assert not is_alive(child.pid, None, time.time())


@pytest.mark.parametrize("pid", [0, -1, -(2**31), 2**32, 10**30])
@pytest.mark.parametrize("start", [None, 1])
def test_a_number_that_cannot_be_a_process_id_does_not_run(pid: int, start: int | None) -> None:
    assert not is_alive(pid, start, time.time())


@pytest.mark.skipif(sys.platform == "win32", reason="it stops a process with a signal")
def test_a_process_that_is_stopped_is_suspended_until_it_goes_on() -> None:
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as child:
        assert not is_suspended(child.pid)
        os.kill(child.pid, signal.SIGSTOP)
        wait(lambda: is_suspended(child.pid), "the stop")
        assert is_alive(child.pid, process_start(child.pid), time.time())
        os.kill(child.pid, signal.SIGCONT)
        wait(lambda: not is_suspended(child.pid), "the end of the stop")
        assert child.stdin is not None
        child.stdin.close()
    assert not is_suspended(child.pid)


@pytest.mark.parametrize("pid", [0, -1, 2**32])
def test_a_number_that_cannot_be_a_process_id_is_not_suspended(pid: int) -> None:
    assert not is_suspended(pid)


def test_the_machine_was_started_before_this_process_and_always_at_the_same_time() -> None:
    assert 0 < boot_time() < time.time()
    assert boot_time() == boot_time()


def test_the_system_is_asked_now_and_then_whether_a_process_is_suspended() -> None:
    asked: list[int] = []

    def ask(pid: int) -> bool:
        asked.append(pid)
        return len(asked) > 1

    processes = Processes(ask_suspended=ask)
    late = STOP_BELIEVED_FOR
    assert [processes.is_suspended(7, at) for at in (0.0, late - 0.1, late)] == [False, False, True]
    assert not processes.is_suspended(None, 9.0)
    processes.tidy(late + FORGOTTEN_AFTER)
    processes.is_suspended(7, late)
    assert asked == [7, 7, 7]


def test_the_host_has_the_name_that_hooks_write_down() -> None:
    assert host() == os.uname().nodename


class System:
    """Record what is asked."""

    def __init__(self) -> None:
        self.asked: list[tuple[int, int | None]] = []
        self.living = True

    def __call__(self, pid: int, start: int | None, heard_at: float) -> bool:
        self.asked.append((pid, start))
        return self.living


def test_an_answer_is_believed_for_half_a_second() -> None:
    system = System()
    processes = Processes(system)
    answers = [processes.is_alive(7, 1, 0.0, now) for now in (100.0, 100.0 + BELIEVED_FOR / 2, 100.0 + BELIEVED_FOR)]
    assert answers == [True, True, True]
    assert system.asked == [(7, 1), (7, 1)]


def test_a_process_whose_end_is_reported_is_believed_to_run_until_it_is() -> None:
    system = System()
    processes = Processes(system, heard=lambda pid: pid == 7)
    for now in (100.0, 100.0 + BELIEVED_FOR, 99.9 + HEARD_BELIEVED_FOR):
        assert processes.is_alive(7, 1, 0.0, now)
    assert system.asked == [(7, 1)]
    processes.is_alive(7, 1, 0.0, 100.0 + HEARD_BELIEVED_FOR)
    processes.forget(7)
    system.living = False
    now = 100.1 + HEARD_BELIEVED_FOR
    assert not processes.is_alive(7, 1, 0.0, now)
    assert not processes.is_alive(7, 1, 0.0, now + BELIEVED_FOR)  # what has ended may begin anew with this number
    assert len(system.asked) == 4


def test_a_clock_that_steps_back_makes_it_ask_again() -> None:
    system = System()
    processes = Processes(system)
    processes.is_alive(7, 1, 0.0, 100.0)
    system.living = False
    assert not processes.is_alive(7, 1, 0.0, 50.0)


def test_a_process_that_was_seen_to_end_is_asked_for_again_and_others_are_not() -> None:
    system = System()
    processes = Processes(system)
    for pid in (7, 8):
        processes.is_alive(pid, None, 0.0, 100.0)
    processes.forget(7)
    system.living = False
    assert [processes.is_alive(pid, None, 0.0, 100.1) for pid in (7, 8)] == [False, True]


def test_an_old_answer_is_dropped() -> None:
    system = System()
    processes = Processes(system)
    processes.is_alive(7, None, 0.0, 100.0)
    processes.tidy(100.0 + FORGOTTEN_AFTER)
    processes.is_alive(7, None, 0.0, 100.1)
    assert len(system.asked) == 2


def process(proc: Path, pid: int, numbers: str, pids: str | None = "pid:[77]", start: int | None = 500) -> None:
    """Make what /proc shows of a process. PIDS None: its namespace cannot be asked for."""
    folder = proc / str(pid)
    (folder / "ns").mkdir(parents=True)
    (folder / "status").write_text(f"Name:\tnode\nNSpid:\t{numbers}\nNSpgid:\t1\n")
    if pids is not None:
        (folder / "ns" / "pid").symlink_to(pids)
    if start is not None:
        (folder / "stat").write_text(f"{pid} (a ) b) S {' '.join(['0'] * 18)} {start} 0")


@pytest.mark.skipif(sys.platform == "win32", reason="needs links")
@pytest.mark.parametrize(
    ("made", "found"),
    [
        ({"numbers": "4007\t7"}, 4007),
        ({"numbers": "4007\t12\t7"}, 4007),
        ({"numbers": "4007\t7", "start": 900}, 4007),
        ({"numbers": "4007\t7", "pids": None}, 4007),
        ({"numbers": "4007\t7", "pids": "pid:[78]"}, None),
        ({"numbers": "4007\t7", "pids": None, "start": 900}, None),
        ({"numbers": "4007\t7", "pids": None, "start": None}, None),
        ({"numbers": "4007\t8"}, None),
        ({"numbers": "7"}, None),
        ({"numbers": ""}, None),
        ({"numbers": "4007 x"}, None),
    ],
)
def test_a_process_of_another_namespace_is_found_by_its_number_there(
    made: dict[str, object], found: int | None, tmp_path: Path
) -> None:
    process(tmp_path, 4007, **made)  # type: ignore[arg-type]  # the fields of process
    (tmp_path / "self").mkdir()
    (tmp_path / "12").mkdir()
    assert process_of(7, 500, "pid:[77]", tmp_path) == found


def test_where_no_process_can_be_listed_none_is_found(tmp_path: Path) -> None:
    assert process_of(7, 500, "pid:[77]", tmp_path / "missing") is None


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_a_process_of_another_namespace_is_looked_for_again_only_when_it_is_gone() -> None:
    looked: list[int] = []
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as child:
        answers: list[int | None] = [None, child.pid, None]

        def find(pid: int, start: int | None, pids: str) -> int | None:
            looked.append(pid)
            return answers[len(looked) - 1]

        seen = Processes(find=find)

        def says(at: float) -> bool:
            return seen.is_seen(7, 500, "pid:[77]", at)

        assert [says(0.0), says(FOREIGN_BELIEVED_FOR - 0.1), says(FOREIGN_BELIEVED_FOR)] == [False, False, True]
        assert says(FOREIGN_BELIEVED_FOR + BELIEVED_FOR)
        assert len(looked) == 2
        child.kill()
    assert not says(FOREIGN_BELIEVED_FOR + 2 * BELIEVED_FOR)
    assert len(looked) == 3
    seen.tidy(FORGOTTEN_AFTER * 2)
    assert seen._foreign == {}


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_the_commands_of_a_process_are_found() -> None:
    with subprocess.Popen([sys.executable, "-c", "input()", "a word"], stdin=subprocess.PIPE) as child:
        start = process_start(child.pid)
        wait(lambda: (start, f"{sys.executable} -c input() a word ") in commands_of(os.getpid()), "the command")
        child.communicate(b"\n")
    assert start not in [one for one, _ in commands_of(os.getpid())]


def test_the_commands_of_no_process_are_none(tmp_path: Path) -> None:
    assert commands_of(7, tmp_path) == []
    task = tmp_path / "7" / "task" / "7"
    task.mkdir(parents=True)
    (task / "children").write_text("8 9 ")
    (tmp_path / "9").mkdir()
    (tmp_path / "9" / "stat").write_text("9 (a) S")
    assert commands_of(7, tmp_path) == []
