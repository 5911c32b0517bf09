"""Does Deskbell start when the person logs in, and which Deskbell? Each entry is written only when it differs."""

import os
import shutil
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal, Protocol

from deskbell.errors import Problem
from deskbell.files.write import write_changed

Command = tuple[str, ...]
"""The program and its arguments."""

LoginState = Literal["off", "on", "elsewhere", "gone"]
"""`elsewhere`: another Deskbell starts, or this one with another home. `gone`: what should start is not there."""


class LoginEntry(Protocol):
    @property
    def where(self) -> str:
        """In the words of the system."""
        ...

    def read(self) -> Command | None:
        """What starts at login; None also where the person switched it off in their desktop's settings."""
        ...

    def write(self, command: Command) -> bool:
        """Whether that changed anything."""
        ...

    def remove(self) -> bool: ...


class Login:
    """The start at login, as the menu shows and changes it."""

    def __init__(self) -> None:
        self.on: bool | None = None
        """None until examined."""

    def examine(self) -> None:
        """Let the entry follow a Deskbell that has moved, then look whether it starts one."""
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

        return LaunchAgent(Path.home() / "Library" / "LaunchAgents")
    from deskbell.desktop.autostart.linux import DesktopEntry

    return DesktopEntry(config_home(os.environ) / "autostart")


def config_home(environment: Mapping[str, str]) -> Path:
    """The XDG specification has a relative path ignored."""
    given = Path(environment.get("XDG_CONFIG_HOME", ""))
    return given if given.is_absolute() else Path.home() / ".config"


def program() -> Command:
    """What starts this very Deskbell again, up to the verb."""
    return program_of(Path(sys.argv[0]), Path(sys.executable), os.environ, frozen=getattr(sys, "frozen", False))


def ours() -> Command:
    return command(program(), os.environ.get("DESKBELL_HOME"))


def command(program: Command, moved: str | None) -> Command:
    """With the home that it has now, if that one was moved."""
    if moved:
        return (*program, "autostart", "start", "--home", str(Path(moved).expanduser().absolute()))
    return (*program, "run")


def program_of(called: Path, python: Path, environment: Mapping[str, str], frozen: bool) -> Command:
    if frozen:
        # An AppImage is mounted at another place each time.
        return (environment.get("APPIMAGE") or str(python),)
    if sys.platform == "win32":
        # deskbell.exe would open a console at login.
        windowless = python.with_name("pythonw.exe")
        return (str(windowless if windowless.exists() else python), "-m", "deskbell")
    # The name that was called survives upgrades (pipx has links in ~/.local/bin).
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
    """Deskbell was moved: its entry follows. That of a Deskbell that is there, or of another home, is left alone."""
    written = entry.read()
    if not written or _is_there(written[0]) or _home(written) != _home(ours):
        return False
    return entry.write(ours)


def _is_there(program: str) -> bool:
    """A person who wrote the entry may have named what the PATH knows: `sh -c "sleep 9; deskbell run"`."""
    return Path(program).exists() or shutil.which(program) is not None


def _home(command: Sequence[str]) -> str | None:
    return command[command.index("--home") + 1] if "--home" in command[:-1] else None


def replace(path: Path, content: bytes) -> bool:
    """Write an entry that is a file. Return False if it has the content already."""
    try:
        return write_changed(path, content, mode=0o644)
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
