"""Test what a click on the icon does on each desktop."""

import asyncio
from collections.abc import Mapping

import pytest
from dbus_fast import Variant
from dbus_fast.aio import MessageBus
from dbus_fast.introspection import Node

from deskbell.desktop.bus import call, close
from deskbell.desktop.tray.item import item_class
from deskbell.program.boundary import Boundary

PATH, NAME = "/StatusNotifierItem", "org.kde.StatusNotifierItem"


@pytest.mark.parametrize(
    ("env", "activates"),
    [({}, False), ({"XDG_CURRENT_DESKTOP": "KDE"}, False), ({"XDG_CURRENT_DESKTOP": "LXQt"}, True)],
)
def test_a_left_click_opens_the_menu_where_the_panel_can_do_that(
    address: str, env: Mapping[str, str], activates: bool
) -> None:
    """Plasma opens it because there is no method Activate, others because of ItemIsMenu."""

    async def story() -> None:
        clicks: list[str] = []
        ours, panel = [await MessageBus(bus_address=address).connect() for _ in range(2)]
        ours.export(PATH, item_class(env)(Boundary(), "deskbell", lambda: clicks.append("middle")))
        name = str(ours.unique_name)
        words = name, PATH, "Get", "ss", [NAME, "ItemIsMenu"]
        reply = await call(panel, *words, interface="org.freedesktop.DBus.Properties")
        assert reply.body == [Variant("b", True)]
        described = await call(panel, name, PATH, "Introspect", interface="org.freedesktop.DBus.Introspectable")
        methods = [m.name for i in Node.parse(described.body[0]).interfaces if i.name == NAME for m in i.methods]
        assert ("Activate" in methods) == activates
        await call(panel, name, PATH, "SecondaryActivate", "ii", [0, 0], interface=NAME)
        answer = await call(panel, name, PATH, "Activate", "ii", [0, 0], interface=NAME)
        assert (answer.error_name == "org.freedesktop.DBus.Error.UnknownMethod") == (not activates)
        assert clicks == ["middle"] * (1 + activates)
        await close(panel)
        await close(ours)

    asyncio.run(asyncio.wait_for(story(), 60))


def test_the_token_of_a_click_comes_before_the_click(address: str) -> None:
    async def story() -> None:
        came: list[str] = []
        ours, panel = [await MessageBus(bus_address=address).connect() for _ in range(2)]
        ours.export(PATH, item_class({})(Boundary(), "deskbell", lambda: came.append("middle"), came.append))
        name = str(ours.unique_name)
        await call(panel, name, PATH, "ProvideXdgActivationToken", "s", ["token"], interface=NAME)
        await call(panel, name, PATH, "SecondaryActivate", "ii", [0, 0], interface=NAME)
        assert came == ["token", "middle"]
        await close(panel)
        await close(ours)

    asyncio.run(asyncio.wait_for(story(), 60))
