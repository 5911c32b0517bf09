"""Which Claude Code is installed here, and in which version?"""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from deskbell.desktop.launch import environment
from deskbell.registration import Version

PATIENCE = 20.0

_VERSION = re.compile(r"(\d+)\.(\d+)\.(\d+)\b.*Claude Code")


@dataclass(frozen=True, slots=True)
class Client:
    path: Path
    version: Version

    @property
    def name(self) -> str:
        return ".".join(map(str, self.version))


def installed_client() -> Client | None:
    """The first that answers. A program started by the desktop has a shorter PATH than a shell: known places follow."""
    return first_answering(_places(), ask)


def first_answering(paths: Iterable[Path], ask: Callable[[Path], Version | None]) -> Client | None:
    for path in dict.fromkeys(paths):
        if path.exists() and (version := ask(path)):
            return Client(path, version)
    return None


def _places() -> list[Path]:
    name, home = "claude.cmd" if sys.platform == "win32" else "claude", Path.home()
    on_path = shutil.which("claude")
    folders = [home / ".local/bin", home / ".claude/local", Path("/opt/homebrew/bin"), Path("/usr/local/bin")]
    folders += [home / ".npm-global/bin", home / ".bun/bin", home / "AppData/Roaming/npm"]
    places = [folder / file for folder in folders for file in (name, "claude.exe" if os.name == "nt" else name)]
    return [Path(on_path), *places] if on_path else places


def ask(path: Path) -> Version | None:
    found = path.stat()
    return _asked(path, found.st_mtime_ns, found.st_size)


@cache
def _asked(path: Path, changed: int, size: int) -> Version | None:
    """Once for each state of the file: the client takes its time."""
    try:
        answer = subprocess.run(
            [path, "--version"],
            env=environment(os.environ),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=True,
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return version_in(answer.stdout)


def version_in(text: str) -> Version | None:
    """From "2.1.326 (Claude Code)"."""
    found = _VERSION.search(text)
    return (int(found[1]), int(found[2]), int(found[3])) if found else None
