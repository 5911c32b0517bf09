"""Choose the Python that runs the hooks: one outside the virtual environment of this program, which may be deleted."""

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
"""Seconds to wait for the answer of an interpreter."""

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
    """Return the paths to try: first the system's Python, which lives longest, then BASE, the base of this Python.

    The system's Python is left out on macOS, where it is a stub that may open a dialog. Windows has none.
    """
    if platform == "win32":
        return [base]
    if platform == "darwin":
        return [_opt(base), base]
    return ["/usr/bin/python3", "/usr/local/bin/python3", base]


def _opt(base: str) -> str:
    """Return the same file below Homebrew's `opt`. Its path below `Cellar` changes with the patch version."""
    cellar, _, rest = base.partition("/Cellar/")
    formula, _, inside = rest.partition("/")
    return f"{cellar}/opt/{formula}/{inside.partition('/')[2]}" if rest else base


def chosen(paths: Iterable[str], ask: Callable[[str], Interpreter | None]) -> Interpreter | None:
    """Return the first interpreter that answers and is new enough; None if none is."""
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
    """Return whether PATH is in a virtual environment, by its file: without `site`, Python itself does not say so."""
    return any((folder / "pyvenv.cfg").exists() for folder in (path.parent, path.parent.parent))


def _is_script(path: Path) -> bool:
    with opened(path) as (fd, _):
        return os.read(fd, 2) == b"#!"
