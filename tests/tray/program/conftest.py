"""Give the tests of the program a browser, as most machines have one."""

import os
from pathlib import Path

import pytest

from deskbell.answers import desk, receipts

READ_IN = 0.15
"""Seconds from a step on the screen to the click of a test."""


@pytest.fixture(scope="session")
def with_browser(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with an `xdg-mime` that names a browser. The real one is a script that starts twenty programs."""
    folder = tmp_path_factory.mktemp("browser")
    (folder / "xdg-mime").write_text("#!/bin/sh\necho firefox.desktop\n")
    (folder / "xdg-mime").chmod(0o755)
    return folder


@pytest.fixture(autouse=True)
def a_browser_is_set(with_browser: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if os.name == "posix":
        monkeypatch.setenv("PATH", str(with_browser), prepend=os.pathsep)


@pytest.fixture(autouse=True)
def a_quick_reader(monkeypatch: pytest.MonkeyPatch) -> None:
    """A click counts sooner, and what it led to is known sooner: `tests/tray/answers/test_desk.py` tries the real times."""
    monkeypatch.setattr(desk, "UNREAD", READ_IN / 4)
    monkeypatch.setattr(desk, "UNSURE", READ_IN / 2)
    monkeypatch.setattr(receipts, "TAKES_WITHIN", 0.7)
