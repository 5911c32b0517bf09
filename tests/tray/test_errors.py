"""Test that a Problem says what is wrong and the next step, and that other errors say the cause first."""

import ast
import errno
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from deskbell.errors import Misuse, NotFound, Problem, reason
from tests.test_layers import nodes

TRAY = Path(__file__).parents[2] / "tray"
KINDS = {kind.__name__ for kind in (Problem, Misuse, NotFound)}
WITHOUT_A_STEP = ("policyfile.py", "policytext.py")
"""Modules that name a mistake in config.toml by its line: the doctor, the menu and the notification offer the step."""


def test_the_step_follows_what_is_wrong() -> None:
    problem = Problem("Cannot read a.json: Permission denied.", "Make it readable.")
    assert str(problem) == "Cannot read a.json: Permission denied. Make it readable."
    assert problem.step == "Make it readable."


def test_the_step_may_be_part_of_what_is_wrong() -> None:
    problem = Problem("'x' is not a duration. Use 30m.")
    assert str(problem) == problem.what == "'x' is not a duration. Use 30m."
    assert problem.step == ""


def texts(path: Path) -> Iterator[str]:
    """The text of every Problem of one argument that PATH raises, with X in place of its values."""
    for node in nodes(path):
        if isinstance(node, ast.Call) and len(node.args) == 1 and ast.unparse(node.func) in KINDS:
            match node.args[0]:
                case ast.Constant(value=str(text)):
                    yield text
                case ast.JoinedStr(values=parts):
                    yield "".join(str(part.value) if isinstance(part, ast.Constant) else "X" for part in parts)


@pytest.mark.uncounted
@pytest.mark.long
def test_every_problem_names_the_next_step() -> None:
    found = [(path.name, text) for path in TRAY.rglob("*.py") for text in texts(path)]
    assert len(found) > 10
    bad = [one for one in found if one[0] not in WITHOUT_A_STEP and not re.search(r"\S\. ([A-Z].*\.|X)$", one[1])]
    assert bad == []


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (Problem("It is gone.", "Get another."), "It is gone. Get another."),
        (OSError(errno.ENOSPC, "No space left on device", "/a/b"), "No space left on device: /a/b"),
        (OSError(errno.ENOSPC, "No space left on device"), "No space left on device"),
        (OSError("no panel"), "OSError: no panel"),
        (LookupError("x"), "LookupError: x"),
        (MemoryError(), "MemoryError"),
    ],
)
def test_the_cause_of_an_error_comes_first_and_its_path_last(error: Exception, said: str) -> None:
    assert reason(error) == said


class Mute(Exception):
    def __str__(self) -> str:
        raise ValueError


def test_an_error_that_cannot_say_what_it_is_has_its_name() -> None:
    assert reason(Mute()) == "Mute"
    assert reason(OSError(errno.EIO, Mute())) == "OSError"
