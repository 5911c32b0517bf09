"""Start a private tmux server for a test, and read its panes, its options and its screen."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from deskbell.desktop.tmux.applied import ESCAPES, unescaped
from deskbell_hooks.client import process_stat
from deskbell_hooks.panes import OWNER, STAMP
from tests.waiting import wait

MISSING = shutil.which("tmux") is None
needs_tmux = pytest.mark.skipif(MISSING and not os.environ.get("CI"), reason="tmux is not installed")


class Tmux:
    """A server with one session, one window and one pane, %0, in which `sleep` runs."""

    def __init__(self, socket: Path, columns: int = 100) -> None:
        self.socket = socket
        self.env = {**os.environ, "TERM": "xterm-256color", "LC_ALL": "C.UTF-8"}
        self.env.pop("TMUX", None)
        self.escapes = False
        self.run("new-session", "-d", "-x", str(columns), "-y", "12", "-s", "work", "-n", "api", "sleep 600")
        self.escapes = self.run("display-message", "-p", "#{version}").strip() == ESCAPES
        pid = int(self.value("#{pane_pid}"))  # tmux says so before the process has its terminal
        wait(lambda: process_stat(pid)[4:5] != ["0"], "a terminal for the process in the pane")

    def run(self, *words: str) -> str:
        done = subprocess.run(
            ["tmux", "-u", "-S", str(self.socket), "-f", "/dev/null", *words],
            env=self.env,
            capture_output=True,
            text=True,
            timeout=20,
            check=True,
        )
        return unescaped(done.stdout, self.escapes)

    def options(self, pane: str = "%0") -> dict[str, str]:
        """Return the options of a pane that are ours, without who wrote them and when."""
        found = {}
        for line in self.run("show-options", "-pt", pane).splitlines():
            name = line.split(" ")[0]
            value = self.run("show-options", "-pqvt", pane, name).rstrip("\n")  # empty if it has just gone
            if name not in (OWNER, STAMP) and value:
                found[name] = value
        return found

    def shown(self, option: str, flags: str = "-g") -> str:
        return self.run("show-options", f"{flags}v", option).rstrip("\n")

    def value(self, form: str, pane: str = "%0") -> str:
        return self.run("display-message", "-pt", pane, form).rstrip("\n")

    @property
    def variable(self) -> str:
        """The variable TMUX, as programs in its panes have it."""
        return f"{self.socket},{self.value('#{pid}')},0"

    def shot(self) -> str:
        """Return the screen of its pane."""
        return self.run("capture-pane", "-pt", "%0")

    def end(self) -> None:
        with suppress(subprocess.CalledProcessError, subprocess.TimeoutExpired):
            self.run("kill-server")


@contextmanager
def tmux(folder: Path, name: str = "socket", columns: int = 100) -> Iterator[Tmux]:
    one = Tmux(folder / name, columns)
    try:
        yield one
    finally:
        one.end()


@contextmanager
def screen(of: Tmux, folder: Path, columns: int = 100) -> Iterator["Tmux"]:
    """Attach a client to the server OF, in a pane of another server: that pane shows the screen of OF."""
    outer = Tmux(folder / "outer", columns)
    try:
        outer.run("set-option", "-g", "status", "off")
        outer.run("respawn-pane", "-kt", "%0", f"exec env -u TMUX tmux -u -S {of.socket} attach")
        yield outer
    finally:
        outer.end()
