"""Find the versions of Python to test the recorder with: this one, and each from 3.11 to 3.14 on the PATH.

Claude Code starts the hook with the Python that `deskbell install` found, so that need not be the one of the tests. With
pyenv, name the versions in PYENV_VERSION; else put the folder of each `python3.12` on the PATH.
"""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

VERSIONS = ("3.11", "3.12", "3.13", "3.14")
THIS = f"{sys.version_info.major}.{sys.version_info.minor}"
ASK = "import sys; print(sys.implementation.name, '%d.%d' % sys.version_info[:2], sys.executable)"


def candidates() -> Iterator[Path]:
    """Yield the programs on the PATH that may be one of VERSIONS. On Windows their names do not say the version."""
    names = ["python.exe"] if sys.platform == "win32" else [f"python{version}" for version in VERSIONS]
    for folder in filter(None, os.environ.get("PATH", "").split(os.pathsep)):
        yield from (path for name in names if (path := Path(folder, name)).is_file())


def found() -> dict[str, str]:
    """Return the path of a program for each version that can be started, this one first."""
    known = {THIS: sys.executable}
    for path in candidates():
        if path.name == f"python{THIS}" or path.name.removeprefix("python") in known:
            continue
        done = subprocess.run([path, "-I", "-S", "-c", ASK], capture_output=True, text=True, check=False, timeout=60)
        name, version, program = [*done.stdout.split(maxsplit=2), "", "", ""][:3]
        if name == "cpython" and version in VERSIONS:
            known.setdefault(version, program.strip())
    return known


def params() -> list[object]:
    """Return the parameters of a fixture. `make quick` leaves out the marked ones."""
    return [
        pytest.param(path, id=f"Python {version}", marks=[] if version == THIS else [pytest.mark.another_python])
        for version, path in found().items()
    ]


PYTHONS = params()
by_every_python = pytest.mark.usefixtures("python")
"""Marks a test that starts recorders: it runs once with each Python."""
