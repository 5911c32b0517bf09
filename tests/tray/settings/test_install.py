"""Test install, uninstall and restore with real files, as the menu and the command line call them."""

import json
import os
import shutil
import threading
from dataclasses import replace
from pathlib import Path

import pytest

from deskbell.errors import Problem
from deskbell.files.lock import lock
from deskbell.settings.backups import History
from deskbell.settings.install import install, plan_install, restore, uninstall
from deskbell.settings.known import read_known, remembered_config_dirs
from deskbell.settings.state import state_of
from deskbell.settings.targets import Target
from tests.tray.installing import Machine

TUNED = """{
    "model": "opus",
    "hooks": {
        "Stop": [ {"hooks": [{"type":"command","command":"say done"}]} ]
    }
}"""

posix = pytest.mark.skipif("sys.platform == 'win32'", reason="the client on Windows needs no shell")


@pytest.fixture
def bare(tmp_path: Path) -> Machine:
    """A machine on which Deskbell was never installed."""
    return Machine(tmp_path)


@pytest.fixture
def machine(bare: Machine, deployed: Path) -> Machine:
    bare.has_code(deployed)
    return bare


def files_below(folder: Path) -> dict[Path, tuple[bytes, int]]:
    return {path: (path.read_bytes(), path.stat().st_mtime_ns) for path in folder.rglob("*") if path.is_file()}


def test_a_tuned_file_comes_back_byte_for_byte(machine: Machine) -> None:
    machine.write(TUNED)

    install([machine.target], machine.setup)
    assert state_of(machine.target, machine.setup).state == "installed"
    assert "say done" in machine.settings.read_text()
    uninstall([machine.target], machine.home)

    assert machine.settings.read_text() == TUNED


def test_what_install_created_is_removed_again(machine: Machine) -> None:
    install([machine.target], machine.setup)
    assert state_of(machine.target, machine.setup).state == "installed"
    uninstall([machine.target], machine.home)

    assert not machine.settings.parent.exists()
    assert not machine.home.data.exists()


def test_a_folder_that_install_created_stays_if_it_holds_another_file(machine: Machine) -> None:
    install([machine.target], machine.setup)
    (machine.settings.parent / "history.jsonl").touch()
    uninstall([machine.target], machine.home)

    assert [path.name for path in machine.settings.parent.iterdir()] == ["history.jsonl"]


def test_a_folder_that_existed_before_stays(machine: Machine) -> None:
    machine.settings.parent.mkdir()

    install([machine.target], machine.setup)
    uninstall([machine.target], machine.home)

    assert list(machine.settings.parent.iterdir()) == []


def test_a_file_that_install_created_stays_if_the_person_added_to_it(machine: Machine) -> None:
    install([machine.target], machine.setup)
    text = machine.settings.read_text()
    machine.write(text.replace('"hooks"', '"model": "opus",\n  "hooks"', 1))

    uninstall([machine.target], machine.home)

    assert json.loads(machine.settings.read_text()) == {"model": "opus"}


def test_a_file_of_the_persons_with_an_empty_object_stays(machine: Machine) -> None:
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
def test_a_hook_without_its_code_or_its_state_folder_is_silent(machine: Machine, gone: str) -> None:
    install([machine.target], machine.setup)
    folders = {"the code": [machine.home.data], "the state folder": [machine.home.state]}
    for folder in folders.get(gone, [machine.home.data, machine.home.state, machine.home.config]):
        shutil.rmtree(folder, ignore_errors=True)

    ran = machine.fire("Stop")

    assert (ran.returncode, ran.stdout, ran.stderr) == (0, b"", b"")


def test_the_exec_form_replaces_the_shell_form_and_comes_out_without_a_trace(machine: Machine) -> None:
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


BROKEN = {
    "a broken text": ('{\n  "model": "opus",\n}', "line 3 column 1: expected a key"),
    "a list": ("[]", "line 1 column 1: the settings are not an object. Nothing was changed. Mend the file"),
    "hooks of the wrong shape": ('{"hooks": []}', 'line 1 column 11: "hooks" is not an object'),
    "a switch that stops all hooks": (
        '{\n "disableAllHooks": true}',
        'line 2 column 2: "disableAllHooks" stops every hook. Nothing was changed. Set it to false',
    ),
}


@pytest.mark.parametrize(("text", "said"), BROKEN.values(), ids=BROKEN)
def test_a_file_that_is_not_understood_is_refused_and_untouched(bare: Machine, text: str, said: str) -> None:
    bare.write(text)

    with pytest.raises(Problem, match=r"Nothing was changed\.") as refused:
        install([bare.target], bare.setup)

    assert f"{bare.settings} {said}" in str(refused.value)
    assert bare.settings.read_text() == text
    assert not bare.home.data.exists()


