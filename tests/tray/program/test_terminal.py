"""Test that a command opens in the terminal of the settings, as they are now."""

import os
from pathlib import Path

import pytest

from deskbell.errors import Problem
from deskbell.home import home
from deskbell.program.terminal import open_own_terminal
from tests.waiting import wait


@pytest.mark.skipif(os.name == "nt", reason="a terminal that is a shell script")
def test_a_terminal_that_is_set_meanwhile_gets_the_command_in_its_folder(tmp_path: Path) -> None:
    written, terminal = tmp_path / "written", tmp_path / "terminal"
    terminal.write_text(f'#!/bin/sh\nprintf "%s " "$PWD" "$@" > {written}.new; mv {written}.new {written}\n')
    terminal.chmod(0o755)
    config = home().config / "config.toml"
    config.parent.mkdir(parents=True)
    config.write_text('[terminal]\ncommand = "no-such-terminal"\n')
    with pytest.raises(Problem, match="no-such-terminal, is not installed"):
        open_own_terminal(("claude", "attach", "a1"), str(tmp_path), home())
    config.write_text(f'[terminal]\ncommand = ["{terminal}", "-e"]\n')
    open_own_terminal(("claude", "attach", "a1"), str(tmp_path), home())
    wait(written.exists)
    assert written.read_text() == f"{tmp_path} -e claude attach a1 "
