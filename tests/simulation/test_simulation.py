"""Test that Deskbell is right at every moment of generated sessions, whatever befalls their hooks.

A running look and a fresh look are compared with what the modelled client truly does. `DESKBELL_THOROUGH=1` compares
a million moments. A story that fails is shrunk, and printed with everything that the client fired and wrote.
"""

import os
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.simulation.check import report, wrongs
from tests.simulation.client import Client
from tests.simulation.machine import Weather

MOMENTS = 1_000_000 if os.environ.get("DESKBELL_THOROUGH") else 20_000
A_STORY = 40
"""Moments in a story, about."""
START = 1_000_000.0
PAUSES = (0.3, 0.7, 1.5, 3.0, 8.0, 20.0)
"""Seconds between two moves: a person in a hurry, one who thinks, and a coffee break."""

NEVER = float("inf")


def weather(**befalls: st.SearchStrategy[float]) -> st.SearchStrategy[Weather]:
    calm = {"slow": 0.0, "doubled": 0.0, "deaf_from": NEVER, "deaf_for": 0.0, "jitter": 0.0}
    return st.builds(
        Weather, seed=st.integers(0, 999), **{**{name: st.just(is_) for name, is_ in calm.items()}, **befalls}
    )


SOON = st.floats(1.0, 30.0)
WEATHERS = {
    "every hook is heard at once": weather(),
    "hooks arrive up to two seconds late and out of order": weather(slow=st.just(0.2), jitter=st.just(0.04)),
    "hooks arrive twice": weather(doubled=st.just(0.3), jitter=st.just(0.03)),
    "hooks are lost from some moment on": weather(deaf_from=SOON, deaf_for=st.just(NEVER)),
    "hooks are lost for a while": weather(deaf_from=SOON, deaf_for=st.floats(5.0, 60.0)),
}


@st.composite
def clients(draw: Callable[..., object]) -> Client:
    client = Client("s", 7, START)
    steps = draw(st.lists(st.tuples(st.integers(0, 59), st.sampled_from(PAUSES)), min_size=1, max_size=14))
    assert isinstance(steps, list)
    for choice, pause in steps:
        if moves := client.moves():
            client.do(moves[choice % len(moves)], pause)
    return client


@pytest.fixture(scope="module")
def disk() -> Iterator[Path]:
    """Memory where the system has some: a million moments are two million small files."""
    memory = Path("/dev/shm")
    with tempfile.TemporaryDirectory(dir=memory if memory.is_dir() else None) as folder:
        yield Path(folder)


@pytest.mark.timeout(3600)
@pytest.mark.parametrize("weather", WEATHERS)
def test_no_look_says_what_is_not_so(weather: str, disk: Path) -> None:
    @settings(max_examples=MOMENTS // A_STORY // len(WEATHERS))
    @given(clients(), WEATHERS[weather])
    def at_every_moment(client: Client, befalls: Weather) -> None:
        wrong = next(wrongs(disk, client, befalls), None)
        assert wrong is None, report(client, wrong)

    at_every_moment()
