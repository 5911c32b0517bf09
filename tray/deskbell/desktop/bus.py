"""How is the session bus reached, called, and reached again when it went away?"""

import asyncio
import contextlib
import logging
import os
import socket
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, cast

from dbus_fast import Message, MessageFlag
from dbus_fast.aio import MessageBus
from dbus_fast.errors import DBusFastError

DBUS = "org.freedesktop.DBus"
SLOWEST_RETRY = 5.0
"""Seconds: a socket that is not there costs next to nothing, and at login everything is wanted at once."""
ANSWERS_WITHIN = 5.0
"""Seconds; a desktop service that takes longer hangs."""
LOST = (OSError, EOFError, DBusFastError, TimeoutError)

log = logging.getLogger(__name__)


def session_bus() -> str | None:
    """None leaves the search to the library."""
    if address := os.environ.get("DBUS_SESSION_BUS_ADDRESS"):
        return address
    runtime = os.environ.get("XDG_RUNTIME_DIR")
    return f"unix:path={runtime}/bus" if runtime else None


async def connect() -> MessageBus:
    bus = await MessageBus(bus_address=session_bus()).connect()
    writer = cast(Any, bus)._writer
    writer.sock = _Patient(writer.sock)
    return bus


class _Patient:
    """A full socket has sent nothing yet. dbus-fast (5.2) takes it for broken and hangs up, as its ancestor did:
    https://github.com/altdesktop/python-dbus-next/issues/153
    """

    def __init__(self, socket: socket.socket) -> None:
        self._socket = socket

    def send(self, data: memoryview) -> int:
        try:
            return self._socket.send(data)
        except BlockingIOError:
            return 0


async def serve(part: str, connected: Callable[[MessageBus], Awaitable[None]], lost: Callable[[], None]) -> None:
    """As long as the program runs: a bus that is away is tried again, less and less often."""
    pause, away = 1.0, False
    while True:
        bus: MessageBus | None = None
        try:
            bus = await connect()
            await connected(bus)
            if away:
                log.info("the session bus is back for %s", part)
            pause, away = 1.0, False
            await bus.wait_for_disconnect()  # type: ignore[no-untyped-call]  # dbus-fast forgot to say
        except LOST as gone:
            if not away:
                log.info("no session bus for %s: %s", part, str(gone) or type(gone).__name__)
            away = True
        finally:
            if bus:
                await close(bus)
        lost()
        await asyncio.sleep(pause)
        pause = min(pause * 2, SLOWEST_RETRY)


async def close(bus: MessageBus) -> None:
    """What has arrived meanwhile is answered no more: dbus-fast would write into the closed socket, and complain."""
    bus.add_message_handler(lambda _: True)
    bus.disconnect()
    with contextlib.suppress(*LOST):
        await bus.wait_for_disconnect()  # type: ignore[no-untyped-call]  # as above


async def call(
    bus: MessageBus,
    name: str,
    path: str,
    member: str,
    signature: str = "",
    body: Sequence[object] = (),
    *,
    interface: str | None = None,
    start: bool = False,
) -> Message:
    """The reply, be it an error. `start`: let the bus start a service that does not run."""
    reply = await asyncio.wait_for(
        bus.call(
            Message(
                destination=name,
                path=path,
                interface=interface or name,
                member=member,
                signature=signature,
                body=list(body),
                flags=MessageFlag.NONE if start else MessageFlag.NO_AUTOSTART,
            )
        ),
        ANSWERS_WITHIN,
    )
    assert reply is not None
    return reply


async def match(bus: MessageBus, **rule: str) -> None:
    """From now on these signals reach the message handlers of the connection."""
    text = ",".join(f"{key}='{value}'" for key, value in {"type": "signal", **rule}.items())
    await call(bus, DBUS, "/org/freedesktop/DBus", "AddMatch", "s", [text])


async def owner(bus: MessageBus, name: str) -> str:
    """Who has the name; nobody is the empty string, as in NameOwnerChanged."""
    reply = await call(bus, DBUS, "/org/freedesktop/DBus", "GetNameOwner", "s", [name])
    return str(reply.body[0]) if reply.signature == "s" and not reply.error_name else ""
