"""Test the command that resumes a session."""

import subprocess
import sys
from pathlib import Path

import pytest

from deskbell.terminal.resume import resume_command
from tests.tray.making import session

USUAL = Path("/home/me/.claude")


@pytest.mark.parametrize(
    ("cwd", "config_dir", "command"),
    [
        ("/srv/api", None, "cd /srv/api && claude --resume a1"),
        ("/srv/api", str(USUAL), "cd /srv/api && claude --resume a1"),
        ("/srv/my api's", None, "cd '/srv/my api'\"'\"'s' && claude --resume a1"),
        (None, None, "claude --resume a1"),
        (
            "/srv/api",
            "/home/me/.claude-work",
            "cd /srv/api && CLAUDE_CONFIG_DIR=/home/me/.claude-work claude --resume a1",
        ),
    ],
)
def test_the_command_for_a_posix_shell(cwd: str | None, config_dir: str | None, command: str) -> None:
    assert resume_command(session(cwd=cwd, config_dir=config_dir), USUAL) == command


def test_the_command_for_windows() -> None:
    command = resume_command(session(cwd=r"C:\my api", config_dir=r"D:\work"), USUAL, windows=True)
    assert command == r'set "CLAUDE_CONFIG_DIR=D:\work" && cd /d "C:\my api" && claude --resume a1'


@pytest.mark.skipif(sys.platform == "win32", reason="a posix shell")
@pytest.mark.parametrize("name", ["plain", "two words", "it's", "$HOME", "`id`", "a;b", "ü\n"])
def test_a_shell_enters_a_folder_of_any_name(tmp_path: Path, name: str) -> None:
    folder = tmp_path / name
    folder.mkdir()
    command = resume_command(session(cwd=str(folder)), USUAL).replace("claude --resume", "pwd; echo")
    said = subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=True).stdout
    assert said == f"{folder}\na1\n"
