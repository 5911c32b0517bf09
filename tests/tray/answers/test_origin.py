"""Test that what Claude Code started is known as such."""

import os
import subprocess
import sys

import pytest

from deskbell.answers.origin import DEEPEST, environment_of, is_from_client, parent_of
from tests.waiting import wait

PARENTS = {30: 20, 20: 10, 10: 1, 40: 1, 50: None, 60: 60}


def comes(pid: int | None, clients: set[int], environment: bytes = b"HOME=/root\0TERM=xterm\0") -> bool:
    return is_from_client(pid, clients, PARENTS.get, lambda _: environment)


@pytest.mark.parametrize("pid", [10, 20, 30])
def test_a_client_and_what_it_started_come_from_it(pid: int) -> None:
    assert comes(pid, {10})


@pytest.mark.parametrize("pid", [None, 40, 10])
def test_others_do_not(pid: int | None) -> None:
    assert not comes(pid, {20, 30})


def test_what_left_the_client_is_known_by_its_environment() -> None:
    assert comes(40, set(), b"HOME=/root\0CLAUDECODE=1\0")
    assert not comes(40, set(), b"NOTE=CLAUDECODE=1\0")


def test_a_caller_that_has_left_is_trusted_with_nothing() -> None:
    """It sends its order and ends, so that nobody can ask who started it."""
    assert comes(50, set(), b"")


def test_a_circle_of_parents_is_trusted_with_nothing() -> None:
    assert comes(60, set())
    assert DEEPEST < 1000


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has environments as files")
def test_the_system_is_asked_for_parent_and_environment() -> None:
    program = "import sys; sys.stdin.read()"
    env = {"CLAUDECODE": "1", "PATH": os.environ["PATH"]}
    with subprocess.Popen([sys.executable, "-I", "-c", program], stdin=subprocess.PIPE, env=env) as child:
        assert parent_of(child.pid) == os.getpid()
        assert wait(lambda: b"CLAUDECODE=1" in environment_of(child.pid))
        assert child.stdin
        child.stdin.close()
    assert parent_of(child.pid) is None
    assert environment_of(child.pid) == b""
