"""What the menu knows of the hooks and of the start at login, and what its clicks do to them."""

from pathlib import Path

import pytest

from deskbell.errors import Problem
from deskbell.home import Home
from deskbell.settings.hooks_state import InstalledHooks
from deskbell.settings.setup import Setup
from tests.tray.installing import Machine


@pytest.fixture
def machine(private_home: Path) -> Machine:
    machine = Machine(private_home)
    machine.write('{"model": "opus"}\n')
    return machine


@pytest.fixture
def installation(machine: Machine) -> InstalledHooks:
    return InstalledHooks(machine.home, lambda _: machine.setup)


def test_before_it_has_looked_it_does_not_claim_that_anything_is_wrong(installation: InstalledHooks) -> None:
    assert installation.hooks() == "installed"


def test_a_first_look_finds_the_hooks_missing(installation: InstalledHooks) -> None:
    installation.examine()
    assert installation.hooks() == "missing"


def test_install_and_uninstall_say_what_happened_and_give_the_file_back(
    installation: InstalledHooks, machine: Machine
) -> None:
    installation.examine()
    assert installation.change("install") == f"Installed: {machine.settings}"
    assert installation.hooks() == "installed"
    assert installation.change("install") == "Nothing had to be changed"
    assert installation.change("uninstall") == f"Uninstalled: {machine.settings}"
    assert (installation.hooks(), installation.happened) == ("missing", f"Uninstalled: {machine.settings}")
    assert machine.settings.read_text() == '{"model": "opus"}\n'


def test_the_folders_of_the_settings_are_known(installation: InstalledHooks, machine: Machine) -> None:
    assert installation.folders() == [machine.settings.parent]


def test_a_tool_that_overwrites_the_settings_is_noticed_and_mended(
    installation: InstalledHooks, machine: Machine
) -> None:
    installation.examine()
    installation.change("install")
    machine.write('{"model": "sonnet"}\n')
    assert installation.hooks() == "overwritten"
    assert installation.change("repair") == f"Repaired: {machine.settings}"
    assert installation.hooks() == "installed"


def test_settings_that_cannot_be_read_are_left_alone(installation: InstalledHooks, machine: Machine) -> None:
    machine.write('{"model": ')
    installation.examine()
    assert installation.hooks() == "unreadable"
    with pytest.raises(Problem, match="expected a value"):
        installation.change("install")
    assert str(machine.settings) in installation.happened
    assert machine.settings.read_text() == '{"model": '


def test_where_there_is_no_python_for_the_hooks_the_menu_says_so(machine: Machine) -> None:
    def nothing(_: Home) -> Setup:
        raise Problem("no Python runs the hooks")

    installation = InstalledHooks(machine.home, nothing)
    with pytest.raises(Problem):
        installation.examine()
    with pytest.raises(Problem):
        installation.change("install")
    assert installation.happened == "no Python runs the hooks"
