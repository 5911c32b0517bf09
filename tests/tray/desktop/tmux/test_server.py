"""Test how the person's servers are found and asked: never those of others, and never for longer than it is useful."""

import os
import signal
import sys
import time
from pathlib import Path

import pytest

from deskbell.desktop.tmux.server import AT_ONCE, Hung, ask, is_new_enough, is_usable, sockets, version
from deskbell.errors import Problem
from tests.tmuxes import needs_tmux, tmux

pytestmark = [needs_tmux, pytest.mark.skipif(sys.platform == "win32", reason="tmux does not run on Windows")]


def test_the_servers_of_the_person_are_found(tmp_path: Path) -> None:
    folder = tmp_path / f"tmux-{os.getuid()}"
    folder.mkdir(mode=0o700)
    (folder / "no socket").touch()
    with tmux(folder, "default") as usual, tmux(tmp_path, "elsewhere") as around:
        env = {"TMUX_TMPDIR": str(tmp_path)}
        assert sockets(env) == [str(usual.socket)]
        assert sockets({**env, "TMUX": around.variable}) == [str(usual.socket), str(around.socket)]
        assert sockets({**env, "TMUX": usual.variable}) == [str(usual.socket)]
    assert sockets({"TMUX_TMPDIR": str(tmp_path / "nowhere")}) == []


@pytest.mark.skipif(sys.platform == "win32" or os.getuid() != 0, reason="only root can give a socket away")
def test_the_socket_of_somebody_else_is_left_out(tmp_path: Path) -> None:
    with tmux(tmp_path) as server:
        assert is_usable(str(server.socket))
        os.chown(server.socket, 1, 1)
        assert not is_usable(str(server.socket))
        os.chown(server.socket, 0, 0)
    assert not is_usable("/nowhere\0")


def test_a_server_says_its_version(tmp_path: Path) -> None:
    with tmux(tmp_path) as server:
        assert version(str(server.socket)) == server.value("#{version}")
        assert ask(str(server.socket), "no-such-command") is None
        socket = str(server.socket)
    assert version(socket) is None


def test_a_server_that_hangs_is_told_in_time(tmp_path: Path) -> None:
    with tmux(tmp_path) as server:
        pid = int(server.value("#{pid}"))
        os.kill(pid, signal.SIGSTOP)
        try:
            began = time.monotonic()
            with pytest.raises(Hung, match="does not answer"):
                version(str(server.socket))
            assert time.monotonic() - began < AT_ONCE + 2
        finally:
            os.kill(pid, signal.SIGCONT)


def test_a_machine_without_tmux_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(Problem, match="not installed"):
        ask("/x", "list-sessions")


VERSIONS = [("2.9a", False), ("1.8", False), ("3.0", True), ("3.0a", True), ("3.10", True), ("next-3.6", True)]


@pytest.mark.parametrize(("named", "is_new"), [*VERSIONS, ("openbsd-7.5", True), ("master", True)])
def test_options_of_panes_came_with_3_0(named: str, is_new: bool) -> None:
    assert is_new_enough(named) is is_new
