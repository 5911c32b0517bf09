"""Test that an action runs at the start and whenever it is asked for, in time, and never twice at once."""

import asyncio

from deskbell.desktop.repeat import Repeater
from deskbell.program.boundary import Boundary
from tests.tray.virtual_time import play


class Action:
    def __init__(self, takes: float = 0.0, failures: int = 0) -> None:
        self.takes, self.failures = takes, failures
        self.runs: list[float] = []

    async def __call__(self) -> None:
        self.runs.append(asyncio.get_running_loop().time())
        await asyncio.sleep(self.takes)
        if len(self.runs) <= self.failures:
            raise LookupError


def runs(action: Action, *calls: tuple[float, float]) -> list[float]:
    """When the action ran, if it is asked for at each of CALLS: (at this second, to run after so many)."""

    async def story() -> None:
        boundary, repeater = Boundary(), Repeater(action)
        boundary.keep("action", repeater.run)
        for at, after in calls:
            await asyncio.sleep(at - asyncio.get_running_loop().time())
            repeater.again(after)
        await asyncio.sleep(100)
        await boundary.stopped()

    play(story())
    return action.runs


def test_it_runs_at_the_start_and_when_asked_for() -> None:
    assert runs(Action()) == [0]
    assert runs(Action(), (5, 0), (9, 0)) == [0, 5, 9]


def test_it_waits_as_long_as_it_is_asked_to() -> None:
    assert runs(Action(), (5, 10)) == [0, 15]


def test_the_last_call_decides() -> None:
    assert runs(Action(), (5, 10), (6, 0)) == [0, 6]
    assert runs(Action(), (5, 10), (6, 20)) == [0, 26]


def test_calls_during_a_run_are_one_run_after_it() -> None:
    assert runs(Action(takes=3), (5, 0), (6, 0), (7, 0)) == [0, 5, 8]


def test_an_action_that_raised_is_run_again() -> None:
    assert runs(Action(failures=2)) == [0, 1, 3]
