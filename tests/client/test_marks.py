"""Test that the check of a pane finds what is wrong in it, and nothing where all is right."""

from dataclasses import replace

import pytest

from tests.client.marks import Marks
from tests.client.watch import GONE, Expected

RUNS = Marks("s1", "running", "working", "Bash: make", " [▶] s1", "")
ASKS = Marks("s1", "stopped", "permission", "Bash: make", " [⏸] s1", " (⏸)")
EMPTY = Marks("", "", "", "", " ", "")
ENDED = replace(EMPTY, border=" [■] s1 ")

RIGHT = [
    (RUNS, Expected("working"), "s1"),
    (RUNS, Expected("working", "make"), None),
    (ASKS, Expected("permission", "make"), "s1"),
    *(
        (shown, Expected(status), None)
        for status in ("ended", "crashed", GONE, "hidden working")
        for shown in (EMPTY, ENDED)
    ),
]
WRONG = [
    (RUNS, Expected("permission"), "s1", "status group border window"),
    (RUNS, Expected("working", "test"), "s1", "detail"),
    (RUNS, Expected("working"), "s2", "session"),
    (replace(RUNS, border=" [?] s1"), Expected("working"), "s1", "border"),
    (replace(RUNS, window=" (⏸)"), Expected("working"), "s1", "window"),
    (replace(ASKS, window=""), Expected("permission"), "s1", "window"),
    (ASKS, Expected("working"), "s1", "status group border window"),
    (RUNS, Expected("crashed"), None, "session status group border"),
    (EMPTY, Expected("idle"), "s1", "session status group border window"),
]


@pytest.mark.parametrize(("shown", "expected", "session"), RIGHT)
def test_nothing_is_wrong_in_a_pane_that_says_what_the_board_says(
    shown: Marks, expected: Expected, session: str | None
) -> None:
    assert shown.trouble(expected, session) == ""


@pytest.mark.parametrize(("shown", "expected", "session", "wrong"), WRONG)
def test_each_part_of_a_pane_that_says_something_else_is_named(
    shown: Marks, expected: Expected, session: str | None, wrong: str
) -> None:
    assert shown.trouble(expected, session) == wrong
