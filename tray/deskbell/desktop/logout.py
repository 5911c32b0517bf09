"""Is the display still there that the person logged in to? When it goes, their session is over."""

import asyncio
import os
import socket
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

SLOWEST_LOOK = 30.0


class Departure:
    """From when on the panel has gone it is looked whether the display goes, too: at a logout that takes some time."""

    def __init__(self, leave: Callable[[], None]) -> None:
        self._leave = leave
        self._was_hosted = False
        self._looking: asyncio.Task[None] | None = None

    def hosted(self, there: bool) -> None:
        """To be called in the loop, at every change."""
        if self._looking:
            self._looking.cancel()
        if self._was_hosted and not there:
            self._looking = asyncio.get_running_loop().create_task(self._look(), name="display")
        self._was_hosted = self._was_hosted or there

    async def _look(self) -> None:
        pause = 1.0
        while not await asyncio.to_thread(gone):
            await asyncio.sleep(pause)
            pause = min(pause * 1.2, SLOWEST_LOOK)
        self._leave()


def gone(environment: Mapping[str, str] = os.environ) -> bool:
    """A new X server at the old address does not know this session's cookie, and is not it."""
    if name := environment.get("WAYLAND_DISPLAY"):
        return not _listens(Path(environment.get("XDG_RUNTIME_DIR", ""), name))
    name = environment.get("DISPLAY")
    return bool(name) and not _takes_us(str(name))


def _listens(path: Path) -> bool:
    if sys.platform == "win32":  # has no Wayland
        return True
    with socket.socket(socket.AF_UNIX) as wayland:
        try:
            wayland.connect(str(path))
        except OSError:
            return False
    return True


def _takes_us(name: str) -> bool:
    from deskbell.desktop.xserver import GONE, Server

    try:
        Server(name).close()
    except GONE:
        return False
    return True
