"""Test when what was not displayed is tried again."""

from hypothesis import given
from hypothesis import strategies as st

from deskbell.desktop.notify.retries import GIVES_UP, LONGEST, SHORTEST, Retries


def attempts(first: float = 0.0) -> list[float]:
    """The times at which a notice that always fails is tried."""
    retries, at = Retries(), [first]
    while (due := retries.due(["api"], at[-1])) is not None:
        at.append(due)
    return at


def test_the_pauses_double_up_to_a_minute_and_end_after_a_quarter_of_an_hour() -> None:
    at = attempts()
    assert at[:8] == [0, 1, 2, 4, 8, 16, 32, 64]
    assert at[8:] == [64 + LONGEST * n for n in range(1, 15)]
    assert at[-1] >= GIVES_UP


def test_what_does_not_fail_is_not_tried_again() -> None:
    assert Retries().due([], 7) is None


def test_other_changes_do_not_use_up_the_time_of_what_fails() -> None:
    retries = Retries()
    assert [retries.due(["api"], now / 10) for now in range(10)] == [now / 10 + SHORTEST for now in range(10)]


def test_what_has_changed_or_has_worked_in_between_begins_anew() -> None:
    retries = Retries()
    for again in (lambda: retries.forget(["api", "web"]), lambda: retries.due([], 500)):
        retries.due(["api"], 0)
        assert retries.due(["api"], 40) == 80
        again()
        assert retries.due(["api"], 1000) == 1001
        again()


def test_a_newer_failure_is_tried_soon_beside_one_that_was_given_up() -> None:
    retries = Retries()
    retries.due(["api"], 0)
    assert retries.due(["api", "web"], GIVES_UP) == GIVES_UP + SHORTEST
    assert retries.due(["api"], GIVES_UP + 1) is None


@given(st.lists(st.tuples(st.floats(0.1, 500), st.sets(st.sampled_from("abc"))), max_size=30))
def test_the_next_attempt_is_never_at_once_and_never_far(steps: list[tuple[float, set[str]]]) -> None:
    retries, now = Retries(), 0.0
    for passed, failed in steps:
        now += passed
        due = retries.due(failed, now)
        assert due is None or SHORTEST <= round(due - now, 6) <= LONGEST
