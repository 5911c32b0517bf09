"""Test that the statusline is installed and removed with the same care as the hooks."""

import json
import subprocess
import threading
from dataclasses import replace
from pathlib import Path

import pytest

from deskbell.errors import Problem
from deskbell.settings.install import install, uninstall
from deskbell.settings.line_command import Order
from deskbell.settings.line_install import (
    Removed,
    install_line,
    is_taken,
    plan_line,
    plan_without_line,
    uninstall_line,
)
from deskbell.settings.state import registered_lines, state_of
from deskbell.settings.targets import Target
from tests.tray.installing import Machine

OWN = '{\n  "statusLine": {"type": "command", "command": "echo own"}\n}\n'


@pytest.fixture
def bare(tmp_path: Path) -> Machine:
    """A machine on which Deskbell was never installed."""
    return Machine(tmp_path)


@pytest.fixture
def machine(bare: Machine, deployed: Path) -> Machine:
    bare.has_code(deployed)
    return bare


def shown(machine: Machine, given: str = '{"model": {"display_name": "Opus"}}') -> str:
    """Run the statusline that the settings have, as Claude Code does."""
    words = json.loads(machine.settings.read_bytes())["statusLine"]["command"]
    env = {"PATH": "/usr/bin:/bin", "HOME": str(machine.root), "NO_COLOR": "1"}
    done = subprocess.run(["/bin/sh", "-c", words], input=given.encode(), env=env, capture_output=True, check=True)
    assert done.stderr == b""
    return done.stdout.decode()


def files_below(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file())


def test_an_installed_line_shows_the_session_without_this_package(bare: Machine) -> None:
    (change,) = install_line([bare.target], bare.setup, None)
    assert change.before is None
    assert shown(bare) == "Opus\n"
    assert bare.home.statusline.is_dir()


def test_what_install_created_is_removed_again(machine: Machine) -> None:
    install_line([machine.target], machine.setup, None)
    (removed,) = uninstall_line([machine.target], machine.home)
    assert removed.edited == ""
    assert not machine.settings.parent.exists()
    assert not machine.home.data.exists()
    assert not machine.home.statusline.exists()
    assert [path.name for path in files_below(machine.home.config) if path.name.startswith("claude")] == ["claude.json"]


def test_an_own_line_is_never_overwritten_but_chained_and_given_back(machine: Machine) -> None:
    machine.write(OWN)
    assert is_taken(machine.settings)
    with pytest.raises(Problem, match=r"statusLine of your own.*--chain first"):
        install_line([machine.target], machine.setup, None)
    assert machine.settings.read_text() == OWN

    install_line([machine.target], machine.setup, "last")

    assert not is_taken(machine.settings)
    assert shown(machine) == "Opus\nown\n"
    uninstall_line([machine.target], machine.home)
    assert machine.settings.read_text() == OWN


def test_a_second_install_and_a_second_uninstall_change_nothing(machine: Machine) -> None:
    machine.write(OWN)
    install_line([machine.target], machine.setup, "first")
    assert [change.needed for change in install_line([machine.target], machine.setup, None)] == [False]
    uninstall_line([machine.target], machine.home)
    (again,) = uninstall_line([machine.target], machine.home)
    assert not again.change.needed


@pytest.mark.long
@pytest.mark.parametrize("line_first", [True, False])
@pytest.mark.parametrize("line_out_first", [True, False])
@pytest.mark.parametrize("text", [None, "{}", OWN])
def test_hooks_and_line_leave_no_trace_in_any_order(
    machine: Machine, line_first: bool, line_out_first: bool, text: str | None
) -> None:
    if text is not None:
        machine.write(text)
    for line in (line_first, not line_first):
        if line:
            install_line([machine.target], machine.setup, "first")
        else:
            install([machine.target], machine.setup)
    assert shown(machine).endswith("Opus\n")
    assert state_of(machine.target, machine.setup).state == "installed"
    for line in (line_out_first, not line_out_first):
        if line:
            uninstall_line([machine.target], machine.home)
        else:
            uninstall([machine.target], machine.home)
            if not line_out_first:
                assert shown(machine).endswith("Opus\n"), "its code must stay"
    assert (machine.settings.read_text() if machine.settings.exists() else None) == text
    assert machine.settings.parent.exists() is (text is not None)
    assert not machine.home.data.exists()


