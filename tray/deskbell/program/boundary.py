"""What happens when a part of the desktop breaks? It is written down once, and the program goes on without it."""

import logging
from collections.abc import Awaitable, Callable
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")

log = logging.getLogger(__name__)


class Boundary:
    """Every adapter is called through here: panels, buses, disks and other people's code fail in every way there is."""

    def __init__(self) -> None:
        self.broken: dict[str, str] = {}
        """What does not work at the moment, and what it said."""

    def call(self, part: str, effect: Callable[P, T], *args: P.args, **named: P.kwargs) -> T | None:
        try:
            result = effect(*args, **named)
        except Exception as error:  # noqa: BLE001  # the adapter boundary: see the class
            self._failed(part, error)
            return None
        self._works(part)
        return result

    async def wait(self, part: str, effect: Awaitable[T]) -> T | None:
        try:
            result = await effect
        except Exception as error:  # noqa: BLE001  # the adapter boundary: see the class
            self._failed(part, error)
            return None
        self._works(part)
        return result

    def _failed(self, part: str, error: Exception) -> None:
        said = f"{type(error).__name__}: {error}"
        if self.broken.get(part) != said:
            log.error("%s: %s", part, said, exc_info=error)
        self.broken[part] = said

    def _works(self, part: str) -> None:
        if self.broken.pop(part, None):
            log.info("%s: works again", part)
