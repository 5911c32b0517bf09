"""Test that a wake from any thread is noticed, and that a wait ends in time."""

import asyncio
import threading

import pytest

from deskbell.wake import Wake
from tests.tray.virtual_time import play


def test_a_wake_before_the_wait_ends_it_at_once() -> None:
    async def story() -> None:
        wake = Wake()
        wake.clear()
        wake()
        await wake.wait(60)
        assert asyncio.get_running_loop().time() == 0

    play(story())


def test_a_cleared_wake_is_forgotten_and_the_wait_ends_in_time() -> None:
    async def story() -> None:
        wake = Wake()
        wake()
        wake.clear()
        await wake.wait(60)
        assert asyncio.get_running_loop().time() == 60

    play(story())


def test_it_is_known_whether_a_wait_would_end_at_once() -> None:
    async def story() -> None:
        wake = Wake()
        wake.clear()
        assert not wake.is_set
        wake()
        assert wake.is_set

    play(story())


@pytest.mark.parametrize("seconds", [0.0, 60.0])
def test_ctrl_c_just_before_a_wait_ends_the_task_that_waits(seconds: float) -> None:
    """asyncio turns Ctrl+C into a cancellation, which a time limit of 0 s took for its own end."""

    async def waits() -> None:
        wake = Wake()
        wake.clear()
        task = asyncio.current_task()
        assert task
        task.cancel()
        await wake.wait(seconds)

    async def story() -> None:
        with pytest.raises(asyncio.CancelledError):
            await asyncio.create_task(waits())

    asyncio.run(story())


def test_a_wake_from_another_thread_ends_the_wait() -> None:
    async def story() -> None:
        wake = Wake()
        wake.clear()
        thread = threading.Thread(target=wake)
        asyncio.get_running_loop().call_later(0.01, thread.start)
        async with asyncio.timeout(20):
            await wake.wait(60)
        thread.join()

    asyncio.run(story())


def test_a_wake_in_the_loop_needs_no_further_round_of_it() -> None:
    async def story() -> None:
        wake = Wake()
        wake.clear()
        wake()
        async with asyncio.timeout(0):
            await wake.wait(60)

    asyncio.run(story())


def test_a_wake_after_the_end_of_the_loop_is_ignored() -> None:
    wake = Wake()

    async def story() -> None:
        wake.clear()

    asyncio.run(story())
    thread = threading.Thread(target=wake)
    thread.start()
    thread.join()
