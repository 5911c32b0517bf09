"""Test windows of GNU screen with a real screen, whose display is a terminal in memory."""

import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO

import pytest

from deskbell.desktop.jump import jump
from deskbell.desktop.jump.desk import Desk
from deskbell.desktop.jump.screen import inside
from deskbell.desktop.jump.spot import Spot, program, spot
from deskbell_hooks.client import process_start
from tests.tray.making import session
from tests.waiting import wait

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="/proc")
NAME = "a 'b"


class Screen:
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.env = {"PATH": os.environ["PATH"], "SCREENDIR": str(folder), "TERM": "xterm", "HOME": str(folder)}
        self.run("-d", "-m", "-S", NAME, *self.window("first"))
        wait(lambda: self.pid("first"), "the first window")
        self.run("-S", NAME, "-X", "screen", *self.window("second"))
        wait(lambda: self.pid("second"), "the second window")

    def window(self, name: str) -> list[str]:
        """A window that says its process number, and writes down what it is told. screen expands $ in its commands."""
        script = self.folder.parent / "reader.sh"
        script.write_text('echo $$ > "$1.pid"; while read line; do echo "$line" >> "$1"; done')
        return ["sh", str(script), str(self.folder.parent / name)]

    def pid(self, name: str) -> int:
        file = self.folder.parent / f"{name}.pid"
        return int(file.read_text() or 0) if file.exists() else 0

    def told(self, name: str) -> list[str]:
        file = self.folder.parent / name
        return file.read_text().split() if file.exists() else []

    def run(self, *words: str) -> None:
        subprocess.run(["screen", "-c", "/dev/null", *words], env=self.env, check=True, capture_output=True)


@pytest.fixture
def screen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Screen]:
    if not shutil.which("screen"):
        (pytest.fail if os.environ.get("CI") else pytest.skip)("screen is missing: see tests/system-packages.sh")
    folder = tmp_path / "s"
    folder.mkdir(mode=0o700)
    monkeypatch.setenv("SCREENDIR", str(folder))
    there = Screen(folder)
    yield there
    there.run("-S", NAME, "-X", "quit")


def test_a_detached_screen_offers_to_attach(screen: Screen) -> None:
    pid = screen.pid("first")
    came = jump(session(pid=pid, pid_start=process_start(pid)), env={})
    there = spot(pid)
    assert there
    assert came.offer == ("screen", "-r", f"{there.line[1]}.")
    assert came.sentence.startswith(f"It is in screen {there.line[1]}, to which nobody is attached.")


@pytest.mark.long
def test_the_display_shows_the_window_of_the_session(screen: Screen) -> None:
    attach = ["script", "-qfc", f'screen -x "{NAME}"', "/dev/null"]
    with subprocess.Popen(attach, env=screen.env, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL) as client:
        assert client.stdin
        for number, name in enumerate(("first", "second", "first", "second", "first")):
            there = spot(screen.pid(name))
            assert there
            found = wait(lambda there=there: _attached(there), "the display")  # type: ignore[misc]
            found.step.bring()
            _type(client.stdin, f"{number}", lambda name=name: screen.told(name))  # type: ignore[misc]
            if number == 2:  # the variables of its windows still have the old name
                screen.run("-S", NAME, "-X", "sessionname", "renamed")
        screen.run("-S", "renamed", "-X", "sessionname", NAME)
        client.terminate()


def test_a_screen_that_was_started_in_tmux_is_reached_in_both(screen: Screen, tmp_path: Path) -> None:
    """It is below both servers, as long as its first display runs."""
    if not shutil.which("tmux"):
        (pytest.fail if os.environ.get("CI") else pytest.skip)("tmux is missing: see tests/system-packages.sh")
    outer = ["tmux", "-S", str(tmp_path / "outer"), "-f", "/dev/null"]
    inner = shlex.join(["screen", "-c", "/dev/null", *screen.window("inner")])
    subprocess.run([*outer, "new-session", "-d", inner], env=screen.env, check=True)
    try:
        pid = wait(lambda: screen.pid("inner"))
        came = wait(lambda: (now := jump(session(pid=pid, pid_start=process_start(pid)), env={})).reached and now)
        server = spot(pid)
        assert server
        screen.run("-S", f"{server.line[1]}.", "-X", "quit")
    finally:
        subprocess.run([*outer, "kill-server"], env=screen.env, check=False)
    assert came.offer[-1] == "$0:@0.%0"
    assert "screen window 0" in came.sentence


def _type(terminal: IO[bytes], word: str, told: Callable[[], list[str]]) -> None:
    terminal.write(f"{word}\n".encode())
    terminal.flush()
    wait(lambda: word in told(), f"{word}", within=5, seen=told)


def _attached(there: Spot) -> object:
    with Desk({}) as desk:
        found = inside(there, desk)
    return found if found and found.outer else None


def test_a_process_below_no_screen_is_in_none() -> None:
    own = spot(os.getpid())
    assert own
    assert "screen" not in [program(pid) for pid in own.line]
    with Desk({}) as desk:
        assert inside(own, desk) is None
