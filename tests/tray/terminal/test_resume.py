"""Test the command that resumes a session."""

import subprocess
import sys
from pathlib import Path

import pytest

from deskbell.errors import Problem
from deskbell.terminal.resume import resume_command, resume_environment, resumption
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
@pytest.mark.parametrize(
    "name", ["plain", "two words", "it's", "$HOME", "`id`", "a;b", "ü", "👩\u200d🚀", "می\u200cخواهم"]
)
def test_a_shell_enters_a_folder_of_any_name(tmp_path: Path, name: str) -> None:
    folder = tmp_path / name
    folder.mkdir()
    command = resume_command(session(cwd=str(folder)), USUAL).replace("claude --resume", "pwd; echo")
    said = subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=True).stdout
    assert said == f"{folder}\na1\n"


@pytest.mark.parametrize("char", ["\n", "\r", "\x03", "\x1b[201~", "\x9b", "\x7f", "\u202e", "\u2028", "\udcff"])
@pytest.mark.parametrize("windows", [False, True], ids=["posix", "windows"])
@pytest.mark.parametrize("name", ["cwd", "config_dir"])
def test_a_folder_whose_name_acts_on_a_terminal_is_refused_in_words(name: str, windows: bool, char: str) -> None:
    """Where the terminal does not filter what is pasted, such a name is typed as keys."""
    with pytest.raises(Problem) as refused:
        resume_command(session(project="web\x1b[2J", **{name: f"/srv/a{char}b"}), USUAL, windows)
    folder = "folder" if name == "cwd" else "Claude folder"
    assert str(refused.value) == (
        f"The name of the {folder} of web has characters that act on a terminal. "
        "Go to the folder yourself, then run `claude --resume a1`."
    )


def test_the_command_or_why_there_is_none_is_a_text() -> None:
    assert resumption(session(cwd="/srv"), USUAL) == "cd /srv && claude --resume a1"
    assert "has characters that act on a terminal." in resumption(session(cwd="/srv/a\x07b"), USUAL)


def test_a_quote_in_a_name_is_refused_on_windows_where_it_would_end_the_argument() -> None:
    hostile = session(cwd='C:\\x" & calc & "')
    with pytest.raises(Problem, match="characters that act on a terminal"):
        resume_command(hostile, USUAL, windows=True)
    assert resume_command(hostile, USUAL).startswith("cd 'C:")


def test_a_fork_is_asked_for_in_the_command() -> None:
    assert resume_command(session(cwd="/srv"), USUAL, fork=True) == "cd /srv && claude --resume a1 --fork-session"


OF_THE_PERSON = {"PATH": "/bin", "CLAUDE_CODE_USE_BEDROCK": "1", "ANTHROPIC_API_KEY": "k", "COLUMNS": "80"}
OF_A_CLIENT = {
    "CLAUDECODE": "1",
    "CLAUDE_PID": "7",
    "CLAUDE_PROJECT_DIR": "/srv",
    "CLAUDE_CODE_SESSION_ID": "b2",
    "CLAUDE_CODE_SESSION_ATTENDED": "1",
    "CLAUDE_CODE_CHILD_SESSION": "1",
    "CLAUDE_CODE_ENTRYPOINT": "cli",
    "CLAUDE_CODE_MESSAGING_SOCKET": "/s",
    "CLAUDE_CODE_MESSAGING_TOKEN": "t",
    "CLAUDE_PLUGIN_ROOT": "/p",
    "CLAUDE_ENV_FILE": "/e",
    "AI_AGENT": "claude-code",
}


def test_the_settings_of_the_person_are_inherited() -> None:
    assert resume_environment(OF_THE_PERSON, None, USUAL, USUAL) == OF_THE_PERSON


def test_what_a_client_tells_its_programs_is_not_inherited() -> None:
    """With CLAUDE_CODE_CHILD_SESSION a client saves no transcript."""
    inherited = OF_THE_PERSON | OF_A_CLIENT
    expected = {name: value for name, value in OF_THE_PERSON.items() if name != "COLUMNS"}
    assert resume_environment(inherited, None, USUAL, USUAL) == expected


WORK, MOVED = Path("/home/me/.claude-work"), Path("/home/me/moved")


@pytest.mark.parametrize(
    ("account", "inherited", "usual", "expected"),
    [
        (None, None, USUAL, None),
        (USUAL, None, USUAL, None),
        (WORK, None, USUAL, WORK),
        (WORK, MOVED, MOVED, WORK),
        (MOVED, MOVED, MOVED, MOVED),
        (USUAL, MOVED, MOVED, None),
        (USUAL, USUAL, USUAL, USUAL),
        (None, MOVED, MOVED, MOVED),
    ],
)
def test_the_client_gets_the_account_of_the_session(
    account: Path | None, inherited: Path | None, usual: Path, expected: Path | None
) -> None:
    """That of ~/.claude is named only where the person names it: named, its .claude.json is another one."""
    env = {"CLAUDE_CONFIG_DIR": str(inherited)} if inherited else {}
    found = resume_environment(env, account and str(account), usual, USUAL)
    assert found == ({"CLAUDE_CONFIG_DIR": str(expected)} if expected else {})
