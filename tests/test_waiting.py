"""Test the waiting of the tests: it returns the first true value, and fails with words."""

import asyncio
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.waiting import Late, wait, wait_in_loop


def waited(condition: Callable[[], Any], **how: Any) -> Any:
    return wait(condition, **how)


def awaited(condition: Callable[[], Any], **how: Any) -> Any:
    return asyncio.run(wait_in_loop(condition, **how))


BOTH = pytest.mark.parametrize("waits", [waited, awaited])


@BOTH
def test_the_first_true_value_is_returned(waits: Callable[..., Any]) -> None:
    values: Iterator[Any] = iter([None, 0, "", "here", "later"])
    assert waits(lambda: next(values), step=0.001) == "here"


@BOTH
def test_a_condition_that_stays_false_fails_with_what_was_seen(waits: Callable[..., Any]) -> None:
    with pytest.raises(Late, match=r"the icon did not come within 0\.01 s\nan empty panel"):
        waits(lambda: None, what="the icon", within=0.01, step=0.001, seen=lambda: "an empty panel")


@BOTH
def test_a_condition_without_words_is_named_itself(waits: Callable[..., Any]) -> None:
    with pytest.raises(Late, match="lambda"):
        waits(lambda: None, within=0.0, step=0.001)


def test_the_loop_goes_on_while_it_waits() -> None:
    async def both() -> list[int]:
        ticks: list[int] = []

        async def tick() -> None:
            while True:
                ticks.append(1)
                await asyncio.sleep(0)

        task = asyncio.create_task(tick())
        await wait_in_loop(lambda: len(ticks) > 3)
        task.cancel()
        return ticks

    assert len(asyncio.run(both())) > 3
