"""Test what a click on a session does beside the jump itself."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from deskbell.desktop.jump.arrival import Arrival
from deskbell.home import home
from deskbell.program.jumping import attach_in_terminal, go_to
from deskbell.sessions.visits import visits
from tests.tray.making import session
from tests.waiting import wait

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="/proc")


@pytest.fixture
def client() -> Iterator[int]:
    with subprocess.Popen(["sleep", "60"], env={}) as process:
        yield process.pid
        process.terminate()


@pytest.fixture(autouse=True)
def no_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "SWAYSOCK", "HYPRLAND_INSTANCE_SIGNATURE"):
        monkeypatch.delenv(name, raising=False)


def test_a_jump_that_reached_nothing_is_not_remembered(client: int) -> None:
    came = go_to(session(pid=client, pid_start=None), None, home())
    assert (came.reached, came.complete) == (None, False)
    assert visits(home().state) == {}


@pytest.fixture
def written(tmp_path: Path) -> Path:
    """The file into which the terminal of the settings writes its folder and its words."""
    written, terminal = tmp_path / "written", tmp_path / "terminal"
    terminal.write_text(f'#!/bin/sh\nprintf "%s " "$PWD" "$@" > {written}.new; mv {written}.new {written}\n')
    terminal.chmod(0o755)
    config = home().config / "config.toml"
    config.parent.mkdir(parents=True, exist_ok=True)
    config.write_text(f'[terminal]\ncommand = ["{terminal}", "-e"]\n')
    return written


ATTACH = Arrival(None, complete=False, sentence="It is detached.", offer=("tmux", "-S", "/tmp/a b", "attach"))


def test_the_terminal_of_the_settings_runs_the_offered_command_in_the_folder_of_the_session(
    tmp_path: Path, written: Path
) -> None:
    attach_in_terminal(ATTACH, session(pid=os.getpid(), cwd=str(tmp_path)), home())
    assert wait(lambda: written.exists() and written.read_text()) == f"{tmp_path} -e tmux -S /tmp/a b attach "


@pytest.mark.parametrize("cwd", ["/gone/for/good", None, "/etc/passwd"])
def test_a_command_that_attaches_runs_where_the_folder_of_the_session_has_gone(
    tmp_path: Path, written: Path, cwd: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    attach_in_terminal(ATTACH, session(pid=os.getpid(), cwd=cwd), home())
    assert wait(lambda: written.exists() and written.read_text()) == f"{tmp_path} -e tmux -S /tmp/a b attach "
