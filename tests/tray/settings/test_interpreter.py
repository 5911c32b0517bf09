"""Test which Python is chosen to run the hooks."""

import sys
import venv
from pathlib import Path

import pytest

from deskbell.settings.interpreter import Interpreter, ask, candidates, chosen, stable_interpreter

SYSTEM, OWN = "/usr/bin/python3", "/home/u/.pyenv/versions/3.12.1/bin/python3.12"


@pytest.mark.parametrize(
    ("platform", "base", "expected"),
    [
        ("linux", OWN, [SYSTEM, "/usr/local/bin/python3", OWN]),
        ("win32", r"C:\Python\python.exe", [r"C:\Python\python.exe"]),
        (
            "darwin",
            "/opt/homebrew/Cellar/python@3.12/3.12.4/Frameworks/Python.framework/Versions/3.12/bin/python3.12",
            [
                "/opt/homebrew/opt/python@3.12/Frameworks/Python.framework/Versions/3.12/bin/python3.12",
                "/opt/homebrew/Cellar/python@3.12/3.12.4/Frameworks/Python.framework/Versions/3.12/bin/python3.12",
            ],
        ),
        ("darwin", "/Library/Frameworks/bin/python3", ["/Library/Frameworks/bin/python3"] * 2),
    ],
)
def test_the_python_that_lives_longest_is_tried_first(platform: str, base: str, expected: list[str]) -> None:
    assert candidates(platform, base) == expected


@pytest.mark.parametrize(
    ("answers", "expected"),
    [
        ({SYSTEM: (3, 11), OWN: (3, 12)}, SYSTEM),
        ({SYSTEM: (3, 9), OWN: (3, 12)}, OWN),
        ({OWN: (3, 12)}, OWN),
        ({SYSTEM: (3, 10)}, None),
        ({}, None),
    ],
)
def test_the_first_that_is_new_enough_is_chosen(answers: dict[str, tuple[int, int]], expected: str | None) -> None:
    def answering(path: str) -> Interpreter | None:
        return Interpreter(path, answers[path], "cpython") if path in answers else None

    found = chosen([SYSTEM, OWN], answering)

    assert (found.path if found else None) == expected


def test_the_python_that_is_chosen_here_exists_and_is_new_enough() -> None:
    found = stable_interpreter()

    assert found.version >= (3, 11)
    assert Path(found.path).exists()


@pytest.mark.skipif("sys.platform == 'win32'", reason="an environment on Windows has another layout")
def test_the_python_of_an_environment_is_not_taken(tmp_path: Path) -> None:
    venv.create(tmp_path / "env", symlinks=True)

    assert ask(str(tmp_path / "env" / "bin" / "python")) is None


def test_a_file_that_is_not_a_python_is_not_taken(tmp_path: Path) -> None:
    shim = tmp_path / "shim"
    shim.write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
    shim.chmod(0o700)

    assert ask(str(shim)) is None
    assert ask(str(tmp_path / "nothing")) is None
    assert ask(str(tmp_path)) is None
