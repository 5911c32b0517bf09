"""Test that a signal ends the program by its own way, in the loop."""

import asyncio
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator

import pytest

from deskbell.program.signals import on_signals
from tests.waiting import wait_in_loop


@pytest.fixture(autouse=True)
def interrupts() -> Iterator[None]:
    before = signal.getsignal(signal.SIGINT)
    yield
    signal.signal(signal.SIGINT, before)


HANGS = """
import asyncio
from deskbell.program.signals import on_signals

async def run():
    left = asyncio.Event()
    on_signals(left.set)
    print("runs", flush=True)
    await left.wait()
    print("stops", flush=True)
    try:
        await asyncio.sleep(60)
    finally:
        await asyncio.sleep(60)

asyncio.run(run())
"""


@pytest.mark.skipif(os.name == "nt", reason="its loop handles no signals")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_ctrl_c_ends_a_program_that_does_not_stop(number: signal.Signals) -> None:
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    with subprocess.Popen([sys.executable, "-c", HANGS], env=environment, stdout=subprocess.PIPE, text=True) as program:
        assert program.stdout
        assert program.stdout.readline() == "runs\n"
        program.send_signal(number)
        assert program.stdout.readline() == "stops\n"
        program.send_signal(signal.SIGINT)
        try:
            assert program.wait(10) == -signal.SIGINT
        finally:
            program.kill()


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
