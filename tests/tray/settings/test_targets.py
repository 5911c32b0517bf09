"""Test which files belong to an account, to a project, and to the person in a project."""

import errno
import os
import shutil
from pathlib import Path

import pytest

from deskbell.home import home
from deskbell.settings.install import install
from deskbell.settings.known import read_known
from deskbell.settings.targets import (
    Target,
    absolute,
    known_targets,
    local_target,
    project_files,
    project_target,
    user_targets,
)
from tests.faults.injector import failing
from tests.tray.installing import Machine


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


def test_without_a_name_the_account_is_that_of_this_environment(private_home: Path) -> None:
    assert user_targets(()) == [Target(private_home / ".claude" / "settings.json")]


def test_an_account_that_is_named_twice_counts_once(tmp_path: Path) -> None:
    named = [tmp_path / "work", tmp_path / "play", tmp_path / "play" / ".." / "work"]

    assert [target.place for target in user_targets(named)] == [tmp_path / "work", tmp_path / "play"]


def test_a_project_has_a_shared_file_and_one_of_the_persons_own(tmp_path: Path) -> None:
    shared, local = project_target(tmp_path), local_target(tmp_path, None)

    assert (shared.path, shared.scope) == (tmp_path / ".claude" / "settings.json", "project")
    assert (local.path, local.scope) == (tmp_path / ".claude" / "settings.local.json", "local")
    assert (shared.place, shared.config_dir) == (tmp_path, None)


@pytest.mark.parametrize(
    ("client", "at_root"), [((2, 1, 210), False), ((2, 1, 211), True), ((3, 0, 0), True), (None, True)]
)
def test_newer_clients_look_for_the_persons_own_file_at_the_root_of_the_repository(
    tmp_path: Path, client: tuple[int, ...] | None, at_root: bool
) -> None:
    deep = tmp_path / "repository" / "deep"
    deep.mkdir(parents=True)
    (tmp_path / "repository" / ".git").mkdir()

    assert local_target(deep, client).place == (deep.parent if at_root else deep)


def test_a_project_whose_folder_cannot_be_examined_has_no_files(tmp_path: Path) -> None:
    """A record names the folder, so it may be anything."""
    too_long, nobodys = Path("/" + "a" * 300), Path("~nobody-of-this-name/project")

    assert project_files([too_long, nobodys, tmp_path]) == [
        tmp_path / ".claude" / "settings.json",
        tmp_path / ".claude" / "settings.local.json",
    ]


def test_a_target_of_an_account_names_its_folder(tmp_path: Path) -> None:
    target = Target(tmp_path / "settings.json")

    assert (target.place, target.config_dir) == (tmp_path, tmp_path)


def test_nothing_is_known_before_the_first_install() -> None:
    assert known_targets(home().config) == []


def test_a_project_that_was_removed_is_no_longer_known(machine: Machine) -> None:
    project = machine.root / "project"
    target = Target(project / ".claude" / "settings.local.json", "local")
    install([target], machine.setup)
    assert known_targets(machine.home.config) == [target]
    shutil.rmtree(project)

    assert known_targets(machine.home.config) == []


def test_a_project_in_a_closed_folder_may_still_exist(machine: Machine) -> None:
    """Its hooks start the code of Deskbell, and what is not known is not removed."""
    target = Target(machine.root / "project" / ".claude" / "settings.local.json", "local")
    install([target], machine.setup)
    read_known(machine.home.config)
    with failing("os.stat", errno.EACCES, 1):  # the first call looks whether Deskbell's own file has changed
        assert known_targets(machine.home.config) == [target]


def test_a_repository_is_found_though_a_folder_cannot_be_examined(tmp_path: Path) -> None:
    deep = tmp_path / "repository" / "deep"
    deep.mkdir(parents=True)
    (tmp_path / "repository" / ".git").mkdir()
    with failing("os.stat", errno.EACCES):
        assert local_target(deep, None).place == deep.parent


def test_a_path_becomes_absolute_and_keeps_its_links(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to("real")
    monkeypatch.chdir(tmp_path)

    assert absolute(Path("link/../link/x")) == tmp_path / "link" / "x"
    assert absolute(Path("~/x")) == Path(os.environ["HOME"]) / "x"
