"""Test the loop where what it reads of a part raises, or where the loop itself does: it goes on and says so."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from deskbell.changes import Changes
from deskbell.face.facts import Facts
from deskbell.program.loop import App
from deskbell.program.parts import Disk, GoodStorage, Outlook, disk, outlook
from deskbell.session import Session
from tests.tray.making import NOON, session
from tests.tray.program import test_broken_parts
from tests.tray.virtual_time import play

TESTED_HERE = {"loop", "outlook"}
"""The parts that this module breaks."""


@dataclass
class Stubborn:
    """Sessions of which one property raises."""

    broken: str = ""
    sessions: Sequence[Session] = (session(),)
    reads: list[float] = field(default_factory=list)

    def read(self, now: float, changes: Changes | None) -> Sequence[Session]:
        self.reads.append(now)
        return self.sessions

    def _of(self, name: str, value: Any) -> Any:
        if name == self.broken:
            raise TypeError(f"no {name}")
        return value

    @property
    def again(self) -> float | None:
        return self._of("again", None)  # type: ignore[no-any-return]

    @property
    def pids(self) -> frozenset[int]:
        return self._of("pids", frozenset({7}))  # type: ignore[no-any-return]

    @property
    def watched(self) -> Sequence[Path]:
        return self._of("watched", ())  # type: ignore[no-any-return]

    @property
    def problem(self) -> str | None:
        return self._of("problem", None)  # type: ignore[no-any-return]


class Dumb(GoodStorage):
    def __init__(self, parts: test_broken_parts.Parts) -> None:
        self.parts = parts

    @property
    def problem(self) -> str | None:  # type: ignore[override]
        self.parts.call("storage.problem")
        return None


class Mistaken(test_broken_parts.Parts):
    """Parts whose facts are wrong: what the loop itself makes of them raises."""

    def __init__(self, **wrong: Any) -> None:
        super().__init__()
        self.wrong = wrong

    def facts(self) -> Facts:
        return Facts(**({"hooks": "installed"} | self.wrong))


async def running(app: App, story: Callable[[], None]) -> None:
    task = asyncio.create_task(app.run())
    await asyncio.sleep(10.5)
    assert not task.done()
    story()
    await asyncio.sleep(31)
    app.quit()
    await task


@pytest.mark.parametrize("name", ["again", "pids", "watched", "problem"])
def test_a_world_that_cannot_say_one_thing_is_read_every_second_and_its_sessions_are_shown_and_rung(name: str) -> None:
    parts = test_broken_parts.Parts()

    async def story() -> None:
        app, world = parts.app(), Stubborn(name)
        app.world = world

        def look() -> None:
            sentence = f"Deskbell notices late when sessions change: TypeError: no {name}"
            assert parts.seen() == ("problem", f"{sentence} · 1 running", sentence)
            assert len(world.reads) in range(9, 13)
            assert parts.rung.sessions == (session(),)
            world.broken = ""

        await running(app, look)
        assert app.boundary.broken == {}

    play(story())


def test_the_outlook_is_what_the_world_says_beside_its_sessions() -> None:
    assert outlook(Stubborn()) == Outlook(pids=frozenset({7}))


def test_a_storage_that_cannot_say_its_problem_is_shown_as_broken() -> None:
    parts = test_broken_parts.Parts("storage.problem")

    async def story() -> None:
        app = parts.app()
        app.storage = Dumb(parts)

        def look() -> None:
            assert parts.seen()[2].startswith("Cannot check whether the disk has room for events: LookupError: ")
            assert parts.rung.sessions == (session(),)

        await running(app, look)

    play(story())


def test_a_storage_is_looked_at_before_it_is_asked() -> None:
    class Late(GoodStorage):
        def look(self, now: float) -> None:
            self.problem, self.again = "Disk full.", now + 5

    assert disk(Late(), NOON) == Disk("Disk full.", NOON + 5)


@pytest.mark.parametrize(
    ("wrong", "state", "says"),
    [
        ({"problem": 5}, "problem", "Cannot read and show the sessions: TypeError: "),
        ({"snoozed_until": "x"}, "problem", "Cannot make the menu: TypeError: "),
    ],
)
def test_what_raises_in_the_loop_itself_is_on_the_icon_and_costs_one_turn_each_second(
    wrong: dict[str, Any], state: str, says: str
) -> None:
    parts = Mistaken(**wrong)

    async def story() -> None:
        app = parts.app()

        def look() -> None:
            assert parts.seen()[0] == state
            assert parts.seen()[2].startswith(says)
            assert parts.calls["sessions.read"] in range(9, 24)
            parts.wrong = {}

        await running(app, look)
        assert parts.seen() == test_broken_parts.HEALTHY

    play(story())
