"""Connect to the session bus, connect again after a loss, and call services on it.

Everything on D-Bus uses this: the tray, the notifications, the focus and do-not-disturb, each with its own connection.
"""

import asyncio
import contextlib
import logging
import os
import socket
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import cache
from typing import Any, cast

from dbus_fast import Message, MessageFlag, MessageType
from dbus_fast.aio import MessageBus
from dbus_fast.errors import DBusFastError

from deskbell.supervision import Supervisor

DBUS = "org.freedesktop.DBus"
NOBODY = "org.freedesktop.DBus.Error.NameHasNoOwner"
SLOWEST_RETRY = 5.0
"""The most seconds between two attempts to connect. They are cheap, and at login the bus is needed at once."""
ANSWERS_WITHIN = 5.0
"""Seconds. A desktop service that takes longer hangs."""
LOST = (OSError, EOFError, DBusFastError, TimeoutError)
"""What dbus-fast and the socket raise when the bus or a service on it has gone."""

log = logging.getLogger(__name__)


def session_bus(env: Mapping[str, str] = os.environ) -> str | None:
    """Return the address of the session bus; None if the library has to search for it."""
    if address := env.get("DBUS_SESSION_BUS_ADDRESS"):
        return address
    runtime = env.get("XDG_RUNTIME_DIR")
    return f"unix:path={runtime}/bus" if runtime else None


class _Bus(MessageBus):
    """A connection that reports its loss only as the error of the message that was being sent.

    After a loss, dbus-fast (5.2) waits for a closed socket. It reads neither the error of that nor whether its own
    messages were sent, and asyncio would report both as errors in the background. A call after the loss would never get
    an answer.
    """

    async def call(self, msg: Message) -> Message:
        if not self.connected:
            raise ConnectionError("the connection to the bus is lost")
        return await super().call(msg)

    def send(self, msg: Message) -> "asyncio.Future[None]":  # type: ignore[override]  # as that of aio.MessageBus
        try:
            sent: asyncio.Future[None] = super().send(msg)
        except (OSError, ValueError) as error:
            sent = asyncio.get_running_loop().create_future()
            sent.set_exception(error)
        sent.add_done_callback(lambda done: done.cancelled() or done.exception())
        return sent


async def connect(address: str | None = None) -> MessageBus:
    """Return a connection to the bus at ADDRESS; None for the session bus."""
    bus = _Bus(bus_address=address or session_bus())
    try:
        await bus.connect()
    except asyncio.CancelledError:  # dbus-fast (5.2) would leave its socket open
        bus.disconnect()
        raise
    make_patient(bus)
    return bus


def make_patient(bus: object) -> None:
    """Replace the socket of BUS by one that waits. Change nothing if dbus-fast keeps its socket elsewhere."""
    try:
        writer = cast(Any, bus)._writer
        writer.sock = _Patient(writer.sock)
    except (AttributeError, TypeError) as error:
        _unpatched(str(error))


@cache  # once for each reason, not for each connection
def _unpatched(reason: str) -> None:
    log.warning("dbus-fast has changed (%s): a busy bus may close the connection, which is then made again", reason)


class _Patient:
    """A socket whose full buffer is not an error.

    dbus-fast (5.2) takes that for a broken connection and hangs up, as the library that it derives from does:
    https://github.com/altdesktop/python-dbus-next/issues/153
    """

    def __init__(self, socket: socket.socket) -> None:
        self._socket = socket

    def send(self, data: memoryview) -> int:
        try:
            return self._socket.send(data)
        except BlockingIOError:
            return 0


async def serve(
    part: str,
    connected: Callable[[MessageBus], Awaitable[None]],
    lost: Callable[[], None],
    leaving: Callable[[MessageBus], Awaitable[object]] | None = None,
) -> None:
    """Keep a connection to the session bus until cancelled. PART is its name in the log.

    Await CONNECTED with each new connection, and LEAVING with one before it is closed. Call LOST when a connection is
    lost or cannot be made. Raise every error that does not mean a lost bus; the supervisor that keeps this restarts it.
    """
    pause, away = 1.0, False
    while True:
        bus: MessageBus | None = None
        try:
            bus = await connect()
            await connected(bus)
            if away:
                log.info("the session bus is back for %s", part)
            pause, away = 1.0, False
            await bus.wait_for_disconnect()  # type: ignore[no-untyped-call]  # dbus-fast has no annotation here
        except LOST as gone:
            if not away:
                log.info("no session bus for %s: %s", part, str(gone) or type(gone).__name__)
            away = True
        except Exception:
            lost()
            raise
        finally:
            if bus:
                with contextlib.suppress(*LOST):
                    if leaving:
                        await leaving(bus)
                await close(bus)
        lost()
        await asyncio.sleep(pause)
        pause = min(pause * 2, SLOWEST_RETRY)


