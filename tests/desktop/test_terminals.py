"""Test on a real desktop that the terminals that are installed open with a command in a folder."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from deskbell.desktop.terminal_kinds import is_kept
from deskbell.desktop.terminals import for_linux, open_terminal
from deskbell.errors import Problem
from tests.desktop.desktop import Desktop
from tests.waiting import wait

WORDS = ["a b", "it's", "$HOME;x", "-x"]
PLAIN = ["-P", "--home", "/srv/x_y.z"]
NAMES = (
    "xterm",
    "xfce4-terminal",
    "mate-terminal",
    "gnome-terminal",
    "konsole",
    "kitty",
    "alacritty",
    "tilix",
    "terminator",
    "lxterminal",
    "qterminal",
)
NEEDED = ("xterm", "xfce4-terminal")
"""Those that tests/system-packages.sh installs."""


@pytest.fixture
def here(xfce: Desktop, monkeypatch: pytest.MonkeyPatch) -> Iterator[Desktop]:
    """This process on the desktop. Every terminal that it has opened ends with the test."""
    for name, value in xfce.env.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("LIBGL_ALWAYS_SOFTWARE", "1")  # kitty
    before = {process.pid for process in psutil.process_iter()}
    yield xfce
    for process in psutil.process_iter():
        if process.pid not in before and _is_on(process, xfce.env["DISPLAY"]):
            process.kill()


def _is_on(process: psutil.Process, display: str) -> bool:
    try:
        return process.environ().get("DISPLAY") == display
    except psutil.Error:
        return False


def shown(folder: Path, name: str, words: list[str]) -> list[str]:
    """Open the terminal NAME, and return the folder and the words that its command gets."""
    said = folder.parent / "said"
    script = folder.parent / "command"
    script.write_text(f'#!/bin/sh\n{{ pwd; printf "%s\\n" "$@"; }} > {said}.new\nmv {said}.new {said}\nsleep 5\n')
    script.chmod(0o755)
    open_terminal([str(script), *words], str(folder), (name,), folder)
    wait(said.exists, f"the command in {name}")
    return said.read_text().splitlines()


@pytest.mark.parametrize("name", NAMES)
def test_a_terminal_runs_the_command_in_the_folder(here: Desktop, tmp_path: Path, name: str) -> None:
    if not shutil.which(name):
        (pytest.fail if os.environ.get("CI") and name in NEEDED else pytest.skip)(f"{name} is not installed")
    folder = tmp_path / "my api's"
    folder.mkdir()
    words = WORDS if is_kept(name, WORDS) else PLAIN
    assert shown(folder, name, words) == [str(folder), *words]


def test_the_terminal_of_the_desktop_is_chosen(here: Desktop) -> None:
    if not shutil.which("xdg-terminal-exec") and shutil.which("xfce4-terminal"):
        assert for_linux(["true"], "/", (), os.environ, shutil.which).words[0] == "xfce4-terminal"


@pytest.mark.parametrize("name", NEEDED)
def test_a_terminal_without_a_screen_is_told_in_one_sentence(
    here: Desktop, tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not shutil.which(name):
        pytest.skip(f"{name} is not installed")
    monkeypatch.setenv("DISPLAY", ":9999")
    monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nowhere")
    with pytest.raises(Problem, match=f"{name} ended at once with error 1"):
        open_terminal(["true"], str(tmp_path), (name,), tmp_path)
