"""Disturb the hooks of a modelled client: late, twice, lost. Say when everything reaches the machine."""

import random
from collections.abc import Iterable
from typing import NamedTuple

from tests.simulation.traces import Happening, Hook, Registry, Truth

NEVER = float("inf")
LATEST = 2.0
"""Seconds by which a hook may be late."""
WRITTEN = 0.01
"""Seconds that a hook takes to write the record."""


class Weather(NamedTuple):
    seed: int = 0
    slow: float = 0.0
    """The share of the hooks that are up to LATEST seconds late."""
    doubled: float = 0.0
    lost: float = 0.0
    deaf_from: float = NEVER
    """Seconds after the start from which hooks are lost for a time, as with a broken settings.json or a full disk."""
    deaf_for: float = 0.0
    """Seconds for which they are lost."""
    jitter: float = 0.0
    """Seconds by which the registry may be early or late."""
    restarts: float = 0.0
    """The share of the moments at which the running World is started anew."""
    steps: tuple[tuple[float, float], ...] = ()
    """How somebody sets the clock: how many seconds after the start, and by how many seconds."""


class Wall(NamedTuple):
    """The wall clock of the machine, which somebody sets."""

    begun: float
    steps: tuple[tuple[float, float], ...] = ()

    def ahead(self, now: float) -> float:
        """Return by how many seconds the clock is ahead of the true time NOW."""
        return sum(by for after, by in self.steps if self.begun + after <= now)

    def at(self, now: float) -> float:
        return now + self.ahead(now)


class Arrival(NamedTuple):
    at: float
    """NEVER for a hook that is lost."""
    what: Happening


def arrivals(happenings: Iterable[Happening], begun: float, weather: Weather) -> list[Arrival]:
    dice = random.Random(weather.seed)
    found = []
    for one in happenings:
        at = one.at
        if isinstance(one, Truth):
            continue
        if isinstance(one, Hook):
            deaf = weather.deaf_from <= at - begun < weather.deaf_from + weather.deaf_for
            lost = dice.random() < weather.lost
            at += WRITTEN + (dice.uniform(0, LATEST) if dice.random() < weather.slow else 0.0)
            if deaf or lost:
                at = NEVER
            if dice.random() < weather.doubled:
                found.append(Arrival(at + dice.uniform(0, 0.5), one))
        elif isinstance(one, Registry):
            at += dice.uniform(-weather.jitter, weather.jitter)
        found.append(Arrival(at, one))
    return sorted(found, key=lambda arrival: arrival.at)
