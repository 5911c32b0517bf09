"""Is a client known to be dead as soon as it is, and not only when its parent has taken note?"""

import subprocess
import sys
import time
from pathlib import Path

import pytest

from deskbell_hooks.client import is_gone, process_start

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux has /proc")


def state(pid: int) -> str:
    return Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(") ")[2][0]


def test_a_killed_process_that_nobody_has_waited_for_is_gone() -> None:
    with subprocess.Popen(["sleep", "600"]) as process:
        start = process_start(process.pid)
        assert start
        assert not is_gone(process.pid, start)
        process.kill()
        deadline = time.monotonic() + 20
        while state(process.pid) != "Z" and time.monotonic() < deadline:
            time.sleep(0.01)
        assert process_start(process.pid) is None
        assert is_gone(process.pid, start)
