"""Test how the client that started the hook is found: its process number, its start, and whether it still lives."""

import errno
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from deskbell_hooks import client as client_module
from deskbell_hooks.client import (
    LARGEST_PID,
    TICK,
    began,
    client_pid,
    is_gone,
    process_start,
    process_stat,
    starter,
    variable,
    was_given,
)
from tests.faults.injector import failing
from tests.hooks import recorder
from tests.hooks.environment import set_variable
from tests.hooks.pythons import by_every_python
from tests.hooks.said import SESSION, e
from tests.limits import no_descriptors

linux = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")


@by_every_python
@linux
@pytest.mark.parametrize("shell", [[], ["/bin/sh", "-c", '"$0" "$@"; exit 0']])
def test_without_its_variable_the_client_is_the_process_that_started_the_hook(tmp_path: Path, shell: list[str]) -> None:
    env = {**recorder.BARE_ENV, "CLAUDECODE": "1", "TMUX_PANE": "%5"}
    command = [*shell, *recorder.COMMAND, str(tmp_path)]
    subprocess.run(command, input=recorder.said(e("Stop")), env=env, check=True)
    found = recorder.read(tmp_path, SESSION)["where"]
    assert (found["pid"], found["start"], found["handles"]) == (os.getpid(), process_start("self"), {"TMUX_PANE": "%5"})


@by_every_python
@pytest.mark.skipif(sys.platform == "win32", reason="Windows is not asked whether a process lives")
def test_the_first_event_of_a_client_names_the_clients_that_have_ended(tmp_path: Path) -> None:
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as died:
        recorder.run(tmp_path, e("UserPromptSubmit", prompt="x"), {"CLAUDE_PID": str(died.pid)})
        died.kill()
    recorder.run(tmp_path, e("SessionStart", source="resume"), {"CLAUDE_PID": str(os.getpid())})
    assert [one["pid"] for one in recorder.journal(tmp_path, SESSION)[1]["gone"]] == [died.pid]
    record = recorder.read(tmp_path, SESSION)
    assert (record["where"]["pid"], record["others"]) == (os.getpid(), [])


@by_every_python
@linux
def test_the_last_event_of_an_ended_client_still_belongs_to_it(tmp_path: Path) -> None:
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as client:
        env = {"CLAUDE_PID": str(client.pid), "TMUX_PANE": "%4"}
        recorder.run(tmp_path, e("UserPromptSubmit", prompt="x"), env)
        recorder.run(tmp_path, e("SubagentStart", agent_id="a1", agent_type="Plan"), env)
        before = recorder.read(tmp_path, SESSION)["where"]
        client.kill()
    recorder.run(tmp_path, e("SessionEnd", reason="other"), env)
    record = recorder.read(tmp_path, SESSION)
    assert (record["status"], record["where"], record["others"]) == ("ended", before, [])
    assert [agent["status"] for agent in record["agents"]] == ["done"]


@by_every_python
@pytest.mark.parametrize("pid", ["", "x", "-1", "0x1", "9" * 30, "1.5", "١"])
def test_a_variable_that_is_not_a_process_number_names_no_client(tmp_path: Path, pid: str) -> None:
    recorder.run(tmp_path, e("Stop"), {"CLAUDE_PID": pid})
    assert "client" not in recorder.journal(tmp_path, SESSION)[0]


@linux
def test_a_process_is_gone_if_it_ended_or_another_has_its_number() -> None:
    start = process_start("self")
    assert start == process_start(os.getpid())
    assert not is_gone(os.getpid(), start)
    assert not is_gone(os.getpid(), None)
    assert is_gone(os.getpid(), (start or 0) + 1)
    with subprocess.Popen([sys.executable, "-c", ""]) as died:
        pass
    assert is_gone(died.pid, None)
    assert (process_start(died.pid), process_stat(died.pid)) == (None, [])


def test_an_unset_variable_is_empty() -> None:
    assert variable("DESKBELL_NO_SUCH_VARIABLE") == ""
    assert client_pid() == (int(os.environ["CLAUDE_PID"]) if "CLAUDE_PID" in os.environ else None)


