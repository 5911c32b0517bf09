"""Test that Konsole is refused and told why, and no other terminal is."""

import os
import shutil
import sys
from pathlib import Path

import pytest

from deskbell.desktop.focus import processes
from deskbell.desktop.jump.spot import Spot
from deskbell.desktop.reply import konsole
from deskbell.errors import Problem
from tests.tray.commands.terminals import Terminal
from tests.waiting import wait

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="/proc")


def test_konsole_is_refused(tmp_path: Path) -> None:
    """A program of that name holds another terminal than that of the client."""
    (tmp_path / "konsole").symlink_to(shutil.which("sleep") or "/bin/sleep")
    with Terminal([str(tmp_path / "konsole"), "600"]) as holder:
        pid = holder._pid
        wait(lambda: processes.name(pid) == "konsole", "the program")
        with pytest.raises(Problem, match="Konsole"):
            konsole.carrier(Spot(os.getpid(), (os.getpid(), pid), "/dev/pts/none"))
        assert konsole.carrier(Spot(os.getpid(), (os.getpid(), os.getppid()), "/dev/pts/none")) is None
    assert konsole.carrier(Spot(os.getpid(), (os.getpid(),), "/dev/pts/none")) is None
