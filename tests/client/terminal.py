"""Give programs a terminal: tmux on a private socket, with a pane for each program."""

import contextlib
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.waiting import wait

SIZE = ("150", "45")
STAYS = ("start-server", ";", "set-option", "-s", "exit-empty", "off", ";")
"""Without it a server ends with its last program, perhaps just as the next one is opened."""
GLANCE = 0.05
"""Seconds between two looks at a screen, each of which starts a process."""


@dataclass(frozen=True)
class Terminal:
    """A tmux server. Its programs see ENVIRONMENT alone."""

    socket: Path
    environment: Mapping[str, str]

    def run(self, *words: str) -> str:
        done = subprocess.run(
            ["tmux", "-S", str(self.socket), "-f", "/dev/null", *words],
            env={**self.environment, "TERM": "xterm-256color"},
            capture_output=True,
            text=True,
            timeout=20,
            check=True,
        )
        return done.stdout

    def open(self, command: Sequence[str], folder: Path, environment: Mapping[str, str]) -> "Pane":
        """Open a pane. COMMAND has at least two words: tmux runs one word in a shell and reports its pid."""
        settings = [word for name, value in environment.items() for word in ("-e", f"{name}={value}")]
        size = ("-x", SIZE[0], "-y", SIZE[1])
        form = ("-P", "-F", "#{pane_id} #{pane_pid}")
        new = ("new-session", "-d", *form, *size, "-c", str(folder), *settings, "--", *command)
        pane, pid = self.run(*STAYS, *new).split()
        return Pane(self, pane, int(pid))

    def kill(self) -> None:
        """Kill the server. Every program in it gets SIGHUP."""
        with contextlib.suppress(subprocess.CalledProcessError):
            self.run("kill-server")


@dataclass(frozen=True)
class Pane:
    terminal: Terminal
    id: str
    pid: int

    def screen(self) -> str:
        try:
            return self.terminal.run("capture-pane", "-p", "-t", self.id).rstrip()
        except subprocess.CalledProcessError as gone:
            return f"(no pane: {gone.stderr.strip()})"

    def type(self, text: str) -> None:
        self.terminal.run("send-keys", "-t", self.id, "-l", text)

    def keys(self, *names: str) -> None:
        self.terminal.run("send-keys", "-t", self.id, *names)

    def close(self) -> None:
        """Close the pane, as a person closes a window. The program gets SIGHUP."""
        with contextlib.suppress(subprocess.CalledProcessError):
            self.terminal.run("kill-pane", "-t", self.id)

    def wait_for(self, *texts: str) -> str:
        """Return the screen as soon as it shows one of the texts."""

        def shown() -> str | None:
            screen = self.screen()
            return screen if any(text in screen for text in texts) else None

        return wait(shown, f"{' or '.join(map(repr, texts))} on the screen", step=GLANCE, seen=self.screen)
