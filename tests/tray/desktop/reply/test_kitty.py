"""Test the carrier of kitty with a socket that answers as kitty does."""

import base64
import json
import os
import socket
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from deskbell.desktop.jump.kitty import BEGIN, END, tell
from deskbell.desktop.jump.spot import Spot
from deskbell.desktop.reply import kitty
from deskbell.desktop.reply.carrier import Screen
from deskbell.errors import Problem
from tests.tray.commands.terminals import Terminal
from tests.waiting import wait

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="kitty does not run there")
CURSOR = "\x1b[?25h\x1b[2;3H\x1b[1 q"


class Kitty:
    """Answers with `windows` and `text`, and keeps what is sent."""

    def __init__(self, address: str, pid: int) -> None:
        self.windows: list[dict[str, Any]] = [{"id": 3, "is_active": True, "foreground_processes": [{"pid": pid}]}]
        self.text: str | None = f"a client\n❯\u00a0{CURSOR}"
        self.sent: list[tuple[str, bytes]] = []
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(address)
        self._listener.listen()
        self._thread = threading.Thread(target=self._serve)
        self._thread.start()

    def _serve(self) -> None:
        while True:
            there, _ = self._listener.accept()
            with there:
                said = b""
                while more := there.recv(65_536):
                    said += more
                    *whole, said = said.split(END)
                    for one in whole:
                        asked = json.loads(one.removeprefix(BEGIN))
                        if asked["cmd"] == "end":
                            return
                        self._answer(there, asked)

    def _answer(self, there: socket.socket, asked: dict[str, Any]) -> None:
        payload = asked["payload"]
        if asked["cmd"] == "send-text":  # which kitty never answers
            content = base64.b64decode(payload["data"].removeprefix("base64:"))
            self.sent.append((payload["match"], content))
            return
        said: dict[str, Any] = {"ok": self.text is not None, "data": self.text}
        if asked["cmd"] == "ls":
            said = {"ok": True, "data": json.dumps([{"tabs": [{"is_active": True, "windows": self.windows}]}])}
        else:
            assert payload == {"match": "id:3", "extent": "screen", "ansi": True, "cursor": True}
        there.sendall(BEGIN + json.dumps(said).encode() + END)

    def close(self, address: str) -> None:
        tell(f"unix:{address}", "end", {})
        self._thread.join()
        self._listener.close()


@pytest.fixture
def there(tmp_path: Path) -> Iterator[Spot]:
    """A process that is in front of a terminal, below a kitty."""
    with Terminal(["sh", "-c", "echo I am $$.; sleep 600"]) as terminal:
        terminal.until(".")
        pid = int(terminal.written.split("I am ")[1].split(".")[0])
        handles = {"KITTY_PID": str(os.getpid()), "KITTY_LISTEN_ON": f"unix:{tmp_path}/kitty"}
        yield Spot(pid, (pid, os.getpid()), "/dev/pts/9", handles)


@pytest.fixture
def served(there: Spot, tmp_path: Path) -> Iterator[Kitty]:
    one = Kitty(f"{tmp_path}/kitty", there.pid)
    yield one
    one.close(f"{tmp_path}/kitty")


def carried(there: Spot) -> kitty.Carried:
    found = kitty.carrier(there)
    assert isinstance(found, kitty.Carried)
    return found


def test_a_text_goes_in_the_marks_of_a_paste_and_enter_goes_alone(there: Spot, served: Kitty) -> None:
    way = carried(there)
    seen = way.look()
    assert seen == Screen(["a client", f"❯\u00a0{CURSOR}"], (2, 1))
    assert way.what == "kitty window 3"
    way.paste("é" * 3000, seen)
    way.enter(seen)
    wait(lambda: served.sent and served.sent[-1][1] == b"\r", "Enter")
    assert {to for to, _ in served.sent} == {"id:3"}
    assert b"".join(content for _, content in served.sent) == f"\x1b[200~{'é' * 3000}\x1b[201~\r".encode()
    assert max(len(content) for _, content in served.sent) <= kitty.CHUNK


def test_nothing_is_sent_once_the_screen_has_changed(there: Spot, served: Kitty) -> None:
    way = carried(there)
    seen = way.look()
    served.text = f"a client\n❯\u00a0half{CURSOR}"
    with pytest.raises(Problem, match="meanwhile"):
        way.paste("text", seen)
    assert served.sent == []


def test_a_window_that_has_gone_or_shows_nothing_is_refused(there: Spot, served: Kitty) -> None:
    way = carried(there)
    served.text = None
    with pytest.raises(Problem, match="does not tell"):
        way.look()
    served.windows = [{"id": 4, "is_active": True, "foreground_processes": [{"pid": there.pid}]}]
    with pytest.raises(Problem, match="no longer exists"):
        way.look()
    served.windows = []
    with pytest.raises(Problem, match="no longer exists"):
        way.look()
    with pytest.raises(Problem, match="which window"):
        kitty.carrier(there)


def test_a_screen_without_a_cursor_has_none(there: Spot, served: Kitty) -> None:
    served.text = "a client"
    assert carried(there).look() == Screen(["a client"], None)


def test_a_kitty_that_has_gone_is_told_of(there: Spot, served: Kitty, tmp_path: Path) -> None:
    way = carried(there)
    (tmp_path / "kitty").rename(tmp_path / "gone")
    with pytest.raises(Problem, match="does not answer"):
        way.look()
    with pytest.raises(Problem, match="does not answer"):
        tell(f"unix:{tmp_path}/kitty", "send-text", {"data": "text:x"})
    (tmp_path / "gone").rename(tmp_path / "kitty")


def test_a_kitty_without_remote_control_is_told_of() -> None:
    with pytest.raises(Problem, match="allow_remote_control"):
        kitty.carrier(Spot(5, (5, 4), "/dev/pts/9", {"KITTY_PID": "4"}))


def test_another_terminal_is_not_carried_to() -> None:
    assert kitty.carrier(Spot(5, (5, 4), "/dev/pts/9", {"KITTY_PID": "3", "KITTY_LISTEN_ON": "unix:/x"})) is None
