"""Make the calls to a notification daemon on the session bus: its name, its capabilities, and Notify."""

import asyncio
from dataclasses import dataclass, field

from dbus_fast import Message, MessageFlag
from dbus_fast.aio import MessageBus
from desktop_notifier import Notification

from deskbell.desktop import bus
from deskbell.desktop.notify.daemons import Daemon

NAME = "org.freedesktop.Notifications"
PATH = "/org/freedesktop/Notifications"


@dataclass
class Call:
    """A Notify that has not been answered yet."""

    notification: Notification
    serial: int
    answer: asyncio.Future[None]
    early: list[Message] = field(default_factory=list)
    """Signals about notifications that are not known yet, and that may belong to this call."""


async def identity() -> str | None:
    """Return the name and version of the notification daemon; None if there is none."""
    try:
        connection = await MessageBus(bus_address=bus.session_bus()).connect()
    except bus.LOST:
        return None
    try:
        found, _ = await ask(connection)
    except bus.LOST:
        return None
    finally:
        await bus.close(connection)
    return str(found) if found else None


async def ask(connection: MessageBus) -> tuple[Daemon | None, str | None]:
    """Return the daemon and its unique name on the bus; None for both if it does not answer as specified."""
    about = await bus.call(connection, NAME, PATH, "GetServerInformation", start=True)
    can = await bus.call(connection, NAME, PATH, "GetCapabilities")
    if (about.signature, can.signature) != ("ssss", "as") or about.sender != can.sender:
        return None, None
    return Daemon(str(about.body[0]), str(about.body[2]), frozenset(can.body[0])), about.sender


def notify(arguments: list[object]) -> Message:
    """Return the call of Notify with these ARGUMENTS."""
    return Message(
        destination=NAME,
        path=PATH,
        interface=NAME,
        member="Notify",
        signature="susssasa{sv}i",
        body=arguments,
        flags=MessageFlag.NO_AUTOSTART,
    )
