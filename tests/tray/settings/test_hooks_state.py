"""Test what the menu shows of the hooks, and what its clicks do to them."""

import dataclasses
import json
import os
import shutil
from pathlib import Path
from typing import Any

import pytest

from deskbell.board import Board
from deskbell.errors import Problem, reason
from deskbell.face.facts import Facts
from deskbell.face.look import look
from deskbell.face.menu import menu
from deskbell.home import Home
from deskbell.settings import asker_wish
from deskbell.settings.hooks_state import InstalledHooks
from deskbell.settings.setup import Setup
from deskbell.settings.targets import Target
from tests.tray.installing import Machine


@pytest.fixture
def machine(private_home: Path, deployed: Path) -> Machine:
    machine = Machine(private_home)
    machine.has_code(deployed)
    machine.write('{"model": "opus"}\n')
    return machine


@pytest.fixture
def installation(machine: Machine) -> InstalledHooks:
    return InstalledHooks(machine.home, lambda _: machine.setup)


def test_before_the_examination_the_state_is_unknown_and_no_problem(installation: InstalledHooks) -> None:
    assert (installation.hooks(), installation.problem) == ("unknown", None)


def test_a_first_look_finds_the_hooks_missing(installation: InstalledHooks) -> None:
    installation.examine()
    assert installation.hooks() == "missing"


def test_install_and_uninstall_say_what_happened_and_give_the_file_back(
    installation: InstalledHooks, machine: Machine
) -> None:
    installation.examine()
    assert installation.change("install") == f"Installed: {machine.settings}. All 22 events are reported."
    assert (installation.hooks(), installation.happened) == ("installed", f"Installed: {machine.settings}")
    assert installation.change("install") == "Nothing had to be changed. All 22 events are reported."
    assert installation.change("uninstall") == f"Uninstalled: {machine.settings}"
    assert (installation.hooks(), installation.happened) == ("missing", f"Uninstalled: {machine.settings}")
    assert machine.settings.read_text() == '{"model": "opus"}\n'


def test_switching_answers_in_the_file_is_seen_at_the_next_turn(installation: InstalledHooks, machine: Machine) -> None:
    installation.change("install")
    assert installation.hooks() == "installed"
    machine.answers(True)
    assert installation.hooks() == "outdated"
    installation.change("repair")
    assert installation.hooks() == "installed"
    (machine.home.config / "config.toml").unlink()
    assert installation.hooks() == "outdated"
    installation.change("repair")
    assert installation.hooks() == "installed"


MISTAKE = "[rings.permision]\nring = true\n"


@pytest.mark.parametrize("on", [True, False])
def test_a_mistake_in_our_settings_neither_adds_nor_removes_a_hook(machine: Machine, on: bool) -> None:
    machine.answers(on)
    machine.has_client("2.1.326")
    InstalledHooks(machine.home, lambda _: machine.setup).change("install")
    before = machine.settings.read_bytes()
    (machine.home.config / "config.toml").write_text(MISTAKE)
    asker_wish._LAST.clear()  # another process
    fresh = InstalledHooks(machine.home, lambda _: machine.setup)
    fresh.examine()
    assert (fresh.hooks(), fresh.answers) == ("installed", on)
    assert "Nothing had to be changed" in fresh.change("repair")
    assert machine.settings.read_bytes() == before
    assert machine.run("install", "--yes").returncode == 0
    assert machine.settings.read_bytes() == before
    doctor = machine.run("doctor").stdout
    assert ("The hook for answers is installed" in doctor) == on
    offers = [item.text for item in menu(Board(), Facts(hooks=fresh.hooks()), 0.0) if "repair them" in item.text]
    assert offers == []


def test_an_asker_that_somebody_removed_is_said_until_it_is_back(machine: Machine) -> None:
    machine.answers(True)
    installation = InstalledHooks(machine.home, lambda _: machine.setup)
    installation.examine()
    installation.hooks()
    assert installation.removed is None, "nothing is installed at all, which the icon shows"
    installation.change("install")
    assert (installation.hooks(), installation.removed) == ("installed", None)
    settings = json.loads(machine.settings.read_bytes())
    for group in settings["hooks"]["PermissionRequest"]:
        group["hooks"] = [hook for hook in group["hooks"] if "ask" not in hook.get("args", ())]
    machine.settings.write_text(json.dumps(settings))
    assert installation.hooks() == "outdated"
    assert installation.removed == (
        "Answers are switched on, and the hook that they need is not installed. Repair the hooks."
    )
    installation.change("repair")
    assert (installation.hooks(), installation.removed) == ("installed", None)


def test_a_program_of_the_hooks_that_somebody_removed_is_said_until_it_is_back(
    installation: InstalledHooks, machine: Machine
) -> None:
    installation.change("install")
    assert (installation.hooks(), installation.removed) == ("installed", None)
    shutil.rmtree(machine.home.data / "hooks")
    assert installation.hooks() == "outdated"
    assert installation.removed == "Somebody has removed the program that the hooks start. Repair the hooks."
    installation.change("repair")
    assert (installation.hooks(), installation.removed) == ("installed", None)


