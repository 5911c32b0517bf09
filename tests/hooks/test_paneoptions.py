"""Test that the hook writes what its session does into the pane, slows nobody, and leaves it to a tray that runs."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

if sys.platform == "win32":
    pytest.skip("tmux does not run on Windows", allow_module_level=True)

from deskbell_hooks import paneoptions
from deskbell_hooks.client import process_start, process_stat
from deskbell_hooks.paneoptions import ALARM, _is_mine, _start, write_options
from deskbell_hooks.panes import ASKED, ENDED, ON, PREFIX, TRAY
from deskbell_hooks.record import record_event
from deskbell_hooks.schema import Record
from tests.hooks import recorder
from tests.hooks.environment import set_variable
from tests.hooks.said import SESSION, Event, e, folded, lines, prompt, tool
from tests.tmuxes import Tmux, needs_tmux, tmux
from tests.waiting import wait

pytestmark = needs_tmux
QUIET = 0.3
"""Seconds in which a tmux that was asked would have shown it."""


class Client:
    """A process that runs in the pane of a server, as Claude Code does, and the hook that it starts."""

    def __init__(self, server: Tmux, state: Path) -> None:
        self.server, self.state = server, state
        self.pid = int(server.value("#{pane_pid}"))
        state.mkdir(exist_ok=True)
        (state / ON).touch()
        self.env = {"CLAUDE_PID": str(self.pid), "TMUX": server.variable, "TMUX_PANE": "%0"}

    def record(self, *events: Event, **env: str) -> None:
        for event in events:
            recorder.run(self.state, recorder.said(event), {**self.env, **env})

    def waits_for(self, **expected: str) -> None:
        def shown() -> bool:
            found = self.server.options()
            return all(found.get(f"{PREFIX}{name}", "") == value for name, value in expected.items())

        wait(shown, f"{expected}", seen=self.server.options)

    def stays(self, before: dict[str, str]) -> None:
        time.sleep(QUIET)
        assert self.server.options() == before


@pytest.fixture
def client(tmp_path: Path) -> Iterator[Client]:
    with tmux(tmp_path) as server:
        yield Client(server, tmp_path / "state")


def test_the_pane_follows_its_session(client: Client) -> None:
    client.record(e("SessionStart", source="startup", cwd="/p/shop"))
    client.waits_for(session_id=SESSION, status="stopped", session_dir="/p/shop", latest_hook_event="SessionStart")
    client.record(prompt(), tool("PermissionRequest", what="npm publish"))
    client.waits_for(status="stopped", deskbell_status="permission", detail="Bash: npm publish")
    client.record(tool("PostToolUse", what="npm publish"))
    client.waits_for(status="running", latest_hook_event="PostToolUse", session_dir="/p/shop")
    client.record(e("SessionEnd", reason="exit"))
    wait(lambda: client.server.options() == {ENDED: SESSION}, "the end", seen=client.server.options)


Started = list[list[str]]


@pytest.fixture
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A state folder of a person who wants it, and the variables of a pane whose socket is there."""
    listening = socket.socket(socket.AF_UNIX)
    listening.bind(str(tmp_path / "socket"))
    listening.close()
    (tmp_path / ON).touch()
    set_variable(monkeypatch, "TMUX", f"{tmp_path}/socket,1,0")
    set_variable(monkeypatch, "TMUX_PANE", "%0")
    return tmp_path


def of(pid: int, *events: Event, **where: Any) -> Record:
    """The record of a client in a terminal."""
    place = {"pid": pid, "start": process_start(pid), "tty": "/dev/pts/7", **where}
    client = {"pid": pid, "start": place["start"]}
    return folded([{**one, "client": client, "where": place} for one in lines(events)])  # type: ignore[typeddict-item]  # as a journal holds it


def started(state: Path, event: str, record: Record, pid: int) -> Started:
    """Return the words of each tmux that would be started."""
    found: Started = []
    write_options(str(state), event, record, pid, 5, lambda _state, words: found.append(words))
    return found


