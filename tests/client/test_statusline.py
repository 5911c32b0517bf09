"""Test that the real client shows the statusline on its screen, alone and chained to the person's own."""

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.client.claude import Claude, Tui
from tests.waiting import wait

ROOT = Path(__file__).parents[2]
OWN = "printf '\\033[35mmine: %s\\033[0m\\n' \"$(grep -c session_id)\""


@dataclass(frozen=True)
class Person:
    claude: Claude

    @property
    def deskbell(self) -> Path:
        return self.claude.home / "deskbell"

    def run(self, *words: str) -> str:
        env = {
            **self.claude.environment,
            "PATH": f"{self.claude.binary.parent}{os.pathsep}{os.environ['PATH']}",
            "PYTHONPATH": os.pathsep.join(str(ROOT / role) for role in ("tray", "hooks", "icons")),
            "DESKBELL_HOME": str(self.deskbell),
        }
        command = [sys.executable, "-m", "deskbell", *words]
        return subprocess.run(command, env=env, capture_output=True, text=True, check=True).stdout

    def branch(self, name: str) -> None:
        """Make a repository of the folder of the projects, which is trusted; the client asks for the root's trust."""
        folder = self.claude.home / "projects" / ".git"
        folder.mkdir()
        (folder / "HEAD").write_text(f"ref: refs/heads/{name}\n")


@pytest.fixture
def person(claude: Claude) -> Person:
    return Person(claude)


def footer(tui: Tui) -> str:
    """What is below the prompt."""
    return tui.pane.screen().rpartition("❯")[2]


def test_the_line_is_on_the_screen_with_model_project_branch_and_the_context_of_the_answer(person: Person) -> None:
    person.branch("feature/cart")
    person.run("statusline", "install", "--yes")
    tui = person.claude.start()
    tui.pane.wait_for("⎇ feature/cart")
    assert "│ proj │" in footer(tui)
    tui.scenario("plain")
    tui.pane.wait_for("0% 2k/1M")
    assert "$0.0" in footer(tui)


def test_a_line_that_comes_and_goes_while_the_client_runs_is_seen_and_gone(person: Person) -> None:
    before = person.claude.settings.read_bytes()
    tui = person.claude.start()
    person.run("statusline", "install", "--yes")
    tui.pane.wait_for("│ proj")
    person.run("statusline", "uninstall", "--yes")
    assert person.claude.settings.read_bytes() == before
    wait(lambda: "│ proj" not in footer(tui), "the screen without the line", seen=tui.pane.screen)


@pytest.mark.parametrize("order", ["first", "last"])
def test_an_own_line_is_on_the_screen_with_ours_and_is_given_back(person: Person, order: str) -> None:
    person.claude.set_settings(statusLine={"type": "command", "command": OWN, "padding": 0})
    before = person.claude.settings.read_bytes()
    person.run("statusline", "install", "--yes", "--chain", order)
    tui = person.claude.start()
    tui.pane.wait_for("mine: 1")
    tui.pane.wait_for("│ proj")
    seen = footer(tui)
    assert (seen.index("mine: 1") < seen.index("│ proj")) is (order == "first"), seen
    person.run("statusline", "uninstall", "--yes")
    assert person.claude.settings.read_bytes() == before


def test_a_session_that_asks_is_named_in_the_line_of_another_one_and_goes_when_it_is_answered(person: Person) -> None:
    person.run("install", "--yes")
    person.run("statusline", "install", "--yes")
    rests = person.claude.start(project="rests")
    asks = person.claude.start(project="asks")
    asks.scenario("permission")
    asks.pane.wait_for("Do you want to")
    rests.pane.wait_for("● 1 blocked: asks")
    assert "touch made.txt" in footer(rests)
    asks.pane.keys("Escape")
    rests.pane.wait_for("○ 1 your turn: asks")


def test_the_subagents_of_the_session_are_counted(person: Person) -> None:
    person.run("install", "--yes")
    person.run("statusline", "install", "--yes")
    tui = person.claude.start()
    tui.scenario("taskbg", 3)
    tui.pane.wait_for("agents: 1 running", "▸1")
    tui.pane.wait_for("agents: 1 done", "✓1")


def test_the_client_starts_without_a_warning_about_the_line(person: Person) -> None:
    person.run("statusline", "install", "--yes")
    entry = json.loads(person.claude.settings.read_bytes())["statusLine"]
    assert entry["refreshInterval"] == 10
    tui = person.claude.start()
    tui.pane.wait_for("│ proj")
    screen = tui.pane.screen()
    assert not [word for word in ("Warning", "rror", "⚠") if word in screen], screen
