"""Test what a search through a folder shows of the credentials that lie in it."""

import os
from pathlib import Path

import pytest

from deskbell.answers.risk.kind import PLAIN
from deskbell.answers.risk.trees import MOST, Tree, of_command


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project with credentials that are hidden, that are not, and that only a link reaches."""
    project = tmp_path / "shop"
    for folder in ("src", "config", ".hidden", "node_modules/x", "clean"):
        (project / folder).mkdir(parents=True)
    (project / "src" / "app.py").write_text("stripe = createUser()\n")
    (project / "clean" / "app.py").write_text("stripe = createUser()\n")
    (project / ".env").write_text("STRIPE_ID=1\n")
    (project / "config" / "deploy_key.txt").write_text("hetzner machine\n")
    (project / ".hidden" / "token.txt").write_text("gitlab robot\n")
    (project / "node_modules" / "x" / "server.pem").write_text("createUser\n")
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "notes.txt").write_text("x\n")
    (project / "src" / "link").symlink_to(tmp_path / "outside")
    (project / "clean" / "same").symlink_to(project / "clean")
    return project


SHOWN = [
    "grep -rn stripe .",
    "grep -rn STRIPE .",
    "grep -r stripe",
    "grep -r 'nothing|stripe' .",
    "/bin/grep --recursive stripe .",
    "egrep -rn hetzner config",
    "timeout 5 grep -rn hetzner .",
    "rg hetzner",
    "rg hetzner config",
    "rg hetzner -g *.txt",
    "grep -rn gitlab .",
    "grep -rn hetzner . --include=*.txt",
    "grep -rn hetzner . --include=*.{txt,md}",
    "grep -Rn createUser src",
    "rg -L createUser src",
]
NOT_SHOWN = [
    "grep -rn createUser .",
    "grep -rn createUser src",
    "grep -rn stripe clean",
    "grep -Rn stripe clean",
    "grep -n stripe .env",
    "grep -rn stripe . --include=*.py",
    "grep -rn createUser --include=*.py .",
    "rg stripe",
    "rg gitlab",
    "rg hetzner src",
    "rg hetzner -g *.py",
    "rg hetzner missing",
    "ls -R .",
    "",
]


def searched(command: str, project: Path) -> str:
    return of_command(command.replace("'", "").split(), str(project), str(project)).verdict


@pytest.mark.parametrize("command", SHOWN)
def test_a_search_that_would_show_credentials_is_careful(command: str, project: Path) -> None:
    assert searched(command, project) == "careful"


@pytest.mark.parametrize("command", [one for one in NOT_SHOWN if one != "rg hetzner missing"])
def test_a_search_that_shows_none_is_plain(command: str, project: Path) -> None:
    assert searched(command, project) == "plain"


def test_what_is_too_large_may_hold_anything(project: Path) -> None:
    (project / ".env").write_text("x" * 300_000)
    assert searched("grep -rn createUser .", project) == "careful"


def test_what_is_not_there_is_not_shown(project: Path) -> None:
    (project / "clean" / "token.txt").symlink_to(project / "missing")
    tree = Tree(str(project), hidden=True, follows=True, choices=[])
    assert tree.searched([str(project / "gone"), str(project / "clean")], ["stripe"]) is PLAIN


def test_more_than_can_be_looked_up_is_careful(project: Path) -> None:
    for number in range(60):
        (project / "clean" / f"token_{number}.txt").write_text("x")
    assert searched("grep -rn createUser clean", project) == "careful"


@pytest.mark.long
def test_a_folder_with_very_many_files_is_careful(tmp_path: Path) -> None:
    for number in range(MOST + 2):
        os.close(os.open(tmp_path / str(number), os.O_CREAT))
    assert of_command(["grep", "-r", "createUser", "."], str(tmp_path), str(tmp_path)).verdict == "careful"
