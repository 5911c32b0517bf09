"""Call everything that the bell depends on, one thing at a time, and keep the last error of each.

A ring needs a dozen answers from files, desktops and channels. If a call fails, a safe answer takes its place, and the
menu says what does not work until it works again. If it was not tried again for ten minutes, the menu forgets it: the
channel of a message may be gone.
"""

import logging
import time
from collections.abc import Callable
from typing import TypeVar

from deskbell.errors import reason

T = TypeVar("T")

SHOWN_FOR = 600.0
"""Seconds for which an error is shown that does not happen again."""

log = logging.getLogger(__name__)


class Guard:
    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._troubles: dict[str, str] = {}
        self._failed_at: dict[str, float] = {}
        """When each of these last failed."""

    @property
    def problem(self) -> str | None:
        """What does not work and why, in one sentence; None if all works."""
        since = self._clock() - SHOWN_FOR
        return next((f"{what}: {why}" for what, why in self._troubles.items() if self._failed_at[what] > since), None)

    def why(self, what: str) -> str:
        """Return why WHAT does not work; the empty string if it does."""
        return self._troubles.get(what, "")

    def call(self, what: str, effect: Callable[[], T], otherwise: T) -> T:
        """Return what EFFECT returns, or OTHERWISE if it raises. WHAT says what does not work then."""
        try:
            result = effect()
        except Exception as error:  # noqa: BLE001  # an error in one thing must not silence the bell
            self._failed(what, error)
            return otherwise
        self.forget(what)
        return result

    def works(self, what: str, effect: Callable[[], object]) -> bool:
        """Run EFFECT and return True unless it raised."""
        return self.call(what, lambda: (effect(), True)[1], False)

    def forget(self, what: str) -> None:
        self._failed_at.pop(what, None)
        if self._troubles.pop(what, None):
            log.info("%s: works again", what)

    def _failed(self, what: str, error: Exception) -> None:
        now = self._clock()
        for old in [one for one, at in self._failed_at.items() if one != what and at <= now - SHOWN_FOR]:
            del self._troubles[old], self._failed_at[old]
        before, self._troubles[what] = self._troubles.get(what), reason(error)
        self._failed_at[what] = now
        if before is None:
            log.error("%s", what, exc_info=error)
