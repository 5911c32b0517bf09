"""Installing, uninstalling and looking, with real files: what the tray's menu and the command line call."""

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from deskbell.errors import Problem
from deskbell.settings import deploy
from deskbell.settings.backups import History
from deskbell.settings.install import install, plan_install, restore, state_of, uninstall
from deskbell.settings.interpreter import Interpreter
from deskbell.settings.known import known, remembered_config_dirs
from deskbell.settings.targets import Target, known_targets
from tests.tray.installing import Machine

TUNED = """{
    "model": "opus",
    "hooks": {
        "Stop": [ {"hooks": [{"type":"command","command":"say done"}]} ]
    }
}"""

posix = pytest.mark.skipif("sys.platform == 'win32'", reason="the client on Windows needs no shell")


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


def files_below(folder: Path) -> dict[Path, tuple[bytes, int]]:
    return {path: (path.read_bytes(), path.stat().st_mtime_ns) for path in folder.rglob("*") if path.is_file()}


def test_a_tuned_file_comes_back_byte_for_byte(machine: Machine) -> None:
    machine.write(TUNED)

    install([machine.target], machine.setup)
    assert state_of(machine.target, machine.setup).state == "installed"
    assert "say done" in machine.settings.read_text()
    uninstall([machine.target], machine.home)

    assert machine.settings.read_text() == TUNED


def test_what_was_not_there_is_gone_again(machine: Machine) -> None:
    install([machine.target], machine.setup)
    assert state_of(machine.target, machine.setup).state == "installed"
    uninstall([machine.target], machine.home)

    assert not machine.settings.parent.exists()
    assert not machine.home.data.exists()


def test_a_folder_that_came_with_us_stays_once_something_else_is_in_it(machine: Machine) -> None:
    install([machine.target], machine.setup)
    (machine.settings.parent / "history.jsonl").touch()
    uninstall([machine.target], machine.home)

    assert [path.name for path in machine.settings.parent.iterdir()] == ["history.jsonl"]


def test_a_folder_that_was_there_stays(machine: Machine) -> None:
    machine.settings.parent.mkdir()

    install([machine.target], machine.setup)
    uninstall([machine.target], machine.home)

    assert list(machine.settings.parent.iterdir()) == []


def test_a_project_that_was_removed_is_known_no_more(machine: Machine) -> None:
    project = machine.root / "project"
    target = Target(project / ".claude" / "settings.local.json", "local")
    install([target], machine.setup)
    assert known_targets(machine.home.config) == [target]
    shutil.rmtree(project)

    assert known_targets(machine.home.config) == []


def test_a_file_that_came_with_us_stays_once_the_person_wrote_in_it(machine: Machine) -> None:
    install([machine.target], machine.setup)
    text = machine.settings.read_text()
    machine.write(text.replace('"hooks"', '"model": "opus",\n  "hooks"', 1))

    uninstall([machine.target], machine.home)

    assert json.loads(machine.settings.read_text()) == {"model": "opus"}


def test_an_empty_object_of_the_persons_is_not_taken_away(machine: Machine) -> None:
    machine.write("{}\n")

    install([machine.target], machine.setup)
    uninstall([machine.target], machine.home)

    assert machine.settings.read_text() == "{}\n"


def test_a_second_install_writes_nothing_anywhere(machine: Machine) -> None:
    machine.write(TUNED)
    install([machine.target], machine.setup)
    before = files_below(machine.root)

    changes = install([machine.target], machine.setup)

    assert [change.needed for change in changes] == [False]
    assert files_below(machine.root) == before


def test_a_second_uninstall_writes_nothing_anywhere(machine: Machine) -> None:
    machine.write(TUNED)
    install([machine.target], machine.setup)
    uninstall([machine.target], machine.home)
    before = files_below(machine.root)

    uninstall([machine.target], machine.home)

    assert files_below(machine.root) == before


@posix
def test_an_installed_hook_records_without_this_package(machine: Machine) -> None:
    install([machine.target], machine.setup)

    ran = machine.fire("SessionStart")

    assert (ran.returncode, ran.stdout, ran.stderr) == (0, b"", b"")
    assert (machine.home.sessions / "5e55-10.json").exists()


