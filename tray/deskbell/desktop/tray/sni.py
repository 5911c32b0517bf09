"""pystray's Icon as a StatusNotifierItem on the session bus, in the running asyncio loop: no GTK, no system package.

It comes back by itself when the host, the panel or the bus went away and returned.
"""

import asyncio
import contextlib
import os
import threading
from collections.abc import Callable
from itertools import count
from typing import Any

from dbus_fast import DBusError, Message, MessageType
from dbus_fast.aio import MessageBus

from deskbell.desktop import bus
from deskbell.desktop.tray import library
from deskbell.desktop.tray.dbusmenu import DBusMenu
from deskbell.desktop.tray.item import MENU_PATH, StatusNotifierItem

ITEM_PATH = "/StatusNotifierItem"
WATCHER = "org.kde.StatusNotifierWatcher"
SOONEST_AGAIN, LATEST_AGAIN = 1.0, 60.0
"""Seconds until a panel that dropped the icon is asked to take it again."""

_instances = count(1)


class Icon(library.Icon):  # type: ignore[misc]  # pystray has no types
    """`icon` is one picture or several of the same thing: hosts take the size they need."""

    HAS_NOTIFICATION = False

    def __init__(self, *args: Any, hosted: Callable[[bool], None] = lambda _: None, **named: Any) -> None:
        """`hosted` is told whether there is a host that draws the icon."""
        super().__init__(*args, **named)
        self._hosted = hosted
        self._bus_name = f"org.kde.StatusNotifierItem-{os.getpid()}-{next(_instances)}"
        self._item = StatusNotifierItem(self._name, self._activate)
        self._dbusmenu = DBusMenu(self._clicked)
        self._bus: MessageBus | None = None
        self._serving: asyncio.Task[None] | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: int | None = None
        self._registering: asyncio.Task[None] | None = None
        self._pause = SOONEST_AGAIN

    def _run(self) -> None:
        asyncio.run(self._run_alone())

    async def _run_alone(self) -> None:
        self._run_detached()
        assert self._serving is not None
        with contextlib.suppress(asyncio.CancelledError):
            await self._serving

    def _run_detached(self) -> None:
        self._item.say(self._title)
        self._loop, self._thread = asyncio.get_running_loop(), threading.get_ident()
        self._serving = self._loop.create_task(bus.serve("the tray", self._connected, self._lost), name="tray")
        self._mark_ready()  # whatever becomes of the bus: pystray's setup thread waits for this and would never end

    def _stop(self) -> None:
        self._on_loop(self._leave)

    def _leave(self) -> None:
        if self._serving:
            self._serving.cancel()

    def _show(self) -> None:
        """pystray tells of a new title only while the icon is visible."""
        self._update_title()
        self._on_loop(self._item.show, True)

    def _hide(self) -> None:
        self._on_loop(self._item.show, False)

    def _update_icon(self) -> None:
        pictures = self._icon if isinstance(self._icon, list | tuple) else [self._icon]
        self._on_loop(self._item.draw, pictures)
        self._icon_valid = True

    def _update_title(self) -> None:
        self._on_loop(self._item.say, self._title)

    def _update_menu(self) -> None:
        self._on_loop(self._dbusmenu.show, self._menu)

    def _on_loop(self, effect: Callable[..., None], *args: Any) -> None:
        """pystray may be called from any thread; the bus may not."""
        if self._loop is None or self._loop.is_closed() or threading.get_ident() == self._thread:
            effect(*args)
        else:
            self._loop.call_soon_threadsafe(effect, *args)

    def _clicked(self, item: library.MenuItem) -> None:
        self._handler(item)(self)

    def _activate(self) -> None:
        items = self._menu.items if self._menu is not None else ()
        for item in [item for item in items if item.default][:1]:
            self._clicked(item)

    async def _connected(self, connection: MessageBus) -> None:
        self._bus = connection
        connection.export(ITEM_PATH, self._item)
        connection.export(MENU_PATH, self._dbusmenu)
        await connection.request_name(self._bus_name)
        connection.add_message_handler(self._on_message)
        await bus.match(connection, sender=bus.DBUS, member="NameOwnerChanged", arg0=WATCHER)
        await bus.match(connection, interface=WATCHER, member="StatusNotifierItemUnregistered")
        await self._register(connection)

    def _lost(self) -> None:
        self._bus = None
        self._hosted(False)

    def _on_message(self, message: Message) -> None:
        if message.member == "NameOwnerChanged" and message.body[:1] == [WATCHER]:
            self._pause = SOONEST_AGAIN
            self._register_in(0.0)
        elif message.member == "StatusNotifierItemUnregistered" and self._is_named(message.body):
            self._register_in(self._pause)
            self._pause = min(self._pause * 2, LATEST_AGAIN)

    def _is_named(self, said: list[Any]) -> bool:
        """Hosts call an item by its name on the bus, its number there, or either with its path."""
        ours = (self._bus_name, self._bus and self._bus.unique_name)
        return bool(said) and str(said[0]).removesuffix(ITEM_PATH) in ours

    def _register_in(self, seconds: float) -> None:
        if self._bus and self._loop:
            if self._registering:
                self._registering.cancel()
            self._registering = self._loop.create_task(self._register(self._bus, seconds), name="tray registration")

    async def _register(self, connection: MessageBus, pause: float = 0.0) -> None:
        """GNOME's extension drops the icons that come while it is being switched on."""
        await asyncio.sleep(pause)
        there = False
        with contextlib.suppress(*bus.LOST):
            while not there and await bus.owner(connection, WATCHER):
                there = await self._ask_host(connection)
        self._hosted(there)

    async def _ask_host(self, connection: MessageBus) -> bool:
        """False as long as there is no answer: at login a panel has much to do."""
        words = WATCHER, "/StatusNotifierWatcher", "RegisterStatusNotifierItem", "s", [self._bus_name]
        try:
            reply = await bus.call(connection, *words)
        except TimeoutError:
            return False
        if reply.message_type is not MessageType.METHOD_RETURN:
            raise DBusError(reply.error_name or "", f"the panel does not take the icon: {reply.body}")
        return True
