"""Call everything that the bell depends on, one thing at a time, and keep the last error of each.

A ring needs a dozen answers from files, desktops and channels. If a call fails, a safe answer takes its place, and the
menu says what does not work until it works again.
"""

import logging
from collections.abc import Callable
from typing import TypeVar

from deskbell.errors import reason

T = TypeVar("T")

log = logging.getLogger(__name__)


class Guard:
    def __init__(self) -> None:
        self._troubles: dict[str, str] = {}

    @property
    def problem(self) -> str | None:
        """What does not work and why, in one sentence; None if all works."""
        return next((f"{what}: {why}" for what, why in self._troubles.items()), None)

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
        if self._troubles.pop(what, None):
            log.info("%s: works again", what)

    def _failed(self, what: str, error: Exception) -> None:
        before, self._troubles[what] = self._troubles.get(what), reason(error)
        if before is None:
            log.error("%s", what, exc_info=error)
