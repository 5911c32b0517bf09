"""Test that each thing that the bell depends on fails by itself."""

import pytest

from deskbell.errors import Problem
from deskbell.notices.guard import SHOWN_FOR, Guard


def fail() -> int:
    raise LookupError("lost")


def test_what_raises_has_the_other_answer_until_it_works_again(caplog: pytest.LogCaptureFixture) -> None:
    guard = Guard()
    assert [guard.call("It cannot be read", fail, 7) for _ in range(3)] == [7, 7, 7]
    assert guard.problem == "It cannot be read: LookupError: lost"
    assert guard.why("It cannot be read") == "LookupError: lost"
    assert len(caplog.records) == 1
    assert guard.call("It cannot be read", lambda: 1, 7) == 1
    assert (guard.problem, guard.why("It cannot be read")) == (None, "")


def test_an_effect_works_if_it_does_not_raise() -> None:
    guard = Guard()
    assert guard.works("Nothing is shown", lambda: None)
    assert not guard.works("Nothing is shown", fail)
    guard.forget("Nothing is shown")
    assert guard.problem is None


def test_the_first_of_several_problems_is_named() -> None:
    def refuse() -> None:
        raise Problem("The disk is full.", "Free some space.")

    guard = Guard()
    guard.works("It cannot be written", refuse)
    guard.works("It cannot be read", fail)
    assert guard.problem == "It cannot be written: The disk is full. Free some space."


def test_what_works_again_or_is_never_tried_again_takes_no_memory() -> None:
    now = [0.0]
    guard = Guard(lambda: now[0])
    for number in range(1000):
        now[0] += 10
        guard.works(f"The notification {number} cannot be shown", fail)
        if number % 2:
            guard.forget(f"The notification {number} cannot be shown")
    assert len(guard._troubles) == len(guard._failed_at) == SHOWN_FOR / 20


def test_what_is_never_tried_again_is_shown_for_ten_minutes() -> None:
    now = [0.0]
    guard = Guard(lambda: now[0])
    guard.works("A message to phone cannot be sent", fail)
    now[0] = SHOWN_FOR - 1
    guard.works("It cannot be read", fail)
    assert guard.problem == "A message to phone cannot be sent: LookupError: lost"
    now[0] = SHOWN_FOR
    assert guard.problem == "It cannot be read: LookupError: lost"
    guard.works("A message to phone cannot be sent", fail)
    assert guard.problem == "A message to phone cannot be sent: LookupError: lost"
