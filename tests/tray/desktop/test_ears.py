"""Test that the end of a process is noticed at once, without polling."""

import asyncio
import errno
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from deskbell.desktop.ears import LOOK_EVERY, Deaths, RealEars
from deskbell.program.boundary import Boundary
from tests.limits import no_descriptors
from tests.tray.desktop.fake_daemon import play, until


@contextmanager
def living(count: int) -> Iterator[list[int]]:
    """Run COUNT processes."""
    with ExitStack() as stack:
        processes = [subprocess.Popen(["sleep", "600"]) for _ in range(count)]
        for process in processes:
            stack.callback(process.wait)
            stack.callback(process.kill)
        yield [process.pid for process in processes]


@contextmanager
def soft_limit(files: int) -> Iterator[None]:
    """Allow this process FILES open files; those that it has open already may have higher numbers."""
    import resource

    before, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (files, hard))
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, (before, hard))


pytestmark = pytest.mark.skipif(not hasattr(os, "pidfd_open"), reason="a system that reports the end of processes")


def test_nothing_is_known_of_changes_before_the_files_are_listened_to(tmp_path: Path) -> None:
    async def story() -> None:
        boundary = Boundary()
        ears = RealEars(boundary, lambda: [tmp_path], lambda pid: None)
        assert ears.changes() is None
        ears.listen(lambda: None)
        assert ears.changes() == {}
        assert ears.changes() == {tmp_path: frozenset()}
        ears.close()
        await boundary.stopped()

    play(story())


def test_the_end_of_a_followed_process_is_reported_and_wakes(tmp_path: Path) -> None:
    async def story() -> None:
        died, wakes, boundary = [], [], Boundary()
        ears = RealEars(boundary, lambda: [tmp_path], died.append)
        ears.listen(lambda: wakes.append(None))
        with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as process:
            assert not ears.hear(process.pid)
            assert ears.follow(frozenset({process.pid})) is None
            assert ears.hear(process.pid)
            process.communicate(b"\n")
            await until(lambda: died == [process.pid] and wakes, "the end of the process")
            assert not ears.hear(process.pid)
        ears.close()
        await boundary.stopped()

    play(story())


def test_a_process_that_has_ended_already_is_reported(tmp_path: Path) -> None:
    async def story() -> None:
        died: list[int] = []
        boundary = Boundary()
        ears = RealEars(boundary, lambda: [tmp_path], died.append)
        ears.listen(lambda: None)
        ears.follow(frozenset({2**22 - 1}))
        await until(lambda: died == [2**22 - 1], "its end")
        ears.close()
        await boundary.stopped()

    play(story())


def test_a_process_that_is_followed_on_after_its_end_is_reported_once(tmp_path: Path) -> None:
    """Its session is examined on for a moment: each look that reported it anew would cause the next."""

    async def story(waits: bool) -> None:
        died: list[int] = []
        boundary = Boundary()
        ears = RealEars(boundary, lambda: [tmp_path], died.append)
        ears.listen(lambda: None)
        with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as process:
            if waits:
                ears.follow(frozenset({process.pid}))
            process.communicate(b"\n")
        for _ in range(20):
            ears.follow(frozenset({process.pid}))
            await asyncio.sleep(0.001)
        assert died == [process.pid]
        ears.follow(frozenset())
        ears.follow(frozenset({process.pid}))
        await until(lambda: died == [process.pid] * 2, "another session with this id")
        ears.close()
        await boundary.stopped()

    play(story(waits=True))
    play(story(waits=False))


def test_a_process_that_is_followed_no_more_is_not_reported(tmp_path: Path) -> None:
    async def story() -> None:
        died: list[int] = []
        boundary = Boundary()
        ears = RealEars(boundary, lambda: [tmp_path], died.append)
        ears.listen(lambda: None)
        files = len(os.listdir("/proc/self/fd"))
        with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as process:
            ears.follow(frozenset({process.pid}))
            ears.follow(frozenset())
            process.communicate(b"\n")
        await asyncio.sleep(0)
        assert (died, len(os.listdir("/proc/self/fd"))) == ([], files)
        ears.close()
        await boundary.stopped()

    play(story())


def test_processes_for_which_there_are_no_descriptors_are_to_be_looked_at(tmp_path: Path) -> None:
    async def story() -> None:
        died: list[int] = []
        boundary = Boundary()
        ears = RealEars(boundary, lambda: [tmp_path], died.append)
        ears.listen(lambda: None)
        with living(40) as pids, soft_limit(64):
            used = len(os.listdir("/proc/self/fd"))
            assert ears.follow(frozenset(pids)) == LOOK_EVERY
            assert len(os.listdir("/proc/self/fd")) == used + 16
            assert ears.follow(frozenset(pids[:16])) is None
            with no_descriptors():
                assert ears.follow(frozenset(pids[:15] + pids[20:22])) == LOOK_EVERY
            assert ears.follow(frozenset(pids[:15] + pids[20:21])) is None
        await until(lambda: sorted(died) == sorted(pids[:15] + pids[20:21]), "the ends of those that are followed")
        ears.close()
        await boundary.stopped()

    play(story())


def test_before_it_listens_the_processes_are_to_be_looked_at() -> None:
    assert RealEars(Boundary(), list, print).follow(frozenset({1})) == LOOK_EVERY


class FullLoop:
    """A loop that can watch no more descriptors."""

    def add_reader(self, *_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")


def test_a_process_that_the_loop_cannot_watch_is_looked_at_and_holds_no_descriptor() -> None:
    deaths = Deaths(FullLoop(), lambda pid: None)  # type: ignore[arg-type]
    with living(1) as pids:
        before = os.listdir("/proc/self/fd")
        deaths.watch(pids)
        assert os.listdir("/proc/self/fd") == before
        assert (deaths.all_heard, deaths.hears(pids[0])) == (False, False)
        deaths.watch(pids)
        assert not deaths.all_heard
    deaths.close()
