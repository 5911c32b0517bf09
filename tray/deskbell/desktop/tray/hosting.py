"""Find out whether the panel shows Deskbell's icon. `doctor` calls this."""

import asyncio
import sys
from typing import Any

from deskbell.desktop.tray.panel import PATH, WATCHER

ITEM, ITEM_PATH = "org.kde.StatusNotifierItem", "/StatusNotifierItem"
OURS = "deskbell"
"""The Id of Deskbell's icon, in every process."""


def hosts_icon() -> bool | None:
    """Return whether the panel has an icon of Deskbell; None if there is no panel that can be asked.

    Do not call this in a running loop.
    """
    return asyncio.run(_hosts_icon()) if sys.platform == "linux" else None


async def _hosts_icon() -> bool | None:
    from deskbell.desktop import bus

    try:
        connection = await bus.connect()
    except bus.LOST:
        return None
    try:
        items = await _property(connection, WATCHER, PATH, WATCHER, "RegisteredStatusNotifierItems")
        if not isinstance(items, list):
            return None
        names = await asyncio.gather(*(_id(connection, str(item)) for item in items))
    except bus.LOST:
        return None
    finally:
        await bus.close(connection)
    return OURS in names


async def _id(connection: Any, item: str) -> object:
    """Return the Id of ITEM, which is a name on the bus, with or without a path."""
    from deskbell.desktop import bus

    name, slash, path = item.partition("/")
    try:
        return await _property(connection, name, f"{slash}{path}" or ITEM_PATH, ITEM, "Id")
    except bus.LOST:  # the item has gone, or its name is invalid
        return None


async def _property(connection: Any, name: str, path: str, interface: str, word: str) -> object:
    """Return the value of a property; None if there is none."""
    from dbus_fast import Variant

    from deskbell.desktop import bus

    properties = "org.freedesktop.DBus.Properties"
    reply = await bus.call(connection, name, path, "Get", "ss", [interface, word], interface=properties)
    value = reply.body[0] if reply.signature == "v" else None
    return value.value if isinstance(value, Variant) else None
