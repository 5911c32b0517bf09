"""Find the installed Claude Code and its version."""

import os
import re
import shutil
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from deskbell.files.read import json_value, read
from deskbell.files.there import ending_in, exists
from deskbell.helper import run
from deskbell.home import environment, own_home
from deskbell.settings.known import remembered_config_dirs
from deskbell.settings.registration import Version

PATIENCE = 3.0
"""Seconds to wait for the answer of a client, which takes about one. One that prints without end is ended then, too."""

LARGEST = 256 * 1024
"""The most bytes of an entry in the registry."""

_NUMBERS = re.compile(r"(\d{1,9})\.(\d{1,9})\.(\d{1,9})")
_VERSION = re.compile(r"(?<!\d)(\d{1,9})\.(\d{1,9})\.(\d{1,9})\b.*Claude Code")


@dataclass(frozen=True, slots=True)
class ClaudeCode:
    path: Path | None
    """None if none answers."""
    version: Version | None
    """None if none answers, and no session names a version."""
    silent: Path | None = None
    """The first that was found and does not answer, if none does."""

    @property
    def name(self) -> str:
        return ".".join(map(str, self.version or ()))

    @property
    def missing(self) -> str:
        """Why its version is not known, as a sentence without its full stop; empty if it answers."""
        if self.path:
            return ""
        return f"{self.silent} does not answer" if self.silent else "Claude Code was not found"

    @property
    def step(self) -> str:
        """What the person can do about that."""
        return f"Run `{self.silent} --version`" if self.silent else "Put claude on the PATH"


NOT_FOUND = ClaudeCode(None, None)


def installed_client(config: Path) -> ClaudeCode:
    """Return the first client that answers; if none does, the oldest version that a recorded session names.

    The PATH comes first, then the usual places: a program that the desktop starts has a shorter PATH than a shell.
    """
    found = first_answering(_places(), ask)
    return found if found.version else replace(found, version=version_of_sessions(remembered_config_dirs(config)))


def client_program() -> Path | None:
    """Return the client that `installed_client` would ask first, without starting it."""
    return next((path for path in dict.fromkeys(_places()) if os.access(path, os.X_OK) and path.is_file()), None)


def version_of_sessions(config_dirs: Iterable[Path]) -> Version | None:
    """Return the oldest version that a session names: every client knows at least what that one knows."""
    entries = (path for folder in config_dirs for path in ending_in(folder / "sessions", ".json"))
    return min(filter(None, map(_version_of_session, entries)), default=None)


def _version_of_session(path: Path) -> Version | None:
    try:
        entry = registry_entry(path)
    except (OSError, ValueError):
        return None
    return _parsed(_NUMBERS.match(str(entry.get("version"))))


def registry_entry(path: Path) -> dict[str, object]:
    """Read what Claude Code wrote about one session. Raise OSError, or ValueError if it is not a JSON object."""
    entry = json_value(read(path, LARGEST))
    if not isinstance(entry, dict):
        raise ValueError(f"{path} is not a JSON object")
    return entry


def first_answering(paths: Iterable[Path], ask: Callable[[Path], Version | None]) -> ClaudeCode:
    """ASK each client once, by whatever path it is found, because one that hangs costs PATIENCE."""
    there = {path.resolve(): path for path in reversed(list(paths)) if exists(path)}
    for path in reversed(there.values()):
        if version := ask(path):
            return ClaudeCode(path, version)
    return ClaudeCode(None, None, next(reversed(there.values()), None))


def _places() -> list[Path]:
    name = "claude.cmd" if sys.platform == "win32" else "claude"
    on_path = shutil.which("claude")
    folders = [Path("/opt/homebrew/bin"), Path("/usr/local/bin")]
    if home := own_home():
        folders = [home / ".local/bin", home / ".claude/local", *folders]
        folders += [home / folder for folder in (".npm-global/bin", ".bun/bin", ".volta/bin", "AppData/Roaming/npm")]
        folders += sorted(home.glob(".nvm/versions/node/*/bin"), reverse=True)
    places = [folder / file for folder in folders for file in (name, "claude.exe" if os.name == "nt" else name)]
    return [Path(on_path), *places] if on_path else places


def ask(path: Path) -> Version | None:
    """Start the client at PATH and return its version; None if it does not answer."""
    found = path.stat()
    return _asked(path, found.st_mtime_ns, found.st_size)


@cache
def _asked(path: Path, changed: int, size: int) -> Version | None:
    """Ask only once for each state of the file, because the client takes a second to start."""
    try:
        answer = run([str(path), "--version"], PATIENCE, env=_environment(path))
    except (OSError, ValueError):
        return None
    return version_in(answer.said) if answer.code == 0 else None


def version_in(text: str) -> Version | None:
    """Return (2, 1, 326) for "2.1.326 (Claude Code)"."""
    return _parsed(_VERSION.search(text))


def _parsed(found: re.Match[str] | None) -> Version | None:
    return (int(found[1]), int(found[2]), int(found[3])) if found else None


def _environment(path: Path) -> dict[str, str]:
    """Put the folder of the client first on the PATH: the node of a client that npm installed is there."""
    inherited = environment(os.environ)
    return inherited | {"PATH": f"{path.parent}{os.pathsep}{inherited.get('PATH', os.defpath)}"}
