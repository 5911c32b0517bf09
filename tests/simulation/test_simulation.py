"""Test that Deskbell is right at every moment of generated sessions, whatever befalls their hooks.

A running look and a fresh look are compared with what the modelled clients truly do, and with each other.
`DESKBELL_THOROUGH=1` compares a million moments. A story that fails is shrunk, and printed with everything that the
clients fired and wrote.
"""

import os
import tempfile
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, seed, settings
from hypothesis import strategies as st

from tests.simulation.check import wrongs
from tests.simulation.story import Story
from tests.simulation.weather import NEVER, Weather

THOROUGH = bool(os.environ.get("DESKBELL_THOROUGH"))
MOMENTS = 1_000_000 if THOROUGH else 15_000
STORIES = 25
"""Stories that are generated together."""
START = 1_000_000.0
PAUSES = (0.3, 0.7, 1.5, 3.0, 8.0, 20.0)
"""Seconds between two moves: a person in a hurry, one who thinks, and a coffee break."""


def weather(**befalls: st.SearchStrategy[Any]) -> st.SearchStrategy[Weather]:
    calm = {name: st.just(default) for name, default in Weather._field_defaults.items()}
    return st.builds(Weather, **{**calm, "seed": st.integers(0, 999), **befalls})


SOON = st.floats(1.0, 30.0)
JITTER = st.just(0.04)
STEPS = st.lists(
    st.tuples(st.floats(0.5, 40.0), st.sampled_from((-7_200.0, -600.0, -5.0, 5.0, 600.0, 7_200.0))),
    min_size=1,
    max_size=3,
).map(lambda steps: tuple(sorted(steps)))
"""When somebody sets the clock, and by how many seconds."""
WEATHERS = {
    "every hook is heard at once": weather(),
    "hooks arrive up to two seconds late and out of order": weather(slow=st.just(0.2), jitter=JITTER),
    "hooks arrive twice": weather(doubled=st.just(0.3), jitter=st.just(0.03)),
    "hooks arrive late and twice": weather(slow=st.just(0.2), doubled=st.just(0.2), jitter=JITTER),
    "hooks are lost from some moment on": weather(deaf_from=SOON, deaf_for=st.just(NEVER)),
    "hooks are lost for a while": weather(deaf_from=SOON, deaf_for=st.floats(5.0, 60.0)),
    "single hooks are lost": weather(lost=st.sampled_from((0.05, 0.2))),
    "the program is restarted now and then": weather(restarts=st.just(0.1)),
    "somebody sets the clock now and then": weather(steps=STEPS),
    "the clock is set while hooks are late": weather(slow=st.just(0.2), jitter=JITTER, steps=STEPS),
    "everything at once": weather(
        slow=st.just(0.2), doubled=st.just(0.2), lost=st.just(0.1), jitter=JITTER, restarts=st.just(0.1)
    ),
}


@st.composite
def stories(draw: Callable[..., object], terminals: int) -> Story:
    story = Story(START, terminals)
    steps = draw(st.lists(st.tuples(st.integers(0, 59), st.sampled_from(PAUSES)), min_size=1, max_size=14))
    assert isinstance(steps, list)
    for choice, pause in steps:
        story.tell(choice, pause)
    return story


@pytest.fixture(scope="module")
def disk() -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as folder:
        yield Path(folder)


IN_QUICK = "everything at once"
"""The worst weather."""


@pytest.mark.timeout(3_600 if THOROUGH else 300)
@pytest.mark.parametrize("terminals", [1, pytest.param(2, marks=pytest.mark.long)])
@pytest.mark.parametrize(
    "weather", [one if one == IN_QUICK else pytest.param(one, marks=pytest.mark.long) for one in WEATHERS]
)
def test_no_look_says_what_is_not_so_and_both_looks_agree(weather: str, terminals: int, disk: Path) -> None:
    compared = 0

    @settings(max_examples=STORIES)
    @given(stories(terminals), WEATHERS[weather])
    def at_every_moment(story: Story, befalls: Weather) -> None:
        nonlocal compared
        for found in wrongs(disk, story, befalls):
            compared += 1
            assert not found, "\n".join([*(f"{wrong.at:.2f} s: {wrong.what}" for wrong in found), str(story)])

    for number in count():
        if compared >= MOMENTS / len(WEATHERS) / 2:
            break
        seed(number)(at_every_moment)()
