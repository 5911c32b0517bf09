"""Test that a ring in its terminal disturbs no real client: not while it streams, nor while a dialog is open."""

import fcntl
import itertools
import os
import pty
import random
import re
import struct
import subprocess
import termios
import threading
import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from deskbell.desktop.jump.ringing import ring_in_terminal
from deskbell.desktop.jump.sequences import ring
from deskbell.desktop.jump.tty import write_to
from tests.client.claude import Claude
from tests.client.terminal import Pane
from tests.tray.making import session
from tests.waiting import wait

PAUSE = 0.02
"""Seconds between two rings at the most: they hit the client at any moment, and do not fill its terminal."""
RING = ring("foot", {}, "DESKBELL", "rings", 7)
STARTS = {b"[": "CSI", **dict.fromkeys((b"]", b"P", b"_", b"^", b"X"), "string")}


def torn(stream: bytes) -> list[bytes]:
    """Return what stands before each ring that is inside of a sequence, or of a character, of the client."""
    found, state, at, ring = [], "", 0, RING.encode()
    while at < len(stream):
        if stream.startswith(ring, at):
            if state:
                found.append(stream[max(0, at - 40) : at])
            at += len(ring)
            continue
        state = after(state, stream[at : at + 1])
        at += 1
    return found


def after(state: str, byte: bytes) -> str:
    """Return what the client is within after BYTE; nothing where each character stands for itself (ECMA-48, UTF-8)."""
    if byte == b"\x1b":
        return "string's end" if state == "string" else "escape"
    if state == "escape":
        return STARTS.get(byte, "escape" if b" " <= byte <= b"/" else "")
    if state == "CSI":
        return "" if b"@" <= byte <= b"~" else state
    if state == "string":
        return "" if byte == b"\a" else state
    if byte >= b"\xc0":
        return "x" * (1 if byte < b"\xe0" else 2 if byte < b"\xf0" else 3)
    return state[1:] if set(state) == {"x"} else ""


class OwnTerminal:
    """A terminal that keeps every byte that it is given. It takes a few at a time while SLOW."""

    def __init__(self, ours: int, path: str) -> None:
        self.ours, self.path = ours, path
        self.slow = False
        self.given = bytearray()

    def read(self) -> None:
        with suppress(OSError):
            while more := os.read(self.ours, 512 if self.slow else 65_536):
                self.given.extend(more)
                time.sleep(0.02 if self.slow else 0)

    def type(self, text: str) -> None:
        begun = len(self.given)
        os.write(self.ours, text.encode())
        wait(
            lambda: text.replace(" ", "").encode() in _letters(self.given[begun:]),
            text,
            seen=lambda: self.given[begun:],
        )
        os.write(self.ours, b"\r")


def _letters(drawn: bytes) -> bytes:
    """Return what was drawn without sequences and spaces: in place of a space the client may move the cursor."""
    return re.sub(rb"\x1b\[[0-?]*[ -/]*[@-~]|\s", b"", drawn)


@contextmanager
def in_own_terminal(claude: Claude) -> Iterator[tuple[OwnTerminal, int]]:
    ours, its = pty.openpty()
    fcntl.ioctl(its, termios.TIOCSWINSZ, struct.pack("HHHH", 45, 150, 0, 0))
    terminal = OwnTerminal(ours, os.ttyname(its))
    become = (
        f"import os, sys; os.close(os.open({terminal.path!r}, os.O_RDWR)); os.execv({str(claude.binary)!r}, ['claude'])"
    )
    command, env = ["python3", "-c", become], {**claude.environment, "TERM": "xterm-256color"}
    reader = threading.Thread(target=terminal.read)
    with subprocess.Popen(
        command, cwd=claude.project(), env=env, stdin=its, stdout=its, stderr=its, start_new_session=True
    ) as client:
        os.close(its)
        reader.start()
        try:
            wait(lambda: (claude.registry(client.pid) or {}).get("status") == "idle", "the client")
            yield terminal, client.pid
        finally:
            client.kill()
    reader.join(10)
    os.close(ours)


def test_no_ring_stands_inside_a_sequence_of_the_client(claude: Claude) -> None:
    rings = 0

    def ring_until(status: str) -> int:
        count = 0
        while (claude.registry(pid) or {}).get("status") != status:
            assert write_to(terminal.path, RING, 5)
            count += 1
            time.sleep(random.uniform(0, PAUSE))
        return count

    with in_own_terminal(claude) as (terminal, pid):
        for is_slow in (False, True):
            terminal.slow = is_slow
            terminal.type("SCENARIO:stream=2 go")
            wait(lambda: (claude.registry(pid) or {}).get("status") == "busy", "the turn")
            rings += ring_until("idle")
        terminal.type("SCENARIO:permission go")
        rings += ring_until("waiting")
        terminal.slow = False
        wait(lambda: terminal.given.count(RING.encode()) == rings, "every ring")
    assert rings > 100
    assert torn(bytes(terminal.given)) == []


def dialog(pane: Pane) -> str:
    """Return the dialog once it is drawn, which takes several strokes. The logo and a dot above it move for ever."""
    screens: deque[str] = deque(maxlen=6)

    def stays() -> bool:
        screens.append(pane.screen().partition("Bash command")[2])
        return len(screens) == screens.maxlen and len(set(screens)) == 1

    wait(stays, "a dialog that stays", step=0.1, seen=pane.screen)
    return screens[0]


def test_a_ring_leaves_the_open_dialog_as_it_is_and_marks_the_window_of_tmux(claude: Claude) -> None:
    tui = claude.start()
    tui.scenario("permission")
    tui.wait_status("waiting")
    tui.pane.wait_for("Do you want to proceed?")
    before = dialog(tui.pane)
    assert "Do you want to proceed?" in before
    for _ in range(20):
        ring_in_terminal(session(pid=tui.pid, pid_start=None), "api", "wants to run touch")
    flag = ("display-message", "-p", "-t", tui.pane.id, "#{window_bell_flag}")
    wait(lambda: claude.terminal.run(*flag).strip() == "1", "the mark of the window")
    assert dialog(tui.pane) == before
    tui.answer("Enter")
    wait((claude.project() / "made.txt").exists, "the file that the command makes")


WHOLE = [
    *(b"a", b"\x1b[1;31m", b"b", b"\x1b]0;title\a", "é".encode(), "✓".encode(), "🙂".encode()),
    b"\x1b]8;;x\x1b\\",
    b"\x1b(B",
]
"""Characters and sequences as a client writes them."""


def test_a_ring_inside_a_sequence_would_be_noticed() -> None:
    stream = b"".join(WHOLE)
    between = {0, *itertools.accumulate(map(len, WHOLE))}
    found = {at for at in range(len(stream) + 1) if not torn(stream[:at] + RING.encode() + stream[at:])}
    assert found == between
