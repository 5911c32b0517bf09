"""Test the folders of Deskbell and of Claude Code, and the environment of started programs."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from deskbell.errors import Problem
from deskbell.home import Home, claude_dir, environment, expanded, home, own_home, with_tilde


def test_deskbell_home_moves_every_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DESKBELL_HOME", str(tmp_path))

    moved = home()

    assert moved == Home(tmp_path / "state", tmp_path / "data", tmp_path / "config")
    assert (moved.sessions, moved.events) == (tmp_path / "state" / "sessions", tmp_path / "state" / "events")


@pytest.mark.parametrize("value", ["~/bell", "bell"])
def test_a_moved_home_is_absolute(value: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    monkeypatch.setenv("DESKBELL_HOME", value)
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", value)

    assert home().state == tmp_path / "bell" / "state"
    assert claude_dir() == tmp_path / "bell"


@pytest.mark.parametrize("unset", [True, False], ids=["unset", "empty"])
def test_without_it_the_folders_are_the_systems(
    unset: bool, private_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("DESKBELL_HOME", "CLAUDE_CONFIG_DIR", "XDG_STATE_HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME"):
        if unset:
            monkeypatch.delenv(name, raising=False)
        else:
            monkeypatch.setenv(name, "")

    found = home()

    assert all("deskbell" in folder.parts for folder in (found.state, found.data, found.config))
    assert all(folder.is_relative_to(private_home) for folder in (found.state, found.data, found.config))
    assert claude_dir() == private_home / ".claude"


def test_started_programs_get_nothing_that_is_meant_for_children_of_claude_code() -> None:
    inherited = {
        "CLAUDECODE": "1",
        "CLAUDE_CONFIG_DIR": "/x",
        "AI_AGENT": "x",
        "PYDANTIC_DISABLE_PLUGINS": "__all__",
        "PATH": "/bin",
        "DESKBELL_HOME": "/y",
    }

    assert environment(inherited) == {"PATH": "/bin", "DESKBELL_HOME": "/y"}


def test_the_home_of_the_person_is_written_as_they_write_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    beside = f"{tmp_path}-2/x and /mnt{tmp_path}/x"
    assert with_tilde(f"Disk full: {tmp_path}/.local: '{tmp_path}'.") == "Disk full: ~/.local: '~'."
    assert with_tilde(beside) == beside


def test_a_home_at_the_root_is_not_written_into_every_path(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/")
    monkeypatch.setenv("USERPROFILE", "/")
    assert with_tilde("/etc/x") == "/etc/x"


@pytest.fixture
def homeless(monkeypatch: pytest.MonkeyPatch) -> None:
    """HOME with `~` has the effect of a user whom the system does not know: nothing can be put in place of `~`."""
    for name in ("HOME", "USERPROFILE"):
        monkeypatch.setenv(name, "~")
    for name in ("DESKBELL_HOME", "CLAUDE_CONFIG_DIR"):
        monkeypatch.delenv(name)


@pytest.mark.usefixtures("homeless")
def test_without_a_home_folder_a_problem_says_what_to_set() -> None:
    assert own_home() is None
    with pytest.raises(
        Problem, match=r"^You have no home folder\. Set HOME, or DESKBELL_HOME and CLAUDE_CONFIG_DIR\.$"
    ):
        claude_dir()
    assert with_tilde("Disk full: ~/x and /home/me") == "Disk full: ~/x and /home/me"


@pytest.mark.usefixtures("homeless")
def test_without_a_home_folder_everything_can_be_moved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DESKBELL_HOME", str(tmp_path))
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path))
    assert (home().state, claude_dir()) == (tmp_path / "state", tmp_path)


def test_the_home_folder_of_nobody_is_a_problem_that_names_it() -> None:
    with pytest.raises(Problem, match=r"^~nobody-like-this/x: there is no home folder ~nobody-like-this\. "):
        expanded("~nobody-like-this/x")


@pytest.mark.skipif(sys.platform == "win32" or os.geteuid() != 0, reason="only root becomes a user without a home")
def test_a_user_whom_the_system_does_not_know_reads_one_sentence() -> None:
    """The program loads what it needs before it becomes that user, who may not read the tree of the tests."""
    program = (
        "import os, sys, deskbell.commands.list, deskbell.terminal.warnings; from deskbell.__main__ import main, parser; "
        "parser('list'); os.chdir('/'); os.setuid(54321); sys.exit(main(['list']))"
    )
    unset = ("HOME", "DESKBELL_HOME", "CLAUDE_CONFIG_DIR")
    env = {name: value for name, value in os.environ.items() if name not in unset and not name.startswith("COVERAGE")}
    env["PYTHONPATH"] = os.pathsep.join(sys.path)
    done = subprocess.run([sys.executable, "-c", program], env=env, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "deskbell: You have no home folder. Set HOME, or DESKBELL_HOME and CLAUDE_CONFIG_DIR.\n"
