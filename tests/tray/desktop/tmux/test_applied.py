"""Test that our formats come into a server that runs, and that it is as it was when they have gone."""

import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from deskbell.desktop.tmux.applied import apply, bound_otherwise, examined, remove, remove_marks, unescaped
from deskbell.errors import Problem
from deskbell.settings.tmux_include import LINE, PLACES, WERE, Wish, text
from deskbell_hooks.panes import OWNER, command, options
from tests.tmuxes import Tmux, needs_tmux, tmux

pytestmark = [needs_tmux, pytest.mark.skipif(sys.platform == "win32", reason="tmux does not run on Windows")]


STATE, MINE = "/home/p/.local/state/deskbell", "64.7"


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Tmux]:
    (tmp_path / "deskbell.conf").write_text(text(Wish(("deskbell",), ("true", STATE))))
    with tmux(tmp_path) as one:
        yield one


def everything(server: Tmux) -> list[str]:
    parts = [server.run("show-options", flags) for flags in ("-g", "-gw", "-s")]
    return [*parts, server.run("list-keys"), server.run("show-options", "-pt", "%0")]


def has(server: Tmux) -> bool:
    found = examined(str(server.socket), LINE, STATE)
    assert found
    return found.has


def test_a_server_is_as_it_was_once_everything_is_removed(server: Tmux, tmp_path: Path) -> None:
    server.run("set-option", "-g", "status-right", "mine, \"quoted\" #{?a,b,c} 'x' \\ $HOME ~ #(true)")
    server.run("bind-key", "u", "display-message", "mine")
    server.run("unbind-key", "u")
    before = everything(server)
    assert not has(server)
    apply(str(server.socket), str(tmp_path / "deskbell.conf"))
    server.run(*command("%0", server.value("#{pane_tty}"), 1, {**options("s1", "working", "x", {}), OWNER: MINE}))
    assert has(server)
    assert everything(server) != before
    remove(str(server.socket), PLACES, WERE, ["u", "b"])
    remove_marks(str(server.socket), MINE)
    assert everything(server) == before


def test_what_another_deskbell_has_put_into_a_server_stays(server: Tmux, tmp_path: Path) -> None:
    apply(str(server.socket), str(tmp_path / "deskbell.conf"))
    server.run(*command("%0", server.value("#{pane_tty}"), 1, {**options("s1", "working", "x", {}), OWNER: MINE}))
    before = everything(server)
    other = examined(str(server.socket), LINE, "/home/p/other/state")
    assert other
    assert not other.has
    remove_marks(str(server.socket), "64.8")
    assert everything(server) == before


def test_what_the_person_has_changed_meanwhile_stays(server: Tmux, tmp_path: Path) -> None:
    apply(str(server.socket), str(tmp_path / "deskbell.conf"))
    server.run("set-option", "-g", "status-interval", "3")
    server.run("set-option", "-gw", "pane-border-status", "bottom")
    server.run("set-option", "-g", "status-right", "mine")
    server.run("bind-key", "u", "display-message", "mine")
    remove(str(server.socket), PLACES, WERE, ["u", "b"])
    shown = server.shown("status-interval"), server.shown("pane-border-status", "-gw"), server.shown("status-right")
    assert shown == ("3", "bottom", "mine")
    assert bound_otherwise(str(server.socket), "u")
    assert not bound_otherwise(str(server.socket), "b")


def test_a_file_that_tmux_does_not_take_is_told(server: Tmux, tmp_path: Path) -> None:
    with pytest.raises(Problem, match="refused"):
        apply(str(server.socket), str(tmp_path / "nowhere.conf"))


def test_no_server_is_no_answer(tmp_path: Path) -> None:
    with tmux(tmp_path) as server:
        socket = str(server.socket)
    assert examined(socket, LINE, STATE) is None


def test_a_server_that_is_too_old_or_hangs_is_named(server: Tmux) -> None:
    pid = int(server.value("#{pid}"))
    os.kill(pid, signal.SIGSTOP)
    try:
        found = examined(str(server.socket), LINE, STATE)
    finally:
        os.kill(pid, signal.SIGCONT)
    assert found
    assert "does not answer" in found.problem


def test_the_backslash_of_3_4_is_taken_out_and_no_other() -> None:
    assert unescaped(r"\$HOME \${x} \\$y \$1 \n", escapes=True) == r"$HOME ${x} \$y \$1 \n"
    assert unescaped(r"\$HOME", escapes=False) == r"\$HOME"


def test_keys_that_do_something_else_are_known(server: Tmux, tmp_path: Path) -> None:
    assert bound_otherwise(str(server.socket), "c")
    assert not bound_otherwise(str(server.socket), "u")
    apply(str(server.socket), str(tmp_path / "deskbell.conf"))
    assert not bound_otherwise(str(server.socket), "u")
