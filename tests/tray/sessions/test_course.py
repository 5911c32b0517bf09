"""Test how a turn stands after each line, and which prompt a line belongs to."""

from typing import Any

import pytest

from deskbell.sessions.course import BEGINS_WITHIN, CUT_WITHIN, MOST_LINES, Course, Owners

CALLS = Course().prompted(1.0).answered(2.0, False, None, ["u1"]).answered(2.1, False, None, ["u2"])


def test_an_answer_makes_its_calls_line_by_line() -> None:
    assert CALLS.calls == {"u1", "u2"}
    assert not CALLS.is_unanswered
    assert CALLS.went_on(3.0, ["u1"]).calls == {"u2"}
    assert CALLS.went_on(3.0, ["u1", "u2"]).answered(4.0, False, None, ["u3"]).calls == {"u3"}


@pytest.mark.parametrize(
    "over",
    [
        CALLS.answered(5.0, True, None, []),
        CALLS.answered(5.0, False, "overloaded", []),
        CALLS.prompted(5.0),
        CALLS.compacted(5.0),
    ],
)
def test_no_call_outlives_its_turn(over: Course) -> None:
    assert (over.calls, over.results, over.cut, over.interrupted_at) == (frozenset(), (), frozenset(), None)


@pytest.mark.parametrize(
    ("results", "cut"),
    [
        ([], {"u1", "u2"}),
        ([(9.9, ["u1", "u2"])], {"u1", "u2"}),
        ([(4.0, ["u1"]), (9.9, ["u2"])], {"u2"}),
        ([(10.0 - CUT_WITHIN, ["u1"]), (10.0 - CUT_WITHIN + 0.01, ["u2"])], {"u2"}),
        ([(None, ["u1", "u2"])], {"u1", "u2"}),
    ],
)
def test_an_interrupt_ends_the_calls_that_get_their_results_just_before_it(
    results: list[tuple[float | None, list[str]]], cut: set[str]
) -> None:
    course = CALLS
    for at, uses in results:
        course = course.went_on(at, uses)
    assert course.interrupted(10.0).cut == cut
    assert course.interrupted(10.0).interrupted_at == 10.0
    assert course.interrupted(None).cut == {"u1", "u2"}


@pytest.mark.parametrize(
    ("at", "interrupted"), [(1.0 + BEGINS_WITHIN - 0.01, None), (1.0 + BEGINS_WITHIN, 1.0 + BEGINS_WITHIN)]
)
def test_an_interrupt_just_after_a_prompt_lets_that_prompt_begin(at: float, interrupted: float | None) -> None:
    assert Course().prompted(1.0).interrupted(at).interrupted_at == interrupted


def test_a_turn_is_finished_when_its_answer_is_complete_and_not_when_its_duration_is_written() -> None:
    assert Course().answered(3.0, True, None, []).closed(3.2).finished_at == 3.0
    assert Course(at=3.0).closed(3.2).finished_at == 3.2
    assert CALLS.interrupted(3.0).closed(3.2).finished_at is None


def line(own: str, before: str | None = None, prompt: str | None = None) -> dict[str, Any]:
    return {"uuid": own, "parentUuid": before, **({"promptId": prompt} if prompt else {})}


def test_a_line_belongs_to_the_prompt_it_names_or_to_that_of_the_line_before_it() -> None:
    owners = Owners()
    assert owners.owner(line("a1", None, "prompt-a-and-more")) == "prompt-a"
    assert owners.owner(line("b1", "a1", "prompt-b-and-more")) == "prompt-b"
    assert owners.owner(line("a2", "a1")) == "prompt-a"
    assert owners.owner(line("b2", "b1")) == "prompt-b"
    assert owners.owner(line("a3", "a2")) == "prompt-a"
    assert (owners.before(line("x", "b2", "prompt-x")), owners.before(line("x", "y"))) == ("prompt-b", "")


@pytest.mark.parametrize(
    "unknown", [{}, {"parentUuid": None, "uuid": "x"}, {"promptId": 5, "parentUuid": [], "uuid": 5}]
)
def test_a_line_whose_prompt_cannot_be_known(unknown: dict[str, Any]) -> None:
    owners = Owners()
    assert owners.owner(unknown) == ""
    assert owners.owner(line("y", "x")) == ""
    assert owners.owner({"promptId": "prompt-a", "uuid": 5}) == "prompt-a"


def test_only_the_newest_lines_are_remembered() -> None:
    owners = Owners()
    for number in range(MOST_LINES + 1):
        owners.owner(line(f"n{number}", None, "prompt-a"))
    assert owners.owner(line("x", "n0")) == ""
    assert owners.owner(line("y", "n2")) == "prompt-a"


DONE = Course().prompted(1.0).answered(2.0, True, None, [])


@pytest.mark.parametrize("before", [DONE, CALLS.interrupted(3.0), CALLS.answered(3.0, False, "overloaded", [])])
def test_a_prompt_that_a_hook_refuses_leaves_everything_as_it_was(before: Course) -> None:
    assert before.refused(9.0) == before._replace(at=9.0, refused_at=9.0)
    assert before.prompted(8.9).stopped(9.0) == before._replace(at=9.0, refused_at=9.0)


SENT_ON = DONE.sent_on(3.0)


def test_a_turn_that_a_stop_hook_sends_on_is_not_finished() -> None:
    assert (SENT_ON.at, SENT_ON.finished_at, SENT_ON.sent_on_at, SENT_ON.begun) == (3.0, None, 3.0, 1.0)
    assert SENT_ON.sent_on(6.0).sent_on_at == 6.0


@pytest.mark.parametrize(
    "later",
    [
        SENT_ON.answered(5.0, False, None, ["u1"]),
        SENT_ON.answered(5.0, False, None, ["u1"]).went_on(6.0, ["u1"]),
        SENT_ON.answered(5.0, True, None, []),
        SENT_ON.answered(5.0, False, "overloaded", []),
        SENT_ON.interrupted(5.0),
        SENT_ON.compacted(5.0),
        SENT_ON.prompted(5.0).stopped(6.0),
    ],
)
def test_a_turn_that_was_sent_on_says_so_to_its_end(later: Course) -> None:
    assert later.sent_on_at == 3.0


def test_the_next_prompt_begins_a_turn_that_nothing_sent_on() -> None:
    assert SENT_ON.prompted(5.0).sent_on_at is None


def test_a_turn_that_a_hook_stops_is_finished() -> None:
    assert CALLS.stopped(9.0).finished_at == 9.0
    assert CALLS.stopped(9.0).refused_at is None


@pytest.mark.parametrize(
    "after", [DONE.refused(9.0).prompted(10.0), DONE.refused(9.0).prompted(10.0).answered(11.0, True, None, [])]
)
def test_the_next_prompt_begins_a_turn_after_a_refused_one(after: Course) -> None:
    assert after.refused_at is None
