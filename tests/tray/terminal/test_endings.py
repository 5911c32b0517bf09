"""Test that a board ends as it is told, and at once without its terminal."""

import asyncio
import os
import signal
import sys
import threading

import pytest

from deskbell.terminal.endings import is_there, on_signals

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signals")


@pytest.mark.parametrize("number", [signal.SIGTERM, getattr(signal, "SIGHUP", 1)])
@pytest.mark.parametrize("there", [True, False])
def test_a_signal_ends_it_in_the_loop_with_a_terminal_and_at_once_without(number: int, there: bool) -> None:
    ended: list[int] = []
    left: list[int] = []
    before = signal.getsignal(number)

    async def play() -> None:
        undo = on_signals(asyncio.get_running_loop(), ended.append, lambda: there, left.append)
        os.kill(os.getpid(), number)
        async with asyncio.timeout(30):
            while not (ended or left):
                await asyncio.sleep(0.01)
        undo()

    asyncio.run(play())
    assert (ended, left) == (([128 + number], []) if there else ([], [128 + number]))
    assert signal.getsignal(number) is before


def test_outside_of_the_main_thread_nothing_is_changed() -> None:
    before, loop = signal.getsignal(signal.SIGTERM), asyncio.new_event_loop()
    thread = threading.Thread(target=lambda: on_signals(loop, print)())
    thread.start()
    thread.join()
    loop.close()
    assert signal.getsignal(signal.SIGTERM) is before


def test_a_closed_stdin_is_no_terminal() -> None:
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(0)
        os.write(writer, b"1" if is_there() else b"0")
        os._exit(0)
    os.waitpid(child, 0)
    assert os.read(reader, 1) == b"0"
    os.close(reader)
    os.close(writer)
