"""Put pystray's icon on the session bus as a StatusNotifierItem, in the running asyncio loop and without GTK.

The icon is registered again whenever the panel or the bus comes back.
"""

import asyncio
import logging
import os
import threading
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import count
from typing import Any

from dbus_fast import DBusError, Message, MessageType
from dbus_fast.aio import MessageBus

from deskbell.desktop import bus
from deskbell.desktop.repeat import Repeater
from deskbell.desktop.tray import library, wish
from deskbell.desktop.tray.dbusmenu import DBusMenu
from deskbell.desktop.tray.item import ITEM_PATH, MENU_PATH, is_lxqt, item_class, item_path
from deskbell.desktop.tray.panel import PATH, WATCHER
from deskbell.face.room import is_gnome
from deskbell.supervision import Supervisor
from deskbell_icons.pixels import Pixels

READS = 20.0
"""Seconds that a person may read a submenu. GNOME closes all submenus when a row comes, and LXQt (2.1) the menu."""
SOONEST_AGAIN, LATEST_AGAIN = 1.0, 60.0
"""Seconds until a panel that refused or dropped the icon is asked again."""

Drawing = Callable[[wish.Wish], Sequence[Pixels]]
"""Draws the icon as the desktop wishes, in several sizes, of which a host takes the one that it needs."""

_instances = count(1)
log = logging.getLogger(__name__)


class Icon(library.Icon):  # type: ignore[misc]  # pystray has no types
    """pystray's icon without GTK. Its `icon` is a Drawing."""

    HAS_NOTIFICATION = False
    opened: Callable[[], None] = staticmethod(lambda: None)
    """Called in the loop when the person opens the menu."""
    asked: Callable[[], None] = staticmethod(lambda: None)
    """Called in the loop when a panel asks what is new in the menu: before it shows it, or more often."""
    permitted: Callable[[str], None] = staticmethod(lambda _: None)
    """Called in the loop before a click, with its activation token."""

    def __init__(
        self,
        *args: Any,
        supervisor: Supervisor,
        hosted: Callable[[bool], None],
        env: Mapping[str, str] = os.environ,
        **named: Any,
    ) -> None:
        """HOSTED is called in the loop with whether a host draws the icon."""
        super().__init__(*args, **named)
        self._supervisor = supervisor
        self._hosted = hosted
        self._env = env
        self._wish = wish.unasked(env)
        self._bus_name = f"org.kde.StatusNotifierItem-{os.getpid()}-{next(_instances)}"
        self._path = item_path(env)
        self._item = item_class(env)(supervisor, self._name, self._activate, lambda token: self.permitted(token))
        closes = is_lxqt(env)
        patience = READS if closes or is_gnome(env) else 0.0
        self._dbusmenu = DBusMenu(
            supervisor, self._clicked, lambda: self.opened(), patience, closes, lambda: self.asked()
        )
        self._bus: MessageBus | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: int | None = None
        self._registration = Repeater(self._register)
        self._asking = Repeater(self._ask_desktop)
        self._tasks: list[asyncio.Task[None]] = []
        self._pause = SOONEST_AGAIN

    def _run_detached(self) -> None:
        self._item.say(self._title)
        self._loop, self._thread = asyncio.get_running_loop(), threading.get_ident()
        serve = partial(bus.serve, "the tray", self._connected, self._lost)
        works = serve, self._registration.run, self._asking.run
        self._tasks = [self._supervisor.keep("tray connection", work) for work in works]
        self._mark_ready()  # even without a bus, because pystray stops an icon only after this

    def _start_setup(self, setup: object) -> None:
        """Start no thread for SETUP, as pystray does: Deskbell sets nothing up, and a thread may fail to start."""
        self._setup_thread = threading.current_thread()

    def _stop(self) -> None:
        self._on_loop(self._leave)

    def _leave(self) -> None:
        for task in self._tasks:
            task.cancel()

    def _show(self) -> None:
        """Show the icon, and set the title, which pystray passes on only while the icon is visible."""
        self._update_title()
        self._on_loop(self._item.show, True)

    def _hide(self) -> None:
        self._on_loop(self._item.show, False)

    def _update_icon(self) -> None:
        self._on_loop(self._draw)
        self._icon_valid = True

    def _update_title(self) -> None:
        self._on_loop(self._item.say, self._title)

    def _update_menu(self) -> None:
        self._on_loop(self._dbusmenu.show, self._menu)

    def _draw(self) -> None:
        if self._icon is not None:
            self._item.draw(self._icon(self._wish))

    def _on_loop(self, effect: Callable[..., None], *args: Any) -> None:
        """Run EFFECT in the loop, because any thread may call pystray, but only the loop may use the bus."""
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
        connection.export(self._path, self._item)
        connection.export(MENU_PATH, self._dbusmenu)
        await bus.take_name(connection, self._bus_name)
        bus.listen("tray connection", connection, self._on_message, self._supervisor)
        await bus.match(connection, sender=bus.DBUS, member="NameOwnerChanged", arg0=WATCHER)
        await bus.match(connection, interface=WATCHER, member="StatusNotifierItemUnregistered")
        self._registration.again()
        await wish.listen(connection, self._env)
        self._asking.again()

    def _lost(self) -> None:
        self._bus = None
        self._hosted(False)

    def _on_message(self, message: Message) -> None:
        if bus.new_owner(message, WATCHER) is not None:
            self._pause = SOONEST_AGAIN
            self._registration.again()
        elif message.member == "StatusNotifierItemUnregistered" and self._is_named(message.body):
            self._ask_later()
        elif wish.concerns(message):
            self._asking.again()

    def _ask_later(self) -> None:
        self._registration.again(self._pause)
        self._pause = min(self._pause * 2, LATEST_AGAIN)

    async def _ask_desktop(self) -> None:
        if self._bus is None:
            return
        try:
            wished = await wish.asked(self._bus, self._env)
        except bus.LOST:
            self._asking.again(LATEST_AGAIN)
            return
        if wished != self._wish:
            self._wish = wished
            self._draw()

    def _is_named(self, body: list[Any]) -> bool:
        """Return whether BODY names this icon: by its name or unique name on the bus, with or without its path."""
        ours = (self._bus_name, self._bus and self._bus.unique_name)
        return bool(body) and str(body[0]).removesuffix(self._path) in ours

    async def _register(self) -> None:
        """Ask the host to draw the icon. Ask again after a pause if it refuses or drops the icon, as GNOME's extension
        does while it is being switched on.
        """
        connection, drawn = self._bus, False
        if connection is None:
            return
        try:
            while not drawn and await bus.owner(connection, WATCHER):
                drawn = await self._ask_host(connection)
        except bus.LOST as error:
            log.info("the icon could not be registered: %s", str(error) or type(error).__name__)
            self._ask_later()
        self._hosted(drawn)

    async def _ask_host(self, connection: MessageBus) -> bool:
        """Ask once. Return False if the host does not answer in time, as at login. Raise DBusError if it refuses."""
        called = self._bus_name if self._path == ITEM_PATH else self._path
        words = WATCHER, PATH, "RegisterStatusNotifierItem", "s", [called]
        try:
            reply = await bus.call(connection, *words)
        except TimeoutError:
            return False
        if reply.message_type is not MessageType.METHOD_RETURN:
            raise DBusError(reply.error_name or "", f"the panel does not take the icon: {reply.body}")
        return True
