"""Test kitty with a socket that answers as kitty does, slowly, wrongly or not at all."""

import json
import os
import socket
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from deskbell.desktop.jump.desk import Desk
from deskbell.desktop.jump.kitty import BEGIN, END, ask, pane, tab
from deskbell.desktop.jump.spot import Spot
from deskbell.errors import Problem

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="kitty does not run there")

OLD = [
    {
        "platform_window_id": 77,
        "tabs": [
            {
                "is_active_tab": True,
                "is_focused": False,
                "windows": [
                    {"id": 1, "pid": 100, "is_active_window": False, "is_focused": False},
                    {"id": 2, "pid": 200, "is_active_window": True, "is_focused": False},
                ],
            },
        ],
    }
]
NEW = [
    {"tabs": [{"is_active": True, "windows": [{"id": 3, "is_active": True, "foreground_processes": [{"pid": 300}]}]}]}
]


@contextmanager
def kitty(address: str, answer: bytes | None) -> Iterator[list[Any]]:
    """Answer each request with ANSWER; with None, hang."""
    asked: list[Any] = []
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(address)
    listener.listen()

    def serve() -> None:
        while True:
            try:
                there, _ = listener.accept()
            except OSError:
                return
            with there:
                said = there.recv(65_536)
                if not said:
                    return
                asked.append(json.loads(said.removeprefix(BEGIN).removesuffix(END)))
                if answer is not None:
                    there.sendall(answer)
                else:
                    time.sleep(0.6)

    thread = threading.Thread(target=serve)
    thread.start()
    yield asked
    with socket.socket(socket.AF_UNIX) as last:
        last.connect(address)
    thread.join()
    listener.close()


def said(data: object, ok: bool = True) -> bytes:
    return BEGIN + json.dumps({"ok": ok, "data": json.dumps(data)}).encode() + END


def spot(socket: Path | str, pid: int = 200) -> Spot:
    handles = {"KITTY_LISTEN_ON": f"unix:{socket}", "KITTY_PID": "9", "KITTY_WINDOW_ID": "1"}
    return Spot(4, (4, pid, 9), "/dev/pts/1", handles)


def test_the_window_of_the_session_is_chosen(tmp_path: Path) -> None:
    with Desk({}) as desk, kitty(str(tmp_path / "s"), said(OLD)) as asked:
        found = tab(spot(tmp_path / "s"), desk)
        assert found
        found.step.bring()
        assert found.step.there() is True
        assert (found.window, found.step.what) == (77, "kitty window 2")
    assert [one["cmd"] for one in asked] == ["ls", "focus-window", "ls"]
    assert asked[1]["payload"] == {"match": "id:2"}


PANES: dict[str, tuple[Any, int, tuple[object, ...] | None]] = {
    "by its process": (OLD, 200, (2, True, 77)),
    "by its variable, where no process fits": (OLD, 5, (1, False, 77)),
    "by a process in the foreground": (NEW, 300, (3, True, None)),
    "none": (NEW, 5, None),
    "nothing": (None, 5, None),
    "of another shape": ([{"tabs": [{"windows": [{"id": "x"}]}]}], 5, None),
    "of no shape": ({"a": 1}, 5, None),
}


@pytest.mark.parametrize(("answer", "pid", "found"), PANES.values(), ids=PANES)
def test_a_window_is_found(answer: Any, pid: int, found: tuple[object, ...] | None) -> None:
    assert pane(answer, spot("/s", pid)) == found


@pytest.mark.parametrize("answer", [said(OLD, ok=False), b"\x1bP@kitty-cmd{", b"nonsense" + END, said("x") + b"more"])
def test_an_answer_that_is_none_reaches_the_window_alone(tmp_path: Path, answer: bytes) -> None:
    with Desk({}) as desk, kitty(str(tmp_path / "s"), answer):
        assert tab(spot(tmp_path / "s"), desk) is None


def test_a_kitty_that_hangs_is_told_of_in_time(tmp_path: Path) -> None:
    begun = time.monotonic()
    with kitty(str(tmp_path / "s"), None), pytest.raises(Problem, match="kitty does not answer"):
        ask(f"unix:{tmp_path / 's'}", "ls")
    assert time.monotonic() - begun < 1.5


@pytest.mark.parametrize("address", ["", "unix:", "unix:relative", "tcp:localhost:12345", "/tmp/x", "unix:/nowhere"])
def test_only_a_socket_of_this_machine_is_asked(address: str) -> None:
    with pytest.raises(Problem):
        ask(address, "ls")


def test_the_socket_of_somebody_else_is_not_asked(tmp_path: Path) -> None:
    if os.getuid():
        pytest.skip("only root can give a file away")
    with kitty(str(tmp_path / "s"), said(OLD)) as asked:
        os.chown(tmp_path / "s", 12345, -1)
        with pytest.raises(Problem):
            ask(f"unix:{tmp_path / 's'}", "ls")
    assert asked == []


@pytest.mark.skipif(sys.platform != "linux", reason="abstract sockets")
def test_an_abstract_socket_is_asked_too(tmp_path: Path) -> None:
    name = f"deskbell-test-{tmp_path.name}"
    with kitty(f"\0{name}", said([1])):
        assert ask(f"unix:@{name}", "ls") == [1]


def test_a_shell_that_inherited_the_variables_is_not_in_kitty() -> None:
    with Desk({}) as desk:
        assert tab(Spot(4, (4, 5), None, dict(spot("/s").handles)), desk) is None
        assert tab(Spot(4, (4, 9), None, {"KITTY_PID": "9"}), desk) is None


@pytest.mark.parametrize(("pid", "there", "instead"), [(100, False, "kitty window 2"), (200, True, "")])
def test_the_window_that_is_shown_in_its_place_is_named(tmp_path: Path, pid: int, there: bool, instead: str) -> None:
    address = str(tmp_path / "kitty")
    said = BEGIN + json.dumps({"ok": True, "data": json.dumps(OLD)}).encode() + END
    handles = {"KITTY_LISTEN_ON": f"unix:{address}", "KITTY_PID": "9", "KITTY_WINDOW_ID": "1"}
    with kitty(address, said), Desk({}) as desk:
        found = tab(Spot(pid, (pid, 9), None, handles), desk)
        assert found
        assert (found.step.there(), found.step.instead()) == (there, instead)
