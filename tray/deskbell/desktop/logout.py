"""Detect a logout: the display that the person logged in to has gone."""

import asyncio
import os
import socket
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

from deskbell.supervision import Supervisor

FIRST_LOOK, SLOWEST_LOOK = 1.0, 30.0
"""Seconds between two looks at the display."""


class Departure:
    """Calls LEAVE after a logout. Once the tray host has gone, it polls whether the display has gone, too."""

    def __init__(self, supervisor: Supervisor, leave: Callable[[], None]) -> None:
        self._supervisor = supervisor
        self._leave = leave
        self._was_hosted = False
        self._looking: asyncio.Task[None] | None = None

    def hosted(self, hosted: bool) -> None:
        """Take note that the icon has got or lost its host. Call this in the loop."""
        if self._looking:
            self._looking.cancel()
        if self._was_hosted and not hosted:
            self._looking = self._supervisor.keep("logout", self._look)
        self._was_hosted = self._was_hosted or hosted

    async def _look(self) -> None:
        pause = FIRST_LOOK
        while not await asyncio.to_thread(gone):
            await asyncio.sleep(pause)
            pause = min(pause * 1.2, SLOWEST_LOOK)
        self._leave()


def gone(environment: Mapping[str, str] = os.environ) -> bool:
    """Return whether the display has gone. A new X server at the same address refuses this session's cookie."""
    if name := environment.get("WAYLAND_DISPLAY"):
        return not _listens(Path(environment.get("XDG_RUNTIME_DIR", ""), name))
    name = environment.get("DISPLAY")
    return bool(name) and not _accepts(str(name))


def _listens(path: Path) -> bool:
    if sys.platform == "win32":  # has no Wayland
        return True
    with socket.socket(socket.AF_UNIX) as wayland:
        try:
            wayland.connect(str(path))
        except OSError:
            return False
    return True


def _accepts(name: str) -> bool:
    from deskbell.desktop.xserver import GONE, Server

    try:
        Server(name).close()
    except GONE:
        return False
    return True
