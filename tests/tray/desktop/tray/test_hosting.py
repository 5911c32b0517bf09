"""Test that the doctor finds Deskbell's icon in the panel, by its own name and no other."""

import asyncio
import sys
from collections.abc import Sequence
from contextlib import AsyncExitStack

import pytest
from dbus_fast.aio import MessageBus
from dbus_fast.annotations import DBusStr
from dbus_fast.service import PropertyAccess, ServiceInterface, dbus_property

from deskbell.desktop.bus import close
from deskbell.desktop.tray.hosting import ITEM, ITEM_PATH, _hosts_icon, hosts_icon
from deskbell.desktop.tray.panel import PATH, WATCHER

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="D-Bus is Linux's")


class Watcher(ServiceInterface):
    def __init__(self, items: Sequence[str]) -> None:
        super().__init__(WATCHER)
        self.registered = list(items)

    @dbus_property(access=PropertyAccess.READ, name="RegisteredStatusNotifierItems")
    def items(self) -> "as":  # type: ignore[valid-type]  # noqa: F722  # a signature of D-Bus
        return self.registered


class Item(ServiceInterface):
    def __init__(self, name: str) -> None:
        super().__init__(ITEM)
        self.called = name

    @dbus_property(access=PropertyAccess.READ, name="Id")
    def id(self) -> DBusStr:
        return self.called


async def found(address: str, names: Sequence[str], more: Sequence[str] = ()) -> bool | None:
    """Ask a panel that has an item for each of NAMES, by its unique name, and the items MORE, which do not answer."""
    async with AsyncExitStack() as stack:
        items = []
        for number, name in enumerate(names):
            bus = await MessageBus(bus_address=address).connect()
            stack.push_async_callback(close, bus)
            bus.export(ITEM_PATH, Item(name))
            items.append(f"{bus.unique_name}{ITEM_PATH}" if number % 2 else str(bus.unique_name))
        bus = await MessageBus(bus_address=address).connect()
        stack.push_async_callback(close, bus)
        bus.export(PATH, Watcher([*items, *more]))
        await bus.request_name(WATCHER)
        return await _hosts_icon()


GONE = "org.example.Gone/StatusNotifierItem"


@pytest.mark.parametrize(
    ("names", "more", "hosted"),
    [
        (["deskbell"], [], True),
        (["nextcloud", "deskbell"], [GONE], True),
        (["nextcloud"], [GONE], False),
        ([], ["", "/", "no name", ":1.999999", "\u00e4/b c"], False),
        ([], [], False),
    ],
)
def test_the_icon_is_found_among_those_of_other_programs(
    names: list[str], more: list[str], hosted: bool, address: str
) -> None:
    assert asyncio.run(asyncio.wait_for(found(address, names, more), 60)) is hosted


def test_without_a_panel_nothing_is_known(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert hosts_icon() is None
    monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", "nonsense")
    assert hosts_icon() is None
