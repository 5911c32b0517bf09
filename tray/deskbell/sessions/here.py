"""Which world is this machine's? Puts the readers together for every command and for the tray."""

import asyncio
import contextlib
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from deskbell.desktop.watch import watch
from deskbell.home import home
from deskbell.session import Session
from deskbell.sessions.processes import Deaths
from deskbell.sessions.world import World
from deskbell.settings.known import remembered_config_dirs

RESCAN = 30.0
"""Seconds after which everything is read again, wake or not."""


def world(
    tell: Callable[[str], None] = lambda sentence: None, ended_for: float = 15.0, fresh_for: float = 0.0
) -> World:
    return World(home().sessions, remembered_config_dirs, tell, ended_for, fresh_for)


def watched_folders(there: World) -> list[Path]:
    return [home().sessions, *(folder / "sessions" for folder in there.config_dirs)]


async def follow(there: World, show: Callable[[Sequence[Session], float], None], refresh: float = RESCAN) -> None:
    """Shows what is there, and again whenever it changed, until cancelled."""
    woken = asyncio.Event()
    watcher = watch(watched_folders(there), woken.set)

    def died(pid: int) -> None:
        there.died(pid)
        woken.set()

    deaths = Deaths(asyncio.get_running_loop(), died)
    try:
        while True:
            woken.clear()
            now = time.time()
            show(there.read(now), now)
            deaths.watch(there.pids)
            watcher.folders = watched_folders(there)
            watcher.mend()
            due = min(there.again or now + refresh, now + refresh, now + (refresh if deaths.possible else 1.0))
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(woken.wait(), max(0.0, due - time.time()))
    finally:
        deaths.close()
        watcher.close()
