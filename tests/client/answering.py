"""Run Deskbell beside the real client with answers switched on, and answer through its socket as a button does."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from deskbell.answers import call
from deskbell.answers.door import address
from deskbell.errors import Problem
from tests.client.claude import Claude, Tui
from tests.waiting import wait

ROOT = Path(__file__).parents[2]
ON = "[answers]\npermission = true\nquestion = true\nplan = true\n"


@dataclass(frozen=True)
class Answering:
    claude: Claude

    @property
    def home(self) -> Path:
        return self.claude.home / "d"

    @property
    def state(self) -> Path:
        return self.home / "state"

    @property
    def environment(self) -> dict[str, str]:
        return {
            **self.claude.environment,
            "PATH": f"{self.claude.binary.parent}{os.pathsep}{os.environ['PATH']}",
            "PYTHONPATH": os.pathsep.join(str(ROOT / role) for role in ("tray", "hooks", "icons")),
            "DESKBELL_HOME": str(self.home),
        }

    def say(self, *words: str) -> str:
        done = self.run(*words)
        done.check_returncode()
        return done.stdout

    def run(self, *words: str) -> "subprocess.CompletedProcess[str]":
        command = [sys.executable, "-m", "deskbell", *words]
        return subprocess.run(command, env=self.environment, capture_output=True, text=True, timeout=60, check=False)

    def install(self, settings: str = ON) -> None:
        (self.home / "config").mkdir(parents=True, exist_ok=True)
        (self.home / "config" / "config.toml").write_text(settings)
        self.say("install", "--yes")

    @contextmanager
    def running(self) -> Iterator["subprocess.Popen[bytes]"]:
        with self.starting() as program:
            wait(address(self.state).exists, "the socket", seen=self.log)
            yield program

    @contextmanager
    def starting(self) -> Iterator["subprocess.Popen[bytes]"]:
        command = [sys.executable, "-m", "deskbell", "run", "--headless"]
        quiet = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.DEVNULL)
        with subprocess.Popen(command, env=self.environment, **quiet) as program:
            try:
                yield program
            finally:
                program.terminate()

    def log(self) -> str:
        path = self.state / "deskbell.log"
        return path.read_text() if path.exists() else "no log"

    def open(self, tui: Tui) -> dict[str, Any] | None:
        """The request of a client that can be answered now."""
        try:
            found = call.requests(self.state)
        except Problem:
            return None
        return next((one for one in found if one["pid"] == tui.pid and tui.status == "waiting"), None)

    def asked(self, tui: Tui, but: str = "") -> dict[str, Any]:
        """Wait for a request of a client, other than the one that is named BUT."""

        def found() -> dict[str, Any] | None:
            one = self.open(tui)
            return one if one and one["code"] != but else None

        return wait(found, "a request", seen=lambda: f"{tui.registry}\n{tui.pane.screen()}\n{self.log()}")

    def press(self, code: str, choice: str, text: str | None = None, confirmed: bool = True) -> tuple[bool, str]:
        """Choose until the program takes it or refuses it: a request is known a moment before it can be answered."""
        until = time.monotonic() + 2
        while True:
            view = next((one["view"] for one in call.requests(self.state) if one["code"] == code), "")
            call.shown(self.state, [view])
            said = call.answer(self.state, code, choice, text, confirmed, view)
            if not said["said"].startswith("The dialog is not on the screen yet") or time.monotonic() > until:
                return bool(said["done"]), str(said["said"])

    def askers(self, tui: Tui) -> list[int]:
        """The askers that run for a client."""
        found = []
        for path in Path("/proc").glob("[0-9]*/cmdline"):
            try:
                words = path.read_bytes().split(b"\0")
            except OSError:
                continue
            if b"ask" in words and str(self.state).encode() in words:
                found.append(int(path.parent.name))
        return found
