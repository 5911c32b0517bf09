"""Test the clock that nobody can set."""

import time

import pytest

from deskbell.steady import steady


@pytest.mark.parametrize("step", [-365 * 86400.0, -1.0, 3600.0, 365 * 86400.0])
def test_it_goes_on_though_the_clock_of_the_machine_is_set(step: float) -> None:
    wall, gone = [1000.0], [50.0]
    clock = steady(lambda: wall[0], lambda: gone[0])
    assert clock() == 1000.0
    wall[0] += step
    gone[0] += 7.0
    assert clock() == 1007.0


def test_it_shows_the_time_of_the_machine() -> None:
    clock = steady(time.time)
    first = clock()
    assert first == pytest.approx(time.time(), abs=5)
    assert clock() >= first
