"""Choose the window, the tab and the OS window of kitty by remote control; kitty's list of windows proves it.

This needs `allow_remote_control` and `listen_on` in kitty.conf. Without them only the OS window is reached. This module
uses the socket itself (https://sw.kovidgoyal.net/kitty/rc_protocol/), because `kitty @` takes a quarter of a second.
"""

import json
import os
import socket
import struct
import sys
import time
from collections.abc import Mapping
from typing import Any, NamedTuple

from deskbell.desktop.focus.asked import AT_ONCE
from deskbell.desktop.jump.arrival import BY_HAND, Step
from deskbell.desktop.jump.desk import Desk, Tab
from deskbell.desktop.jump.spot import Spot
from deskbell.desktop.own import is_mine
from deskbell.errors import Problem
from deskbell.files.read import json_value

BEGIN, END = b"\x1bP@kitty-cmd", b"\x1b\\"
VERSION = (0, 26, 0)
"""The version of the protocol. Every newer kitty answers it."""
LONGEST = 4_000_000
"""Bytes of an answer."""


class Pane(NamedTuple):
    """A window of kitty, which is a pane of a tab."""

    id: int
    active: bool
    """Whether it is the active one of its OS window."""
    platform: int | None
    """The X11 number of its OS window."""


def tab(spot: Spot, desk: Desk) -> Tab | None:
    """Return the tab; None for another terminal, and for a kitty without remote control."""
    address = spot.handle("KITTY_LISTEN_ON")
    if spot.number("KITTY_PID") not in spot.line or not address:
        return None

    def find() -> Pane | None:
        return pane(ask(address, "ls"), spot)

    if (found := find()) is None:
        return None

    def bring() -> None:
        ask(address, "focus-window", match=f"id:{found.id}")

    def there() -> bool | None:
        now = find()
        return now.active if now else None

    def instead() -> str:
        shown = (one for _, one in _panes(ask(address, "ls")) if one.active and one.platform == found.platform)
        other = next(shown, found)
        return f"kitty window {other.id}" if other.id != found.id else ""

    return Tab(Step("tab", f"kitty window {found.id}", bring, there, instead), found.platform)


def pane(said: Any, spot: Spot) -> Pane | None:
    """Return the pane that runs a process of SPOT's line, else the one that the variable of SPOT names."""
    found = _panes(said)
    named = next((one for _, one in found if one.id == spot.number("KITTY_WINDOW_ID")), None)
    return next((one for pids, one in found if pids & set(spot.line)), named)


def ask(address: str, command: str, **payload: object) -> Any:
    """Return the data of the answer, read as JSON; None for an error. Raise Problem if kitty does not answer."""
    try:
        return json_value((said(address, command, **payload) or "null").encode())
    except ValueError:
        return None


def said(address: str, command: str, **payload: object) -> str | None:
    """Return the data of the answer as text; None for an error. Raise Problem if kitty does not answer."""
    end = time.monotonic() + AT_ONCE
    try:
        with _connected(address) as there:
            there.sendall(_message(command, payload, False))
            heard = b""
            while END not in heard and len(heard) < LONGEST:
                there.settimeout(max(0.001, end - time.monotonic()))
                if not (more := there.recv(65_536)):
                    break
                heard += more
        answer = json_value(heard.removeprefix(BEGIN).partition(END)[0])
        return str(answer.get("data") or "") if answer.get("ok") else None
    except (ValueError, AttributeError):
        return None
    except OSError:  # TimeoutError is one
        raise Problem("kitty does not answer on its socket.", BY_HAND) from None


def tell(address: str, command: str, *payloads: Mapping[str, object]) -> None:
    """Send COMMAND, which kitty never answers, once for each of PAYLOADS. Raise Problem if kitty does not listen."""
    try:
        with _connected(address) as there:
            for payload in payloads:
                there.sendall(_message(command, payload, True))
    except OSError:
        raise Problem("kitty does not answer on its socket.", BY_HAND) from None


def _message(command: str, payload: Mapping[str, object], is_silent: bool) -> bytes:
    request = {"cmd": command, "version": VERSION, "no_response": is_silent, "payload": payload}
    return BEGIN + json.dumps(request).encode() + END


def _connected(address: str) -> socket.socket:
    """Connect to a socket of this person. Raise OSError for somebody else's."""
    path = address.removeprefix("unix:")
    if sys.platform == "win32" or path == address or not path.startswith(("/", "@")):
        raise OSError
    if path.startswith("/") and not is_mine(path):
        raise PermissionError
    there = socket.socket(socket.AF_UNIX)
    try:
        there.settimeout(AT_ONCE)
        there.connect(f"\0{path[1:]}" if path.startswith("@") else path)
        if sys.platform == "linux":  # an abstract socket has no file and so no owner
            _, uid, _ = struct.unpack("3i", there.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12))
            if uid != os.getuid():
                raise PermissionError
    except OSError:
        there.close()
        raise
    return there


def _panes(said: Any) -> list[tuple[set[int], Pane]]:
    try:
        return [
            (
                {int(window.get("pid") or 0), *(int(one["pid"]) for one in window.get("foreground_processes", ()))},
                Pane(int(window["id"]), _is_active(tab, window), os_window.get("platform_window_id")),
            )
            for os_window in said or ()
            for tab in os_window["tabs"]
            for window in tab["windows"]
        ]
    except (TypeError, KeyError, ValueError, AttributeError):
        return []


def _is_active(tab: dict[str, Any], window: dict[str, Any]) -> bool:
    """Return whether WINDOW is the active one of its OS window. Versions before 0.27 have only the longer names."""
    shown = tab.get("is_active", tab.get("is_active_tab"))
    return bool(shown and window.get("is_active", window.get("is_active_window")))
