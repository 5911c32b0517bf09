"""Make the calls to a notification daemon on the session bus: its name, its capabilities, and Notify."""

import asyncio
from collections import deque
from dataclasses import dataclass, field
from functools import partial

from dbus_fast import Message, MessageFlag
from dbus_fast.aio import MessageBus
from desktop_notifier import Notification

from deskbell.desktop import bus
from deskbell.desktop.notify.daemons import Daemon
from deskbell.desktop.notify.notification import Extra

NAME = "org.freedesktop.Notifications"
PATH = "/org/freedesktop/Notifications"
MOST = 100
"""How many calls, and signals for each, are kept for a daemon that does not answer."""
UNSURE = tuple(f"org.freedesktop.DBus.Error.{name}" for name in ("NoReply", "Timeout", "TimedOut"))
"""Errors with which the bus answers in place of a daemon, which may have displayed what it was sent."""


PLAIN = Extra()


class NotDisplayed(Exception):
    """A notification was not displayed."""


class Refused(NotDisplayed):
    """The daemon refused a notification."""


@dataclass
class Call:
    """A Notify that has not been answered yet."""

    notification: Notification
    sound: str
    """What Deskbell plays once it is displayed; empty if the daemon does."""
    answer: asyncio.Future[None]
    """What the sender awaits. It is done if the daemon was too slow: then nobody awaits it any more."""
    more: Extra = PLAIN
    early: deque[Message] = field(default_factory=partial(deque, maxlen=MOST))
    """Signals about notifications that are not known yet, and that may belong to this call."""

    def fail(self, error: Exception) -> None:
        if not self.answer.done():
            self.answer.set_exception(error)


class Calls:
    """The calls of Notify without an answer, by serial: the one that is awaited, and those that took too long."""

    def __init__(self) -> None:
        self._open: dict[int, Call] = {}

    def begin(self, serial: int, notification: Notification, sound: str, more: Extra = PLAIN) -> Call:
        call = Call(notification, sound, asyncio.get_running_loop().create_future(), more)
        return self.reopen(serial, call)

    def reopen(self, serial: int, call: Call) -> Call:
        self._open[serial] = call
        if len(self._open) > MOST:
            del self._open[next(iter(self._open))]
        return call

    def answered(self, serial: int | None) -> Call | None:
        """Return the call with SERIAL, which is open no longer; None if there is none."""
        return self._open.pop(serial or 0, None)

    def are_open(self, slot: str) -> bool:
        """Return whether what was sent to SLOT may still be displayed."""
        return any(call.notification.identifier == slot for call in self._open.values())

    def hear(self, signal: Message) -> None:
        for call in self._open.values():
            call.early.append(signal)

    def fail(self, failure: Exception) -> None:
        """End every call: its daemon has gone."""
        for call in self._open.values():
            call.fail(failure)
        self._open.clear()


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


def close(number: int) -> Message:
    """Return the call that closes a notification. Nobody awaits its answer."""
    return Message(
        destination=NAME,
        path=PATH,
        interface=NAME,
        member="CloseNotification",
        signature="u",
        body=[number],
        flags=MessageFlag.NO_AUTOSTART | MessageFlag.NO_REPLY_EXPECTED,
    )


def sound(notification: Notification, daemon: Daemon) -> str:
    """Return the name or the path of the sound that Deskbell itself has to play; empty if none."""
    theirs = notification.sound
    if theirs is None or "sound" in daemon.capabilities:
        return ""
    return theirs.as_name() if theirs.is_named() else str(theirs.as_path())
