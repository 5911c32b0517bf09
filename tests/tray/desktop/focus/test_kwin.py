"""Test the script for KWin with a program that loads it and reports as KWin would."""

import asyncio
import math
from pathlib import Path
from typing import Any

import pytest
from dbus_fast import Message, MessageType
from dbus_fast.aio import MessageBus

from deskbell.desktop.bus import call, close
from deskbell.desktop.focus import NOBODY, Active
from deskbell.desktop.focus.kwin import INTERFACE, NAME, PATH, SCRIPT, KWin
from deskbell.program.boundary import Boundary
from tests.tray.desktop.fake_daemon import play, until


class FakeKWin:
    def __init__(self) -> None:
        self.asked: list[str] = []
        self.script = ""
        self.teller = ""
        self.unloaded = 0
        """How often it has unloaded a script."""
        self.slow = 0.0
        """Seconds that it takes for that."""

    async def up(self, address: str) -> "FakeKWin":
        self.bus = await MessageBus(bus_address=address).connect()
        self.bus.add_message_handler(self._answer)
        await self.bus.request_name(NAME)
        return self

    def _answer(self, message: Message) -> Message | bool | None:
        if message.message_type is not MessageType.METHOD_CALL or message.path != "/Scripting":
            return None
        self.asked.append(str(message.member))
        if message.member == "loadScript":
            self.script, self.teller = Path(message.body[0]).read_text(), str(message.sender)
            assert message.body[1] == SCRIPT
            return Message.new_method_return(message, "i", [1])
        if message.member == "unloadScript":
            asyncio.get_running_loop().call_later(self.slow, self._unload, message)
            return True
        return Message.new_method_return(message)

    def _unload(self, message: Message) -> None:
        self.unloaded += 1
        self.bus.send(Message.new_method_return(message))

    async def tell(self, pid: int) -> None:
        await call(self.bus, self.teller, PATH, "Active", "i", [pid], interface=INTERFACE)


def test_the_script_tells_which_window_has_the_focus(address: str) -> None:
    async def story() -> None:
        boundary, kwin, screen = Boundary(), await FakeKWin().up(address), KWin()
        screen.start(boundary)
        await until(lambda: "start" in kwin.asked, "the script to be started")
        assert kwin.asked == ["unloadScript", "loadScript", "start"]
        assert f'callDBus("{kwin.teller}", "{PATH}"' in kwin.script
        assert screen.active() is None
        await kwin.tell(4711)
        assert screen.active() == Active(4711)
        await kwin.tell(0)
        assert screen.active() == NOBODY
        screen.stop()
        kwin.slow = 0.05
        await boundary.stopped()
        assert (kwin.asked[-1], kwin.unloaded) == ("unloadScript", 2), "its end waits until the script is unloaded"
        await close(kwin.bus)

    play(story())


def test_a_kwin_that_starts_again_is_given_the_script_again(address: str) -> None:
    async def story() -> None:
        boundary, screen = Boundary(), KWin()
        screen.start(boundary)
        first = await FakeKWin().up(address)
        await until(lambda: "start" in first.asked, "the script to be started")
        await first.tell(4711)
        await close(first.bus)
        await until(lambda: screen.active() is None, "that nothing is known")
        second = await FakeKWin().up(address)
        await until(lambda: "start" in second.asked, "the script to be started again")
        screen.stop()
        await boundary.stopped()
        assert second.asked[-1] == "unloadScript"
        await close(second.bus)

    play(story())


NO_PROCESS: dict[str, tuple[str, list[Any]]] = {
    "nothing": ("", []),
    "a word": ("s", ["7"]),
    "a list": ("as", [["7"]]),
    "two numbers": ("ii", [7, 8]),
    "no number": ("d", [math.nan]),
    "infinity": ("d", [math.inf]),
    "less than any number": ("d", [-math.inf]),
    "a huge double": ("d", [1e300]),
    "a huge integer": ("x", [2**62]),
}


@pytest.mark.parametrize("body", NO_PROCESS.values(), ids=NO_PROCESS)
def test_a_report_without_a_process_is_refused_and_breaks_nothing(address: str, body: tuple[str, list[Any]]) -> None:
    async def story() -> None:
        boundary, kwin, screen = Boundary(), await FakeKWin().up(address), KWin()
        screen.start(boundary)
        await until(lambda: "start" in kwin.asked, "the script to be started")
        reply = await call(kwin.bus, kwin.teller, PATH, "Active", *body, interface=INTERFACE)
        assert reply.message_type is MessageType.ERROR
        assert (screen.active(), boundary.broken) == (None, {})
        await kwin.tell(4711)
        assert screen.active() == Active(4711)
        screen.stop()
        await boundary.stopped()
        await close(kwin.bus)

    play(story())
