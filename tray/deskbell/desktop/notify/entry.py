"""Write the desktop entry that GNOME needs to give Deskbell the token of a click on a notification, and remove it.

On Wayland a program may raise a window only with a token. GNOME gives one with a click on a notification only if the
hint `desktop-entry` names an installed entry (seen with GNOME Shell 48.7; version 43 gives none). No menu shows the
entry. An entry of a package, or of the person, serves as well and is left alone.
"""

import logging
import os
import sys
from collections.abc import Mapping
from pathlib import Path

from deskbell.desktop.autostart import LARGEST, Command, data_home, ours, remove
from deskbell.desktop.autostart.linux import joined
from deskbell.errors import reason
from deskbell.files.read import read
from deskbell.files.write import write_changed

NAME = "deskbell.desktop"
"""The name of the entry: the hint `desktop-entry` of every notification, with its ending."""
MARK = "X-Deskbell-Wrote-This=true"
ENTRY = f"""\
[Desktop Entry]
Type=Application
Name=Deskbell
Comment=Tells you when a Claude Code session needs you
Exec={{command}}
Icon=preferences-system-notifications
Terminal=false
NoDisplay=true
StartupNotify=false
X-GNOME-UsesNotifications=true
{MARK}
"""

log = logging.getLogger(__name__)


def put(env: Mapping[str, str] = os.environ, command: Command | None = None) -> None:
    """Write the entry, if this is GNOME on Wayland and there is no entry of somebody else."""
    path = _path(env)
    others = [folder / "applications" / NAME for folder in _data_folders(env)]
    if not _is_needed(env) or any(one.exists() for one in others) or (path.exists() and not _is_ours(path)):
        return
    try:
        write_changed(path, ENTRY.format(command=joined(command or ours())).encode(), mode=0o644)
    except OSError as error:
        log.warning("a click on a notification cannot raise a window of GNOME: %s", reason(error))


def take_away(env: Mapping[str, str] = os.environ) -> Path | None:
    """Remove the entry if Deskbell wrote it, and return its path, else None. Raise Problem if it cannot be removed."""
    path = _path(env)
    return path if sys.platform == "linux" and _is_ours(path) and remove(path) else None


def _is_needed(env: Mapping[str, str]) -> bool:
    is_gnome = "GNOME" in env.get("XDG_CURRENT_DESKTOP", "").split(":")
    return sys.platform == "linux" and is_gnome and bool(env.get("WAYLAND_DISPLAY"))


def _path(env: Mapping[str, str]) -> Path:
    return data_home(env) / "applications" / NAME


def _data_folders(env: Mapping[str, str]) -> list[Path]:
    return [Path(folder) for folder in (env.get("XDG_DATA_DIRS") or "/usr/local/share:/usr/share").split(":") if folder]


def _is_ours(path: Path) -> bool:
    try:
        return MARK in read(path, LARGEST).decode(errors="replace").splitlines()
    except OSError:
        return False
