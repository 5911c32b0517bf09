"""Read, write and remove the entry that starts Deskbell at login. It is written only when it differs."""

import os
import shutil
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal, Protocol

from deskbell.errors import Problem
from deskbell.files.write import write_changed
from deskbell.home import expanded

Command = tuple[str, ...]
"""The program and its arguments."""

LARGEST = 64 * 1024
"""Bytes of an entry that is a file."""

LoginState = Literal["off", "on", "elsewhere", "gone"]
"""`elsewhere`: another Deskbell starts, or this one with another home. `gone`: the program is missing."""


class LoginEntry(Protocol):
    @property
    def where(self) -> str:
        """Where the entry is, in the words of the system."""
        ...

    def read(self) -> Command | None:
        """Return what starts at login; None also if the person switched it off in their desktop's settings."""
        ...

    def write(self, command: Command) -> bool:
        """Have COMMAND start at login. Return whether that changed anything."""
        ...

    def remove(self) -> bool:
        """Start nothing at login. Return whether that changed anything."""
        ...


class Login:
    """The start at login, as the menu shows and changes it."""

    def __init__(self) -> None:
        self.on: bool | None = None
        """None until examined."""

    def examine(self) -> None:
        """Have the entry follow a Deskbell that has moved, then read whether it starts one."""
        there, mine = entry(), ours()
        refresh(there, mine)
        self.on = state(there, mine) in ("on", "elsewhere")

    def set(self, on: bool) -> None:
        if on:
            entry().write(ours())
        else:
            entry().remove()
        self.on = on


def entry() -> LoginEntry:
    if sys.platform == "win32":
        from deskbell.desktop.autostart.windows import Hive, RunValue

        return RunValue(Hive())
    if sys.platform == "darwin":
        from deskbell.desktop.autostart.macos import LaunchAgent

        return LaunchAgent(expanded("~/Library/LaunchAgents"))
    from deskbell.desktop.autostart.linux import DesktopEntry

    return DesktopEntry(config_home(os.environ) / "autostart")


def config_home(environment: Mapping[str, str]) -> Path:
    """Return XDG_CONFIG_HOME or its default; by the XDG specification a relative path is ignored."""
    given = Path(environment.get("XDG_CONFIG_HOME", ""))
    return given if given.is_absolute() else expanded("~/.config")


def program() -> Command:
    """Return the command that starts this very Deskbell again, without its verb."""
    return program_of(Path(sys.argv[0]), Path(sys.executable), os.environ, frozen=getattr(sys, "frozen", False))


def ours() -> Command:
    return command(program(), os.environ.get("DESKBELL_HOME"))


def command(program: Command, moved: str | None) -> Command:
    """Return the command for the entry. MOVED is DESKBELL_HOME, which the login does not know."""
    if moved:
        return (*program, "autostart", "start", "--home", str(expanded(moved).absolute()))
    return (*program, "run")


def program_of(called: Path, python: Path, environment: Mapping[str, str], frozen: bool) -> Command:
    if frozen:
        # An AppImage is mounted at another place at each start.
        return (environment.get("APPIMAGE") or str(python),)
    if sys.platform == "win32":
        # deskbell.exe opens a console window.
        windowless = python.with_name("pythonw.exe")
        return (str(windowless if windowless.exists() else python), "-m", "deskbell")
    # The called name survives upgrades: pipx keeps links in ~/.local/bin.
    for script in (called, python.with_name("deskbell")):
        if script.name == "deskbell" and script.is_file() and os.access(script, os.X_OK):
            return (str(script.absolute()),)
    return (str(python), "-m", "deskbell")


def state(entry: LoginEntry, ours: Command) -> LoginState:
    written = entry.read()
    if not written:
        return "off"
    if not _is_there(written[0]):
        return "gone"
    return "on" if written == ours else "elsewhere"


def refresh(entry: LoginEntry, ours: Command) -> bool:
    """Rewrite the entry of a Deskbell that has moved. Leave alone one that still starts, or that has another home."""
    written = entry.read()
    if not written or _is_there(written[0]) or _home(written) != _home(ours):
        return False
    return entry.write(ours)


def _is_there(program: str) -> bool:
    """The entry may be the person's own and name a program on the PATH: `sh -c "sleep 9; deskbell run"`."""
    return Path(program).exists() or shutil.which(program) is not None


def _home(command: Sequence[str]) -> str | None:
    return command[command.index("--home") + 1] if "--home" in command[:-1] else None


def replace(path: Path, content: bytes) -> bool:
    """Write an entry that is a file. Return False if it has the content already."""
    try:
        return write_changed(path, content, mode=0o644, follow=True)
    except OSError as error:
        raise Problem(f"Cannot write {path}: {error.strerror}. Make the folder writable, then try again.") from None


def remove(path: Path) -> bool:
    """Delete an entry that is a file. Return False if it does not exist."""
    try:
        path.unlink()
    except FileNotFoundError:
        return False
    except OSError as error:
        raise Problem(f"Cannot remove {path}: {error.strerror}. Remove it yourself.") from None
    return True
