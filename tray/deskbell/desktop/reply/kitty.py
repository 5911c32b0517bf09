"""Paste into a window of kitty by its remote control, which also shows the prompt and the cursor.

This needs `allow_remote_control` and `listen_on` in kitty.conf. kitty cannot make a paste depend on what the screen
shows, so the screen is read again right before it.
"""

import base64
import re
from dataclasses import dataclass

from deskbell.desktop.jump.kitty import Pane as Window
from deskbell.desktop.jump.kitty import ask, pane, said, tell
from deskbell.desktop.jump.spot import Spot
from deskbell.desktop.reply.carrier import BEGIN, BY_HAND, END, Carrier, Screen, moved, refuse_behind
from deskbell.errors import Problem

CHUNK = 2048
"""Bytes of one message. kitty refuses a message of more than 64 KB."""
_CURSOR = re.compile(r"\x1b\[(\d+);(\d+)H")


def carrier(there: Spot) -> Carrier | None:
    """Return the Carrier; None for another terminal. Raise Problem for a kitty without remote control."""
    if there.number("KITTY_PID") not in there.line:
        return None
    address = there.handle("KITTY_LISTEN_ON")
    if not address:
        raise Problem("kitty takes no text without `allow_remote_control` and `listen_on` in kitty.conf.", BY_HAND)
    found = pane(ask(address, "ls"), there)
    if found is None:
        raise Problem("kitty does not tell which window holds the session.", BY_HAND)
    return Carried(there, address, found)


@dataclass(frozen=True, slots=True)
class Carried:
    there: Spot
    address: str
    window: Window

    @property
    def what(self) -> str:
        return f"kitty window {self.window.id}"

    def look(self) -> Screen:
        refuse_behind(self.there)
        found = pane(ask(self.address, "ls"), self.there)
        if found is None or found.id != self.window.id:
            raise Problem("Its window of kitty no longer exists.", BY_HAND)
        shown = said(self.address, "get-text", match=f"id:{found.id}", extent="screen", ansi=True, cursor=True)
        if shown is None:
            raise Problem("kitty does not tell what its window shows.", BY_HAND)
        cursors = _CURSOR.findall(shown)
        return Screen(shown.split("\n"), (int(cursors[-1][1]) - 1, int(cursors[-1][0]) - 1) if cursors else None)

    def paste(self, text: str, seen: Screen) -> None:
        self._send(f"{BEGIN}{text}{END}".encode(), seen)

    def enter(self, seen: Screen) -> None:
        self._send(b"\r", seen)

    def _send(self, content: bytes, seen: Screen) -> None:
        if self.look() != seen:
            raise moved()
        pieces = [content[at : at + CHUNK] for at in range(0, len(content), CHUNK)]
        coded = [f"base64:{base64.standard_b64encode(piece).decode()}" for piece in pieces]
        tell(self.address, "send-text", *({"match": f"id:{self.window.id}", "data": data} for data in coded))
