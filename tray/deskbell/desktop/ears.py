"""What does the loop listen to? Files that change, and processes that end."""

import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path

from deskbell.desktop.watch import Watcher, watch
from deskbell.sessions.processes import Deaths

LOOK_EVERY = 1.0
"""Seconds, where the system does not tell of the end of a process."""


class RealEars:
    def __init__(self, folders: Callable[[], Sequence[Path]], died: Callable[[int], None]) -> None:
        self._folders = folders
        self._died = died
        self._watcher: Watcher | None = None
        self._deaths: Deaths | None = None

    def listen(self, wake: Callable[[], None]) -> None:
        def ended(pid: int) -> None:
            self._died(pid)
            wake()

        self._deaths = Deaths(asyncio.get_running_loop(), ended)
        self._watcher = watch(self._folders(), wake)

    def follow(self, pids: frozenset[int]) -> float | None:
        if self._deaths is None:
            return LOOK_EVERY
        self._deaths.watch(pids)
        return None if self._deaths.possible or not pids else LOOK_EVERY

    def mend(self) -> None:
        if self._watcher:
            self._watcher.folders = self._folders()
            self._watcher.mend()

    def close(self) -> None:
        if self._deaths:
            self._deaths.close()
        if self._watcher:
            self._watcher.close()
