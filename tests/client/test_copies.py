"""Test that a copy behaves as the command does that starts from the beginning."""

import os
import sys
from pathlib import Path
from tempfile import TemporaryFile

import pytest

from tests.client import copies
from tests.waiting import wait

if sys.platform != "linux":
    pytest.skip("the real client is driven on Linux only", allow_module_level=True)


@pytest.fixture
def environment(private_home: Path) -> dict[str, str]:
    return {"PATH": os.environ["PATH"], "HOME": str(private_home), "DESKBELL_HOME": str(private_home / "deskbell")}


def test_it_prints_to_its_own_output(environment: dict[str, str]) -> None:
    assert b'"sessions": []' in copies.run(["list", "--json"], environment)
    assert b"--watch" in copies.run(["list", "--help"], environment)


def test_it_has_its_own_exit_code_and_errors(environment: dict[str, str]) -> None:
    with TemporaryFile() as output, TemporaryFile() as errors:
        assert copies.start(["lst"], environment, output, errors).wait(20) == 2
        assert (output.seek(0), output.read()) == (0, b"")
        assert (errors.seek(0), errors.read()[:10]) == (0, b"deskbell: ")


def test_it_can_be_ended_and_killed(environment: dict[str, str]) -> None:
    reader, writer = os.pipe()
    with open(reader, "rb") as lines, open(writer, "wb") as output:
        command = ["list", "--json", "--watch"]
        running = copies.start(command, environment, output, output)
        assert lines.readline().startswith(b"{")
        assert running.poll() is None
        running.kill()
        assert running.wait(20) == -9
    with TemporaryFile() as output:
        tray = copies.start(["run", "--headless"], environment, output, output)
        log = Path(environment["DESKBELL_HOME"]) / "state" / "deskbell.log"
        wait(lambda: log.exists() and "no session bus" in log.read_text(), "the loop")
        tray.terminate()
        assert tray.wait(20) == 0
