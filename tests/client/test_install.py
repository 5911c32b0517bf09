"""Test install and uninstall while the real client runs."""

import json
import os
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from deskbell.home import Home
from deskbell.settings.install import install
from deskbell.settings.interpreter import stable_interpreter
from deskbell.settings.setup import Setup
from deskbell.settings.targets import Target
from tests.client.claude import Claude, Tui
from tests.waiting import Late, wait

ROOT = Path(__file__).parents[2]


@dataclass(frozen=True)
class Person:
    """A person with the client, and with Deskbell in a checkout of their own."""

    claude: Claude
    package: Path

    @property
    def deskbell(self) -> Path:
        return self.claude.home / "deskbell"

    def run(self, *words: str, check: bool = True) -> str:
        env = {
            **self.claude.environment,
            "PATH": f"{self.claude.binary.parent}{os.pathsep}{os.environ['PATH']}",
            "PYTHONPATH": os.pathsep.join(str(self.package / role) for role in ("tray", "hooks", "icons")),
            "DESKBELL_HOME": str(self.deskbell),
        }
        done = subprocess.run(
            [sys.executable, "-m", "deskbell", *words], env=env, capture_output=True, text=True, check=check
        )
        return done.stdout

    @property
    def journal(self) -> list[str]:
        """The events recorded so far."""
        journals = (self.deskbell / "state" / "events").glob("*.jsonl")
        return [json.loads(line)["event"] for path in journals for line in path.read_text().splitlines()]

    def says(self, tui: Tui) -> list[str]:
        """Play a whole turn, long enough to be seen, and return the events that were recorded of it."""
        before = len(self.journal)
        tui.scenario("think", 1)
        tui.wait_status("busy")
        tui.wait_status("idle")
        return self.journal[before:]


@pytest.fixture
def person(claude: Claude) -> Person:
    package = claude.home / "package"
    for role in ("tray", "hooks", "icons"):
        shutil.copytree(ROOT / role, package / role, ignore=shutil.ignore_patterns("__pycache__"))
    return Person(claude, package)


def test_a_running_session_is_recorded_from_its_next_prompt_until_the_uninstall(person: Person) -> None:
    tuned = person.claude.settings.read_bytes()
    tui = person.claude.start()
    assert person.says(tui) == []

    person.run("install", "--yes")

    wait(lambda: "Stop" in person.says(tui), "a recorded turn")
    assert "All 22 events" in person.run("status")
    person.run("uninstall", "--yes")
    assert person.claude.settings.read_bytes() == tuned
    wait(lambda: person.says(tui) == [], "a turn that is not recorded")
    assert person.says(tui) == []


def test_the_client_starts_without_a_warning_about_our_settings(person: Person) -> None:
    person.run("install", "--yes")

    tui = person.claude.start()
    wait(lambda: "SessionStart" in person.journal, "the recorded start")

    screen = tui.pane.screen()
    assert "❯" in screen
    assert not [word for word in ("Warning", "rror", "⚠", "hook") if word in screen], screen
    tui.prompt("/exit")
    tui.wait_gone()
    wait(lambda: "SessionEnd" in person.journal, "the recorded end")


def remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink()


def finish(tui: Tui, scenario: str) -> None:
    """Play a turn with tools to its end."""
    tui.scenario(scenario)
    tui.pane.wait_for(f"Finished scenario {scenario}.")
    tui.wait_status("idle")


REMOVED: dict[str, Callable[[Person], Path]] = {
    "the package": lambda person: person.package,
    "the deployed code": lambda person: person.deskbell / "data",
    "everything of Deskbell's": lambda person: person.deskbell,
    "the interpreter": lambda person: person.claude.home / "python",
}


def with_own_interpreter(person: Person) -> None:
    """Make the registered commands use a Python of this account, which the test can remove."""
    own = person.claude.home / "python"
    real = stable_interpreter().path
    own.symlink_to(real)
    settings = person.claude.settings
    settings.write_text(settings.read_text().replace(f"p='{real}'", f"p='{own}'"))