def listen(part: str, bus: MessageBus, heard: Callable[[Message], Message | None], supervisor: Supervisor) -> None:
    """Call HEARD with each message that arrives on BUS. Its result is the reply; an error in it breaks PART."""
    guarded = supervisor.guarded(part, heard)
    bus.add_message_handler(lambda message: guarded(message))  # dbus-fast looks for exactly one parameter


def expected(bus: MessageBus, interface: str) -> "asyncio.Future[list[Any]]":
    """Return the arguments of the next call to INTERFACE, such as the report of a script that another program runs."""
    brought: asyncio.Future[list[Any]] = asyncio.get_running_loop().create_future()

    def take(message: Message) -> Message | None:
        if message.message_type is not MessageType.METHOD_CALL or message.interface != interface or brought.done():
            return None
        brought.set_result(list(message.body))
        return Message.new_method_return(message)

    bus.add_message_handler(take)
    brought.add_done_callback(lambda _: bus.remove_message_handler(take))
    return brought


async def close(bus: MessageBus) -> None:
    """Disconnect without answering what has just arrived: dbus-fast would write to the closed socket and log that."""
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
    """Call MEMBER of the service NAME, and return the reply, which may be an error.

    START: the bus may start a service that does not run. Raise TimeoutError after ANSWERS_WITHIN seconds.
    """
    message = Message(
        destination=name,
        path=path,
        interface=interface or name,
        member=member,
        signature=signature,
        body=list(body),
        flags=MessageFlag.NONE if start else MessageFlag.NO_AUTOSTART,
    )
    async with asyncio.timeout(ANSWERS_WITHIN):
        reply = await bus.call(message)
    if reply is None:  # dbus-fast: only for a message that wants no reply
        raise EOFError(f"{name} did not answer {member}")
    return reply


async def match(bus: MessageBus, **rule: str) -> None:
    """Ask the bus to send the signals that match RULE to the message handlers of BUS."""
    text = ",".join(f"{key}='{value}'" for key, value in {"type": "signal", **rule}.items())
    await _ask(bus, "AddMatch", text)


async def owner(bus: MessageBus, name: str) -> str:
    """Return the unique name of the owner of NAME; empty if it has none, as in NameOwnerChanged."""
    return await _ask(bus, "GetNameOwner", name)


async def identity(bus: MessageBus) -> str:
    """Return the id of this bus, which no other bus ever has; empty if the bus does not tell it."""
    return await _ask(bus, "GetId")


async def take_name(bus: MessageBus, name: str) -> None:
    """Own NAME on the bus. The library's own function would wait for ever for an answer that does not come."""
    await _ask(bus, "RequestName", name, 0)


async def _ask(bus: MessageBus, member: str, *body: str | int) -> str:
    """Return the answer of the bus itself; empty if there is none.

    Raise ConnectionError if the bus refuses to answer, so that `serve` connects again: without matches and owners a
    connection is of no use.
    """
    signature = "".join("s" if isinstance(one, str) else "u" for one in body)
    reply = await call(bus, DBUS, "/org/freedesktop/DBus", member, signature, body)
    if reply.error_name and reply.error_name != NOBODY:
        raise ConnectionError(f"the bus answers {member} with {reply.error_name}")
    return str(reply.body[0]) if reply.signature == "s" and not reply.error_name else ""


def new_owner(message: Message, name: str) -> str | None:
    """Return the new owner of NAME if MESSAGE is a NameOwnerChanged for it, else None. The body may be anything."""
    if message.member != "NameOwnerChanged" or message.signature != "sss" or message.body[0] != name:
        return None
    return str(message.body[2])