def test_the_child_becomes_a_tmux_that_sets_the_options_of_the_pane(state: Path) -> None:
    (words,) = started(state, "UserPromptSubmit", of(os.getpid(), prompt()), os.getpid())
    assert words[:3] == ["tmux", "-S", f"{state}/socket"]
    assert f"{PREFIX}status 'running'" in words[-1]
    (words,) = started(state, "SessionEnd", of(os.getpid(), prompt(), e("SessionEnd")), os.getpid())
    assert f"{ENDED} '{SESSION}'" in words[-1]


NOT_WANTED: dict[str, tuple[dict[str, str], dict[str, Any]]] = {
    "outside of tmux": ({"TMUX": ""}, {}),
    "in a pane without a number": ({"TMUX_PANE": "x"}, {}),
    "with a socket that is not there": ({"TMUX": "/nowhere/socket,1,0"}, {}),
    "without a person": ({}, {"attended": False}),
    "in a script": ({}, {"entrypoint": "sdk-cli"}),
    "without a terminal": ({}, {"tty": ""}),
    "in an odd terminal": ({}, {"tty": "/dev/pts/1,#{x}"}),
}


@pytest.mark.parametrize(("env", "where"), NOT_WANTED.values(), ids=NOT_WANTED)
def test_such_a_session_is_not_shown_in_its_pane(
    state: Path, env: dict[str, str], where: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in env.items():
        set_variable(monkeypatch, name, value)
    assert started(state, "UserPromptSubmit", of(os.getpid(), prompt(), **where), os.getpid()) == []


def test_nothing_is_written_before_it_is_installed(state: Path) -> None:
    (state / ON).unlink()
    assert started(state, "UserPromptSubmit", of(os.getpid(), prompt()), os.getpid()) == []


def test_an_event_in_a_pane_is_recorded_and_starts_nothing_before_it_is_installed(state: Path) -> None:
    (state / ON).unlink()
    record_event(str(state), recorder.said(prompt()))
    assert (state / "sessions" / f"{SESSION}.json").exists()
    assert not (state / ASKED).exists()


def test_the_socket_of_somebody_else_is_not_used(state: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    set_variable(monkeypatch, "TMUX", f"{'/proc/1/exe' if os.getuid() else '/dev/null'},1,0")
    if os.getuid():
        assert started(state, "Stop", of(os.getpid(), prompt()), os.getpid()) == []
    else:
        assert not _is_mine("/nowhere")
        foreign = state / "foreign"
        foreign.touch()
        os.chown(foreign, 1, 1)
        set_variable(monkeypatch, "TMUX", f"{foreign},1,0")
        assert started(state, "Stop", of(os.getpid(), prompt()), os.getpid()) == []


def test_a_child_that_hangs_is_not_joined_by_another_one(state: Path) -> None:
    with subprocess.Popen(["sleep", "60"]) as hung:
        (state / ASKED).write_text(f"{hung.pid} {process_start(hung.pid)}")
        record = of(os.getpid(), prompt())
        assert len(started(state, "Stop", record, os.getpid())) == 1  # it may answer yet
        os.utime(state / ASKED, (1e9, 1e9))
        assert started(state, "Stop", record, os.getpid()) == []
        hung.kill()
        hung.wait()
        assert len(started(state, "Stop", record, os.getpid())) == 1


def test_the_session_of_another_client_is_not_shown_in_this_pane(state: Path) -> None:
    with subprocess.Popen(["sleep", "60"]) as other:
        record = of(other.pid, prompt())
        assert started(state, "Stop", record, os.getpid()) == []
        both = {**of(os.getpid(), prompt()), "others": [of(other.pid, prompt())]}
        assert started(state, "Stop", both, other.pid) == []  # type: ignore[arg-type]  # a record is a run
        assert len(started(state, "SessionEnd", both, other.pid)) == 1  # type: ignore[arg-type]
        other.kill()
    assert started(state, "SessionEnd", record, 2**22 + 7) == []


@pytest.mark.parametrize("tray", ["{pid} {start}", "{pid} {start}\n"])
def test_nothing_is_written_while_a_tray_runs(state: Path, tray: str) -> None:
    (state / TRAY).write_text(tray.format(pid=os.getpid(), start=process_start("self")))
    assert started(state, "Stop", of(os.getpid(), prompt()), os.getpid()) == []


def test_a_tray_that_runs_writes_the_options_itself(client: Client) -> None:
    (client.state / TRAY).write_text(f"{os.getpid()} {process_start('self')}\n")
    client.record(prompt())
    client.stays({})


@pytest.mark.parametrize("tray", ["4194311 1", "nonsense", ""])
def test_the_hook_writes_the_options_after_a_tray_has_ended(client: Client, tray: str) -> None:
    (client.state / TRAY).write_text(tray)
    client.record(prompt())
    client.waits_for(status="running")


def test_the_hook_writes_the_options_while_a_tray_is_stopped(client: Client) -> None:
    with subprocess.Popen(["sleep", "60"]) as tray:
        (client.state / TRAY).write_text(f"{tray.pid} {process_start(tray.pid)}")
        try:
            tray.send_signal(signal.SIGSTOP)
            wait(lambda: process_stat(tray.pid)[0] == "T", "the stop")
            client.record(prompt())
            client.waits_for(status="running")
        finally:
            tray.kill()


def test_the_pane_of_a_client_does_not_show_another_client(client: Client) -> None:
    with subprocess.Popen(["sleep", "60"]) as other:
        try:
            client.record(prompt(), CLAUDE_PID=str(other.pid), TMUX="")
            client.record(prompt())
            client.waits_for(status="running")
            client.record(e("SessionEnd", reason="exit"))  # the other one is the session now
            wait(lambda: client.server.options() == {ENDED: SESSION}, "the end", seen=client.server.options)
            late = e("Stop")
            client.record(late, CLAUDE_PID=str(os.getpid()))
            client.stays({ENDED: SESSION})
        finally:
            other.kill()


@pytest.mark.long
def test_a_tmux_that_hangs_neither_stops_the_hook_nor_is_asked_again(client: Client) -> None:
    server = int(client.server.value("#{pid}"))
    os.kill(server, signal.SIGSTOP)
    try:
        began = time.monotonic()
        client.record(prompt())
        assert time.monotonic() - began < QUIET * 10
        asked = wait(lambda: (client.state / ASKED).exists() and (client.state / ASKED).read_text(), "the child")
        time.sleep(paneoptions.HANGS_AFTER + 0.2)
        client.record(tool("PreToolUse"), e("Stop"))
        time.sleep(QUIET)
        assert (client.state / ASKED).read_text() == asked
    finally:
        os.kill(server, signal.SIGCONT)
    client.waits_for(status="running")
    client.record(e("Stop"))
    client.waits_for(status="stopped")


class Became(BaseException):
    """A fake system was asked to become a program."""


class FakeSystem:
    """List the calls of a child that becomes tmux."""

    def __init__(self, pid: int, refused: int = 0) -> None:
        self.calls: list[tuple[Any, ...]] = []
        self._pid, self._refused = pid, refused

    def fork(self) -> int:
        return self._pid

    def __getattr__(self, name: str) -> Any:
        def call(*words: Any) -> int:
            self.calls.append((name, *words))
            return 7

        return call

    def execve(self, path: str, words: list[str], _env: object) -> None:
        self.calls.append(("execve", path, *words))
        if self._refused:
            self._refused -= 1
            raise OSError(path)
        raise Became


def test_the_child_lets_go_of_the_streams_and_has_an_alarm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    set_variable(monkeypatch, "PATH", "/nowhere:/opt/bin")
    system, alarms = FakeSystem(0, refused=1), list[int]()
    with pytest.raises(Became):
        _start(str(tmp_path), ["tmux", "x"], system, lambda seconds: alarms.append(seconds) or 0)
    names = [call[0] for call in system.calls]
    assert names == ["open", "dup2", "dup2", "dup2", "setsid", "getpid", "execve", "execve", "_exit"]
    assert system.calls[-2] == ("execve", "/opt/bin/tmux", "tmux", "x")
    assert alarms == [ALARM]
    assert (tmp_path / ASKED).read_text() == f"7 {process_start('self')}"


def test_a_child_without_tmux_or_a_place_to_write_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    set_variable(monkeypatch, "PATH", "")
    system = FakeSystem(0, refused=9)
    _start(str(tmp_path / "missing"), ["tmux"], system, lambda seconds: 0)
    assert system.calls[-1] == ("_exit", 1)


def test_the_parent_does_nothing_more() -> None:
    system = FakeSystem(4711)
    _start("", [], system, lambda seconds: 0)
    assert system.calls == []
