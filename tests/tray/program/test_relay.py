"""Test that calls from any thread reach the one receiver, in the loop."""

import asyncio
import threading

from deskbell.program.boundary import BACKGROUND, Boundary
from deskbell.program.relay import Relay


def test_a_call_from_another_thread_reaches_the_receiver_in_the_loop() -> None:
    received: list[tuple[str, int]] = []

    async def story() -> None:
        relay: Relay[[str]] = Relay()
        arrived = asyncio.Event()

        def receive(word: str) -> None:
            received.append((word, threading.get_ident()))
            arrived.set()

        relay.connect(receive)
        relay.open()
        await asyncio.to_thread(relay, "hello")
        async with asyncio.timeout(20):
            await arrived.wait()

    asyncio.run(story())
    assert received == [("hello", threading.get_ident())]


def test_a_call_without_a_loop_or_a_receiver_is_dropped() -> None:
    received: list[str] = []
    relay: Relay[[str]] = Relay()
    relay("too early")

    async def story() -> None:
        relay.open()
        relay("to no one")
        await asyncio.sleep(0)
        relay.connect(received.append)

    asyncio.run(story())
    relay("too late")
    assert received == []


def test_a_receiver_that_raises_is_shown() -> None:
    def receive(word: str) -> None:
        raise LookupError(word)

    async def story() -> None:
        relay: Relay[[str]] = Relay()
        relay.connect(receive)
        relay.open()
        with boundary.strays():
            relay("hello")
            await asyncio.sleep(0.01)

    boundary = Boundary()
    asyncio.run(story())
    assert boundary.broken == {BACKGROUND: "LookupError: hello"}
