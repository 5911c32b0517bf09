"""Write down which sessions wait, for the statusline and tmux, which do not import the program.

The loop calls this at every turn. The file is `statusline/board.json` beside the records; `deskbell_hooks.others` reads
it. It is written only if a statusline or the tmux line is installed: when its content changes, and once a minute, so
that readers can tell that it is fresh.
"""

import os
from contextlib import suppress

from deskbell.board import Board
from deskbell.home import Home
from deskbell.session import Session
from deskbell.text.wording import headline, short, short_id
from deskbell_hooks.client import process_start
from deskbell_hooks.codec import encode
from deskbell_hooks.files import replace_file
from deskbell_hooks.segments import MOST

EVERY = 60.0
"""Seconds until the same content is written again. The statusline ignores a file that is older than 2.5 times this."""
PROJECT, SAYS = 30, 60
"""Characters of a project, and of what a session asks."""

Row = tuple[str, str, str]
"""The id of a session, its project, and what it asks."""


class Published:
    """The file that the statusline and tmux read."""

    def __init__(self, home: Home) -> None:
        self._folder = home.statusline
        self._before: tuple[list[Row], list[Row]] | None = None
        self._written = float("-inf")
        self._start: int | None = None
        with suppress(OSError):  # the statusline then uses the registry and the records
            self._start = process_start("self")

    def write(self, board: Board | None, now: float) -> None:
        """Write BOARD; remove the file if it is None, which means that Deskbell ends. Raise OSError if that fails."""
        if not self._folder.is_dir():
            self._before = None
        elif board is None:
            (self._folder / "board.json").unlink(missing_ok=True)
        else:
            self._write(([_row(one) for one in board.blocked], [_row(one) for one in board.your_turn]), now)

    def _write(self, waiting: tuple[list[Row], list[Row]], now: float) -> None:
        if waiting == self._before and 0 <= now - self._written < EVERY:
            return
        blocked, turn = (rows[: MOST + 1] for rows in waiting)  # one more: the session itself may be among them
        value = {"v": 1, "at": now, "pid": os.getpid(), "start": self._start, "blocked": blocked, "your_turn": turn}
        replace_file(str(self._folder / "board.json"), encode(value))
        self._before, self._written = waiting, now


def _row(session: Session) -> Row:
    return (
        session.session_id,
        short(session.project, PROJECT) or short_id(session.session_id),
        short(headline(session), SAYS),
    )
