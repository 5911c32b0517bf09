"""Test that requests are judged beside the loop, however long a disk takes."""

import asyncio
import threading
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field, replace
from typing import Any

import pytest

from deskbell.answers.door import PART
from deskbell.answers.request import Request
from deskbell.answers.steps import Rules
from deskbell.program.boundary import Boundary
from deskbell.program.judging import FRESH, MOST, Judging
from tests.tray.answers.making import request, rules
from tests.tray.desktop.fake_daemon import until

ONE = request()


@dataclass
class Disk:
    """Judges each request once it is let go."""

    open: threading.Event = field(default_factory=threading.Event)
    asked: list[str] = field(default_factory=list)
    failures: int = 0

    def judge(self, one: Request) -> Rules:
        self.asked.append(one.code)
        assert self.open.wait(20)
        if self.failures:
            self.failures -= 1
            raise LookupError("a mistake")
        return rules(one)


def play(story: Callable[[Judging, Disk, Boundary], Coroutine[Any, Any, None]], hangs: bool = False) -> Boundary:
    boundary, disk = Boundary(), Disk()

    async def run() -> None:
        try:
            await asyncio.wait_for(story(Judging(disk.judge, boundary), disk, boundary), 20)
        finally:
            disk.open.set()

    if not hangs:
        disk.open.set()
    asyncio.run(run())
    return boundary


def another(number: int) -> Request:
    return replace(ONE, code=f"code {number}")


def test_a_request_is_judged_and_what_is_found_for_a_click_is_taken_once() -> None:
    async def story(judging: Judging, disk: Disk, boundary: Boundary) -> None:
        assert await judging.of(ONE) == rules(ONE)
        assert judging.take(ONE) is None, "the first judgement is not that of a click"
        await judging.again(ONE, 5)
        assert judging.take(ONE) == rules(ONE)
        assert judging.take(ONE) is None
        assert disk.asked == [ONE.code] * 2

    play(story)


def test_a_disk_that_hangs_holds_up_neither_the_loop_nor_another_request_and_takes_one_thread() -> None:
    async def story(judging: Judging, disk: Disk, boundary: Boundary) -> None:
        turns = 0

        async def turn() -> None:
            nonlocal turns
            while True:
                turns += 1
                await asyncio.sleep(0.001)

        beside = asyncio.create_task(turn())
        for _ in range(3):
            await judging.again(ONE, 0.05)
            assert judging.take(ONE) is None
        beside.cancel()
        assert turns > 30
        assert disk.asked == [ONE.code]
        disk.open.set()
        await judging.again(another(1), 5)
        assert judging.take(another(1)) is not None

    play(story, hangs=True)


def test_what_is_found_too_late_is_not_that_of_a_later_click() -> None:
    async def story(judging: Judging, disk: Disk, boundary: Boundary) -> None:
        await judging.again(ONE, 0.01)
        loop = asyncio.get_running_loop()
        late = loop.time() + FRESH
        loop.time = lambda: late  # type: ignore[method-assign]
        disk.open.set()
        await judging.again(ONE, 5)
        assert judging.take(ONE) is None
        await judging.again(ONE, 5)
        assert judging.take(ONE) is not None

    play(story, hangs=True)


def test_only_so_many_threads_hang() -> None:
    async def story(judging: Judging, disk: Disk, boundary: Boundary) -> None:
        waiting = [asyncio.create_task(judging.of(another(number))) for number in range(MOST + 2)]
        await until(lambda: len(disk.asked) == MOST)
        await judging.again(ONE, 5)
        assert judging.take(ONE) is None
        assert len(disk.asked) == MOST
        disk.open.set()
        assert all(await asyncio.gather(*waiting))

    play(story, hangs=True)


def test_an_error_is_shown_and_what_is_not_judged_is_unknown() -> None:
    async def story(judging: Judging, disk: Disk, boundary: Boundary) -> None:
        disk.failures = 2
        assert await judging.of(ONE) is None
        await judging.again(ONE, 5)
        assert judging.take(ONE) is None

    assert play(story).broken == {PART: "LookupError: a mistake"}


def test_a_system_that_starts_no_thread_judges_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(self: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    async def story(judging: Judging, disk: Disk, boundary: Boundary) -> None:
        monkeypatch.setattr(threading.Thread, "start", refuse)
        assert await judging.of(ONE) is None

    assert PART in play(story).broken
