"""Decide when to try again to display what was not displayed: after pauses that grow, and not for ever. Pure.

The delivery of notices calls this. Times are in seconds, on its clock.
"""

from collections.abc import Iterable

SHORTEST, LONGEST = 1.0, 60.0
"""The pauses until the next attempt. Each is as long as the time that has passed since the first failure."""
GIVES_UP = 900.0
"""Seconds after which nothing is tried again without a change: a system that refuses for so long refuses for good."""


class Retries:
    """Since when each thing has failed."""

    def __init__(self) -> None:
        self._since: dict[str, float] = {}

    def due(self, failed: Iterable[str], now: float) -> float | None:
        """Return when to try again what has FAILED now; None if not at all. What did not fail is forgotten."""
        self._since = {one: self._since.get(one, now) for one in failed}
        ages = [now - since for since in self._since.values()]
        return min((now + min(max(age, SHORTEST), LONGEST) for age in ages if age < GIVES_UP), default=None)

    def forget(self, those: Iterable[str]) -> None:
        """Give THOSE their whole time again, because they have changed."""
        for one in those:
            self._since.pop(one, None)
