"""Is the display still there that the person logged in to? When it goes, their session is over."""

import os
import socket
import sys
from collections.abc import Mapping
from pathlib import Path


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
