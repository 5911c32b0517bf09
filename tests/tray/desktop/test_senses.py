"""Test what is known of the person, and how long it may take to find out."""

import asyncio
import time
from collections.abc import Awaitable, Callable

from deskbell.desktop.focus import Eyes, SilentScreen
from deskbell.desktop.senses import LOOKS_FOR, Person
from deskbell.program.boundary import Boundary
from deskbell.session import Place
from tests.tray.making import session


class Held:
    started = 0
    known = False

    def start(self) -> None:
        self.started += 1

    def now(self) -> str | None:
        return "dunst is paused"

    def stop(self) -> None:
        self.started -= 1


def test_focus_and_do_not_disturb_are_both_known() -> None:
    held = Held()
    person = Person(Boundary(), lambda: None, Eyes(SilentScreen()), held)
    person.start()
    assert (person.focused(session()), person.dnd(), held.started) == (None, "dunst is paused", 1)
    assert person.known is False
    held.known = True
    assert person.known is True
    person.stop()
    assert held.started == 0


class SlowEyes(Eyes):
    """Looks for a while, and counts."""

    looks = 0

    def focused(self, place: Place, pid: int | None) -> bool | None:
        self.looks += 1
        time.sleep(LOOKS_FOR / 3)  # what takes its time is the test
        return True


def looks(story: Callable[[Person], Awaitable[None]]) -> int:
    eyes = SlowEyes(SilentScreen())
    asyncio.run(story(Person(Boundary(), lambda: None, eyes, Held())))  # type: ignore[arg-type]  # any Awaitable
    return eyes.looks


def test_many_slow_looks_in_one_turn_end_soon_and_the_focus_is_then_not_known() -> None:
    async def one_turn(person: Person) -> None:
        assert [person.focused(session()) for _ in range(20)] == [True] * 3 + [None] * 17

    assert looks(one_turn) == 3


def test_the_next_turn_looks_again() -> None:
    async def two_turns(person: Person) -> None:
        for _ in range(2):
            for _ in range(5):
                person.focused(session())
            await asyncio.sleep(0)

    assert looks(two_turns) == 6
