"""Run Deskbell as a person does: installed by its own command, on a real desktop with a notification daemon."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.client.claude import Claude, Tui
from tests.client.hearing import Hearing
from tests.desktop.desktop import Desktop
from tests.waiting import wait

ROOT = Path(__file__).parents[2]
SOUNDS = "".join(
    f'[rings.{status}]\nsound = "default"\n'
    for status in ("permission", "question", "input", "plan", "interrupted", "error", "crashed", "idle")
)
"""The only settings that differ from the defaults: a sound marks what rings."""


class Program:
    def __init__(self, claude: Claude, desktop: Desktop, hearing: Hearing, pictures: Path | None) -> None:
        self.claude = claude
        self.desktop = desktop
        self.hearing = hearing
        self.home = claude.home / "deskbell"
        self.state = self.home / "state"
        self.pictures = pictures
        self._env = desktop.env | {
            "PATH": f"{claude.binary.parent}{os.pathsep}{desktop.env['PATH']}",
            "PYTHONPATH": os.pathsep.join(str(ROOT / role) for role in ("tray", "hooks", "icons")),
            "HOME": str(claude.home),
            "DESKBELL_HOME": str(self.home),
        }
        settings = self.home / "config" / "config.toml"
        settings.parent.mkdir(parents=True)
        settings.write_text(SOUNDS)
        self.say("install", "--yes")

    def say(self, *words: str) -> str:
        command = [sys.executable, "-m", "deskbell", *words]
        return subprocess.run(
            command, env=self._env, capture_output=True, text=True, check=True, timeout=60, errors="replace"
        ).stdout

    @contextmanager
    def running(self) -> Iterator[None]:
        self.start()
        try:
            yield
        finally:
            self.stop()

    def start(self) -> None:
        command = [sys.executable, "-m", "deskbell", "run"]
        with (self.claude.home / "output").open("ab") as output:
            self._running = subprocess.Popen(
                command, env=self._env, stdin=subprocess.DEVNULL, stdout=output, stderr=output
            )
        wait(lambda: "StatusNotifierItem-" in self.desktop.items(), "the icon", seen=self.output)

    def stop(self) -> None:
        self._running.terminate()
        assert self._running.wait(20) == 0, self.output()

    def kill(self) -> None:
        self._running.kill()
        self._running.wait(20)

    def output(self) -> str:
        return (self.claude.home / "output").read_text()

    def log(self) -> str:
        return (self.state / "deskbell.log").read_text()

    @contextmanager
    def window_on(self, tui: Tui) -> Iterator[None]:
        """Show the client's pane in a terminal window that has the focus."""
        before = self._focused()
        look = ["tmux", "-S", str(tui.pane.terminal.socket), "attach", "-t", tui.pane.id]
        window = subprocess.Popen(["xterm", "-geometry", "120x30+20+60", "-e", *look], env=self.desktop.env)
        try:
            wait(lambda: self._focused() != before, "the focus on the new window")
            yield
        finally:
            window.terminate()
            window.wait(20)

    def _focused(self) -> str:
        return self.desktop.xdotool("getactivewindow")