def test_a_repair_during_a_mistake_does_what_the_last_good_settings_said(machine: Machine) -> None:
    machine.answers(True)
    installation = InstalledHooks(machine.home, lambda _: machine.setup)
    machine.write('{"model": "opus"}\n')
    assert installation.answers
    (machine.home.config / "config.toml").write_text(MISTAKE)
    installation.change("install")
    assert b'"ask"' in machine.settings.read_bytes()
    assert installation.hooks() == "installed"


def test_an_examination_that_ends_while_the_files_are_looked_at_counts(machine: Machine) -> None:
    client = [machine.setup]
    installation = InstalledHooks(machine.home, lambda _: client[-1])
    installation.change("install")

    class Watched(type(Path())):  # type: ignore[misc]  # the class of paths of this system
        def stat(self, **how: Any) -> os.stat_result:
            if len(client) == 1:
                client.append(dataclasses.replace(machine.setup, client=(2, 0, 0)))
                installation.examine()
            return super().stat(**how)  # type: ignore[no-any-return]

    installation.targets = lambda: [Target(Watched(machine.settings))]  # type: ignore[method-assign]
    assert installation.hooks() == "installed", "by the setup before"
    assert len(client) == 2
    assert installation.hooks() == "outdated"


def test_without_a_client_an_install_says_that_fewer_events_are_reported(
    installation: InstalledHooks, machine: Machine
) -> None:
    machine.client = None
    assert "9 of 22 events are reported: Claude Code was not found" in installation.change("install")


def test_what_an_install_would_change_is_planned_and_not_made(installation: InstalledHooks, machine: Machine) -> None:
    (change,) = installation.planned()
    assert change.needed
    assert b"deskbell_hooks" in (change.after or b"")
    assert machine.settings.read_text() == '{"model": "opus"}\n'
    installation.change("install")
    assert [change.needed for change in installation.planned()] == [False]


def test_the_plan_of_an_install_that_would_be_refused_is_a_problem(
    installation: InstalledHooks, machine: Machine
) -> None:
    machine.write('{"model": ')
    with pytest.raises(Problem, match="expected a value"):
        installation.planned()


def test_the_folders_of_the_settings_are_known(installation: InstalledHooks, machine: Machine) -> None:
    assert installation.folders() == [machine.settings.parent]


def test_a_tool_that_overwrites_the_settings_is_noticed_and_mended(
    installation: InstalledHooks, machine: Machine
) -> None:
    installation.examine()
    installation.change("install")
    machine.write('{"model": "sonnet"}\n')
    assert installation.hooks() == "overwritten"
    assert installation.change("repair") == f"Repaired: {machine.settings}. All 22 events are reported."
    assert installation.hooks() == "installed"


def test_settings_that_cannot_be_read_are_left_alone(installation: InstalledHooks, machine: Machine) -> None:
    machine.write('{"model": ')
    installation.examine()
    assert installation.hooks() == "unreadable"
    with pytest.raises(Problem, match="expected a value"):
        installation.change("install")
    assert str(machine.settings) in installation.happened
    assert machine.settings.read_text() == '{"model": '


class Breakable:
    """Makes the setup of a machine, or fails."""

    def __init__(self, machine: Machine, error: Exception | None) -> None:
        self.machine, self.error = machine, error

    def __call__(self, _: Home) -> Setup:
        if self.error:
            raise self.error
        return self.machine.setup


UNEXAMINABLE = [Problem("no Python runs the hooks"), PermissionError(13, "Permission denied", "claude.json")]


@pytest.mark.parametrize("error", UNEXAMINABLE, ids=["no Python", "an unreadable file"])
def test_where_the_hooks_cannot_be_examined_the_menu_says_so(machine: Machine, error: Exception) -> None:
    installation = InstalledHooks(machine.home, Breakable(machine, error))
    installation.examine()
    assert installation.hooks() == "unknown"
    assert installation.problem == f"The hooks cannot be examined: {reason(error)}"
    facts = Facts(hooks=installation.hooks(), problem=installation.problem)
    texts = [item.text for item in menu(Board(), facts, 0.0)]
    assert not any("installed" in text for text in texts)
    assert next(text for text in texts if text.startswith("The hooks cannot be examined: "))
    assert look(Board(), facts, 0.0).state == "problem"


@pytest.mark.parametrize("error", UNEXAMINABLE, ids=["no Python", "an unreadable file"])
def test_a_later_examination_that_works_ends_the_problem(machine: Machine, error: Exception) -> None:
    setup = Breakable(machine, error)
    installation = InstalledHooks(machine.home, setup)
    installation.examine()
    setup.error = None
    installation.examine()
    assert (installation.hooks(), installation.problem) == ("missing", None)
    setup.error = error
    installation.examine()
    assert installation.hooks() == "unknown"


