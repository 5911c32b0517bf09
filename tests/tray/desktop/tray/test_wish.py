"""Test what the desktop says of the icon, with a portal and a settings daemon of Xfce that answer as asked."""

import asyncio
from collections.abc import Mapping
from typing import Any

import pytest
from dbus_fast import Message, MessageType, Variant
from dbus_fast.aio import MessageBus

from deskbell.desktop.bus import close
from deskbell.desktop.tray.sni import Icon
from deskbell.desktop.tray.wish import APPEARANCE, PORTAL, SETTINGS, XFCONF, Wish, asked, unasked
from deskbell.program.boundary import Boundary
from deskbell_icons.pixels import Pixels
from tests.tray.desktop.fake_daemon import until

XFCE = {"XDG_CURRENT_DESKTOP": "Xfce:Debian"}
KDE = {"XDG_CURRENT_DESKTOP": "KDE"}
NEVER: object = object()
"""The answer of a service that hangs."""


class Service:
    """Has a name on the bus, and answers a call with what it holds for the first words of it."""

    def __init__(self, name: str, answers: dict[str, Any], signature: str) -> None:
        self.name, self.answers, self.signature = name, answers, signature

    async def up(self, address: str) -> "Service":
        self.bus = await MessageBus(bus_address=address).connect()
        self.bus.add_message_handler(self._answer)
        await self.bus.request_name(self.name)
        return self

    def tell(self, path: str, interface: str, member: str, body: list[Any]) -> None:
        self.bus.send(Message.new_signal(path, interface, member, "ssv", body))

    def _answer(self, message: Message) -> Message | bool | None:
        if message.message_type is not MessageType.METHOD_CALL or message.destination != self.name:
            return None
        answer = self.answers.get(str(message.body[0]), None)
        if answer is NEVER:
            return True
        if answer is None:
            return Message.new_error(message, "org.example.Unknown", "no such key")
        return Message.new_method_return(message, self.signature, [answer])


def portal(contrast: object) -> Service:
    return Service(PORTAL, {APPEARANCE: contrast}, "v")


def xfconf(panel: Mapping[str, Variant], windows: Mapping[str, Variant]) -> Service:
    return Service(XFCONF, {"xfce4-panel": dict(panel), "xsettings": dict(windows)}, "a{sv}")


def number(value: int) -> Variant:
    """As the older portals wrap it."""
    return Variant("v", Variant("u", value))


LARGE = {
    "/plugins/plugin-3": Variant("s", "systray"),
    "/plugins/plugin-3/icon-size": Variant("i", 0),
    "/panels/panel-1/plugin-ids": Variant("av", [Variant("i", 3)]),
    "/panels/panel-1/size": Variant("u", 48),
}
INVERSE = {"/Net/ThemeName": Variant("s", "HighContrastInverse")}
TWICE = {"/Gdk/WindowScalingFactor": Variant("i", 2)}

WISHES: dict[str, tuple[Mapping[str, str], list[Service], Wish]] = {
    "nobody answers": (KDE, [], Wish()),
    "nobody answers in Xfce": (XFCE, [], Wish(size=22)),
    "more contrast": (KDE, [portal(number(1))], Wish(contrast=True)),
    "more contrast, said without the second wrapping": (KDE, [portal(Variant("u", 1))], Wish(contrast=True)),
    "no preference": (KDE, [portal(number(0))], Wish()),
    "a value of the future": (KDE, [portal(number(2))], Wish()),
    "no number": (KDE, [portal(Variant("s", "1"))], Wish()),
    "a portal that does not know the key": (KDE, [portal(None)], Wish()),
    "Xfce's panel": (XFCE, [xfconf(LARGE, {})], Wish(size=44)),
    "Xfce's theme": (XFCE, [portal(number(0)), xfconf({}, INVERSE)], Wish(contrast=True, size=22)),
    "Xfce's scale": (XFCE, [xfconf(LARGE, TWICE)], Wish(size=88)),
    "GTK's scale before Xfce's": (XFCE | {"GDK_SCALE": "1"}, [xfconf(LARGE, TWICE)], Wish(size=44)),
    "GTK's theme": (KDE | {"GTK_THEME": "HighContrast"}, [], Wish(contrast=True)),
    "GTK's theme before Xfce's": (XFCE | {"GTK_THEME": "Adwaita"}, [xfconf({}, INVERSE)], Wish(size=22)),
    "Xfce's settings elsewhere": (KDE, [xfconf(LARGE, INVERSE)], Wish()),
}


