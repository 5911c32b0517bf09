"""Start stand-in clients in panes of a tmux server, and read what was submitted to them."""

import json
import sys
from dataclasses import dataclass
from pathlib import Path

from deskbell.desktop.jump.spot import Spot, spot
from tests.tmuxes import Tmux
from tests.waiting import wait

STAND_IN = Path(__file__).with_name("stand_in.py")


@dataclass(frozen=True)
class Client:
    folder: Path
    pane: str
    tmux: Tmux

    @property
    def pid(self) -> int:
        return int((self.folder / "pid").read_text())

    @property
    def spot(self) -> Spot:
        found = spot(self.pid)
        assert found
        return found

    @property
    def prompts(self) -> list[str]:
        file = self.folder / "prompts"
        return [json.loads(line) for line in file.read_text("utf-8").splitlines()] if file.exists() else []

    @property
    def screen(self) -> str:
        return self.tmux.run("capture-pane", "-p", "-t", self.pane)

    def draws(self, what: str) -> None:
        (self.folder / "draws").write_text(what)

    def keys(self, *names: str) -> None:
        self.tmux.run("send-keys", "-t", self.pane, *names)

    def shows(self, text: str) -> None:
        wait(lambda: text in self.screen, text, seen=lambda: self.screen)


def client(tmux: Tmux, folder: Path, *words: str, shell: bool = False) -> Client:
    """Start a client in a new window; with SHELL, from a shell that goes on after it."""
    folder.mkdir(parents=True, exist_ok=True)
    command = [sys.executable, "-S", str(STAND_IN), str(folder), *words]
    program = ["bash", "--norc", "--noprofile", "-i"] if shell else command
    pane = tmux.run("new-window", "-P", "-F", "#{pane_id}", "--", "env", *program).strip()
    if shell:
        tmux.run("send-keys", "-t", pane, "-l", " ".join(command))
        tmux.run("send-keys", "-t", pane, "Enter")
    wait((folder / "pid").exists, "the client", seen=lambda: tmux.run("capture-pane", "-p", "-t", pane))
    return Client(folder, pane, tmux)
