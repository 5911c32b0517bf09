"""Paste into a pane of WezTerm with `wezterm cli`, which also shows the prompt and the cursor.

Written from its documentation. WezTerm cannot make a paste depend on what the screen shows, so the screen is read again
right before it. The text goes through stdin, because everybody can read arguments.
"""

import os
from dataclasses import dataclass
from typing import Any

from deskbell.desktop.jump.output import output, output_json
from deskbell.desktop.jump.spot import Spot
from deskbell.desktop.own import is_mine
from deskbell.desktop.reply.carrier import BY_HAND, Carrier, Screen, moved, refuse_behind
from deskbell.errors import Problem
from deskbell.home import environment

CLI = ("wezterm", "cli", "--no-auto-start")


def carrier(there: Spot) -> Carrier | None:
    """Return the Carrier; None for another terminal."""
    pane, socket = there.number("WEZTERM_PANE"), there.handle("WEZTERM_UNIX_SOCKET")
    if pane is None or not socket or not is_mine(socket):
        return None
    return Pane(there, pane, socket)


@dataclass(frozen=True, slots=True)
class Pane:
    there: Spot
    number: int
    socket: str

    @property
    def what(self) -> str:
        return f"WezTerm pane {self.number}"

    def look(self) -> Screen:
        """Return what the pane shows. Its tty must be that of the client, because variables may be inherited."""
        refuse_behind(self.there)
        cursor = place(output_json(*CLI, "list", "--format", "json", env=self._env), self.number, self.there.tty)
        if cursor is None:
            raise Problem("WezTerm does not tell which pane holds the session.", BY_HAND)
        said = output(*CLI, "get-text", "--escapes", "--pane-id", str(self.number), env=self._env)
        if said is None:
            raise Problem("WezTerm does not tell what its pane shows.", BY_HAND)
        return Screen(said.split("\n"), cursor)

    def paste(self, text: str, seen: Screen) -> None:
        self._send((), text, seen)

    def enter(self, seen: Screen) -> None:
        self._send(("--no-paste",), "\r", seen)

    def _send(self, options: tuple[str, ...], text: str, seen: Screen) -> None:
        if self.look() != seen:
            raise moved()
        words = (*CLI, "send-text", "--pane-id", str(self.number), *options)
        if output(*words, env=self._env, given=text.encode()) is None:
            raise Problem("WezTerm did not take the text.", BY_HAND)

    @property
    def _env(self) -> dict[str, str]:
        return environment(os.environ) | {"WEZTERM_UNIX_SOCKET": self.socket}


def place(said: Any, number: int, tty: str | None) -> tuple[int, int] | None:
    """Return the cursor of the pane NUMBER if its terminal is TTY, else None."""
    for one in said if isinstance(said, list) else ():
        if isinstance(one, dict) and one.get("pane_id") == number and tty and one.get("tty_name") == tty:
            column, row = one.get("cursor_x"), one.get("cursor_y")
            return (column, row) if isinstance(column, int) and isinstance(row, int) else None
    return None
