"""A session bus for one test."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.tray.desktop.fake_daemon import private_bus


@pytest.fixture
def address(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    with private_bus(tmp_path) as at:
        monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", at)
        yield at
