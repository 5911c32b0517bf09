"""Which Python is to run the hooks: one that will still be there when the environment of this program is gone?"""

import json
import subprocess
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from deskbell.errors import Problem

OLDEST = (3, 11)
PATIENCE = 20.0

_ASK = "import sys; print('[%d, %d, \"%s\"]' % (*sys.version_info[:2], sys.implementation.cache_tag))"


@dataclass(frozen=True, slots=True)
class Interpreter:
    path: str
    version: tuple[int, int]
    tag: str
    """How it names its compiled files: cpython-312."""


@cache
def stable_interpreter() -> Interpreter:
    found = chosen(candidates(sys.platform, getattr(sys, "_base_executable", "") or sys.executable), ask)
    if found is None:
        raise Problem(
            f"no Python {OLDEST[0]}.{OLDEST[1]} or newer outside of virtual environments was found: install one"
        )
    return found


def candidates(platform: str, base: str) -> list[str]:
    """The system's own outlives every other. On macOS it is a stub that may open a dialog, on Windows there is none."""
    if platform == "win32":
        return [base]
    if platform == "darwin":
        return [_opt(base), base]
    return ["/usr/bin/python3", "/usr/local/bin/python3", base]


def _opt(base: str) -> str:
    """Homebrew's Cellar has the patch version in its path, `opt` has not."""
    cellar, _, rest = base.partition("/Cellar/")
    formula, _, inside = rest.partition("/")
    return f"{cellar}/opt/{formula}/{inside.partition('/')[2]}" if rest else base


def chosen(paths: Iterable[str], ask: Callable[[str], Interpreter | None]) -> Interpreter | None:
    for path in dict.fromkeys(paths):
        if (found := ask(path)) and found.version >= OLDEST:
            return found
    return None


def ask(path: str) -> Interpreter | None:
    """None: it is not there, is a wrapper script (slow), does not answer, or belongs to a virtual environment."""
    try:
        if _in_environment(Path(path)) or _is_script(Path(path)):
            return None
        answer = subprocess.run(
            [path, "-I", "-S", "-c", _ASK],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=PATIENCE,
            check=True,
        )
        major, minor, tag = json.loads(answer.stdout)
    except (OSError, ValueError, subprocess.SubprocessError):
        return None
    return Interpreter(path, (major, minor), tag)


def _in_environment(path: Path) -> bool:
    """Where `python -m venv` and its kind leave their mark: without `site`, Python itself does not look."""
    return any((folder / "pyvenv.cfg").exists() for folder in (path.parent, path.parent.parent))


def _is_script(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(2) == b"#!"
