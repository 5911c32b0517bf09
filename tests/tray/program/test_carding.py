"""Test that a click opens the person's terminal with the board of cards."""

import os
import shlex
from pathlib import Path

import pytest

from deskbell.errors import Problem
from deskbell.home import home
from deskbell.program.carding import board_in_terminal
from tests.tray.making import session
from tests.waiting import wait


@pytest.mark.skipif(os.name == "nt", reason="a terminal that is a shell script")
def test_the_terminal_of_the_settings_opens_with_the_board(tmp_path: Path) -> None:
    terminal, said = tmp_path / "terminal", tmp_path / "said"
    quoted = shlex.quote(str(said))
    terminal.write_text(f'#!/bin/sh\nshift\nprintf "%s\\n" "$@" > {quoted}.new; mv {quoted}.new {quoted}\n')
    terminal.chmod(0o755)
    home().config.mkdir(parents=True)
    (home().config / "config.toml").write_text(f"[terminal]\ncommand = {str(terminal)!r}\n")
    moved = ["--home", os.environ["DESKBELL_HOME"], "--claude", os.environ["CLAUDE_CONFIG_DIR"]]
    for shown, first, last in (
        (None, ["board", "--hold", *moved], []),
        (session(pid=7), ["board", "--details", "--pid=7", "--hold", *moved], ["--", "a1"]),
        (session(pid=None), ["board", "--details", "--hold", *moved], ["--", "a1"]),
    ):
        said.unlink(missing_ok=True)
        board_in_terminal(shown, home())
        wait(said.exists)
        words = said.read_text().splitlines()
        assert words[words.index("board") :] == [*first, *last]


@pytest.mark.skipif(os.name == "nt", reason="the settings name a program that is not installed")
def test_where_no_terminal_is_installed_it_says_so() -> None:
    home().config.mkdir(parents=True)
    (home().config / "config.toml").write_text("[terminal]\ncommand = 'no-such-terminal'\n")
    with pytest.raises(Problem, match=r"The terminal of your settings, no-such-terminal, is not installed\."):
        board_in_terminal(None, home())
