"""Find the tests that need the marker `long`: those that take more than a second in all their cases together.

The seconds are those of the processor, also in the processes that a test starts: they depend far less on the load of the
machine than the time until a test has ended. A test that only waits is not found.
"""

import os
from collections import defaultdict
from collections.abc import Iterable
from typing import Protocol

MOST = 1.0
"""Seconds."""
SPENT = "processor seconds"
"""The name under which the report of a case has them."""


class Report(Protocol):
    """The setup, the call or the teardown of one case."""

    @property
    def nodeid(self) -> str: ...
    @property
    def user_properties(self) -> list[tuple[str, object]]: ...


def processor() -> float:
    """The seconds of the processor that this process has taken, and those of its children that have ended."""
    return sum(os.times()[:4])


def costly(reports: Iterable[Report], most: float = MOST) -> list[tuple[str, float]]:
    """The tests that took more than MOST seconds, the most costly first, with their seconds."""
    taken: defaultdict[str, float] = defaultdict(float)
    for report in reports:
        spent = dict(report.user_properties).get(SPENT, 0.0)
        if isinstance(spent, float):
            taken[report.nodeid.partition("[")[0]] += spent
    return sorted(((name, spent) for name, spent in taken.items() if spent > most), key=lambda one: -one[1])
