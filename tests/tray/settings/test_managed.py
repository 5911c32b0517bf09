"""Test that hooks are not installed where an administrator forbids them."""

import errno
import json
import sys
from pathlib import Path

import pytest

from deskbell.errors import Problem
from deskbell.settings.install import install
from deskbell.settings.managed import check_allowed, managed_folder
from tests.faults.injector import failing
from tests.tray.installing import Machine


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


@pytest.mark.parametrize("key", ["allowManagedHooksOnly", "disableAllHooks"])
@pytest.mark.parametrize("name", ["managed-settings.json", "managed-settings.d/10-hooks.json"])
def test_hooks_that_an_administrator_forbids_are_not_installed(machine: Machine, key: str, name: str) -> None:
    machine.write(json.dumps({key: True}), machine.setup.managed / name)

    with pytest.raises(Problem, match=rf"{Path(name).name} line 1 column 2: \"{key}\" forbids .* Ask your"):
        install([machine.target], machine.setup)

    assert not machine.settings.exists()


@pytest.mark.parametrize("text", ['{"allowManagedHooksOnly": false}', "{", "", '{"hooks": {}}'])
def test_administrators_settings_that_forbid_nothing_are_no_obstacle(machine: Machine, text: str) -> None:
    machine.write(text, machine.setup.managed / "managed-settings.json")

    assert install([machine.target], machine.setup)[0].needed


def test_settings_that_cannot_be_read_are_passed_over(tmp_path: Path) -> None:
    (tmp_path / "managed-settings.json").mkdir()
    (tmp_path / "managed-settings.d").mkdir()
    (tmp_path / "managed-settings.d" / "10.json").write_bytes(b"\xff")
    check_allowed(tmp_path)
    (tmp_path / "managed-settings.d" / "20.json").write_text('{"disableAllHooks": true}')

    with pytest.raises(Problem, match=r"20\.json"):
        check_allowed(tmp_path)


def test_each_system_has_its_folder() -> None:
    folder = {"darwin": "/Library/Application Support/ClaudeCode", "linux": "/etc/claude-code"}

    assert str(managed_folder()) == folder.get(sys.platform, r"C:\Program Files\ClaudeCode")


def test_a_folder_of_the_administrator_that_cannot_be_listed_forbids_nothing(machine: Machine) -> None:
    """Claude Code, which the same person starts, cannot list it either."""
    machine.write('{"disableAllHooks": true}', machine.setup.managed / "managed-settings.d" / "1.json")
    with failing("os.listdir", errno.EACCES):
        check_allowed(machine.setup.managed)