def test_an_error_that_nobody_foresaw_leaves_the_state_unknown_too(machine: Machine) -> None:
    setup = Breakable(machine, None)
    installation = InstalledHooks(machine.home, setup)
    installation.change("install")
    assert installation.hooks() == "installed"
    setup.error = ValueError("boom")
    with pytest.raises(ValueError, match="boom"):
        installation.examine()
    assert installation.hooks() == "unknown"
    assert installation.problem == "The hooks cannot be examined: ValueError: boom"
    setup.error = None
    installation.examine()
    assert (installation.hooks(), installation.problem) == ("installed", None)


def test_what_an_examination_finds_counts_though_no_settings_file_has_changed(
    installation: InstalledHooks, machine: Machine
) -> None:
    client, machine.client = machine.client, None
    installation.change("install")
    assert installation.hooks() == "installed"
    machine.client = client  # it knows more events
    installation.examine()
    assert installation.hooks() == "partly"


def test_a_click_examines_them_again(machine: Machine) -> None:
    setup = Breakable(machine, UNEXAMINABLE[0])
    installation = InstalledHooks(machine.home, setup)
    installation.examine()
    with pytest.raises(Problem):
        installation.change("install")
    assert installation.happened == "no Python runs the hooks"
    setup.error = None
    installation.change("install")
    assert (installation.hooks(), installation.problem) == ("installed", None)


def test_without_a_python_the_hooks_can_be_taken_out(machine: Machine) -> None:
    setup = Breakable(machine, None)
    installation = InstalledHooks(machine.home, setup)
    installation.change("install")
    setup.error = UNEXAMINABLE[0]
    assert installation.change("uninstall") == f"Uninstalled: {machine.settings}"
    assert machine.settings.read_text() == '{"model": "opus"}\n'


def test_a_failure_is_logged_once(machine: Machine, caplog: pytest.LogCaptureFixture) -> None:
    installation = InstalledHooks(machine.home, Breakable(machine, UNEXAMINABLE[0]))
    for _ in range(3):
        installation.examine()
    assert [record.getMessage() for record in caplog.records] == [
        "The hooks cannot be examined: no Python runs the hooks"
    ]


THEIRS = '{"hooks": {"PermissionRequest": [{"hooks": [{"type": "command", "command": "approve"}]}]}}'

# where another hook is registered, by the folder of the machine
PLACES = {
    "the account of this environment": ".claude/settings.json",
    "another account": "work/settings.json",
    "the administrator's file": "managed/managed-settings.json",
    "one of the administrator's files": "managed/managed-settings.d/10.json",
    "the project": "api/.claude/settings.json",
    "the project, for this person": "api/.claude/settings.local.json",
}


def answers(hooks: InstalledHooks, machine: Machine) -> bool:
    return hooks.others("PermissionRequest", [machine.root / "work"], [machine.root / "api"])


@pytest.fixture
def hooks(machine: Machine) -> InstalledHooks:
    return InstalledHooks(machine.home, lambda _: machine.setup, lambda: machine.root / "managed")


@pytest.mark.parametrize("place", PLACES.values(), ids=PLACES)
def test_another_hook_is_found_wherever_it_is_registered(hooks: InstalledHooks, machine: Machine, place: str) -> None:
    assert not answers(hooks, machine)
    machine.write(THEIRS, machine.root / place)
    assert answers(hooks, machine)
    assert not hooks.others("Stop", [machine.root / "work"], [machine.root / "api"])
    (machine.root / place).unlink()
    assert not answers(hooks, machine)


def test_a_project_that_cannot_be_examined_registers_nothing(hooks: InstalledHooks) -> None:
    assert not hooks.others("PermissionRequest", [], [Path("/" + "a" * 300)])


def test_our_own_hooks_are_no_others(hooks: InstalledHooks, machine: Machine) -> None:
    hooks.change("install")
    assert not answers(hooks, machine)


def test_settings_are_read_again_only_when_they_have_changed(hooks: InstalledHooks, machine: Machine) -> None:
    machine.write(THEIRS)
    assert answers(hooks, machine)
    changed = THEIRS.replace("PermissionRequest", "PermissionRefused")
    inode = machine.settings.stat().st_ino
    machine.write(changed)  # as long, as old and in the same place as before
    assert machine.settings.stat().st_ino == inode
    assert answers(hooks, machine)
    machine.write(f"{changed}\n")
    assert not answers(hooks, machine)


@pytest.mark.parametrize("text", ['{"hooks": ', '"\udcff"'], ids=["unfinished", "not UTF-8"])
def test_settings_that_are_not_understood_register_nothing(hooks: InstalledHooks, machine: Machine, text: str) -> None:
    machine.settings.write_bytes(text.encode(errors="surrogateescape"))
    assert not answers(hooks, machine)


def test_what_deskbell_remembers_may_be_damaged(hooks: InstalledHooks, machine: Machine) -> None:
    machine.home.config.mkdir(parents=True)
    (machine.home.config / "claude.json").write_text("nonsense")
    machine.write(THEIRS)
    assert answers(hooks, machine)
