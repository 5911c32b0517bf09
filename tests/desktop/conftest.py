"""Give the tests of a module one desktop. Without its programs the tests are skipped; in CI they fail."""

import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.desktop.desktop import Desktop, desktop, missing, wait_until

ROOT = Path(__file__).parents[2]
PYTHONPATH = os.pathsep.join(str(ROOT / folder) for folder in ("tray", "hooks", "icons", "."))


@pytest.fixture(scope="session")
def parts() -> None:
    if absent := missing():
        stop = pytest.fail if os.environ.get("CI") else pytest.skip
        stop(f"a desktop needs {', '.join(absent)}: see tests/system-packages.sh")


@pytest.fixture(scope="module")
def xfce(parts: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desktop]:
    with desktop(tmp_path_factory.mktemp("desk"), "xfce4-notifyd") as one:
        yield one


@pytest.fixture
def fragile(parts: None, tmp_path: Path) -> Iterator[Desktop]:
    """A desktop for one test, without a panel."""
    with desktop(tmp_path / "desk", panel=False) as one:
        yield one


class Program:
    """A program on a desktop, and the lines that it prints."""

    def __init__(self, one: Desktop, *arguments: str, **env: str) -> None:
        self.said: list[list[object]] = []
        self.process = subprocess.Popen(
            [sys.executable, *arguments],
            env=one.env | {"PYTHONPATH": PYTHONPATH} | env,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self._reader = threading.Thread(target=self._read)
        self._reader.start()

    def show(self, *sessions: tuple[str, str, str]) -> None:
        assert self.process.stdin
        self.process.stdin.write(json.dumps(sessions) + "\n")
        self.process.stdin.flush()

    def wait_for(self, *said: object) -> None:
        wait_until(lambda: list(said) in self.said, f"{said} among {self.said}")

    def end(self) -> int:
        assert self.process.stdin
        assert self.process.stdout
        self.process.stdin.close()
        code = self.process.wait(20)
        self._reader.join()
        self.process.stdout.close()
        return code

    def _read(self) -> None:
        assert self.process.stdout
        self.said.extend(map(json.loads, self.process.stdout))
