"""Call services on a bus from a thread without a loop. A call takes at most 0.4 s, unless `run` is given more."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from typing import Any, Self, TypeVar

from dbus_fast import Message, MessageType
from dbus_fast.aio import MessageBus

from deskbell.desktop import bus
from deskbell.desktop.focus.asked import AT_ONCE

T = TypeVar("T")
Call = Callable[..., Awaitable[list[Any] | None]]


class Wire:
    """A connection that is made at the first call. Its methods return None if the bus does not answer."""

    def __init__(self, address: str | None = None) -> None:
        """ADDRESS: None for the session bus."""
        self._address = address
        self._runner: asyncio.Runner | None = None
        self._bus: MessageBus | None = None
        self._lost = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def call(
        self, name: str, path: str, interface: str, member: str, signature: str = "", body: Sequence[object] = ()
    ) -> list[Any] | None:
        """Return the body of the answer; None for an error, too. This never starts a service."""
        return self.run(lambda ask: ask(name, path, interface, member, signature, body))

    def run(self, work: Callable[[Call], Awaitable[T]], seconds: float = AT_ONCE) -> T | None:
        """Return what WORK returns; None if it takes longer than SECONDS. WORK may make many calls at a time."""
        try:
            self._runner = self._runner or asyncio.Runner()
            return self._runner.run(self._within(work, seconds))
        except bus.LOST:
            return None

    @property
    def connection(self) -> MessageBus:
        """The connection, for WORK that needs more than calls."""
        assert self._bus
        return self._bus

    def owner(self, name: str) -> int | None:
        """Return the process that owns NAME; None if nobody does."""
        found = self.call(bus.DBUS, "/org/freedesktop/DBus", bus.DBUS, "GetConnectionUnixProcessID", "s", [name])
        return int(found[0]) if found else None

    def close(self) -> None:
        runner, self._runner = self._runner, None
        if runner:
            with suppress(*bus.LOST):
                if self._bus:
                    runner.run(self._within(self._hang_up, AT_ONCE))
            runner.close()
        self._bus = None

    async def _within(self, work: Callable[[Call], Awaitable[T]], seconds: float) -> T:
        if self._lost:
            raise EOFError
        async with asyncio.timeout(seconds):
            try:
                self._bus = self._bus or await bus.connect(self._address)
            except bus.LOST:
                self._lost = True
                raise
            return await work(self._ask)

    async def _ask(
        self, name: str, path: str, interface: str, member: str, signature: str = "", body: Sequence[object] = ()
    ) -> list[Any] | None:
        assert self._bus
        reply = await bus.call(self._bus, name, path, member, signature, body, interface=interface)
        return list(reply.body) if _is_answer(reply) else None

    async def _hang_up(self, _: Call) -> None:
        if self._bus:
            await bus.close(self._bus)


def _is_answer(reply: Message) -> bool:
    return reply.message_type is MessageType.METHOD_RETURN
