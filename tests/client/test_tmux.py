"""Test what a pane of tmux holds of the real client beside its status, and what is left in the pane of a shell.

That each pane follows its client within a second is tested in every situation, by `test_situations`. Here Deskbell is
installed into tmux by its own command, before its server runs and into the server that runs.
"""

import os
import signal
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import pytest

from deskbell_hooks.panes import PREFIX, TRAY
from tests.client.api import Api
from tests.client.claude import Claude, Tui, account
from tests.client.conftest import Report
from tests.client.marks import tray
from tests.client.stage import (
    Stage,
    Step,
    later,
    prompt,
    say,
    send,
    shown,
    start,
    start_in_shell,
)
from tests.client.test_situations import register
from tests.client.watch import Check, Watch, slowness
from tests.waiting import wait

WITHIN, PATIENCE = 1.0, 10.0
AT_ONCE = 3


@dataclass
class Pane:
    """The pane in which a client runs, as tmux describes it."""

    tui: Tui

    def ask(self, *words: str) -> str:
        return self.tui.pane.terminal.run(*words).rstrip("\n")

    def option(self, name: str) -> str:
        option = name if name.startswith("@") else f"{PREFIX}{name}"
        return self.ask("show-options", "-pqvt", self.tui.pane.id, option)

    def shown(self) -> str:
        """Return what stands in the border of the pane and after the name of its window."""
        return self.ask("display-message", "-pt", self.tui.pane.id, "#{E:@deskbell_pane}|#{E:@deskbell_window}")


def installed(claude: Claude) -> None:
    """Install into tmux as a person does, before its server runs and into the server that runs."""
    env = {**claude.environment, "PYTHONPATH": os.pathsep.join(sys.path), "TMUX_TMPDIR": str(claude.home)}
    env["TMUX"] = f"{claude.terminal.socket},1,0"
    command = [sys.executable, "-m", "deskbell", "tmux", "install"]
    done = subprocess.run(command, env=env, capture_output=True, text=True, timeout=60, check=True)
    assert "shows the sessions" in done.stdout, done.stdout


def pane(mark: str, *, once: str = "", window: bool = False, **options: str) -> Step:
    """The options and the marks must be so within a second of the last deed, or of ONCE in the terminal."""

    def step(stage: Stage) -> None:
        if once:
            shown(once)(stage)
        one = Pane(stage.tui)

        def fits() -> bool:
            border, _, name = one.shown().partition("|")
            texts = {option: one.option(option) for option in options}
            right = all(value in texts[option] if value else not texts[option] for option, value in options.items())
            return right and mark in border and (mark != "" or border.strip() == "") and ("(⏸)" in name) is window

        wait(fits, f"{mark} {options}", within=PATIENCE, seen=lambda: seen(one))
        delay = time.monotonic() - stage.moment
        trouble = f"late by {delay - WITHIN:.1f} s" if delay > WITHIN * slowness() else ""
        stage.checks.append(Check(f"{mark} {options}", one.shown(), delay, trouble))

    return step


def seen(one: Pane) -> str:
    return f"{one.ask('show-options', '-pt', one.tui.pane.id)}\n{one.shown()}\n{one.tui.pane.screen()}"


def gone() -> Step:
    """The pane has closed with its client; nothing is left in the server that names the session."""

    def step(stage: Stage) -> None:
        one = Pane(stage.tui)
        wait(lambda: stage.tui.pane.id not in one.ask("list-panes", "-a", "-F", "#{pane_id}").split(), "the end")

    return step


RUNS = pane("[▶]", status="running", deskbell_status="working")
FRESH = pane("[·]", status="stopped", deskbell_status="new")
LEFT = pane("[■]", session_id="", status="", deskbell_status="", detail="", latest_hook_event="")
ASKS = pane(
    "[⏸]",
    once="Do you want to proceed?",
    window=True,
    status="stopped",
    deskbell_status="permission",
    detail="Bash: touch made.txt",
)
REMINDED = pane("[⏸]", once="", window=True, status="stopped", latest_hook_event="Notification-permission_prompt")

SITUATIONS: dict[str, tuple[Step, ...]] = {
    "a start and a turn": (
        start(),
        pane("[·]", session_dir="proj", latest_hook_event="SessionStart", session_id_set_on="SessionStart"),
        say("think", 3),
        RUNS,
        pane("[⏸]", once="Thought about it.", window=True, status="stopped", latest_hook_event="Stop"),
    ),
    "a permission left alone past the reminder": (start(), say("permission"), ASKS, later(7), REMINDED),
    "a kill": (start_in_shell(), say("longbash"), RUNS, send(signal.SIGKILL), LEFT),
    "an end by its person": (start_in_shell(), FRESH, prompt("/exit"), LEFT),
    "an end that closes the pane": (start(), FRESH, send(signal.SIGKILL), gone()),
}


@pytest.fixture(scope="module")
def playing(
    client: Path, api: Api, report: Report, request: pytest.FixtureRequest
) -> Iterator[dict[str, "Future[list[Check]]"]]:
    def act(steps: tuple[Step, ...]) -> list[Check]:
        with account(client, api.url) as claude:
            return play(steps, claude)

    chosen = [item.callspec.params.get("name") for item in request.session.items if hasattr(item, "callspec")]
    with ThreadPoolExecutor(AT_ONCE) as stages:
        plays = {name: stages.submit(act, SITUATIONS[name]) for name in chosen if name in SITUATIONS}
        yield plays
    checks = [check for future in plays.values() if not future.exception() for check in future.result()]
    delays = sorted(check.delay for check in checks if check.delay is not None)
    if delays:
        report([f"tmux: {len(delays)} right: after {statistics.median(delays):.2f} s, at most {delays[-1]:.2f} s"])


def play(steps: tuple[Step, ...], claude: Claude) -> list[Check]:
    register(claude)
    claude.terminal.run("start-server", ";", "set-option", "-s", "exit-empty", "off")
    claude.terminal.run("new-session", "-d", "sleep 600")
    installed(claude)
    with tray(claude):
        output, mark = claude.home / "output", claude.home / "deskbell" / "state" / TRAY
        wait(mark.exists, "Deskbell", seen=output.read_text)
        stage = Stage(claude, Watch((), claude.environment))
        for step in steps:
            step(stage)
    return stage.checks


@pytest.mark.timeout(600)
@pytest.mark.parametrize("name", SITUATIONS)
def test_the_pane_shows_what_the_client_does(name: str, playing: dict[str, "Future[list[Check]]"]) -> None:
    assert [check for check in playing[name].result() if check.trouble] == []
