"""Test which versions of Python the tests find, and that the hook needs nothing but Python."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.hooks import recorder
from tests.hooks.pythons import THIS, VERSIONS, found

posix = pytest.mark.skipif(sys.platform == "win32", reason="makes scripts that are called python3.12")


def program(folder: Path, name: str, text: str) -> None:
    folder.mkdir(exist_ok=True)
    (folder / name).write_text(f"#!/bin/sh\n{text}\n")
    (folder / name).chmod(0o700)


def test_the_python_of_the_tests_is_the_first_one() -> None:
    assert next(iter(found().items())) == (THIS, sys.executable)


@posix
def test_a_program_is_taken_at_its_word_and_not_at_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    other = next(version for version in VERSIONS if version != THIS)
    third = next(version for version in VERSIONS if version not in (THIS, other))
    program(tmp_path / "broken", f"python{other}", "echo not installed >&2; exit 127")
    program(tmp_path / "pypy", f"python{other}", f"echo pypy {other} /somewhere")
    program(tmp_path / "good", f"python{other}", f"echo cpython {other} /opt/a python/bin/python")
    program(tmp_path / "good", f"python{third}", "echo cpython 3.7 /old/python")
    folders = (tmp_path / "missing", *(tmp_path / name for name in ("broken", "pypy", "good")))
    monkeypatch.setenv("PATH", os.pathsep.join(map(str, folders)))
    assert found() == {THIS: sys.executable, other: "/opt/a python/bin/python"}


def test_the_recorder_is_started_by_the_python_of_the_parameter(python: str) -> None:
    assert recorder.COMMAND[:3] == [python, "-I", "-S"]
    ask = "import sys; print('%d.%d' % sys.version_info[:2], *sys.modules)"
    done = subprocess.run([python, "-I", "-S", "-c", ask], capture_output=True, text=True, check=True)
    version, *modules = done.stdout.split()
    assert {version: python}.items() <= found().items()
    assert "json" not in modules
