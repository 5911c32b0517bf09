"""Test which numbers from a file are times, process ids and counts."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deskbell.sessions.numbers import LARGEST, LARGEST_PID, LATEST, count, is_pid, seconds

HUGE = 10**400
STRANGE = [None, True, False, "1", "", [], {}, float("nan"), float("inf"), float("-inf"), HUGE, -HUGE, -1]


@pytest.mark.parametrize(
    ("milliseconds", "expected"), [(1500, 1.5), (0.5, 0.0005), (1_790_000_000_123, 1_790_000_000.123)]
)
def test_milliseconds_become_seconds(milliseconds: float, expected: float) -> None:
    assert seconds(milliseconds) == expected


@pytest.mark.parametrize("value", [*STRANGE, 0, LATEST * 1000])
def test_milliseconds_that_cannot_be_a_time_become_none(value: Any) -> None:
    assert seconds(value) is None


@pytest.mark.parametrize("value", [1, 4_000_000, LARGEST_PID])
def test_a_whole_number_above_0_is_a_process_id(value: int) -> None:
    assert is_pid(value)


@pytest.mark.parametrize("value", [*STRANGE, 0, 1.0, LARGEST_PID + 1])
def test_anything_else_is_not_a_process_id(value: Any) -> None:
    assert not is_pid(value)


@pytest.mark.parametrize(
    ("value", "expected"),
    [(7, 7), (LARGEST, LARGEST), *((strange, 0) for strange in STRANGE), (1.5, 0), (0, 0), (LARGEST + 1, 0)],
)
def test_a_count_is_a_whole_number_above_0_or_0(value: Any, expected: int) -> None:
    assert count(value) == expected


@given(st.integers() | st.floats() | st.booleans() | st.none() | st.text(max_size=3))
def test_what_passes_can_be_used_in_arithmetic(value: Any) -> None:
    assert float(count(value)) >= 0
    assert (seconds(value) or 0.0) + 1.0 < LATEST + 1
