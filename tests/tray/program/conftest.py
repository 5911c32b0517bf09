"""Give the tests of the program a browser, as most machines have one."""

import os
from pathlib import Path

import pytest


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
