"""Which world is this machine's? Puts the readers together for every command and for the tray."""

import asyncio
import contextlib
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from deskbell.desktop.ears import RealEars
from deskbell.home import home
from deskbell.session import Session
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
    ears = RealEars(lambda: watched_folders(there), there.died)
    ears.listen(woken.set)
    try:
        while True:
            woken.clear()
            now = time.time()
            show(there.read(now), now)
            patience = ears.follow(there.pids)
            ears.mend()
            due = min(there.again or now + refresh, now + refresh, now + (patience or refresh))
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(woken.wait(), max(0.0, due - time.time()))
    finally:
        ears.close()
