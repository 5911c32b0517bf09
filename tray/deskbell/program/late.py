"""Load parts of the program once they are needed, because most runs never need them.

Every method is called in the loop. What was loaded stays.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from deskbell.board import Board
from deskbell.face.actions import Action
from deskbell.program.parts import Hands
from deskbell.session import Session
from deskbell.supervision import Supervisor
from deskbell_hooks.panes import ON

if TYPE_CHECKING:
    from deskbell.desktop.tmux.panes import Panes
    from deskbell.program.answering import Answering
    from deskbell.program.dialogue import Press


@dataclass(frozen=True)
class LateHands:
    """Hands whose modules are imported, and which are made, at each click."""

    make: Callable[[], Hands]

    async def do(self, action: Action, board: Board) -> None:
        await self.make().do(action, board)


class LateDesk:
    """The desk of open requests, which MAKE returns. It is made when answers are switched on, which IS_WANTED says."""

    def __init__(self, make: "Callable[[], Answering]", is_wanted: Callable[[], bool]) -> None:
        self._make = make
        self._is_wanted = is_wanted
        self.made: Answering | None = None
        """The desk; None until it was wanted for the first time."""

    def nudge(self) -> None:
        if self.made:
            self.made.nudge()

    def attached(self, sessions: Sequence[Session]) -> Sequence[Session]:
        if self.made is None and self._is_wanted():
            self.made = self._make()
            self.made.start()
        return self.made.attached(sessions) if self.made else sessions

    def dismissed(self, closed: str) -> None:
        if self.made:
            self.made.dismissed(closed)

    async def prepare(self, code: str, choice: str) -> None:
        """Await this before a choice is pressed."""
        if self.made:
            await self.made.prepare(code, choice)

    @property
    def press(self) -> "Press":
        """Carries out a choice of an open request."""
        from deskbell.program.dialogue import nobody_asks

        return self.made.desk.press if self.made else nobody_asks


def _panes(state: Path, supervisor: Supervisor) -> "Panes":
    from deskbell.desktop.tmux.panes import Panes

    return Panes(state, supervisor)


class LateMarks:
    """The marks in the panes of tmux, which MAKE returns. `deskbell tmux install` asks for them."""

    def __init__(
        self, state: Path, supervisor: Supervisor, make: "Callable[[Path, Supervisor], Panes]" = _panes
    ) -> None:
        self._state = state
        self._supervisor = supervisor
        self._make = make
        self.made: Panes | None = None

    def show(self, board: Board | None) -> None:
        """Show the sessions of BOARD in their panes; None at the end."""
        if self.made is None and board is not None and (self._state / ON).exists():
            self.made = self._make(self._state, self._supervisor)
        if self.made:
            self.made.show(board)

    @property
    def problem(self) -> str | None:
        """Why panes may show old marks, in one sentence; None if they do not."""
        return self.made.problem if self.made else None
