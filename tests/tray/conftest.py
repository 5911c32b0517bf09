"""Provide a session bus for one test, and the code of the hook as an earlier installation has left it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from deskbell.settings import deploy
from deskbell.settings.interpreter import stable_interpreter
from tests.tray.desktop.fake_daemon import private_bus


@pytest.fixture
def address(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    with private_bus(tmp_path) as at:
        monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", at)
        yield at


@pytest.fixture(scope="session")
def deployed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with the compiled code of the hook: to compile it takes ten times as long as to copy it."""
    data = tmp_path_factory.mktemp("deployed") / "data"
    deploy.deploy(data, stable_interpreter())
    return data
