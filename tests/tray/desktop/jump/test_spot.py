"""Test where a process is: the processes above it, its terminal, and its variables."""

import os
import pty
import shlex
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from deskbell.desktop.jump.spot import Spot, program, spot
from tests.waiting import wait

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="pseudo-terminals and /proc")


@contextmanager
def in_terminal(*command: str, **env: str) -> Iterator[tuple[int, str]]:
    """Run COMMAND in a terminal of its own."""
    ours, its = pty.openpty()
    path = os.ttyname(its)
    run = f"import os, sys; os.setsid(); os.close(os.open({path!r}, os.O_RDWR)); os.execvp({command[0]!r}, {list(command)!r})"
    with subprocess.Popen([sys.executable, "-c", run], env={**os.environ, **env}) as process:
        wait(lambda: program(process.pid) == command[0] or None, "the program")
        yield process.pid, path
        process.terminate()
    os.close(ours)
    os.close(its)


def test_a_spot_has_the_line_the_terminal_and_the_variables_of_its_process() -> None:
    with in_terminal("sleep", "60", KITTY_WINDOW_ID="7") as (pid, path):
        there = spot(pid)
        assert there
        assert there.line[:2] == (pid, os.getpid())
        assert there.tty == path
        assert there.number("KITTY_WINDOW_ID") == 7
        assert there.holder == os.getpid()
        assert there.below(os.getpid()) == (pid,)
        assert there.below(2**30) == ()


@pytest.mark.parametrize(("terminals", "ends_at"), [(("xterm",), 1), (("kitty", "kitty"), 2), (("kitty", "xterm"), 1)])
def test_what_is_above_its_terminal_is_not_above_a_process(
    tmp_path: Path, terminals: tuple[str, ...], ends_at: int
) -> None:
    """TERMINALS: from the inside out. What has started a terminal does not hold it; kitty 0.26 is two processes."""
    inner, outer = ([str(tmp_path / name), "-c"] for name in (terminals[0], terminals[-1]))
    for name in set(terminals):
        (tmp_path / name).symlink_to("/bin/sh")
    pid_file = tmp_path / "pid"
    lowest = f"sleep 60 & echo $! > {pid_file}; wait"
    command = [*inner, lowest] if len(terminals) == 1 else [*outer, f"{shlex.join([*inner, lowest])} & wait"]
    with subprocess.Popen(command, start_new_session=True) as process:
        pid = int(wait(lambda: pid_file.exists() and pid_file.read_text().strip()))
        there = wait(lambda: (found := spot(pid)) and program(pid) == "sleep" and found)
        os.killpg(process.pid, 9)
    assert len(there.line) == 1 + ends_at


def test_a_process_that_has_gone_is_nowhere() -> None:
    assert spot(2**30) is None


HOSTILE = ("1\x1b]2;x\x07", "7\n8", "\x9b2J")


@pytest.mark.parametrize("text", HOSTILE)
def test_a_variable_that_would_act_on_a_terminal_is_not_set(text: str) -> None:
    assert Spot(1, (1,), None, {"TMUX": text}).handle("TMUX") == ""


@pytest.mark.parametrize("text", ["", "-1", "1.5", "٣", "9" * 30, "0x10", *HOSTILE])
def test_a_variable_that_is_no_number_is_none(text: str) -> None:
    assert Spot(1, (1,), None, {"WINDOWID": text}).number("WINDOWID") is None


def test_the_recorded_variables_are_used_where_the_system_tells_none() -> None:
    there = spot(1 if os.getuid() else os.getpid(), {"A": "recorded"})
    assert there
    assert there.handle("A") == ("recorded" if os.getuid() else "")
