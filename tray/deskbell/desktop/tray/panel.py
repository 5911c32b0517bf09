"""Find out what draws tray icons on this desktop, without showing one. `doctor` and `xembed` call this."""

import asyncio
import os
import sys
from contextlib import closing
from typing import Literal

Panel = Literal["system", "status notifier", "xembed"]

WATCHER = "org.kde.StatusNotifierWatcher"
PATH = "/StatusNotifierWatcher"


def panel() -> Panel | None:
    """Return the kind of panel; None if none draws icons. Do not call this in a running loop."""
    if sys.platform != "linux":
        return "system"
    if asyncio.run(has_status_notifier()):
        return "status notifier"
    return "xembed" if has_xembed(os.environ.get("DISPLAY")) else None


async def has_status_notifier() -> bool:
    """Return whether a panel has registered as a host of StatusNotifier items."""
    from dbus_fast import Variant
    from dbus_fast.errors import InvalidAddressError

    from deskbell.desktop import bus

    try:
        connection = await bus.connect()
    except (*bus.LOST, InvalidAddressError):
        return False
    try:
        reply = await bus.call(
            connection,
            WATCHER,
            PATH,
            "Get",
            "ss",
            [WATCHER, "IsStatusNotifierHostRegistered"],
            interface="org.freedesktop.DBus.Properties",
        )
    except bus.LOST:
        return False
    finally:
        await bus.close(connection)
    return reply.signature == "v" and isinstance(reply.body[0], Variant) and reply.body[0].value is True


def has_xembed(display: str | None) -> bool:
    """Return whether a tray of the older kind runs on DISPLAY, and so owns the selection of trays.

    https://specifications.freedesktop.org/systemtray-spec/latest/
    """
    if not display:
        return False
    from deskbell.desktop.xserver import GONE, Server

    try:
        with closing(Server(display)) as server:
            return server.owner(server.atom(f"_NET_SYSTEM_TRAY_S{server.default_screen}")) != 0
    except GONE:
        return False
