"""Ask the running Deskbell which requests are open, and have it answer one. Called by commands and the board."""

import socket
import sys
from pathlib import Path
from typing import Any

from deskbell.answers.door import address
from deskbell.answers.request import VERSION
from deskbell.errors import Problem
from deskbell_hooks.codec import decode, encode

ANSWERS_WITHIN = 3.0
"""Seconds. The program answers in a few milliseconds."""
LONGEST = 8 * 1024 * 1024
"""Bytes of an answer."""
NOT_RUNNING = Problem(
    "Deskbell takes no answers now.",
    "Start it with `deskbell run`, and switch answers on with `deskbell answers on`.",
)


def requests(state: Path) -> list[dict[str, Any]]:
    """Return the open requests, the oldest first. Raise Problem if the program cannot be asked."""
    found = _asked(state, {"v": VERSION, "wish": "list"}).get("requests")
    return [one for one in found if isinstance(one, dict)] if isinstance(found, list) else []


def answer(state: Path, code: str, choice: str, text: str | None, confirmed: bool) -> dict[str, Any]:
    """Have the program choose CHOICE for the request CODE. Return what it says. Raise Problem if it cannot be asked."""
    wish = {"v": VERSION, "wish": "answer", "code": code, "choice": choice, "text": text, "confirmed": confirmed}
    return _asked(state, wish)


def _asked(state: Path, message: dict[str, Any]) -> dict[str, Any]:
    try:
        data = (_over_pipe if sys.platform == "win32" else _over_socket)(state, encode(message) + b"\n")
        said = decode(data)
    except (OSError, ValueError):
        raise NOT_RUNNING from None
    if not isinstance(said, dict):
        raise NOT_RUNNING
    return said


def _over_socket(state: Path, line: bytes) -> bytes:
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
        connection.settimeout(ANSWERS_WITHIN)
        connection.connect(str(address(state)))
        connection.sendall(line)
        said = bytearray()
        while len(said) < LONGEST and (part := connection.recv(65536)):
            said += part
        return bytes(said)


def _over_pipe(state: Path, line: bytes) -> bytes:
    with open(address(state).read_text(), "r+b", buffering=0) as pipe:  # noqa: PTH123  # no path of a file
        pipe.write(line)
        said = bytearray()
        while len(said) < LONGEST and (part := pipe.read(65536)):
            said += part
        return bytes(said)