def test_a_file_that_is_not_utf_8_is_refused(machine: Machine) -> None:
    machine.write("")
    machine.settings.write_bytes(b'{"model":\n "\xff"}')

    with pytest.raises(Problem, match=r"line 2 column 3: this is not UTF-8 text"):
        install([machine.target], machine.setup)

    assert state_of(machine.target, machine.setup).state == "unreadable"


def test_if_one_of_two_files_is_refused_both_stay_as_they_are(machine: Machine) -> None:
    machine.write(TUNED)
    broken = Target(machine.write("{", machine.root / "work" / "settings.json"))

    with pytest.raises(Problem, match="work"):
        install([machine.target, broken], machine.setup)

    assert (machine.settings.read_text(), broken.path.read_text()) == (TUNED, "{")


@posix
def test_an_installation_that_cannot_be_made_is_not_remembered(machine: Machine) -> None:
    """The file beside it, with which it is exchanged, has a longer name, and no file can have that one."""
    machine.settings.parent.mkdir()
    machine.settings.symlink_to("a" * 250)

    with pytest.raises(Problem, match=r"Cannot write .*: File name too long"):
        install([machine.target], machine.setup)

    assert read_known(machine.home.config).files == {}
    assert not machine.home.data.exists()


def test_a_plan_writes_nothing(bare: Machine) -> None:
    bare.write(TUNED)
    before = files_below(bare.root)

    assert plan_install([bare.target], bare.setup)[0].needed

    assert files_below(bare.root) == before


def test_accounts_side_by_side_are_remembered(machine: Machine, private_home: Path) -> None:
    work = Target(machine.root / "work" / "settings.json")
    home = machine.home
    install([machine.target, work], machine.setup)

    assert read_known(home.config).config_dirs == [machine.settings.parent, work.path.parent]
    uninstall([work], home)
    assert read_known(home.config).config_dirs == [machine.settings.parent]
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


def test_what_a_killed_change_left_beside_the_file_goes_to_the_copies(machine: Machine) -> None:
    machine.write(TUNED)
    left = machine.settings.with_name(".settings.json.deskbell-1-2")
    left.write_text('{"an": "edit"}')

    install([machine.target], machine.setup)

    assert not left.exists()
    first = History(machine.home.config, machine.settings).all()[0]
    assert (first.reason, first.content()) == ("interrupted", b'{"an": "edit"}')


def test_a_broken_text_can_be_put_back_and_the_file_stays_known(machine: Machine) -> None:
    """It may hold hooks of ours, so Deskbell does not forget it."""
    machine.write(TUNED)
    install([machine.target], machine.setup)

    restore(machine.target, b'{"hooks": ', machine.home)

    assert machine.settings.read_text() == '{"hooks": '
    assert machine.settings in read_known(machine.home.config).files


def test_a_text_with_hooks_that_is_put_back_makes_the_file_known(machine: Machine) -> None:
    machine.write(TUNED)
    install([machine.target], machine.setup)
    installed = machine.settings.read_bytes()
    uninstall([machine.target], machine.home)

    restore(machine.target, installed, machine.home)

    assert machine.settings in read_known(machine.home.config).files


def test_another_deskbell_that_changes_settings_is_waited_for(machine: Machine) -> None:
    machine.home.config.mkdir(parents=True)
    with (machine.home.config / "install.lock").open("ab") as file:
        assert lock(file)
        threading.Timer(0.2, file.close).start()

        assert install([machine.target], machine.setup)[0].needed


@posix
def test_a_folder_of_deskbells_own_that_cannot_be_made_is_a_problem_with_its_name(bare: Machine) -> None:
    bare.write(TUNED)
    (bare.root / "deskbell").touch()

    with pytest.raises(Problem, match=r"^Cannot write .*deskbell/config: Not a directory\. Free some space or"):
        install([bare.target], bare.setup)

    assert bare.settings.read_text() == TUNED


@posix
def test_every_folder_that_install_makes_for_deskbell_is_private(bare: Machine) -> None:
    umask = os.umask(0)
    try:
        install([bare.target], bare.setup)
    finally:
        os.umask(umask)

    folders = [bare.root / "deskbell", *(p for p in (bare.root / "deskbell").rglob("*") if p.is_dir())]
    assert [f for f in folders if f.stat().st_mode & 0o077 and f.name != "__pycache__"] == []
