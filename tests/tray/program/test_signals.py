"""Test that a signal ends the program by its own way, in the loop."""

import asyncio
import os
import signal
import threading

import pytest

from deskbell.program.signals import on_signals
from tests.waiting import wait_in_loop


@pytest.mark.skipif(os.name == "nt", reason="its loop handles no signals")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_asks_the_program_to_leave(number: signal.Signals) -> None:
    async def story() -> None:
        left: list[int] = []
        on_signals(lambda: left.append(threading.get_ident()))
        os.kill(os.getpid(), number)
        await wait_in_loop(lambda: left, "the signal")
        assert left == [threading.get_ident()]

    asyncio.run(story())


def test_outside_of_the_main_thread_it_does_nothing() -> None:
    async def story() -> None:
        on_signals(lambda: None)

    thread = threading.Thread(target=lambda: asyncio.run(story()))
    thread.start()
    thread.join(10)
    assert not thread.is_alive()
