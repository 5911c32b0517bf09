"""Call what the bell depends on, each thing by itself, and keep what each of them raised last.

A ring needs a dozen answers from files, desktops and channels. One that fails has a safe answer instead, and its
sentence is on the icon until it works again.
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
        """Return what EFFECT returns, and OTHERWISE if it raises. WHAT is what does not work then, in words."""
        try:
            result = effect()
        except Exception as error:  # noqa: BLE001  # what one thing raises must not silence the bell
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
