"""Choose the Python that runs the hooks: one that still exists after the environment of this program is deleted."""

import json
import os
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from deskbell.errors import Problem
from deskbell.files.read import opened
from deskbell.helper import run

OLDEST = (3, 11)
PATIENCE = 20.0
"""Seconds until an interpreter that does not answer is passed over."""

_ASK = "import sys; print('[%d, %d, \"%s\"]' % (*sys.version_info[:2], sys.implementation.cache_tag))"


@dataclass(frozen=True, slots=True)
class Interpreter:
    path: str
    version: tuple[int, int]
    tag: str
    """The tag in the names of its compiled files: cpython-312."""


@cache
def stable_interpreter() -> Interpreter:
    """Return the interpreter for the hooks. Raise Problem if this machine has no suitable one."""
    found = chosen(candidates(sys.platform, getattr(sys, "_base_executable", "") or sys.executable), ask)
    if found is None:
        raise Problem(
            f"Found no Python {OLDEST[0]}.{OLDEST[1]} or newer outside virtual environments. "
            "Install one from your system, then try again."
        )
    return found


def candidates(platform: str, base: str) -> list[str]:
    """Return the paths to try, the one that lives longest first: the system's.

    On macOS that one is a stub that may open a dialog, and Windows has none: there only the base of this one is tried.
    """
    if platform == "win32":
        return [base]
    if platform == "darwin":
        return [_opt(base), base]
    return ["/usr/bin/python3", "/usr/local/bin/python3", base]


def _opt(base: str) -> str:
    """The same file below Homebrew's `opt`, whose path does not change with the patch version as in `Cellar`."""
    cellar, _, rest = base.partition("/Cellar/")
    formula, _, inside = rest.partition("/")
    return f"{cellar}/opt/{formula}/{inside.partition('/')[2]}" if rest else base


def chosen(paths: Iterable[str], ask: Callable[[str], Interpreter | None]) -> Interpreter | None:
    """The first that answers and is new enough."""
    for path in dict.fromkeys(paths):
        if (found := ask(path)) and found.version >= OLDEST:
            return found
    return None


def ask(path: str) -> Interpreter | None:
    """Start PATH and ask for its version.

    Return None if it does not exist, does not answer, is a wrapper script (slow) or belongs to a virtual environment.
    """
    try:
        if _in_environment(Path(path)) or _is_script(Path(path)):
            return None
        answer = run([path, "-I", "-S", "-c", _ASK], PATIENCE)
        if answer.code != 0:
            return None
        major, minor, tag = json.loads(answer.said)
    except (OSError, ValueError):
        return None
    return Interpreter(path, (major, minor), tag)


def _in_environment(path: Path) -> bool:
    """Look for the mark of a virtual environment: Python itself does not without `site`."""
    return any((folder / "pyvenv.cfg").exists() for folder in (path.parent, path.parent.parent))


def _is_script(path: Path) -> bool:
    with opened(path) as (fd, _):
        return os.read(fd, 2) == b"#!"