def state_of(pid: int) -> str:
    return Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(") ")[2][0]


@linux
def test_a_killed_process_is_gone_before_its_parent_waits_for_it() -> None:
    with subprocess.Popen(["sleep", "600"]) as process:
        start = process_start(process.pid)
        assert start
        assert not is_gone(process.pid, start)
        process.kill()
        deadline = time.monotonic() + 20
        while state_of(process.pid) != "Z" and time.monotonic() < deadline:
            time.sleep(0.01)
        assert process_start(process.pid) is None
        assert is_gone(process.pid, start)


@pytest.mark.parametrize(
    ("pid", "expected"), [(str(LARGEST_PID), LARGEST_PID), (str(LARGEST_PID + 1), None), ("0", None)]
)
def test_a_process_number_fits_a_pid_t(monkeypatch: pytest.MonkeyPatch, pid: str, expected: int | None) -> None:
    set_variable(monkeypatch, "CLAUDE_PID", pid)
    assert client_pid() == expected


@linux
def test_without_its_variable_the_client_is_our_parent_or_the_parent_of_a_shell(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    program = "import os; from deskbell_hooks.client import client_pid; print(client_pid(), os.getppid(), flush=True)"
    path = {"PYTHONPATH": str(Path(client_module.__file__).parent.parent)}
    for shell in ([], ["/bin/sh", "-c", '"$0" "$@"; exit 0']):
        command = [*shell, sys.executable, "-c", program]
        env = {**os.environ, "CLAUDECODE": "1", "CLAUDE_PID": "", **path}
        found, parent = subprocess.run(command, env=env, capture_output=True, check=True).stdout.split()
        assert int(found) == os.getpid()
        assert (int(parent) == os.getpid()) is not bool(shell)


@linux
@pytest.mark.parametrize("parent", [0, 1])
def test_an_orphan_has_no_client(parent: int) -> None:
    assert starter(parent) is None


@pytest.mark.skipif(sys.platform == "win32", reason="Windows is not asked whether a process lives")
def test_a_process_of_another_user_is_not_taken_for_gone() -> None:
    assert as_nobody(lambda: is_gone(1, None)) is False


def as_nobody(deed: Callable[[], bool]) -> bool:
    """Return what DEED returns to a user who may not signal process 1."""
    if os.getuid():
        return deed()
    os.setresuid(65534, 65534, 0)
    try:
        return deed()
    finally:
        os.setresuid(0, 0, 0)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows is not asked whether a process lives")
def test_a_number_that_no_process_can_have_is_gone() -> None:
    assert is_gone(10**10, None)


@linux
@pytest.mark.parametrize("error", [errno.EMFILE, errno.ENOMEM, errno.EIO])
def test_a_process_that_the_system_says_nothing_of_is_not_gone(error: int) -> None:
    start = process_start("self")
    with failing("posix.open", error):
        assert not is_gone(os.getpid(), start)
    with failing("posix.open", error), pytest.raises(OSError, match=os.strerror(error)):
        process_stat(os.getpid())
    with failing("open", error):
        assert starter(os.getpid()) is None


@linux
def test_a_hook_began_when_its_process_was_started_by_both_clocks() -> None:
    order, at = began()
    own = process_start("self")
    assert own is not None
    assert order == own * TICK
    since_boot = time.clock_gettime(time.CLOCK_BOOTTIME)
    assert abs(since_boot - order / 1000 - (time.time() - at)) < 1 or since_boot - order / 1000 >= 60


@linux
def test_a_hook_that_cannot_be_looked_up_began_now() -> None:
    with no_descriptors():
        order, at = began()
    assert abs(time.time() - at) < 1
    assert 0 <= time.clock_gettime(time.CLOCK_BOOTTIME) - order / 1000 < 1


@linux
def test_a_variable_that_a_process_has_set_itself_was_not_given_to_it(monkeypatch: pytest.MonkeyPatch) -> None:
    set_variable(monkeypatch, "SET_LATER", "x")
    assert [was_given("PATH"), was_given("SET_LATER")] == [True, False]
    for call in ("posix.open", "posix.read"):
        with failing(call, errno.EACCES):
            assert was_given("SET_LATER")
