"""Ask the desktop how it wants the icon: whether with full contrast and, in Xfce, how large.

No service is started for this. The desktop is asked after the icon is registered, and again after every change.
"""

from collections.abc import Mapping
from contextlib import suppress
from typing import NamedTuple

from dbus_fast import Message, MessageType, Variant
from dbus_fast.aio import MessageBus

from deskbell.desktop import bus
from deskbell.desktop.tray import xfce

PORTAL = "org.freedesktop.portal.Desktop"
PORTAL_PATH = "/org/freedesktop/portal/desktop"
SETTINGS = "org.freedesktop.portal.Settings"
APPEARANCE = "org.freedesktop.appearance"
HIGHER = 1
"""https://flatpak.github.io/xdg-desktop-portal/docs/doc-org.freedesktop.portal.Settings.html"""
XFCONF = "org.xfce.Xfconf"
XFCONF_PATH = "/org/xfce/Xfconf"
PANEL, WINDOWS = "xfce4-panel", "xsettings"
"""Channels of Xfconf: the settings of the panel, and those of every window."""
LARGEST_SCALE = 4


class Wish(NamedTuple):
    """How the desktop wants the icon."""

    contrast: bool = False
    size: int | None = None
    """The size of the picture that the panel shows; None if the panel chooses among several."""


def is_xfce(env: Mapping[str, str]) -> bool:
    return "XFCE" in env.get("XDG_CURRENT_DESKTOP", "").upper()


def unasked(env: Mapping[str, str]) -> Wish:
    """Return the wish that holds until the desktop has answered."""
    size = xfce.ICON * (_scale(env.get("GDK_SCALE")) or 1) if is_xfce(env) else None
    return Wish(_by_theme(env.get("GTK_THEME")), size)


async def asked(connection: MessageBus, env: Mapping[str, str]) -> Wish:
    """Ask the desktop, and return its wish. A missing service has none. Raise one of `bus.LOST` if the bus is lost."""
    contrast = await _portal(connection)
    if not is_xfce(env):
        return unasked(env)._replace(contrast=contrast or unasked(env).contrast)
    windows, panel = await _channel(connection, WINDOWS), await _channel(connection, PANEL)
    scale = _scale(env.get("GDK_SCALE")) or _scale(windows.get("/Gdk/WindowScalingFactor"))
    theme = _by_theme(env.get("GTK_THEME") or windows.get("/Net/ThemeName"))
    return Wish(contrast or theme, xfce.icon_size(panel, scale or 1))


async def listen(connection: MessageBus, env: Mapping[str, str]) -> None:
    """Ask the bus for the signals that `concerns` recognises."""
    await bus.match(connection, interface=SETTINGS, member="SettingChanged", arg0=APPEARANCE)
    await bus.match(connection, sender=bus.DBUS, member="NameOwnerChanged", arg0=PORTAL)
    if is_xfce(env):
        for channel in (PANEL, WINDOWS):
            await bus.match(connection, interface=XFCONF, member="PropertyChanged", arg0=channel)
        await bus.match(connection, sender=bus.DBUS, member="NameOwnerChanged", arg0=XFCONF)


def concerns(message: Message) -> bool:
    """Return whether the desktop's wish may have changed with MESSAGE."""
    if message.message_type is not MessageType.SIGNAL:
        return False
    if message.interface == bus.DBUS:
        return any(bus.new_owner(message, name) for name in (PORTAL, XFCONF))
    return message.interface in (SETTINGS, XFCONF)


async def _portal(connection: MessageBus) -> bool:
    """Return whether the portal asks for more contrast. This calls the older of two methods, which all portals have."""
    with suppress(TimeoutError):
        reply = await bus.call(
            connection, PORTAL, PORTAL_PATH, "Read", "ss", [APPEARANCE, "contrast"], interface=SETTINGS
        )
        return reply.signature == "v" and plain(reply.body[0]) == HIGHER
    return False


async def _channel(connection: MessageBus, name: str) -> Mapping[str, object]:
    with suppress(TimeoutError):
        reply = await bus.call(connection, XFCONF, XFCONF_PATH, "GetAllProperties", "ss", [name, "/"])
        if reply.signature == "a{sv}":
            return {key: plain(value) for key, value in reply.body[0].items()}
    return {}


def plain(value: object) -> object:
    """Return VALUE without the variants around it and in it."""
    while isinstance(value, Variant):
        value = value.value
    return [plain(one) for one in value] if isinstance(value, list) else value


def _by_theme(name: object) -> bool:
    """Return whether NAME is a theme with full contrast: HighContrast(Inverse) of GTK, ContrastHigh of MATE."""
    return isinstance(name, str) and "contrast" in name.lower()


def _scale(value: object) -> int:
    """Return the scaling factor VALUE as a number; 0 if it is none."""
    text = str(value)
    return min(int(text), LARGEST_SCALE) if text.isdecimal() and len(text) < 3 else 0
