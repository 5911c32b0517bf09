"""Notice files that change and processes that end, and wake the loop."""

import asyncio
import os
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from deskbell.changes import Changes
from deskbell.desktop.descriptors import share
from deskbell.desktop.watch import Watcher, watch
from deskbell.supervision import Supervisor

LOOK_EVERY = 1.0
"""Seconds until the next look if the system does not report the end of every process."""


class RealEars:
    """The Ears of `deskbell.program.parts`."""

    def __init__(
        self,
        supervisor: Supervisor,
        folders: Callable[[], Sequence[Path]],
        died: Callable[[int], None],
        nudge: Callable[[], None] = lambda: None,
    ) -> None:
        """DIED is called in the loop with the number of a process that has ended, and NUDGE before every wake."""
        self._supervisor = supervisor
        self._folders = folders
        self._died = died
        self._nudge = nudge
        self._watcher: Watcher | None = None
        self._deaths: Deaths | None = None

    def listen(self, wake: Callable[[], None]) -> None:
        def changed() -> None:
            self._nudge()
            wake()

        def ended(pid: int) -> None:
            self._died(pid)
            changed()

        self._deaths = Deaths(asyncio.get_running_loop(), ended)
        self._watcher = watch(self._folders(), changed, self._supervisor)

    def changes(self) -> Changes | None:
        """Return which files changed since the last call; None if that is not known."""
        return self._watcher.changes() if self._watcher else None

    def follow(self, pids: frozenset[int]) -> float | None:
        """Notice the end of PIDS. Return the seconds until the next look; None if the system reports every end."""
        if self._deaths is None:
            return LOOK_EVERY
        self._deaths.watch(pids)
        return None if self._deaths.all_heard or not pids else LOOK_EVERY

    def hear(self, pid: int) -> bool:
        """Return whether the system will report the end of PID, which has not ended yet as far as is known."""
        return self._deaths is not None and self._deaths.hears(pid)

    def mend(self) -> None:
        if self._watcher:
            self._watcher.folders = self._folders()
            self._watcher.mend()

    def close(self) -> None:
        if self._deaths:
            self._deaths.close()
        if self._watcher:
            self._watcher.close()


class Deaths:
    """Calls TELL once for each watched process that has ended, without polling."""

    def __init__(self, loop: asyncio.AbstractEventLoop, tell: Callable[[int], None]) -> None:
        self._loop = loop
        self._tell = tell
        self.all_heard = True
        """Whether the system reports the end of every process that is watched."""
        self._watched: dict[int, int] = {}
        self._gone: set[int] = set()
        """The processes that have ended and are still wanted: a session may be examined after its client has ended."""

    def watch(self, pids: Iterable[int]) -> None:
        """Watch PIDS and no others. Each takes a descriptor, so at most `share()` are watched."""
        wanted = set(pids)
        if wanted == self._watched.keys():
            self._gone.clear()
            self.all_heard = True
            return
        for pid in self._watched.keys() - wanted:
            self._drop(pid)
        self._gone &= wanted
        room = share()
        for pid in wanted - self._watched.keys() - self._gone:
            if len(self._watched) < room:
                self._add(pid)
        self.all_heard = wanted <= self._watched.keys() | self._gone

    def hears(self, pid: int) -> bool:
        return pid in self._watched

    def close(self) -> None:
        self.watch(())

    def _add(self, pid: int) -> None:
        if sys.platform != "linux" or not hasattr(os, "pidfd_open"):
            return
        try:
            fd = os.pidfd_open(pid)
        except ProcessLookupError:
            self._gone.add(pid)
            self._loop.call_soon(self._tell, pid)
            return
        except OSError:  # a kernel before 5.3, or too many open files: the next look finds out
            return
        try:
            self._loop.add_reader(fd, self._ended, pid)
        except OSError:  # epoll can watch no more: the next look finds out, too
            os.close(fd)
        else:
            self._watched[pid] = fd

    def _ended(self, pid: int) -> None:
        self._drop(pid)
        self._gone.add(pid)
        self._tell(pid)

    def _drop(self, pid: int) -> None:
        fd = self._watched.pop(pid)
        self._loop.remove_reader(fd)
        os.close(fd)
