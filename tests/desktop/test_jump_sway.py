"""Test that windows come to the front on a real sway without a screen, and that sway says which one has the focus."""

import json
import os
import random
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from deskbell.desktop.jump import jump_to
from deskbell.desktop.jump.spot import spot
from deskbell.desktop.jump.wlroots import sway_windows
from tests.waiting import wait

PARTS = ("sway", "swaymsg", "foot", "runuser")
NOBODY = "nobody"
pytestmark = pytest.mark.skipif(
    not all(map(shutil.which, PARTS)) or os.getuid() != 0,
    reason="sway and foot, as another user than root, which sway refuses",
)


class Sway:
    """A compositor of the user nobody, and terminals in it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        shutil.chown(folder, NOBODY)
        self.env = {
            "PATH": os.environ["PATH"],
            "HOME": str(folder),
            "XDG_RUNTIME_DIR": str(folder),
            "WLR_BACKENDS": "headless",
            "WLR_LIBINPUT_NO_DEVICES": "1",
            "WLR_RENDERER": "pixman",
        }
        self.started = [self.start("sway", "-c", "/dev/null")]
        socket = wait(lambda: next(iter(folder.glob("sway-ipc*")), None), "the socket of sway")
        display = wait(lambda: next(iter(folder.glob("wayland-?")), None), "the display")
        self.env |= {"SWAYSOCK": str(socket), "WAYLAND_DISPLAY": display.name}

    def start(self, *command: str) -> "subprocess.Popen[bytes]":
        nothing = subprocess.DEVNULL
        return subprocess.Popen(
            command,
            env=self.env,
            user=NOBODY,
            group="nogroup",
            extra_groups=(),
            cwd="/",
            stdout=nothing,
            stderr=nothing,
        )

    def terminal(self, name: str) -> int:
        file = self.folder / name
        self.started.append(self.start("foot", "sh", "-c", f"echo $$ > {file}.new; mv {file}.new {file}; sleep 300"))
        pid = int(wait(lambda: file.read_text() if file.exists() else None, name))
        wait(lambda: {node["pid"] for node in self.windows()} & set(self.line(pid)), f"the window of {name}")
        return pid

    def line(self, pid: int) -> tuple[int, ...]:
        there = spot(pid)
        assert there
        return there.line

    def ask(self, *words: str) -> str:
        return subprocess.run(["swaymsg", *words], env=self.env, check=True, capture_output=True, text=True).stdout

    def windows(self) -> list[dict[str, Any]]:
        return list(sway_windows(json.loads(self.ask("-t", "get_tree", "-r"))))

    def focused(self) -> list[int]:
        return [node["pid"] for node in self.windows() if node.get("focused")]

    def end(self) -> None:
        for process in reversed(self.started):
            process.terminate()
            process.wait(10)


@pytest.fixture
def sway() -> Iterator[Sway]:
    with tempfile.TemporaryDirectory(prefix="deskbell-sway-") as folder:  # the folders of pytest are closed to others
        there = Sway(Path(folder))
        yield there
        there.end()


def test_windows_come_to_the_front_from_every_workspace(sway: Sway) -> None:
    pids = []
    for workspace in ("1", "2"):
        sway.ask("workspace", workspace)
        pids += [sway.terminal(f"{workspace}{name}") for name in ("a", "b")]
    chance = random.Random(14)
    for _ in range(20):
        there = spot(chance.choice(pids))
        assert there
        came = jump_to(there, env=sway.env)
        assert (came.reached, came.complete) == ("window", True), came.sentence
        assert set(sway.focused()) <= set(there.line)
