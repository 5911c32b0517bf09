"""Test that what hangs while the focus is looked for makes no ring late."""

import asyncio
import threading
import time
from collections.abc import Callable, Coroutine, Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest

from deskbell.desktop.focus import Eyes, SilentScreen
from deskbell.desktop.focus.looker import MOMENT, Looker
from deskbell.program.boundary import Boundary
from deskbell.session import Place, Session
from deskbell.supervision import Work
from tests.limits import NEED_LINUX, no_threads
from tests.tray.making import session
from tests.waiting import new_threads


@dataclass
class FakeEyes(Eyes):
    """Says that each session is looked at, once `open` is set."""

    screen: SilentScreen = field(default_factory=SilentScreen)
    open: threading.Event = field(default_factory=threading.Event)
    asked: list[int | None] = field(default_factory=list)
    broken: bool = False
    holds: int = -1
    """The process about which it says nothing until `released` is set."""
    released: threading.Event = field(default_factory=threading.Event)

    def focused(self, place: Place, pid: int | None) -> bool | None:
        self.asked.append(pid)
        self.open.wait(20)
        if pid == self.holds:
            self.released.wait(20)
        if self.broken:
            raise ZeroDivisionError
        return True


@dataclass
class Helpers:
    hangs: bool = False
    asked_again: int = 0

    def hung(self) -> bool:
        return self.hangs

    def ask_again(self) -> None:
        self.asked_again += 1
        self.hangs = False


@dataclass
class Scene:
    eyes: FakeEyes = field(default_factory=FakeEyes)
    helpers: Helpers = field(default_factory=Helpers)
    boundary: Boundary = field(default_factory=Boundary)
    changed: int = 0
    pause: float = 0.0

    def __post_init__(self) -> None:
        self.looker = Looker(self.boundary, self._change, self.eyes, self.helpers, self.pause)

    def _change(self) -> None:
        self.changed += 1


def numbered(pid: int) -> Session:
    return session(session_id=f"s{pid}", pid=pid)


@pytest.fixture
def scene() -> Iterator[Scene]:
    made = Scene()
    yield made
    made.eyes.open.set()
    made.eyes.released.set()
    made.looker.stop()


def play(story: Callable[[], Coroutine[Any, Any, None]]) -> None:
    asyncio.run(story())


async def until(condition: Callable[[], object]) -> None:
    end = time.monotonic() + 20
    while not condition():
        assert time.monotonic() < end, "waited in vain"
        await asyncio.sleep(0.005)


def test_what_answers_is_known(scene: Scene) -> None:
    async def story() -> None:
        scene.eyes.open.set()
        await until(lambda: scene.looker.focused(numbered(1)))

    play(story)


def test_what_hangs_holds_the_loop_for_a_moment_only_however_many_sessions_ask(scene: Scene) -> None:
    async def story() -> None:
        begun = time.monotonic()
        looks = [scene.looker.focused(numbered(pid)) for pid in range(12)]
        took = time.monotonic() - begun
        assert (looks, all(scene.looker.awaits_focus(numbered(pid)) for pid in range(12))) == ([None] * 12, True)
        assert 0.9 * MOMENT <= took < 0.2

    play(story)


def test_a_session_is_not_waited_for_any_longer_than_it_takes_to_be_patient(scene: Scene) -> None:
    async def story() -> None:
        assert scene.looker.focused(numbered(1)) is None
        assert scene.looker.focused(numbered(99)) is None
        await until(lambda: not scene.looker.awaits_focus(numbered(99)))
        begun = time.monotonic()
        looks = [scene.looker.focused(numbered(pid)) for pid in range(12)]
        assert (looks, any(scene.looker.awaits_focus(numbered(pid)) for pid in range(12))) == ([None] * 12, False)
        assert (time.monotonic() - begun < MOMENT, scene.eyes.asked) == (True, [1]), "the thread hangs: it is not asked"

    play(story)


