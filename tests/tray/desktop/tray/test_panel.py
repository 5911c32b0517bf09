"""Test which kind of panel is found."""

import asyncio
import sys

import pytest
from dbus_fast.aio import MessageBus
from dbus_fast.annotations import DBusBool
from dbus_fast.service import PropertyAccess, ServiceInterface, dbus_property

from deskbell.desktop.bus import close
from deskbell.desktop.tray.panel import PATH, WATCHER, has_status_notifier, has_xembed, panel

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="D-Bus and X are Linux's")


class Watcher(ServiceInterface):
    def __init__(self, hosted: bool) -> None:
        super().__init__(WATCHER)
        self.hosted = hosted

    @dbus_property(access=PropertyAccess.READ, name="IsStatusNotifierHostRegistered")
    def is_hosted(self) -> DBusBool:
        return self.hosted


@pytest.mark.parametrize("hosted", [True, False])
def test_a_watcher_counts_if_a_panel_has_registered_with_it(address: str, hosted: bool) -> None:
    async def story() -> bool:
        bus = await MessageBus(bus_address=address).connect()
        bus.export(PATH, Watcher(hosted))
        await bus.request_name(WATCHER)
        try:
            return await has_status_notifier()
        finally:
            await close(bus)

    assert asyncio.run(asyncio.wait_for(story(), 60)) == hosted


def test_a_bus_without_a_watcher_has_no_panel(address: str) -> None:
    assert panel() is None


@pytest.mark.parametrize("broken", ["unix:path=/nowhere/bus", "nonsense"])
def test_without_a_bus_there_is_no_panel(broken: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", broken)
    assert panel() is None


@pytest.mark.parametrize("display", [None, "", "nonsense"])
def test_without_an_x_server_there_is_no_older_tray(display: str | None) -> None:
    assert not has_xembed(display)
