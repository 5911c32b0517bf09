"""Test that an error in one way to a session is told of and keeps no other way from being tried."""

import os
import sys
from typing import Any

import pytest

from deskbell.desktop.jump import jump_to
from deskbell.desktop.jump.arrival import BY_HAND
from deskbell.desktop.jump.attempt import attempted
from deskbell.desktop.jump.desk import Desk
from deskbell.desktop.jump.spot import Spot
from deskbell.errors import Problem
from tests.tray.desktop.jump.programs import Programs


def fail(error: BaseException) -> None:
    raise error


def test_what_a_way_returns_and_its_own_problem_are_passed_on() -> None:
    assert attempted(max, 1, 2) == 2
    with pytest.raises(Problem, match=r"^kitty does not answer\.$"):
        attempted(fail, Problem("kitty does not answer."))


@pytest.mark.parametrize(
    "error", [KeyError("id"), RecursionError("too deep"), StopIteration(), OSError(24, "Too many")]
)
def test_any_other_error_is_a_problem_and_its_traceback_is_logged_once(
    error: Exception, caplog: pytest.LogCaptureFixture
) -> None:
    with pytest.raises(Problem, match=r"^Deskbell itself has failed: .*\. Go there yourself\.$"):
        attempted(fail, error)
    assert [record.exc_info is not None for record in caplog.records] == [True]


@pytest.mark.parametrize("end", [KeyboardInterrupt, SystemExit])
def test_the_end_of_the_program_is_no_problem(end: type[BaseException]) -> None:
    with pytest.raises(end):
        attempted(fail, end())


NO_ID = {"nodes": [{"pid": os.getpid(), "name": "foot", "focused": True}]}
NESTED: dict[str, Any] = {"nodes": [{"id": 7, "pid": os.getpid(), "focused": True, "nodes": 5}]}


@pytest.mark.skipif(sys.platform == "win32", reason="programs of the shell")
@pytest.mark.parametrize("tree", [NO_ID, NESTED])
def test_a_compositor_that_answers_nonsense_is_told_of_and_the_jump_ends(tree: object, programs: Programs) -> None:
    programs.put("swaymsg", tree)
    there = Spot(os.getpid(), (os.getpid(),))
    came = jump_to(there, env={"PATH": os.environ["PATH"], "SWAYSOCK": "/run/sway"})
    assert (came.reached, came.complete) == (None, False)
    assert came.sentence.startswith("Deskbell itself has failed: ")
    assert BY_HAND in came.sentence


@pytest.mark.skipif(sys.platform == "win32", reason="programs of the shell")
def test_a_compositor_that_answers_nonsense_only_later_is_told_of(programs: Programs) -> None:
    good = {"id": 7, "pid": os.getpid(), "name": "foot", "focused": False}
    programs.put("swaymsg", {"nodes": [good]})
    program = programs.folder / "swaymsg"
    bad = programs.folder / "bad"
    bad.write_text('{"nodes": [{"pid": 1, "focused": true}]}')
    program.write_text(program.read_text().replace("exit 0", f'cp "{bad}" "{programs.folder}/swaymsg.answer"\nexit 0'))
    came = jump_to(Spot(os.getpid(), (os.getpid(),)), env={"PATH": os.environ["PATH"], "SWAYSOCK": "/run/sway"})
    assert came.complete is False
    assert "Deskbell itself has failed: KeyError: 'id'." in came.sentence


class Unclosable:
    def close(self) -> None:
        raise LookupError("still in use")


def test_a_connection_that_cannot_be_closed_does_not_spoil_a_jump(caplog: pytest.LogCaptureFixture) -> None:
    closed: list[int] = []

    class Closable:
        def close(self) -> None:
            closed.append(1)

    with Desk({}) as desk:
        for one in (Closable(), Unclosable(), Closable()):
            desk.keep(one)
    assert closed == [1, 1]
    assert [record.levelname for record in caplog.records] == ["ERROR"]
