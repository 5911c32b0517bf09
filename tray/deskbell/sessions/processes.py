"""Is the client of a session still alive, and not another program that was given its number?"""

import asyncio
import os
import sys
from collections.abc import Callable, Iterable

import psutil

from deskbell_hooks.place import process_start

SLACK = 2.0
"""Seconds by which a process may seem younger than what it has already said: clocks differ in what they count."""


def is_alive(pid: int, start: int | None, heard_at: float) -> bool:
    """By the start that was written down, in clock ticks; where none was, by not being younger than its own words."""
    if sys.platform == "linux" and start is not None:
        return process_start(pid) == start
    try:
        return psutil.Process(pid).create_time() <= heard_at + SLACK
    except psutil.NoSuchProcess:
        return False
    except psutil.Error:
        return True


def host() -> str:
    if sys.platform == "win32":
        return os.environ.get("COMPUTERNAME", "")
    return os.uname().nodename


class Deaths:
    """Tells of each watched process that has ended, without asking again and again."""

    def __init__(self, loop: asyncio.AbstractEventLoop, tell: Callable[[int], None]) -> None:
        self._loop = loop
        self._tell = tell
        self._watched: dict[int, int] = {}

    @property
    def possible(self) -> bool:
        """Else somebody has to look every second."""
        return sys.platform == "linux" and hasattr(os, "pidfd_open")

    def watch(self, pids: Iterable[int]) -> None:
        wanted = set(pids) if self.possible else set()
        for pid in self._watched.keys() - wanted:
            self._drop(pid)
        for pid in wanted - self._watched.keys():
            self._add(pid)

    def close(self) -> None:
        self.watch(())

    def _add(self, pid: int) -> None:
        if sys.platform != "linux":
            return
        try:
            fd = os.pidfd_open(pid)
        except ProcessLookupError:
            self._loop.call_soon(self._tell, pid)
            return
        except OSError:  # a kernel before 5.3, or too many open files: the next look tells
            return
        self._watched[pid] = fd
        self._loop.add_reader(fd, self._ended, pid)

    def _ended(self, pid: int) -> None:
        self._drop(pid)
        self._tell(pid)

    def _drop(self, pid: int) -> None:
        fd = self._watched.pop(pid)
        self._loop.remove_reader(fd)
        os.close(fd)
