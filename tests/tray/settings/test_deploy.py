"""Test that the hook's code is deployed whole, compiled and private, and that unused versions are removed."""

import os
import shutil
import stat
from collections.abc import Iterable
from pathlib import Path

import pytest

from deskbell.errors import Problem
from deskbell.files.stamp import stamp
from deskbell.settings import deploy
from deskbell.settings.install import install
from deskbell.settings.interpreter import Interpreter
from tests.tray.installing import Machine

posix = pytest.mark.skipif("sys.platform == 'win32'", reason="modes are POSIX's")


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


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


def test_damaged_code_is_put_right_by_the_next_install(machine: Machine) -> None:
    install([machine.target], machine.setup)
    deploy.main_file(machine.setup.folder).write_text("raise SystemExit(2)")
    assert not machine.setup.deployed

    install([machine.target], machine.setup)

    assert machine.setup.deployed


def test_whole_and_compiled_code_is_not_written_again(machine: Machine) -> None:
    folder = deploy.deploy(machine.home.data, machine.setup.interpreter)
    before = {path: stamp(path) for path in folder.rglob("*")}

    assert deploy.deploy(machine.home.data, machine.setup.interpreter) == folder
    assert {path: stamp(path) for path in folder.rglob("*")} == before


def test_code_that_is_not_compiled_is_compiled_in_its_place(machine: Machine) -> None:
    folder = deploy.deploy(machine.home.data, machine.setup.interpreter)
    shutil.rmtree(folder / deploy.PACKAGE / "__pycache__")

    deploy.deploy(machine.home.data, machine.setup.interpreter)

    assert deploy.is_compiled(folder, machine.setup.interpreter, deploy.code())


def test_an_interpreter_that_cannot_compile_is_no_obstacle(tmp_path: Path) -> None:
    failing = shutil.which("false")
    if failing is None:
        pytest.skip("no program here that only fails")

    folder = deploy.deploy(tmp_path, Interpreter(failing, (3, 12), "cpython-312"))

    assert deploy.is_whole(folder, deploy.code())


def modes(paths: Iterable[Path]) -> list[int]:
    return [stat.S_IMODE(path.stat().st_mode) for path in paths]


@posix
@pytest.mark.parametrize("umask", [0o000, 0o002, 0o077])
def test_every_new_folder_and_file_is_private_whatever_the_umask(tmp_path: Path, umask: int) -> None:
    data = tmp_path / "new" / "data"
    before = os.umask(umask)
    try:
        folder = deploy.deploy(data, Machine(tmp_path).setup.interpreter)
    finally:
        os.umask(before)

    folders, files = [data.parent, data, folder.parent, folder], []
    for path in folder.rglob("*"):
        (folders if path.is_dir() else files).append(path)
    assert (len(folders), len(files)) == (6, 2 * len(deploy.code()))
    assert modes(folders) == [0o700] * len(folders)
    assert modes(files) == [0o600] * len(files)


@posix
def test_code_that_everybody_may_change_is_closed_to_others_by_the_next_install(machine: Machine) -> None:
    folder = deploy.deploy(machine.home.data, machine.setup.interpreter)
    everything = [machine.home.data, folder.parent, folder, *folder.rglob("*")]
    for path in everything:
        path.chmod(0o777 if path.is_dir() else 0o666)

    deploy.deploy(machine.home.data, machine.setup.interpreter)

    assert set(modes(everything)) == {0o700, 0o600}


def test_a_folder_that_cannot_be_made_is_a_problem_with_its_name(machine: Machine, tmp_path: Path) -> None:
    (tmp_path / "data").touch()

    with pytest.raises(
        Problem,
        match=r"^Cannot put the hook into .*data/hooks/.*: Not a directory\. Claude Code's settings are as they were\.",
    ):
        deploy.deploy(tmp_path / "data", machine.setup.interpreter)


def test_prune_removes_what_is_not_used_and_follows_no_link(machine: Machine, tmp_path: Path) -> None:
    used = deploy.deploy(machine.home.data, machine.setup.interpreter)
    (used.parent / "0.0.1-older").mkdir()
    (used.parent / ".new-killed").mkdir()
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (used.parent / "link").symlink_to(elsewhere)

    deploy.prune(machine.home.data, {used})

    assert sorted(path.name for path in used.parent.iterdir()) == sorted([used.name, "link"])
    assert elsewhere.is_dir()


def test_prune_removes_the_data_folder_with_the_last_version(machine: Machine) -> None:
    deploy.deploy(machine.home.data, machine.setup.interpreter)

    deploy.prune(machine.home.data, ())

    assert not machine.home.data.exists()
    deploy.prune(machine.home.data, ())