def test_a_line_alone_is_no_sign_of_hooks_that_were_removed(machine: Machine) -> None:
    install_line([machine.target], machine.setup, None)
    assert state_of(machine.target, machine.setup).state == "missing"


def test_an_install_of_the_hooks_moves_the_line_to_the_new_code(machine: Machine) -> None:
    install_line([machine.target], machine.setup, None)
    current = machine.settings.read_text()
    machine.write(current.replace(str(machine.setup.folder), str(machine.home.data / "hooks" / "old")))
    install([machine.target], machine.setup)
    assert [line.main for line in registered_lines(machine.home)] == [machine.setup.line.main]
    assert shown(machine) == "Opus\n"


def test_what_the_person_changed_in_our_line_is_reported_and_kept_in_a_copy(machine: Machine) -> None:
    install_line([machine.target], machine.setup, None)
    machine.write(machine.settings.read_text().replace('"refreshInterval": 10', '"refreshInterval": 3'))
    (removed,) = uninstall_line([machine.target], machine.home)
    assert removed.edited == '"refreshInterval": 3'
    copies = [path.read_text() for path in (machine.home.config / "history").rglob("*.json")]
    assert any('"refreshInterval": 3' in copy for copy in copies)


def test_a_line_that_took_the_place_of_ours_stays(machine: Machine) -> None:
    install_line([machine.target], machine.setup, None)
    machine.write(OWN)
    (removed,) = uninstall_line([machine.target], machine.home)
    assert isinstance(removed, Removed)
    assert not removed.change.needed
    assert machine.settings.read_text() == OWN


REFUSED = [
    ('{"statusLine": 5}', "not of type"),
    ('{"statusLine": {"type": "command", "command": "a"}, "statusLine": {}}', "a second time"),
    ('{"disableAllHooks": true}', "stops the statusline"),
    ("{", "line 1 column 2"),
    ("[]", "not an object"),
]


@pytest.mark.parametrize(("text", "said"), REFUSED)
def test_what_is_not_understood_is_refused_and_untouched(machine: Machine, text: str, said: str) -> None:
    machine.write(text)
    with pytest.raises(Problem, match=said):
        install_line([machine.target], machine.setup, "first")
    assert machine.settings.read_text() == text
    assert registered_files(machine) == []


def registered_files(machine: Machine) -> list[str]:
    path = machine.home.config / "claude.json"
    return list(json.loads(path.read_bytes()).get("lines", [])) if path.exists() else []


@pytest.mark.parametrize("order", [None, "first"])
def test_on_windows_an_own_line_stays_and_the_error_does_not_suggest_to_chain_it(
    machine: Machine, order: Order | None
) -> None:
    machine.write(OWN)
    with pytest.raises(Problem, match=r"in Git Bash or in PowerShell.*Keep yours") as refused:
        install_line([machine.target], replace(machine.setup, windows=True), order)
    assert "--chain" not in str(refused.value)
    assert machine.settings.read_text() == OWN


def test_if_one_of_two_files_is_refused_both_stay_as_they_are(machine: Machine) -> None:
    other = machine.write(OWN, machine.root / "other" / "settings.json")
    machine.write("{}")
    with pytest.raises(Problem, match="statusLine of your own"):
        install_line([machine.target, Target(other)], machine.setup, None)
    assert (machine.settings.read_text(), other.read_text()) == ("{}", OWN)


def test_an_administrator_may_forbid_it(machine: Machine) -> None:
    machine.write('{"allowManagedHooksOnly": true}', machine.root / "managed" / "managed-settings.json")
    with pytest.raises(Problem, match="Ask your administrator"):
        install_line([machine.target], machine.setup, None)


def test_a_plan_writes_nothing(machine: Machine) -> None:
    machine.write(OWN)
    (plan,) = plan_line([machine.target], machine.setup, "first")
    assert plan.needed
    (without,) = plan_without_line([machine.target], machine.home)
    assert not without.needed
    assert machine.settings.read_text() == OWN
    assert not machine.home.statusline.exists()


def test_installs_at_the_same_time_chain_the_own_line_only_once(machine: Machine) -> None:
    machine.write(OWN)
    threads = [threading.Thread(target=install_line, args=([machine.target], machine.setup, "first")) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert shown(machine) == "own\x1b[0m\nOpus\n"
    uninstall_line([machine.target], machine.home)
    assert machine.settings.read_text() == OWN
