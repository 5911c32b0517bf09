"""Test what all carriers look at first: whether the client is in front of its terminal."""

import os
import subprocess
import sys

import pytest

from deskbell.desktop.jump.spot import Spot
from deskbell.desktop.reply.carrier import is_in_front, is_in_front_by_ps, refuse_behind
from deskbell.errors import Problem
from tests.tray.commands.terminals import Terminal

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="process groups")


def test_a_program_in_a_terminal_of_its_own_is_in_front() -> None:
    with Terminal(["sh", "-c", "echo I am $$.; sleep 600"]) as terminal:
        terminal.until(".")
        pid = int(terminal.written.split("I am ")[1].split(".")[0])
        assert is_in_front(pid)
        assert is_in_front_by_ps(pid)
        refuse_behind(Spot(pid, (pid,)))


def test_a_program_behind_a_shell_is_not() -> None:
    with Terminal(["bash", "--norc", "--noprofile", "-i"]) as terminal:
        terminal.type("sleep 600 & echo I am $!.\n")
        terminal.until("I am $!.")
        terminal.until("\nI am ")
        pid = int(terminal.written.split("\nI am ")[1].split(".")[0])
        assert not is_in_front(pid)
        assert not is_in_front_by_ps(pid)
        with pytest.raises(Problem, match="Another program"):
            refuse_behind(Spot(pid, (pid,)))


def test_a_program_without_a_terminal_or_that_has_gone_is_not() -> None:
    with subprocess.Popen(["sleep", "600"], start_new_session=True) as process:
        assert not is_in_front(process.pid)
        process.kill()
        os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
        assert not is_in_front(process.pid)
    assert not is_in_front(process.pid)
    assert not is_in_front_by_ps(process.pid)
