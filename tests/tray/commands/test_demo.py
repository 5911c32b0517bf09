"""Test `deskbell demo` as a process: it leaves nothing behind, and takes no speed that is not a number."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from deskbell.__main__ import main
from deskbell.commands.demo import ending


@pytest.fixture
def keyboard() -> Iterator[None]:
    """A shell that starts the tests in the background has them ignore Ctrl+C, and so do their children."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.long
@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signals")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_nothing_is_left_however_the_demo_ends(number: signal.Signals, keyboard: None) -> None:
    command = [sys.executable, "-m", "deskbell", "demo", "--no-tray", "--speed", "1e5"]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        lines = iter(process.stdout.readline, "")
        where = next(line for line in lines if line.startswith("DESKBELL_HOME"))
        folder = Path(where.rpartition("CLAUDE_CONFIG_DIR=")[2].strip())
        assert any("docs" in line for line in lines)
        pids = [int(path.stem) for path in (folder / "sessions").glob("*.json")]
        process.send_signal(number)
        process.wait(60)
    assert process.returncode in (130, 143)
    assert not folder.parent.exists()
    assert pids
    assert not any(psutil.pid_exists(pid) for pid in pids)


def test_without_an_icon_nobody_is_sent_to_its_menu() -> None:
    assert ending(headless=False) == "Quit in the menu or press Ctrl+C."
    assert ending(headless=True) == "Press Ctrl+C to end."


@pytest.mark.parametrize("speed", ["0", "-1", "fast", "nan", "inf"])
def test_a_speed_that_is_not_a_number_above_0_is_refused(speed: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["demo", f"--speed={speed}"])
    assert f"argument --speed: '{speed}' is not a number above 0" in capsys.readouterr().err
