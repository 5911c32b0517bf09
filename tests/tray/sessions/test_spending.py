"""Test the output tokens and the cost of the answers in a transcript."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deskbell.sessions.spending import RECENT, Spending
from tests.tray.sessions.transcript_lines import answered, asked

ONE = 0.000158
"""Dollars for one answer of `answered`."""


def spent(*lines: bytes) -> tuple[int, float | None]:
    spending = Spending()
    for one in lines:
        spending.take(one)
    return spending.output_tokens, spending.cost_usd


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
