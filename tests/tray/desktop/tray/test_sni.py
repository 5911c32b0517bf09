"""Test the icon with its host, also with one that drops it, as GNOME's extension does while it is switched on."""

import asyncio
from typing import Any

import pytest
from dbus_fast import Message, Variant
from dbus_fast.aio import MessageBus
from dbus_fast.annotations import DBusStr
from dbus_fast.service import ServiceInterface, dbus_method, dbus_signal

from deskbell.desktop.bus import call, close, owner
from deskbell.desktop.tray.item import AYATANA_PATH, ITEM_PATH, MENU_PATH
from deskbell.desktop.tray.library import FixedMenu, KeyedItem
from deskbell.desktop.tray.panel import WATCHER
from deskbell.desktop.tray.sni import Icon
from deskbell.program.boundary import Boundary


class Watcher(ServiceInterface):
    """A host that remembers which icons asked for a place."""

    def __init__(self) -> None:
        super().__init__(WATCHER)
        self.asked: list[str] = []
        self.came = asyncio.Event()

    @dbus_method(name="RegisterStatusNotifierItem")
    def _register(self, service: DBusStr) -> None:
        self.asked.append(service)
        self.came.set()

    @dbus_signal(name="StatusNotifierItemUnregistered")
    def drop(self, service: str) -> DBusStr:
        return service

    async def next(self) -> str:
        await asyncio.wait_for(self.came.wait(), 20)
        self.came.clear()
        return self.asked[-1]


@pytest.mark.long
@pytest.mark.parametrize("called", ["{name}", f"{{name}}{ITEM_PATH}", f"{{number}}{ITEM_PATH}"])
def test_an_icon_that_is_dropped_asks_again(address: str, called: str) -> None:
    async def story() -> None:
        bus = await MessageBus(bus_address=address).connect()
        watcher = Watcher()
        bus.export("/StatusNotifierWatcher", watcher)
        await bus.request_name(WATCHER)
        boundary = Boundary()
        icon: Any = Icon("deskbell", supervisor=boundary, hosted=lambda _: None)
        icon.run_detached(setup=lambda _: None)
        name = await watcher.next()
        watcher.drop(called.format(name=name, number=await owner(bus, name)))
        assert await watcher.next() == name
        watcher.drop("org.kde.StatusNotifierItem-1-1")
        icon.stop()
        await boundary.stopped()
        assert watcher.asked == [name, name]
        await close(bus)

    asyncio.run(asyncio.wait_for(story(), 60))


@pytest.mark.long
def test_on_cinnamon_the_icon_is_at_a_path_whose_menu_a_left_click_opens(address: str) -> None:
    async def story() -> None:
        bus = await MessageBus(bus_address=address).connect()
        watcher, boundary = Watcher(), Boundary()
        bus.export("/StatusNotifierWatcher", watcher)
        await bus.request_name(WATCHER)
        env = {"XDG_CURRENT_DESKTOP": "X-Cinnamon"}
        icon: Any = Icon("deskbell", supervisor=boundary, hosted=lambda _: None, env=env)
        icon.run_detached(setup=lambda _: None)
        assert await watcher.next() == AYATANA_PATH
        number = await owner(bus, icon._bus_name)
        watcher.drop(f"{number}{AYATANA_PATH}")
        assert await watcher.next() == AYATANA_PATH
        words = number, AYATANA_PATH, "Get", "ss", ["org.kde.StatusNotifierItem", "Id"]
        assert (await call(bus, *words, interface="org.freedesktop.DBus.Properties")).body[0].value == "deskbell"
        icon.stop()
        await boundary.stopped()
        await close(bus)

    asyncio.run(asyncio.wait_for(story(), 60))


MALFORMED: list[tuple[str, str, str, list[Any]]] = [
    ("org.freedesktop.DBus", "NameOwnerChanged", "", []),
    ("org.freedesktop.DBus", "NameOwnerChanged", "s", [WATCHER]),
    ("org.freedesktop.DBus", "NameOwnerChanged", "ss", [WATCHER, ""]),
    ("org.freedesktop.DBus", "NameOwnerChanged", "iii", [1, 2, 3]),
    (WATCHER, "StatusNotifierItemUnregistered", "", []),
    (WATCHER, "StatusNotifierItemUnregistered", "i", [7]),
]


@pytest.mark.long
def test_malformed_signals_are_ignored(address: str, caplog: pytest.LogCaptureFixture) -> None:
    async def story() -> None:
        bus, sender = [await MessageBus(bus_address=address).connect() for _ in range(2)]
        watcher, boundary = Watcher(), Boundary()
        bus.export("/StatusNotifierWatcher", watcher)
        await bus.request_name(WATCHER)
        icon: Any = Icon("deskbell", supervisor=boundary, hosted=lambda _: None)
        icon.run_detached(setup=lambda _: None)
        name = await watcher.next()
        for interface, member, signature, body in MALFORMED:
            message = Message.new_signal("/x", interface, member, signature, body)
            message.destination = name
            await sender.send(message)
        watcher.drop(name)  # handled after the signals
        assert await watcher.next() == name
        assert boundary.broken == {}
        icon.stop()
        await boundary.stopped()
        await close(bus)
        await close(sender)

    asyncio.run(asyncio.wait_for(story(), 60))
    assert caplog.records == []


@pytest.mark.parametrize(
    ("desktop", "stays"), [("LXQt", True), ("ubuntu:LXQt", True), ("KDE", False), ("XFCE", False), ("GNOME", False)]
)
def test_on_lxqt_the_open_menu_stays_as_it_is(address: str, desktop: str, stays: bool) -> None:
    """Its panel closes the menu when a row comes."""

    async def story() -> None:
        boundary = Boundary()
        icon: Any = Icon(
            "deskbell",
            menu=FixedMenu(KeyedItem("a", "A", print)),
            supervisor=boundary,
            hosted=lambda _: None,
            env={"XDG_CURRENT_DESKTOP": desktop},
        )
        panel = await MessageBus(bus_address=address).connect()
        icon.run_detached(setup=lambda _: None)
        name = icon._bus_name
        while not await owner(panel, name):
            await asyncio.sleep(0.01)
        icon.update_menu()

        async def rows() -> int:
            words = name, MENU_PATH, "GetLayout", "iias", [0, -1, []]
            return len((await call(panel, *words, interface="com.canonical.dbusmenu")).body[1][2])

        async def event(what: str) -> None:
            words = name, MENU_PATH, "Event", "isvu", [0, what, Variant("i", 0), 0]
            await call(panel, *words, interface="com.canonical.dbusmenu")

        await event("opened")
        icon.menu = FixedMenu(KeyedItem("a", "A", print), KeyedItem("b", "B", print))
        assert await rows() == (1 if stays else 2)
        await event("closed")
        assert await rows() == 2
        icon.stop()
        await boundary.stopped()
        await close(panel)

    asyncio.run(asyncio.wait_for(story(), 60))
