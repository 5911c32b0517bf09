"""Give the tests of the ways programs that only write down how they were called."""

from pathlib import Path

import pytest

from tests.tray.desktop.jump.programs import Programs


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Programs:
    folder = tmp_path / "bin"
    folder.mkdir()
    return Programs(folder, monkeypatch)
