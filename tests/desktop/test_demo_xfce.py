"""Test the afternoon of `deskbell demo` on a real desktop."""

import signal
import subprocess
import sys
from pathlib import Path

from tests.desktop.conftest import PYTHONPATH
from tests.desktop.desktop import Desktop, wait_until
from tests.desktop.panel import Panel


def test_the_icon_tells_the_afternoon_and_goes_with_it(xfce: Desktop, tmp_path: Path) -> None:
    panel = Panel(xfce)
    environment = xfce.env | {"PYTHONPATH": PYTHONPATH, "HOME": str(tmp_path)}
    command = [sys.executable, "-m", "deskbell", "demo", "--speed", "300"]
    with subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL) as demo:
        panel.wait_for("working")
        panel.wait_for("blocked", 1)
        panel.wait_for("blocked", 2)
        demo.send_signal(signal.SIGTERM)
        assert demo.wait(20) == 143
    wait_until(lambda: "StatusNotifierItem-" not in xfce.items(), "the icon to leave the panel")