@posix
@pytest.mark.parametrize("gone", ["the code", "the state folder", "everything"])
def test_a_hook_whose_things_have_gone_is_silent(machine: Machine, gone: str) -> None:
    install([machine.target], machine.setup)
    folders = {"the code": [machine.home.data], "the state folder": [machine.home.state]}
    for folder in folders.get(gone, [machine.home.data, machine.home.state, machine.home.config]):
        shutil.rmtree(folder, ignore_errors=True)

    ran = machine.fire("Stop")

    assert (ran.returncode, ran.stdout, ran.stderr) == (0, b"", b"")


def test_the_words_for_windows_replace_those_for_a_shell_and_come_out_clean(machine: Machine) -> None:
    machine.write(TUNED)
    install([machine.target], machine.setup)
    on_windows = replace(machine.setup, windows=True)
    assert state_of(machine.target, on_windows).state == "outdated"

    install([machine.target], on_windows)

    assert state_of(machine.target, on_windows).state == "installed"
    [started] = {json.dumps(h) for h in state_of(machine.target, on_windows).standing.handlers if "timeout" in h}
    assert json.loads(started)["command"] == machine.setup.interpreter.path
    uninstall([machine.target], machine.home)
    assert machine.settings.read_text() == TUNED


def test_an_upgrade_moves_the_hooks_to_the_new_code_and_removes_the_old(machine: Machine) -> None:
    machine.write(TUNED)
    install([machine.target], machine.setup)
    old = machine.setup.folder
    elsewhere = old.with_name("0.0.9-0123456789")
    old.rename(elsewhere)
    machine.write(machine.settings.read_text().replace(old.name, elsewhere.name))
    assert state_of(machine.target, machine.setup).state == "outdated"

    install([machine.target], machine.setup)

    assert state_of(machine.target, machine.setup).state == "installed"
    assert [folder.name for folder in (machine.home.data / "hooks").iterdir()] == [old.name]
    uninstall([machine.target], machine.home)
    assert machine.settings.read_text() == TUNED


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


def test_another_tool_that_rewrites_the_file_is_noticed(machine: Machine) -> None:
    install([machine.target], machine.setup)
    machine.write('{"theirs": true}')

    report = state_of(machine.target, machine.setup)

    assert report.state == "overwritten"
    assert "another program" in report.sentence


def test_a_file_without_our_hooks_is_missing_them(machine: Machine) -> None:
    assert state_of(machine.target, machine.setup).state == "missing"
    machine.write(TUNED)
    assert state_of(machine.target, machine.setup).state == "missing"


BROKEN = {
    "a broken text": ('{\n  "model": "opus",\n}', "line 3, column 1: expected a key"),
    "a list": ("[]", "line 1, column 1: the settings are not an object"),
    "hooks of the wrong shape": ('{"hooks": []}', 'line 1, column 11: "hooks" is not an object'),
    "a switch that stops all hooks": ('{\n "disableAllHooks": true}', 'line 2, column 2: "disableAllHooks" keeps'),
}


@pytest.mark.parametrize(("text", "said"), BROKEN.values(), ids=BROKEN)
def test_what_is_not_understood_is_refused_and_untouched(machine: Machine, text: str, said: str) -> None:
    machine.write(text)

    with pytest.raises(Problem, match="nothing was changed") as refused:
        install([machine.target], machine.setup)

    assert f"{machine.settings}, {said}" in str(refused.value)
    assert machine.settings.read_text() == text
    assert not machine.home.data.exists()


def test_a_file_that_is_no_text_is_refused(machine: Machine) -> None:
    machine.write("")
    machine.settings.write_bytes(b'{"model":\n "\xff"}')

    with pytest.raises(Problem, match=r"line 2, column 3: this is not UTF-8 text"):
        install([machine.target], machine.setup)

    assert state_of(machine.target, machine.setup).state == "unreadable"


def test_of_two_files_one_refused_leaves_both_as_they_are(machine: Machine) -> None:
    machine.write(TUNED)
    broken = Target(machine.write("{", machine.root / "work" / "settings.json"))

    with pytest.raises(Problem, match="work"):
        install([machine.target, broken], machine.setup)

    assert machine.settings.read_text() == TUNED


