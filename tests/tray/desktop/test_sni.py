"""The icon and a host that drops it, as GNOME's extension does with icons that come while it is being switched on."""

import asyncio
from typing import Any

import pytest
from dbus_fast.aio import MessageBus
from dbus_fast.annotations import DBusStr
from dbus_fast.service import ServiceInterface, dbus_method, dbus_signal

from deskbell.desktop.bus import close
from deskbell.desktop.tray.sni import ITEM_PATH, WATCHER, Icon


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


@pytest.mark.parametrize("called", ["{name}", f"{{name}}{ITEM_PATH}", f"{{number}}{ITEM_PATH}"])
def test_an_icon_that_is_dropped_asks_again(address: str, called: str) -> None:
    async def story() -> None:
        bus = await MessageBus(bus_address=address).connect()
        watcher = Watcher()
        bus.export("/StatusNotifierWatcher", watcher)
        await bus.request_name(WATCHER)
        icon: Any = Icon("deskbell")
        icon.run_detached(setup=lambda _: None)
        name = await watcher.next()
        watcher.drop(called.format(name=name, number=icon._bus.unique_name))
        assert await watcher.next() == name
        watcher.drop("org.kde.StatusNotifierItem-1-1")
        icon.stop()
        await asyncio.wait([icon._serving])
        assert watcher.asked == [name, name]
        await close(bus)

    asyncio.run(asyncio.wait_for(story(), 60))
