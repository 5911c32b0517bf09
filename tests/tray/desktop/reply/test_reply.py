"""Test which way carries a text, and what is told where none does."""

import os
import shutil
import sys
from pathlib import Path

import pytest

from deskbell.desktop.focus import processes
from deskbell.desktop.jump.spot import Spot
from deskbell.desktop.reply import carrier
from deskbell.errors import Problem
from tests.tmuxes import needs_tmux, tmux
from tests.tray.commands.terminals import Terminal
from tests.tray.desktop.reply.clients import client
from tests.waiting import wait

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="/proc")


@needs_tmux
def test_tmux_goes_before_the_terminal_around_it(tmp_path: Path) -> None:
    with tmux(tmp_path) as server:
        one = client(server, tmp_path / "one")
        there = one.spot
        outside = {**there.handles, "KITTY_PID": str(there.line[-1]), "KITTY_LISTEN_ON": "unix:/nowhere"}
        assert carrier(Spot(there.pid, there.line, there.tty, outside)).what == f"tmux pane {one.pane}"


@pytest.mark.parametrize(("name", "said"), [("screen", "in screen"), ("zellij", "in zellij"), ("urxvt", "urxvt does")])
def test_what_shows_no_prompt_is_named(name: str, said: str, tmp_path: Path) -> None:
    """Also where a kitty is around it: a key there would go to whatever screen shows."""
    (tmp_path / name).symlink_to(shutil.which("sleep") or "/bin/sleep")
    with Terminal([str(tmp_path / name), "600"]) as holder:
        pid = holder._pid
        wait(lambda: processes.name(pid) == name, "the program")
        there = Spot(os.getpid(), (os.getpid(), pid), "/dev/pts/none", {"KITTY_LISTEN_ON": "unix:/nowhere"})
        with pytest.raises(Problem, match=said):
            carrier(there)


def test_a_terminal_that_nobody_knows_is_told_of() -> None:
    with pytest.raises(Problem, match="Its terminal does not show"):
        carrier(Spot(os.getpid(), (os.getpid(),), "/dev/pts/none"))


def test_a_session_without_a_terminal_is_told_of() -> None:
    with pytest.raises(Problem, match="without a terminal"):
        carrier(Spot(os.getpid(), (os.getpid(),)))
