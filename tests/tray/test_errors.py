"""Test that a Problem says what is wrong and the next step."""

from deskbell.errors import Problem


def test_the_step_follows_what_is_wrong() -> None:
    problem = Problem("It is gone.", "Get another.")

    assert (str(problem), problem.what, problem.step) == ("It is gone. Get another.", "It is gone.", "Get another.")


def test_the_step_may_be_part_of_what_is_wrong() -> None:
    problem = Problem("It is gone. Get another.")

    assert (str(problem), problem.step) == ("It is gone. Get another.", "")
