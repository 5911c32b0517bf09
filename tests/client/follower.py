"""Look at files again and again in a thread, until a block ends."""

import threading
from abc import ABC, abstractmethod
from typing import Self

GLANCE = 0.005
"""Seconds between two looks."""


class Follower(ABC):
    def __init__(self) -> None:
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._follow, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()

    @abstractmethod
    def look(self) -> None: ...

    def _follow(self) -> None:
        while not self._over.wait(GLANCE):
            self.look()
        self.look()
