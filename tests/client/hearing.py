"""Listen to the bus and list which notifications came to the screen, and when."""

import asyncio
import threading
import time
from dataclasses import dataclass
from typing import Any

from dbus_fast import Message, MessageType
from dbus_fast.aio import MessageBus

from deskbell.notices.words import PROJECT
from deskbell.text.wording import short
from tests.waiting import wait

NAME = "org.freedesktop.Notifications"
DBUS = "org.freedesktop.DBus"
RULES = [f"type='method_call',interface='{NAME}'", f"type='signal',interface='{NAME}'", "type='method_return'"]


@dataclass(eq=False)
class Letter:
    """One call of Notify."""

    at: float
    title: str
    body: str
    status: str
    """Empty if it is of another program."""
    rings: bool
    """Whether it makes a sound. Otherwise it only changes its text. The policy must give every status a sound."""
    instead_of: int
    number: int = 0
    """The number that the daemon gave it."""
    gone: float | None = None
    """When it was closed or replaced."""

    def is_about(self, project: str) -> bool:
        """Return whether the notification is about PROJECT: it names it in the title, or in a line of a summary."""
        name = short(project, PROJECT)
        return any(line.startswith((f"{name} ", f"{name}:")) for line in (self.title, *self.body.splitlines()))

    def __str__(self) -> str:
        return f"{self.status} {self.title!r} {self.body!r}"


class Hearing:
    """Listen until the `with` block ends."""

    def __init__(self, address: str) -> None:
        self.letters: list[Letter] = []
        self._address = address
        self._asked: dict[tuple[str | None, int], Letter] = {}
        self._listening = threading.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._listen()), daemon=True)

    def __enter__(self) -> "Hearing":
        self._thread.start()
        wait(self._listening.is_set, "the monitor of the bus")
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._over.set)
        self._thread.join()

    def of(self, project: str) -> list[Letter]:
        return [letter for letter in list(self.letters) if letter.is_about(project)]

    def on_screen(self) -> list[Letter]:
        return [letter for letter in list(self.letters) if letter.gone is None]

    async def _listen(self) -> None:
        self._loop, self._over = asyncio.get_running_loop(), asyncio.Event()
        bus = await MessageBus(bus_address=self._address).connect()
        bus.add_message_handler(self._hear)
        await bus.call(
            Message(
                destination=DBUS,
                path="/org/freedesktop/DBus",
                interface=f"{DBUS}.Monitoring",
                member="BecomeMonitor",
                signature="asu",
                body=[RULES, 0],
            )
        )
        self._listening.set()
        await self._over.wait()
        bus.disconnect()

    def _hear(self, message: Message) -> bool:
        """Return True for a call: the bus disconnects a monitor that answers."""
        now = time.time()
        if message.message_type is MessageType.METHOD_RETURN:
            if letter := self._asked.pop((message.destination, message.reply_serial or 0), None):
                letter.number = int(message.body[0])
        elif message.member == "Notify":
            self._notified(message, now)
        elif message.member in ("CloseNotification", "NotificationClosed"):
            self._take_off(message.body[0], now)
        return message.message_type is MessageType.METHOD_CALL

    def _notified(self, message: Message, now: float) -> None:
        body: list[Any] = message.body
        _, instead_of, _, title, text, _, hints, _ = body
        status = str(hints["category"].value).rpartition(".")[2] if "category" in hints else ""
        self._take_off(instead_of, now)
        letter = Letter(now, title, text, status, "suppress-sound" not in hints, instead_of)
        self._asked[message.sender, message.serial] = letter
        self.letters.append(letter)

    def _take_off(self, number: int, now: float) -> None:
        for letter in self.letters:
            if number and letter.number == number and letter.gone is None:
                letter.gone = now
