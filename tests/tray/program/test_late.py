"""Test that a part that is loaded late is made when it is needed, and that it then gets every call."""

import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from deskbell.answers.desk import UNHEARD_OF
from deskbell.board import Board, board
from deskbell.desktop.tmux.panes import Panes
from deskbell.program.boundary import Boundary
from deskbell.program.late import LateDesk, LateMarks
from deskbell.session import Session
from deskbell_hooks.panes import ON
from tests.tray.making import NOON, session

SESSIONS = (session(),)
BOARD = board(SESSIONS, NOON)


class Recorded:
    """Notes the calls of the desk."""

    def __init__(self) -> None:
        self.calls: list[tuple[object, ...]] = []
        self.desk = self

    def start(self) -> None:
        self.calls.append(("start",))

    def nudge(self) -> None:
        self.calls.append(("nudge",))

    def attached(self, sessions: Sequence[Session]) -> Sequence[Session]:
        self.calls.append(("attached",))
        return ()

    def dismissed(self, closed: str) -> None:
        self.calls.append(("dismissed", closed))

    def press(self, *words: object) -> Any:
        self.calls.append(("press", *words))


def use(late: LateDesk) -> Sequence[Session]:
    late.nudge()
    late.dismissed("slot")
    return late.attached(SESSIONS)


def test_while_answers_are_off_no_desk_is_made() -> None:
    made: list[Recorded] = []
    late = LateDesk(lambda: made.append(Recorded()), lambda: False)  # type: ignore[arg-type, return-value, func-returns-value]
    assert use(late) is SESSIONS
    assert late.press("code", "allow") is UNHEARD_OF
    assert made == []


def test_a_choice_is_prepared_by_the_desk_if_there_is_one() -> None:
    class Prepared(Recorded):
        async def prepare(self, *words: object) -> None:
            self.calls.append(("prepare", *words))

    desk, wanted = Prepared(), [False]
    late = LateDesk(lambda: desk, lambda: wanted[0])  # type: ignore[arg-type, return-value]
    asyncio.run(late.prepare("code", "allow"))
    wanted[0] = True
    late.attached(SESSIONS)
    asyncio.run(late.prepare("code", "allow"))
    assert desk.calls[-1] == ("prepare", "code", "allow")
    assert len(desk.calls) == 3


def test_the_desk_is_made_and_started_once_and_stays_when_answers_are_switched_off() -> None:
    desk, made, wanted = Recorded(), [], [True]

    def make() -> Any:
        made.append(desk)
        return desk

    late = LateDesk(make, lambda: bool(wanted))
    assert late.attached(SESSIONS) == ()
    wanted.clear()
    assert use(late) == ()
    late.press("code", "allow")
    assert made == [desk]
    assert desk.calls == [
        ("start",),
        ("attached",),
        ("nudge",),
        ("dismissed", "slot"),
        ("attached",),
        ("press", "code", "allow"),
    ]


class Marks:
    """Panes that record the boards which they are to show."""

    problem: str | None = None

    def __init__(self) -> None:
        self.shown: list[Board | None] = []

    def show(self, one: Board | None) -> None:
        self.shown.append(one)


def marks_of(panes: Marks, state: Path) -> LateMarks:
    made: Any = panes
    return LateMarks(state, Boundary(), lambda _, __: made)


def test_nothing_is_marked_before_it_is_wanted(tmp_path: Path) -> None:
    marks = marks_of(panes := Marks(), tmp_path)
    marks.show(BOARD)
    marks.show(None)
    assert (marks.made, panes.shown) == (None, [])
    assert marks.problem is None


def test_panes_that_were_marked_once_get_every_board_and_the_end(tmp_path: Path) -> None:
    marks = marks_of(panes := Marks(), tmp_path)
    (tmp_path / ON).touch()
    marks.show(BOARD)
    (tmp_path / ON).unlink()
    marks.show(BOARD)
    marks.show(None)
    assert panes.shown == [BOARD, BOARD, None]


def test_what_keeps_the_panes_from_being_marked_is_passed_on(tmp_path: Path) -> None:
    marks = marks_of(panes := Marks(), tmp_path)
    (tmp_path / ON).touch()
    marks.show(BOARD)
    panes.problem = "tmux does not answer."
    assert marks.problem == "tmux does not answer."


class WithoutThreads(Boundary):
    """Starts nothing, so that nobody asks the tmux of this machine."""

    def thread(self, part: str, work: Callable[[], None]) -> bool:
        return False


def test_what_is_made_are_the_panes_of_tmux(tmp_path: Path) -> None:
    marks = LateMarks(tmp_path, WithoutThreads())
    (tmp_path / ON).touch()
    marks.show(Board())
    assert isinstance(marks.made, Panes)