@pytest.mark.parametrize(("env", "services", "wish"), WISHES.values(), ids=WISHES)
def test_the_wish_is_what_the_desktop_says(
    address: str, env: Mapping[str, str], services: list[Service], wish: Wish
) -> None:
    async def story() -> Wish:
        for service in services:
            await service.up(address)
        bus = await MessageBus(bus_address=address).connect()
        try:
            return await asked(bus, env)
        finally:
            for one in (bus, *(service.bus for service in services)):
                await close(one)

    assert asyncio.run(asyncio.wait_for(story(), 60)) == wish


@pytest.mark.parametrize(
    ("env", "size"),
    [
        ({}, None),
        (XFCE, 22),
        (XFCE | {"GDK_SCALE": "2"}, 44),
        (XFCE | {"GDK_SCALE": "big"}, 22),
        (XFCE | {"GDK_SCALE": "0"}, 22),
        (XFCE | {"GDK_SCALE": "-1"}, 22),
        (XFCE | {"GDK_SCALE": "99"}, 88),
        (XFCE | {"GDK_SCALE": "9" * 5000}, 22),
    ],
)
def test_until_the_desktop_has_answered_the_environment_decides(env: Mapping[str, str], size: int | None) -> None:
    assert unasked(env) == Wish(size=size)


@pytest.mark.long
def test_a_portal_that_hangs_has_no_wish(address: str) -> None:
    async def story() -> Wish:
        service = await portal(NEVER).up(address)
        bus = await MessageBus(bus_address=address).connect()
        try:
            return await asked(bus, KDE)
        finally:
            await close(bus)
            await close(service.bus)

    assert asyncio.run(asyncio.wait_for(story(), 60)) == Wish()


def test_the_icon_is_drawn_again_when_the_desktop_wishes_it_otherwise(address: str) -> None:
    drawn: list[Wish] = []

    def drawing(wish: Wish) -> list[Pixels]:
        drawn.append(wish)
        return []

    async def story() -> None:
        boundary = Boundary()
        icon: Any = Icon("deskbell", supervisor=boundary, hosted=lambda _: None, env=XFCE)
        icon.icon = drawing
        icon.run_detached(setup=lambda _: None)
        icon.visible = True
        await until(lambda: drawn == [Wish(size=22)], "the first icon")
        settings = await xfconf(LARGE, {}).up(address)
        await until(lambda: drawn[-1] == Wish(size=44), "the size of the panel")
        settings.answers["xsettings"] = INVERSE
        settings.tell(
            "/org/xfce/Xfconf", XFCONF, "PropertyChanged", ["xsettings", "/Net/ThemeName", INVERSE["/Net/ThemeName"]]
        )
        await until(lambda: drawn[-1] == Wish(contrast=True, size=44), "the theme")
        settings.answers["xsettings"] = {}
        desktop = await portal(number(0)).up(address)
        await until(lambda: drawn[-1] == Wish(size=44), "no wish of the portal that has come")
        desktop.answers[APPEARANCE] = number(1)
        desktop.tell("/org/freedesktop/portal/desktop", SETTINGS, "SettingChanged", [APPEARANCE, "contrast", number(1)])
        await until(lambda: drawn[-1] == Wish(contrast=True, size=44), "the wish of the portal")
        icon.stop()
        await boundary.stopped()
        await close(settings.bus)
        await close(desktop.bus)

    asyncio.run(asyncio.wait_for(story(), 60))
    assert len(drawn) == 5