@pytest.mark.parametrize("removed", REMOVED.values(), ids=REMOVED)
def test_a_session_goes_on_silently_without(person: Person, removed: Callable[[Person], Path]) -> None:
    person.run("install", "--yes")
    with_own_interpreter(person)
    tui = person.claude.start()
    wait(lambda: "Stop" in person.says(tui), "a recorded turn")

    gone = removed(person)
    remove(gone)

    finish(tui, "batch")
    finish(tui, "toolfail")
    person.says(tui)
    screen = tui.pane.screen()
    assert "hook" not in screen.lower(), screen
    if gone == person.package:
        wait(lambda: "Stop" in person.journal[-2:], "the end of the turn", seen=lambda: person.journal)
    tui.prompt("/exit")
    tui.wait_gone()


def test_the_commands_for_windows_record_and_stay_silent_when_everything_is_gone(person: Person) -> None:
    """Without a shell there are no guards: the client hides the failure of a hook in the background."""
    own = person.claude.home / "python"
    own.symlink_to(stable_interpreter().path)
    home = Home(*(person.deskbell / name for name in ("state", "data", "config")))
    interpreter = replace(stable_interpreter(), path=str(own))
    install([Target(person.claude.settings)], Setup(home, interpreter, (2, 1, 326), person.deskbell, windows=True))
    tui = person.claude.start()
    wait(lambda: "Stop" in person.says(tui), "a recorded turn")

    remove(home.data)
    finish(tui, "batch")
    remove(own)
    finish(tui, "toolfail")

    screen = tui.pane.screen()
    assert "hook" not in screen.lower(), screen


RUNS = 3
"""A client that ends may kill the hooks that it has just started. On a machine under load one of them may be too slow."""


def test_a_printed_answer_is_recorded_to_its_end(person: Person) -> None:
    person.run("install", "--yes")

    def played() -> set[str]:
        before = Counter(person.journal)
        done = person.claude.print("SCENARIO:batch go")
        assert (done.returncode, done.stderr) == (0, "")
        with suppress(Late):
            wait(lambda: {"Stop", "SessionEnd"} <= (Counter(person.journal) - before).keys(), within=5.0)
        return set(Counter(person.journal) - before)

    events = {"SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "Stop", "SessionEnd"}
    assert any(events <= played() for _ in range(RUNS))


@pytest.mark.parametrize("text", ["", "\n", "\ufeff{}", '{\r\n\t"model": "sonnet"\r\n}'], ids=repr)
def test_the_client_reads_a_file_of_any_style_with_our_hooks_in_it(person: Person, text: str) -> None:
    person.claude.settings.write_bytes(text.encode())

    person.run("install", "--yes")

    assert person.claude.print("SCENARIO:plain go").returncode == 0
    assert person.journal
    person.run("uninstall", "--yes")
    assert person.claude.settings.read_bytes() == text.encode()


def test_uninstall_works_on_a_file_that_the_client_has_rewritten(person: Person) -> None:
    person.run("install", "--yes")
    tui = person.claude.start()
    ours = person.claude.settings.read_bytes()

    tui.prompt("/model opus")

    wait(lambda: person.claude.settings.read_bytes() != ours, "the client's own change", seen=tui.pane.screen)
    wait(lambda: "All 22 events" in person.run("status", check=False), "all events in the client's own words")
    person.run("uninstall", "--yes")
    left = json.loads(person.claude.settings.read_text())
    assert sorted(left) == ["model", "permissions"]


def test_the_doctor_finds_nothing_wrong_while_a_session_runs(person: Person) -> None:
    person.run("install", "--yes")
    person.claude.start()

    checks: list[dict[str, Any]] = json.loads(person.run("doctor", "--json"))["checks"]

    links = ("client", "policy", "interpreter", "settings", "hook code", "state folder", "registry")
    found = {check["verdict"] for check in checks if check["name"].startswith(links)}
    assert found == {"ok"}, checks