@posix
def test_an_installation_that_cannot_be_made_is_not_remembered(machine: Machine) -> None:
    machine.settings.parent.mkdir()
    machine.settings.symlink_to("/proc/self/no/such/place.json")

    with pytest.raises(Problem, match="cannot be written"):
        install([machine.target], machine.setup)

    assert known(machine.home.config).files == {}
    assert not machine.home.data.exists()


@pytest.mark.parametrize("key", ["allowManagedHooksOnly", "disableAllHooks"])
@pytest.mark.parametrize("name", ["managed-settings.json", "managed-settings.d/10-hooks.json"])
def test_an_administrators_word_is_respected(machine: Machine, key: str, name: str) -> None:
    machine.write(json.dumps({key: True}), machine.setup.managed / name)

    with pytest.raises(Problem, match=rf"{Path(name).name}, line 1, column 2: \"{key}\" forbids"):
        install([machine.target], machine.setup)

    assert not machine.settings.exists()


@pytest.mark.parametrize("text", ['{"allowManagedHooksOnly": false}', "{", "", '{"hooks": {}}'])
def test_an_administrator_who_forbids_nothing_is_no_obstacle(machine: Machine, text: str) -> None:
    machine.write(text, machine.setup.managed / "managed-settings.json")

    assert install([machine.target], machine.setup)[0].needed


def test_a_plan_writes_nothing(machine: Machine) -> None:
    machine.write(TUNED)
    before = files_below(machine.root)

    assert plan_install([machine.target], machine.setup)[0].needed

    assert files_below(machine.root) == before


def test_accounts_side_by_side_are_remembered(machine: Machine, private_home: Path) -> None:
    work = Target(machine.root / "work" / "settings.json")
    home = machine.home
    install([machine.target, work], machine.setup)

    assert known(home.config).config_dirs == [machine.settings.parent, work.path.parent]
    uninstall([work], home)
    assert known(home.config).config_dirs == [machine.settings.parent]
    assert machine.setup.deployed
    uninstall([machine.target], home)
    assert not home.data.exists()
    assert remembered_config_dirs(machine.home.config) == [private_home / ".claude"]


def test_code_that_an_unreadable_file_may_name_is_kept(machine: Machine) -> None:
    work = Target(machine.root / "work" / "settings.json")
    install([machine.target, work], machine.setup)
    machine.write("{", work.path)

    uninstall([machine.target], machine.home)

    assert machine.setup.deployed


def test_the_text_before_the_first_change_can_be_put_back(machine: Machine) -> None:
    machine.write(TUNED)
    install([machine.target], machine.setup)
    machine.write('{"wiped": true}')
    first = History(machine.home.config, machine.settings).all()[0]

    restore(machine.target, first.content(), machine.home)

    assert machine.settings.read_text() == TUNED
    assert state_of(machine.target, machine.setup).state == "missing"
    assert History(machine.home.config, machine.settings).all()[-1].content() == b'{"wiped": true}'


def test_what_a_killed_change_left_beside_the_file_is_kept_among_the_copies(machine: Machine) -> None:
    machine.write(TUNED)
    left = machine.settings.with_name(".settings.json.deskbell-1-2")
    left.write_text('{"an": "edit"}')

    install([machine.target], machine.setup)

    assert not left.exists()
    first = History(machine.home.config, machine.settings).all()[0]
    assert (first.reason, first.content()) == ("interrupted", b'{"an": "edit"}')


def test_damaged_code_is_put_right_by_the_next_install(machine: Machine) -> None:
    install([machine.target], machine.setup)
    deploy.main_file(machine.setup.folder).write_text("raise SystemExit(2)")
    assert not machine.setup.deployed

    install([machine.target], machine.setup)

    assert machine.setup.deployed


def test_code_is_compiled_for_the_interpreter_that_runs_it(machine: Machine) -> None:
    setup = machine.setup
    folder = deploy.deploy(setup.home.data, setup.interpreter)

    assert deploy.is_compiled(folder, setup.interpreter, deploy.code())
    other = Interpreter(setup.interpreter.path, (3, 99), "cpython-399")
    assert not deploy.is_compiled(folder, other, deploy.code())


def test_other_code_has_another_folder(tmp_path: Path) -> None:
    code = deploy.code()

    assert deploy.place(tmp_path, code) == deploy.place(tmp_path, dict(reversed(code.items())))
    assert deploy.place(tmp_path, code) != deploy.place(tmp_path, {**code, "record.py": b""})
