"""Test that the person's terminal opens with a command, on each system, and that a failure is one sentence."""

import os
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from deskbell.desktop.terminals import Start, for_linux, for_mac, for_windows, open_terminal, opens, run, script
from deskbell.errors import Problem
from tests.waiting import wait

COMMAND = ["/usr/bin/deskbell", "resume", "a1"]
STEP = " Name another one: `deskbell config set terminal.command NAME`."
posix = pytest.mark.skipif(os.name == "nt", reason="terminals that are shell scripts")


def installed(*names: str) -> Callable[[str], str | None]:
    return lambda name: f"/usr/bin/{name}" if name in names else None


def test_the_setting_comes_before_everything() -> None:
    which = installed("kitty", "xterm", "st")
    start = for_linux(COMMAND, "/srv", ("kitty",), {"TERMINAL": "st"}, which)
    assert start.words == ["kitty", "--directory", "/srv", *COMMAND]
    assert for_linux(COMMAND, "/srv", ("st", "-f", "mono", "-e"), {}, which).words == [
        "st",
        "-f",
        "mono",
        "-e",
        *COMMAND,
    ]
    assert for_linux(COMMAND, "/srv", (), {"TERMINAL": "st"}, which).words == ["st", "-e", *COMMAND]
    assert for_linux(COMMAND, "/srv", (), {"TERMINAL": "gone"}, which).words[0] == "kitty"


def test_a_terminal_that_would_change_the_command_is_passed_over() -> None:
    command, which = [*COMMAND, "--home", "/home/a b/$x"], installed("tilix", "konsole", "xterm")
    assert for_linux(command, "/srv", (), {"XDG_CURRENT_DESKTOP": "KDE"}, which).words[0] == "xterm"
    with pytest.raises(Problem, match="konsole would change the command"):
        for_linux(command, "/srv", ("konsole",), {}, which)


def test_a_terminal_that_is_not_there_is_one_sentence() -> None:
    with pytest.raises(Problem) as refused:
        for_linux(COMMAND, "/srv", (), {}, installed())
    assert str(refused.value) == f"No terminal was found.{STEP}"
    for setting in (("gone",), ("gone", "-e")):
        with pytest.raises(Problem) as refused:
            for_linux(COMMAND, "/srv", setting, {}, installed("xterm"))
        assert str(refused.value) == f"The terminal of your settings, gone, is not installed.{STEP}"


HOSTILE = '/srv/it\'s; $(touch owned) "`touch owned`"\ntouch owned'


def test_a_mac_opens_a_private_script(tmp_path: Path) -> None:
    start = for_mac(COMMAND, HOSTILE, ("iTerm",), installed(), tmp_path)
    *words, path = start.words
    assert words == ["open", "-a", "iTerm"]
    assert Path(path).read_text() == script(COMMAND, HOSTILE)
    if os.name != "nt":
        assert stat.S_IMODE(Path(path).stat().st_mode) == 0o700
    assert for_mac(COMMAND, "/srv", (), installed(), tmp_path).words[2] == "Terminal"
    assert for_mac(COMMAND, "/srv", ("kitty",), installed("kitty"), tmp_path).words == [
        "kitty",
        "--directory",
        "/srv",
        *COMMAND,
    ]


@posix
def test_the_script_of_a_mac_runs_the_command_in_any_folder_and_deletes_itself(tmp_path: Path) -> None:
    folder = tmp_path / HOSTILE.removeprefix("/srv/")
    folder.mkdir(parents=True)
    file = tmp_path / "resume.command"
    file.write_text(script(["sh", "-c", 'pwd; printf "%s\\n" "$@"', "sh", HOSTILE], str(folder)))
    file.chmod(0o700)
    done = subprocess.run([str(file)], capture_output=True, text=True, check=True)
    assert done.stdout == f"{folder}\n{HOSTILE}\n"
    assert not file.exists()
    assert sorted(tmp_path.rglob("owned")) == []


def test_windows_opens_its_terminal_else_a_console() -> None:
    folder = r"C:\my; calc.exe"
    start = for_windows(["py.exe", "-m", "deskbell"], folder, (), installed("wt.exe"))
    assert start == Start(["wt.exe", "-d", r"C:\my\; calc.exe", "py.exe", "-m", "deskbell"])
    assert for_windows(COMMAND, folder, (), installed()) == Start(COMMAND, new_console=True)
    assert for_windows(COMMAND, folder, ("alacritty", "-e"), installed("alacritty")).words == [
        "alacritty",
        "-e",
        *COMMAND,
    ]


def program(tmp_path: Path, text: str) -> str:
    file = tmp_path / "terminal"
    file.write_text(f"#!/bin/sh\n{text}\n")
    file.chmod(0o755)
    return str(file)


@posix
def test_a_terminal_is_started_in_the_folder_and_as_no_child_of_claude_code(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CLAUDECODE", "1")
    said = tmp_path / "said"
    name = program(tmp_path, f'{{ pwd; echo "$@"; env; }} > "{said}.new"; mv "{said}.new" "{said}"')
    (tmp_path / "a b").mkdir()
    open_terminal(COMMAND, str(tmp_path / "a b"), (name,), tmp_path)
    wait(said.exists)
    lines = said.read_text().splitlines()
    assert lines[:2] == [str(tmp_path / "a b"), f"-e {' '.join(COMMAND)}"]
    assert "CLAUDECODE=1" not in lines


@pytest.mark.long
@posix
def test_a_terminal_that_stays_is_left_alone(tmp_path: Path) -> None:
    run(Start([program(tmp_path, f'echo $$ > "{tmp_path}/pid"; exec sleep 60')]), str(tmp_path))
    pid = int((tmp_path / "pid").read_text())
    os.kill(pid, 0)
    os.kill(pid, 15)


@posix
def test_a_terminal_that_ends_at_once_with_an_error_is_one_sentence(tmp_path: Path) -> None:
    name = program(tmp_path, "exit 7")
    with pytest.raises(Problem) as refused:
        run(Start([name]), str(tmp_path))
    assert str(refused.value) == f"{name} ended at once with error 7.{STEP}"


@pytest.mark.parametrize("words", [["/nowhere/terminal"], ["a\0b"]])
def test_a_terminal_that_does_not_start_is_one_sentence(tmp_path: Path, words: list[str]) -> None:
    with pytest.raises(Problem, match="could not be started: "):
        run(Start(words), str(tmp_path))


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have a terminal of their own")
def test_the_terminal_that_clicks_open_can_be_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(Problem, match="No terminal was found"):
        opens(())
    (tmp_path / "kitty").touch(0o755)
    assert opens(()) == opens(("kitty",)) == "kitty"


@posix
@pytest.mark.parametrize(
    ("folder", "why"), [("/gone/for/good", "no longer exists"), ("/etc/passwd", "cannot be used: Not a directory")]
)
def test_a_folder_that_has_gone_is_not_blamed_on_the_terminal(folder: str, why: str) -> None:
    with pytest.raises(Problem) as refused:
        run(Start(["/bin/true"]), folder)
    assert str(refused.value) == f"The folder {folder} {why}. Make it again, or run the command elsewhere."
