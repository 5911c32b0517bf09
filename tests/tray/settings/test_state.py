"""Test the report of the hooks in a file: their state, a sentence for it, and the next step."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from deskbell.errors import Problem
from deskbell.settings.install import install, uninstall
from deskbell.settings.state import ASKER, INSTALL, OFF, registered_hooks, state_of
from deskbell.settings.targets import Target
from tests.tray.installing import Machine

TUNED = '{"model": "opus"}'


@pytest.fixture
def machine(tmp_path: Path, deployed: Path) -> Machine:
    machine = Machine(tmp_path)
    machine.has_code(deployed)
    return machine


def test_a_moved_interpreter_is_outdated_and_put_right(machine: Machine) -> None:
    install([machine.target], machine.setup)
    machine.write(machine.settings.read_text().replace(machine.setup.interpreter.path, "/opt/old/python3"))
    assert state_of(machine.target, machine.setup).state == "outdated"

    install([machine.target], machine.setup)

    assert state_of(machine.target, machine.setup).state == "installed"


def test_a_newer_client_knows_more_events_and_an_older_one_fewer(machine: Machine) -> None:
    machine.client = (2, 0, 0)
    install([machine.target], machine.setup)
    machine.client = (2, 1, 326)
    report = state_of(machine.target, machine.setup)
    assert (report.state, "PermissionRequest" in report.standing.missing) == ("partly", True)
    install([machine.target], machine.setup)
    machine.client = (2, 0, 0)

    assert state_of(machine.target, machine.setup).state == "outdated"


def test_a_file_that_another_program_overwrote_is_noticed(machine: Machine) -> None:
    install([machine.target], machine.setup)
    machine.write('{"theirs": true}')

    report = state_of(machine.target, machine.setup)

    assert report.state == "overwritten"
    assert "another program" in report.sentence


def test_switching_answers_by_hand_makes_the_hooks_outdated_until_they_are_installed_again(machine: Machine) -> None:
    machine.write(TUNED)
    install([machine.target], machine.setup)
    recorder_only = machine.settings.read_bytes()
    machine.answers(True)
    report = state_of(machine.target, machine.setup)
    assert (report.state, report.standing.asker) == ("outdated", "missing")
    assert (report.sentence, report.step) == (ASKER["missing"], INSTALL)
    install([machine.target], machine.setup)
    assert state_of(machine.target, machine.setup).state == "installed"
    assert machine.settings.read_bytes().count(b'"ask"') == 1

    machine.answers(False)

    report = state_of(machine.target, machine.setup)
    assert (report.state, report.standing.asker, report.sentence) == ("outdated", "stray", OFF)
    install([machine.target], machine.setup)
    assert state_of(machine.target, machine.setup).state == "installed"
    assert machine.settings.read_bytes() == recorder_only
    uninstall([machine.target], machine.home)
    assert machine.settings.read_text() == TUNED


def test_uninstall_takes_both_out(machine: Machine) -> None:
    machine.write(TUNED)
    machine.answers(True)
    install([machine.target], machine.setup)
    uninstall([machine.target], machine.home)
    assert machine.settings.read_text() == TUNED
    assert not machine.home.data.exists()


def test_a_client_that_cannot_start_it_gets_no_asker(machine: Machine) -> None:
    machine.answers(True)
    machine.client = (2, 1, 138)
    install([machine.target], machine.setup)
    assert state_of(machine.target, machine.setup).state == "installed"
    assert b'"ask"' not in machine.settings.read_bytes()


def test_an_asker_that_the_client_cannot_start_any_more_is_said_to_be_in_the_wrong_place(machine: Machine) -> None:
    machine.answers(True)
    install([machine.target], machine.setup)
    report = state_of(machine.target, replace(machine.setup, client=(2, 1, 138)))
    assert (report.state, report.standing.asker) == ("outdated", "stray")


def test_an_asker_of_another_python_is_outdated(machine: Machine) -> None:
    machine.answers(True)
    install([machine.target], machine.setup)
    text = machine.settings.read_text()
    python = machine.setup.interpreter.path
    machine.write(text.replace(f'"command": "{python}"', '"command": "/opt/old/python3"'))

    report = state_of(machine.target, machine.setup)

    assert (report.state, report.sentence) == ("outdated", ASKER["stale"])


def test_a_file_without_our_hooks_is_missing_them(machine: Machine) -> None:
    assert state_of(machine.target, machine.setup).state == "missing"
    machine.write(TUNED)
    assert state_of(machine.target, machine.setup).state == "missing"


def sentence(machine: Machine) -> str:
    report = state_of(machine.target, machine.setup)
    assert (report.step == "") == (report.state == "installed")
    return report.sentence


def test_every_state_of_a_file_that_is_understood_has_its_sentence(machine: Machine) -> None:
    assert sentence(machine) == "Deskbell's hooks are not installed."
    machine.client = (2, 1, 0)
    install([machine.target], machine.setup)
    count = len(machine.setup.wanted)
    assert sentence(machine) == f"{count} of 22 events are reported: Claude Code 2.1.0 knows no others."
    machine.client = (2, 1, 33)
    assert sentence(machine) == f"{count} of {count + 2} events are reported. Missing: TaskCompleted, TeammateIdle."
    machine.client = (1, 0, 85)
    older = len(machine.setup.wanted)
    assert sentence(machine) == (
        f"The hooks are from another version or use another Python. {older} of {older} are up to date."
    )
    machine.write("{}")
    assert sentence(machine) == "Deskbell's hooks were removed: another program overwrote the file."


UNREADABLE = {
    "a broken text": '{"model":',
    "no UTF-8": "\udcff",
}


@pytest.mark.parametrize("text", UNREADABLE.values(), ids=UNREADABLE)
def test_a_file_that_is_not_understood_is_unreadable(machine: Machine, text: str) -> None:
    machine.write("")
    machine.settings.write_bytes(text.encode("utf-8", "surrogateescape"))

    report = state_of(machine.target, machine.setup)

    assert report.state == "unreadable"
    assert report.sentence.startswith(f"{machine.settings} line 1 column ")
    assert report.step == "Mend the file, or put a copy back with `deskbell restore`."


def test_a_folder_in_the_place_of_the_file_is_unreadable(machine: Machine) -> None:
    machine.settings.mkdir(parents=True)

    assert state_of(machine.target, machine.setup).state == "unreadable"


def test_a_broken_memory_of_deskbells_own_is_unreadable_and_no_exception(machine: Machine) -> None:
    install([machine.target], machine.setup)
    (machine.home.config / "claude.json").write_text("[")

    report = state_of(machine.target, machine.setup)

    assert report.state == "unreadable"
    assert "claude.json" in report.sentence


def test_the_registered_hooks_are_those_of_all_known_files(machine: Machine) -> None:
    work = Target(machine.root / "work" / "settings.json")
    assert registered_hooks(machine.home) == []
    install([machine.target, work], machine.setup)
    text = work.path.read_text().replace(machine.setup.interpreter.path, "/opt/old/python3")
    machine.write(text, work.path)

    assert [hook.python for hook in registered_hooks(machine.home)] == [
        machine.setup.interpreter.path,
        "/opt/old/python3",
    ]
    machine.write("{", work.path)
    with pytest.raises(Problem, match="work"):
        registered_hooks(machine.home)


@pytest.mark.long
@pytest.mark.parametrize("depth", [100, 3_000])
def test_any_depth_is_read(machine: Machine, depth: int) -> None:
    nested = "[" * depth + "]" * depth
    machine.write(f'{{"model": {nested}, "hooks": {{"Stop": [{{"hooks": [{nested}, {{"timeout": {nested}}}]}}]}}}}')

    assert state_of(machine.target, machine.setup).state == "missing"
    install([machine.target], machine.setup)
    assert state_of(machine.target, machine.setup).state == "installed"


@pytest.mark.parametrize("number", ["1" + "0" * 400, "1e400", "-1e-400", "9" * 100_000], ids=lambda n: n[:8])
def test_any_number_is_read(machine: Machine, number: str) -> None:
    group = {"hooks": [{"type": "command", "command": "x", "timeout": "NUMBER"}]}
    text = json.dumps({"cleanupPeriodDays": "NUMBER", "hooks": {"Stop": [group]}})
    machine.write(text.replace('"NUMBER"', number))

    assert state_of(machine.target, machine.setup).state == "missing"
    install([machine.target], machine.setup)
    assert state_of(machine.target, machine.setup).state == "installed"
