"""Test the output tokens and the cost of the answers in a transcript."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deskbell.session import Spent
from deskbell.sessions.spending import RECENT, Spending, by_day, total
from tests.tray.sessions.transcript_lines import answered, asked

ONE = 0.000158
"""Dollars for one answer of `answered`."""


def spent(*lines: bytes) -> tuple[int, float | None]:
    spending = Spending()
    for one in lines:
        spending.take(one)
    return spending.whole.tokens, spending.whole.dollars


def answer(output: Any, **more: Any) -> bytes:
    usage = {"output_tokens": output, **more.pop("usage", {})}
    message = {"id": more.pop("id", "m"), "model": "claude-opus-5-5", "usage": usage, **more.pop("message", {})}
    return json.dumps({"type": "assistant", "message": message, **more}, separators=(",", ":")).encode()


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ([], (0, 0.0)),
        ([answered("a", number=1)], (5, ONE)),
        ([answered("a", number=1), answered("b", number=1)], (5, ONE)),  # one answer in two lines
        ([answer(1), answer(7)], (7, 0.00014)),  # the last line has the final count
        ([answered("a", number=1), answered("b", number=2), answered("c", number=1)], (10, 2 * ONE)),
        ([answered("a", number=1, isSidechain=True)], (0, 0.0)),  # a subagent
        ([answered("a", number=1, model="<synthetic>")], (0, 0.0)),  # the client itself
        ([answered("a", number=1, model="another")], (5, None)),  # a price that is not known
        ([answered("a", number=1, model="another"), answered("b", number=2)], (10, None)),
        ([answered("a", number=1, costUSD=0.5)], (5, 0.5)),  # as older clients write it
        ([answered("a", number=1, costUSD=True)], (5, ONE)),
        ([answered("a", number=1, costUSD=-1)], (5, ONE)),
        ([answered("a", number=1, costUSD=10**400)], (5, ONE)),
        ([answered("a", number=1, costUSD="0.5")], (5, ONE)),
        ([asked("x")], (0, 0.0)),
        ([b'{"type":"assistant"'], (0, 0.0)),
        ([b'{"type":"user","x":{"type":"assistant"}}'], (0, 0.0)),
        ([b'{"type":"user","x":"\\"type\\":\\"assistant\\""}'], (0, 0.0)),
        ([b'{"type":"assistant"}'], (0, 0.0)),
        ([answer(5, id=None, requestId="r1"), answer(5, id=None, requestId="r2")], (10, 0.0002)),
        ([answer(5, id=None, uuid="a"), answer(5, id=None, uuid="b")], (10, 0.0002)),
        ([answer(5, requestRef="a"), answer(5, requestRef="b")], (10, 0.0002)),
        ([answer(10**400)], (0, 0.0)),
        ([answer(5, message={"model": 7})], (5, None)),
        ([answer(0, message={"model": "another"})], (0, 0.0)),  # nothing costs nothing
    ],
)
def test_what_a_transcript_has_spent(lines: list[bytes], expected: tuple[int, float | None]) -> None:
    assert spent(*lines) == expected


def test_an_answer_that_has_settled_counts_as_before() -> None:
    lines = [answered("a", number=number) for number in range(3 * RECENT)]
    assert spent(*lines) == (5 * 3 * RECENT, round(ONE * 3 * RECENT, 6))


def test_a_settled_answer_without_a_known_price_leaves_the_cost_unknown() -> None:
    lines = [answered("a", number=number) for number in range(3 * RECENT)]
    assert spent(answered("a", number=-1, model="another"), *lines)[1] is None


@given(st.lists(st.integers(0, 5), max_size=40))
def test_a_line_that_is_repeated_within_the_recent_answers_counts_once(numbers: list[int]) -> None:
    output, dollars = spent(*(answered("a", number=number) for number in numbers))
    assert output == 5 * len(set(numbers))
    assert dollars == pytest.approx(ONE * len(set(numbers)))


def dated(at: str, output: int, number: int, **more: Any) -> bytes:
    return answer(output, id=f"m{number}", timestamp=at, **more)


NEW_YEAR, DAY_BEFORE, EARLIER = "2026-01-01T12:00:00Z", "2025-12-31T12:00:00Z", "2025-12-30T12:00:00Z"
"""Noon in London is the same day in every time zone but the farthest."""


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ([], []),
        ([dated(NEW_YEAR, 3, 1), dated(NEW_YEAR, 4, 2)], [7]),
        ([dated(DAY_BEFORE, 3, 1), dated(NEW_YEAR, 4, 2)], [3, 4]),
        ([dated(NEW_YEAR, 3, 1), dated(NEW_YEAR, 5, 1)], [5]),  # one answer in two lines
        ([dated(EARLIER, 9, 0), dated(DAY_BEFORE, 3, 1), dated(NEW_YEAR, 4, 2)], [3, 4]),
        ([*(dated(DAY_BEFORE, 1, n) for n in range(30)), *(dated(NEW_YEAR, 2, n) for n in range(30, 60))], [30, 60]),
        ([*(dated(at, 1, n) for n, at in enumerate((EARLIER, DAY_BEFORE, NEW_YEAR) * 20))], [20, 20]),
    ],
    ids=str,
)
def test_each_of_the_newest_days_is_counted_by_itself(lines: list[bytes], expected: list[int]) -> None:
    spending = Spending()
    for one in lines:
        spending.take(one)
    assert [one.tokens for one in spending.by_day] == expected
    assert [one.day for one in spending.by_day] == sorted(one.day for one in spending.by_day)


def test_the_price_of_a_day_is_known_if_that_of_each_of_its_answers_is() -> None:
    spending = Spending()
    spending.take(dated(DAY_BEFORE, 3, 1, message={"model": "another", "id": "m1"}, usage={"input_tokens": 1}))
    spending.take(dated(NEW_YEAR, 3, 2, costUSD=0.25))
    assert [one.dollars for one in spending.by_day] == [None, 0.25]
    assert spending.whole.dollars is None


def test_the_answers_of_a_subagent_count_in_its_own_transcript() -> None:
    line = answered("a", number=1, isSidechain=True)
    for of_a_subagent, tokens in ((True, 5), (False, 0)):
        spending = Spending(of_a_subagent)
        spending.take(line)
        assert spending.whole.tokens == tokens


def test_days_of_several_are_added_up() -> None:
    monday, tuesday = Spent(1, 10, 0.5), Spent(2, 20, None)
    assert by_day((monday, tuesday, monday)) == (Spent(1, 20, 1.0), tuesday)
    assert by_day((monday, tuesday, Spent(3, 1, 0.0))) == (tuesday, Spent(3, 1, 0.0))
    assert (total((monday, monday)).tokens, total((monday, tuesday)).dollars) == (20, None)
    assert (by_day(()), total(()).tokens) == ((), 0)
