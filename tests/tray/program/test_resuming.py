"""Test that a click opens the person's terminal, in the folder of the session, with the command that goes on with it."""

import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from deskbell.errors import Problem
from deskbell.home import claude_dir, home
from deskbell.program.resuming import resume_in_terminal, resume_words
from deskbell.sessions.project_folder import project_folder
from tests.tray.making import session
from tests.tray.sessions.test_written import kept, user
from tests.waiting import wait


def test_the_command_names_the_program_the_session_and_the_home() -> None:
    assert resume_words(("/home/me/.local/bin/deskbell",), "a1", {}) == [
        "/home/me/.local/bin/deskbell",
        "resume",
        "--hold",
        "--",
        "a1",
    ]
    moved = {"DESKBELL_HOME": "/srv/home", "CLAUDE_CONFIG_DIR": "/srv/claude", "HOME": "/home/me"}
    assert resume_words(("/usr/bin/python3", "-m", "deskbell"), "-x", moved) == [
        *("/usr/bin/python3", "-P", "-m", "deskbell", "resume", "--hold"),
        *("--home", str(Path("/srv/home").absolute()), "--claude", str(Path("/srv/claude").absolute())),
        *("--", "-x"),
    ]


@pytest.mark.skipif(os.name == "nt", reason="a terminal that is a shell script")
def test_the_terminal_of_the_settings_opens_in_the_folder_of_the_session(tmp_path: Path) -> None:
    folder = tmp_path.resolve() / "my api's"
    folder.mkdir()
    (folder / "deskbell").mkdir()
    (folder / "deskbell/__main__.py").write_text("print('owned')")
    other = tmp_path / "another account"
    kept(other, project_folder(str(folder)), "a1", text=user(str(folder)))
    terminal, said = tmp_path / "terminal", tmp_path / "said"
    quoted = shlex.quote(str(said))
    terminal.write_text(f'#!/bin/sh\nshift\n{{ pwd; printf "%s\\n" "$@"; }} > {quoted}.new; mv {quoted}.new {quoted}\n')
    terminal.chmod(0o755)
    home().config.mkdir(parents=True)
    (home().config / "config.toml").write_text(f"[terminal]\ncommand = {str(terminal)!r}\n")
    resume_in_terminal(session(status="crashed", config_dir=str(other)), home())
    wait(said.exists)
    where, *words = said.read_text().splitlines()
    assert where == str(folder)
    assert words[words.index("resume") :][:3] == ["resume", "--hold", "--home"]
    assert words[-2:] == ["--", "a1"]
    done = subprocess.run(words, cwd=where, input="", capture_output=True, text=True, check=False)
    assert "owned" not in done.stdout, "Python imports nothing from the folder"


def test_a_session_whose_folder_is_gone_opens_no_terminal() -> None:
    kept(claude_dir(), "-srv-gone", "a1", text=user("/srv/gone"))
    with pytest.raises(Problem, match=r"Cannot resume a1\. Its folder /srv/gone no longer exists\."):
        resume_in_terminal(session(status="crashed"), home())


@pytest.mark.skipif(sys.platform != "win32", reason="Windows has a Python without a console")
def test_on_windows_the_terminal_gets_the_python_with_a_console() -> None:
    assert resume_words((r"C:\py\pythonw.exe", "-m", "deskbell"), "a1", {})[0] == r"C:\py\python.exe"