def test_a_late_answer_wakes_the_loop_and_is_used_once(scene: Scene) -> None:
    async def story() -> None:
        assert (scene.looker.focused(numbered(1)), scene.changed) == (None, 0)
        scene.eyes.open.set()
        await until(lambda: scene.changed == 1)
        assert (scene.looker.awaits_focus(numbered(1)), scene.looker.focused(numbered(1))) == (False, True)
        assert scene.eyes.asked == [1]
        scene.looker.focused(numbered(1))
        await until(lambda: scene.eyes.asked == [1, 1])

    play(story)


def test_an_answer_is_kept_until_the_others_are_known(scene: Scene) -> None:
    async def story() -> None:
        scene.eyes.holds = 2
        assert [scene.looker.focused(numbered(pid)) for pid in (1, 2)] == [None, None]
        scene.eyes.open.set()
        await until(lambda: scene.looker.focused(numbered(1)))
        assert (scene.looker.focused(numbered(1)), scene.looker.focused(numbered(2))) == (True, None)
        scene.eyes.released.set()
        await until(lambda: scene.looker.focused(numbered(2)))
        assert scene.eyes.asked == [1, 2]

    play(story)


def test_one_thread_asks_for_all(scene: Scene) -> None:
    async def story() -> None:
        threads = new_threads()
        for pid in range(12):
            scene.looker.focused(numbered(pid))
        assert threads() == 1
        scene.eyes.open.set()
        await until(lambda: len(scene.eyes.asked) == 12 and not threads())

    play(story)


def test_eyes_that_raise_are_shown_as_broken_and_asked_again(scene: Scene) -> None:
    async def story() -> None:
        scene.eyes.broken = True
        scene.looker.focused(numbered(1))
        scene.looker.focused(numbered(2))
        scene.eyes.open.set()
        await until(lambda: scene.boundary.broken)
        assert scene.boundary.broken.keys() == {"focused session"}
        await until(lambda: not scene.looker.awaits_focus(numbered(2)))
        scene.eyes.broken = False
        scene.looker.focused(numbered(2))
        await until(lambda: not scene.boundary.broken)

    play(story)


def test_helpers_that_hang_are_asked_again_after_a_pause_by_another_thread(scene: Scene) -> None:
    async def story() -> None:
        scene.helpers.hangs = True
        scene.eyes.open.set()
        scene.looker.focused(numbered(1))
        await until(lambda: scene.helpers.asked_again == 1)
        assert not scene.helpers.hangs

    play(story)


@NEED_LINUX
def test_helpers_that_hang_are_asked_again_once_a_thread_starts(scene: Scene) -> None:
    async def story() -> None:
        scene.looker.focused(numbered(1))
        with no_threads():
            scene.helpers.hangs = True
            scene.eyes.open.set()
            await until(lambda: scene.boundary.attempts.get("helpers of the focus", 0) > 1)
            assert scene.helpers.asked_again == 0
        await until(lambda: scene.helpers.asked_again == 1)

    play(story)


def test_after_the_stop_nobody_is_asked_again(scene: Scene) -> None:
    async def story() -> None:
        scene.helpers.hangs = True
        scene.looker.stop()
        scene.eyes.open.set()
        scene.looker.focused(numbered(1))
        await until(lambda: scene.eyes.asked)
        await asyncio.sleep(0)
        assert scene.helpers.asked_again == 0

    play(story)


class NoThreads:
    """The Supervisor of a machine that has no thread left."""

    def keep(self, part: str, work: Work) -> asyncio.Task[None]:
        raise NotImplementedError

    def once(self, part: str, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        raise NotImplementedError

    def thread(self, part: str, work: Callable[[], None]) -> bool:
        return False


def test_without_a_thread_the_focus_is_not_known_and_nothing_is_waited_for() -> None:
    looker = Looker(NoThreads(), lambda: None, FakeEyes())
    found = [(looker.focused(numbered(pid)), looker.awaits_focus(numbered(pid))) for pid in (1, 1, 2)]
    assert found == [(None, False)] * 3
