"""A notification daemon that remembers what it was asked for, on a session bus of the test's own."""

import asyncio
import os
import shutil
import subprocess
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

import pytest
from dbus_fast import Message, MessageType, RequestNameReply
from dbus_fast.aio import MessageBus

from deskbell.desktop.bus import close

NAME = "org.freedesktop.Notifications"
PATH = "/org/freedesktop/Notifications"


@contextmanager
def private_bus(folder: Path) -> Iterator[str]:
    if not shutil.which("dbus-daemon"):
        (pytest.fail if os.environ.get("CI") else pytest.skip)("dbus-daemon is missing: see tests/system-packages.sh")
    address = f"unix:path={folder / 'bus'}"
    command = ["dbus-daemon", "--session", "--nofork", "--nopidfile", "--print-address", f"--address={address}"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        assert process.stdout
        process.stdout.readline()  # it listens
        try:
            yield address
        finally:
            process.terminate()


@dataclass
class Shown:
    id: int
    title: str
    body: str
    actions: list[str]
    hints: dict[str, Any]
    timeout: int


@dataclass
class Daemon:
    """Answers as the specification wants it; `name` and `capabilities` are those of the daemon that it plays."""

    address: str
    name: str = "Fake"
    capabilities: tuple[str, ...] = ("actions", "body", "body-markup")
    screen: dict[int, Shown] = field(default_factory=dict)
    calls: list[str] = field(default_factory=list)
    first_id: int = 1
    on_notify: Callable[[int], object] = lambda _: None
    refuses: bool = False
    others: set[int] = field(default_factory=set)
    """Numbers of other programs, which Notify may not replace."""
    refused: list[str] = field(default_factory=list)
    """The titles of what was refused."""
    held: list[Message] | None = None
    """The calls that wait while the daemon is frozen."""
    slow_at: str = ""
    """The only method that waits then; empty if all do."""
    living: ClassVar[list["Daemon"]] = []

    async def up(self) -> "Daemon":
        assert await self._ask_for_the_name() is RequestNameReply.PRIMARY_OWNER
        return self

    async def next_in_line(self) -> "Daemon":
        """Get the name as soon as its owner lets go of it."""
        assert await self._ask_for_the_name() is RequestNameReply.IN_QUEUE
        return self

    async def _ask_for_the_name(self) -> RequestNameReply:
        self.bus = await MessageBus(bus_address=self.address).connect()
        self.living.append(self)
        self.bus.add_message_handler(self._answer)
        return await self.bus.request_name(NAME)

    async def down(self) -> None:
        """Leave the bus without notice, as a killed daemon does."""
        self.living.remove(self)
        await close(self.bus)

    def click(self, id_: int, key: str = "default", token: str | None = None) -> None:
        if token:
            self._signal("ActivationToken", "us", id_, token)
        self._signal("ActionInvoked", "us", id_, key)

    def reply(self, id_: int, text: str) -> None:
        self._signal("NotificationReplied", "us", id_, text)

    def close(self, id_: int, reason: int) -> None:
        self.screen.pop(id_, None)
        self._signal("NotificationClosed", "uu", id_, reason)

    def shows_of_another(self, title: str) -> None:
        """Show what another program has sent."""
        self._notify("another", 0, "", title, "", [], {}, 0)

    def freeze(self, at: str = "") -> None:
        """Hang as a stopped process does: calls wait. AT: only those of this method."""
        self.held, self.slow_at = [], at

    def thaw(self) -> None:
        """Answer the calls that have waited."""
        held, self.held = self.held or [], None
        for message in held:
            if isinstance(reply := self._answer(message), Message):
                self.bus.send(reply)

    def _answer(self, message: Message) -> Message | bool | None:
        if message.message_type is not MessageType.METHOD_CALL or message.interface != NAME:
            return None
        if self.held is not None and self.slow_at in ("", message.member):
            self.held.append(message)
            return True
        self.calls.append(str(message.member))
        if message.member == "GetServerInformation":
            return Message.new_method_return(message, "ssss", [self.name, "tests", "1.0", "1.2"])
        if message.member == "GetCapabilities":
            return Message.new_method_return(message, "as", [list(self.capabilities)])
        if message.member == "Notify" and (self.refuses or message.body[1] in self.others):
            self.refused.append(message.body[3])
            return Message.new_error(message, "tests.Full", "no room")
        if message.member == "Notify":
            return Message.new_method_return(message, "u", [self._notify(*message.body)])
        self.close(message.body[0], 3)
        return Message.new_method_return(message)

    def _notify(
        self, _app: str, again: int, _icon: str, title: str, body: str, actions: list[str], hints: Any, timeout: int
    ) -> int:
        id_ = again if again in self.screen else self.first_id
        self.first_id = max(self.first_id, id_ + 1)
        plain = {key: variant.value for key, variant in hints.items()}
        self.screen[id_] = Shown(id_, title, body, actions, plain, timeout)
        self.on_notify(id_)
        return id_

    def _signal(self, member: str, signature: str, *body: object) -> None:
        self.bus.send(Message.new_signal(PATH, NAME, member, signature, list(body)))


async def until(condition: Callable[[], object], what: str = "it") -> None:
    for _ in range(2000):
        if condition():
            return
        await asyncio.sleep(0.005)
    raise AssertionError(f"waited in vain for {what}")


def play(story: Awaitable[None]) -> None:
    async def within() -> None:
        try:
            await asyncio.wait_for(story, 60)
        finally:
            for daemon in list(Daemon.living):
                await daemon.down()

    asyncio.run(within())
