"""Test that places are found however they are written, and not in names that are only similar."""

import pytest

from deskbell.answers.risk.places import place, place_of
from deskbell.answers.risk.shell import script
from deskbell.answers.risk.words import Word

NAMED = {
    ".git/config": "touches .git/",
    ".GIT": "touches .git/",
    "x/.git": "touches .git/",
    ".g'i't/x": "touches .git/",
    r".g\it/x": "touches .git/",
    r"x\.git\config": "touches .git/",
    ".g${x}it": "touches .git/",
    ".g\u200dit": "touches .git/",
    "git~1/config": "touches .git/",
    "open('.git/config')": "touches .git/",
    "--git-dir=/x": "touches .git/",
    "~/.gitconfig": "touches the settings of git",
    ".claude/x": "touches .claude/",
    ".claude.json": "touches .claude/",
    ".mcp.json": "touches .mcp.json",
    "~/.ssh": "touches ~/.ssh",
    "~/.bashrc": "touches what your shell or your login starts",
    "~/.config//fish/x": "touches what your shell or your login starts",
    "~/.config/a/b/../../fish/x": "touches what your shell or your login starts",
    "~/.config/" + "a/" * 9 + "../" * 9 + "x": None,
    "~/.config/deskbell/x": "touches the settings of Deskbell",
    ".gitignore": None,
    ".github/x": None,
    ".git-blame-ignore-revs": None,
    "https://example.org/x.git": None,
    "my.claude": None,
    "app.profile": None,
    "x.login()": None,
    ".sshd": None,
    "zsh": None,
    "src/app.py": None,
}


@pytest.mark.parametrize(("text", "reason"), NAMED.items())
def test_a_place_is_found_by_its_name_alone(text: str, reason: str | None) -> None:
    assert place(text) == reason


PATTERNS = {
    ".g*": True,
    ".gi?": True,
    ".[g]it": True,
    "?git": True,
    "x/.g*/config": True,
    "${x}t": True,
    ".b*rc": True,
    ".{git,x}": True,
    "*": False,
    "*.py": False,
    "*.json": False,
    "${x}.json": False,
    "$x": False,
    "src/*": False,
    ".gitig*": False,
    "?" * 300: False,
    "plain": False,
}


@pytest.mark.parametrize(("text", "may"), PATTERNS.items())
def test_a_pattern_that_may_match_a_place_is_found(text: str, may: bool) -> None:
    (command,) = script(text).commands
    assert (place_of(command.words[0]) is not None) == may


def test_a_pattern_of_many_stars_takes_no_time() -> None:
    assert place_of(Word("x", "*a" * 90, glob=True)) is None
    assert place_of(Word("x", "*a" * 900, glob=True)) is None
