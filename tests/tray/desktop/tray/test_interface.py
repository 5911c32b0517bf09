"""Test that what breaks while a panel calls is shown, and that the panel gets an answer."""

import asyncio
from typing import Any

import pytest
from dbus_fast import DBusError, ErrorType, Message, MessageType, Variant
from dbus_fast.aio import MessageBus
from dbus_fast.annotations import DBusInt32

from deskbell.desktop.bus import call, close
from deskbell.desktop.tray.dbusmenu import DBusMenu
from deskbell.desktop.tray.interface import Interface, method, readable
from deskbell.desktop.tray.item import ActivatedItem
from deskbell.desktop.tray.library import PANEL, FixedMenu, KeyedItem
from deskbell.program.boundary import Boundary
from deskbell.supervision import Supervisor

PATH, NAME = "/tests", "tests.Numbers"


class Numbers(Interface):
    def __init__(self, supervisor: Supervisor) -> None:
        super().__init__(NAME, supervisor)
        self.known = {2: 1}

    @method("Half")
    def _half(self, number: DBusInt32) -> DBusInt32:
        if number % 2:
            raise DBusError(ErrorType.INVALID_ARGS, "it is odd")
        return self.known[number]

    @readable("Largest")
    def _largest(self) -> DBusInt32:
        return self.known[2]


class Panel:
    """A program that calls what is exported to it."""

    def __init__(self, address: str, interface: Interface) -> None:
        self._address = address
        self._interface = interface

    async def __aenter__(self) -> "Panel":
        self._ours, self._bus = [await MessageBus(bus_address=self._address).connect() for _ in range(2)]
        self._ours.export(PATH, self._interface)
        return self

    async def __aexit__(self, *_: object) -> None:
        await close(self._bus)
        await close(self._ours)

    async def call(self, member: str, signature: str, *body: object, interface: str = "") -> Message:
        words = str(self._ours.unique_name), PATH, member, signature, list(body)
        return await call(self._bus, *words, interface=interface or self._interface.name)


def test_a_method_answers_and_refuses_what_makes_no_sense(address: str) -> None:
    async def story() -> None:
        boundary = Boundary()
        async with Panel(address, Numbers(boundary)) as panel:
            assert (await panel.call("Half", "i", 2)).body == [1]
            refused = await panel.call("Half", "i", 3)
            assert (refused.error_name, refused.body) == ("org.freedesktop.DBus.Error.InvalidArgs", ["it is odd"])
        assert boundary.broken == {}

    asyncio.run(asyncio.wait_for(story(), 60))


Call = tuple[str, str, list[object], str]
BREAKING: dict[str, Call] = {
    "a method": ("Half", "i", [2], NAME),
    "a property": ("Get", "ss", [NAME, "Largest"], "org.freedesktop.DBus.Properties"),
}


@pytest.mark.parametrize("breaking", BREAKING.values(), ids=BREAKING)
def test_what_breaks_is_shown_and_the_panel_is_told(address: str, breaking: Call) -> None:
    async def story() -> None:
        boundary = Boundary()
        numbers = Numbers(boundary)
        member, signature, body, interface = breaking
        async with Panel(address, numbers) as panel:
            numbers.known.clear()
            reply = await panel.call(member, signature, *body, interface=interface)
            assert reply.message_type is MessageType.ERROR
            numbers.known[2] = 1
            assert (await panel.call("Half", "i", 2)).body == [1]
        assert boundary.broken == {PANEL: "KeyError: 2"}

    asyncio.run(asyncio.wait_for(story(), 60))


def fail(*_: object) -> Any:
    raise LookupError("boom")


@pytest.mark.parametrize("member", ["Activate", "SecondaryActivate"])
def test_a_click_on_the_icon_that_breaks_is_shown(address: str, member: str) -> None:
    async def story() -> None:
        boundary = Boundary()
        async with Panel(address, ActivatedItem(boundary, "deskbell", fail)) as panel:
            assert (await panel.call(member, "ii", 0, 0)).message_type is MessageType.ERROR
        assert boundary.broken == {PANEL: "LookupError: boom"}

    asyncio.run(asyncio.wait_for(story(), 60))


MENU_CALLS: dict[str, tuple[str, str, list[object]]] = {
    "a click": ("Event", "isvu", [1, "clicked", Variant("i", 0), 0]),
    "several clicks": ("EventGroup", "a(isvu)", [[[1, "clicked", Variant("i", 0), 0]]]),
    "the menu is opened": ("AboutToShowGroup", "ai", [[0]]),
}


@pytest.mark.parametrize("done", MENU_CALLS.values(), ids=MENU_CALLS)
def test_a_call_of_the_menu_that_breaks_is_shown(address: str, done: tuple[str, str, list[object]]) -> None:
    async def story() -> None:
        boundary = Boundary()
        menu = DBusMenu(boundary, fail, fail)
        menu.show(FixedMenu(KeyedItem("api", "api", lambda _: None)))
        member, signature, body = done
        async with Panel(address, menu) as panel:
            assert (await panel.call(member, signature, *body)).message_type is MessageType.ERROR
            assert (await panel.call("GetLayout", "iias", 0, -1, [])).message_type is MessageType.METHOD_RETURN
        assert boundary.broken == {PANEL: "LookupError: boom"}

    asyncio.run(asyncio.wait_for(story(), 60))
