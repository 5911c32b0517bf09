"""Paste into a pane of tmux through a buffer; capture-pane shows the prompt, and the server checks the pane again.

In the same step in which it pastes or presses Enter, the server compares the pane with what was seen: the process, copy
mode, synchronised panes, input that is off, and the cursor. The text goes through stdin, because everybody can read
arguments.
"""

import os
from dataclasses import dataclass

from deskbell.desktop.jump.spot import Spot
from deskbell.desktop.jump.tmux import PANES, parsed, server_of, socket_of
from deskbell.desktop.own import is_mine
from deskbell.desktop.reply.carrier import BY_HAND, Carrier, Screen, moved, refuse_behind
from deskbell.desktop.tmux.server import ask
from deskbell.errors import Problem

STATE = "#{pane_pid} #{pane_tty} #{?pane_in_mode,1,0}#{?pane_synchronized,1,0}#{?pane_input_off,1,0}#{?pane_dead,1,0}"
CURSOR = "#{cursor_x} #{cursor_y}"
FREE = "0000"
WHY = (
    "Its pane is in copy mode, so no key reaches it.",
    "Its panes are synchronised, so others would get the text, too.",
    "The input of its pane is switched off.",
    "Its pane is dead.",
)
DONE = "deskbell-done"


def carrier(there: Spot) -> Carrier | None:
    """Return None for a client that no tmux has started. Raise Problem if its pane cannot be found."""
    server = server_of(there)
    if server is None:
        return None
    socket = socket_of(there, server)
    if socket is None or not is_mine(socket):
        raise Problem("The session runs in a tmux whose socket is not known.", BY_HAND)
    panes, _ = parsed(ask(socket, "list-panes", "-a", "-F", PANES) or "")
    pane = next((one for pid in there.below(server) for one in panes if one.pid == pid), None)
    if pane is None:
        raise Problem("The session runs in a popup of tmux.", BY_HAND)
    return Pane(there, socket, pane.id, pane.pid)


@dataclass(frozen=True, slots=True)
class Pane:
    there: Spot
    socket: str
    id: str
    pid: int
    """The process that tmux started in the pane: the client, or the shell in which the client runs."""

    @property
    def what(self) -> str:
        return f"tmux pane {self.id}"

    def look(self) -> Screen:
        refuse_behind(self.there)
        said = ask(
            self.socket, "display-message", "-p", "-t", self.id, f"{STATE} {CURSOR}", ";",
            "capture-pane", "-e", "-p", "-t", self.id,
        )  # fmt: skip
        state, _, shown = (said or "").partition("\n")
        pid, tty, flags, column, row = (*state.split(" "), *[""] * 5)[:5]
        if (pid, tty) != (str(self.pid), self.there.tty):
            raise Problem("Its pane no longer exists.", BY_HAND)
        if flags != FREE:
            raise Problem(next(why for flag, why in zip(flags, WHY, strict=True) if flag == "1"), BY_HAND)
        return Screen(shown.split("\n"), (int(column), int(row)))

    def paste(self, text: str, seen: Screen) -> None:
        buffer = f"deskbell-{os.getpid()}-{os.urandom(8).hex()}"
        paste = f"paste-buffer -p -d -b {buffer} -t {self.id}"
        words = ("load-buffer", "-b", buffer, "-", ";", *self._if_still(seen, paste, f"delete-buffer -b {buffer}"))
        self._carry_out(words, text.encode())

    def enter(self, seen: Screen) -> None:
        self._carry_out(self._if_still(seen, f"send-keys -t {self.id} Enter"))

    def _if_still(self, seen: Screen, command: str, otherwise: str = "") -> tuple[str, ...]:
        """Return the command that makes the server run COMMAND if the pane is as it was SEEN, else OTHERWISE."""
        assert seen.cursor
        column, row = seen.cursor
        is_same = f"#{{==:{STATE} {CURSOR},{self.pid} {self.there.tty} {FREE} {column} {row}}}"
        return ("if-shell", "-F", "-t", self.id, is_same, f"{command} ; display-message -p {DONE}", otherwise)

    def _carry_out(self, words: tuple[str, ...], given: bytes = b"") -> None:
        said = ask(self.socket, *words, given=given)
        if said is None or said.strip() != DONE:
            raise moved()
