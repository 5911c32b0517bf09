"""Read, write and remove the entry that starts Deskbell at login. It is written only if it changes."""

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
"""`elsewhere`: the entry starts another Deskbell, or this one with another home. `gone`: its program is missing."""


class LoginEntry(Protocol):
    """The entry of one system."""

    @property
    def where(self) -> str:
        """Where the entry is, in the words of the system."""
        ...

    def read(self) -> Command | None:
        """Return the command that starts at login; None if there is none or the desktop's settings switch it off."""
        ...

    def write(self, command: Command) -> bool:
        """Make COMMAND start at login. Return whether that changed anything."""
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
        """Correct the entry of a Deskbell that has moved, then read whether an entry starts one."""
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
    """Return the entry of this system."""
    if sys.platform == "win32":
        from deskbell.desktop.autostart.windows import Hive, RunValue

        return RunValue(Hive())
    if sys.platform == "darwin":
        from deskbell.desktop.autostart.macos import LaunchAgent

        return LaunchAgent(expanded("~/Library/LaunchAgents"))
    from deskbell.desktop.autostart.linux import DesktopEntry

    return DesktopEntry(config_home(os.environ) / "autostart")


def config_home(environment: Mapping[str, str]) -> Path:
    """Return XDG_CONFIG_HOME or its default. The XDG specification says to ignore a relative path."""
    given = Path(environment.get("XDG_CONFIG_HOME", ""))
    return given if given.is_absolute() else expanded("~/.config")


def data_home(environment: Mapping[str, str]) -> Path:
    """Return XDG_DATA_HOME or its default. The XDG specification says to ignore a relative path."""
    given = Path(environment.get("XDG_DATA_HOME", ""))
    return given if given.is_absolute() else expanded("~/.local/share")


def program() -> Command:
    """Return the command that starts this Deskbell again, without a verb."""
    return program_of(Path(sys.argv[0]), Path(sys.executable), os.environ, frozen=getattr(sys, "frozen", False))


def ours() -> Command:
    return command(program(), os.environ.get("DESKBELL_HOME"))


def command(program: Command, moved: str | None) -> Command:
    """Return the command for the entry. MOVED is DESKBELL_HOME, because the environment of a login lacks it."""
    if moved:
        return (*program, "autostart", "start", "--home", str(expanded(moved).absolute()))
    return (*program, "run")


def program_of(called: Path, python: Path, environment: Mapping[str, str], frozen: bool) -> Command:
    """Return the command that starts the program again that was CALLED by this name, and that PYTHON runs."""
    if frozen:
        # An AppImage is mounted at a new place at each start.
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
    """Return what ENTRY starts at login, compared with OURS."""
    written = entry.read()
    if not written:
        return "off"
    if not _is_there(written[0]):
        return "gone"
    return "on" if written == ours else "elsewhere"


def refresh(entry: LoginEntry, ours: Command) -> bool:
    """Rewrite the entry of a Deskbell that has moved. Keep an entry that still works, or that has another home.

    Return whether it was rewritten.
    """
    written = entry.read()
    if not written or _is_there(written[0]) or _home(written) != _home(ours):
        return False
    return entry.write(ours)


def _is_there(program: str) -> bool:
    """Return whether PROGRAM exists, also on the PATH: a person may have written `sh -c "sleep 9; deskbell run"`."""
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
