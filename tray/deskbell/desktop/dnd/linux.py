"""Do-not-disturb of KDE, dunst, Xfce, GNOME and Cinnamon, each where it keeps it, and told when it changes."""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Mapping
from functools import partial

from dbus_fast import Message, MessageType, Variant
from dbus_fast.aio import MessageBus

from deskbell.desktop import bus

DAEMON = "org.freedesktop.Notifications"
DAEMON_PATH = "/org/freedesktop/Notifications"
PROPERTIES = "org.freedesktop.DBus.Properties"
XFCONF = "org.xfce.Xfconf"
DCONF = "ca.desrt.dconf.Writer"

Ask = Callable[[MessageBus], Awaitable[bool]]


async def _property(interface: str, name: str, connection: MessageBus) -> bool:
    return _true(await bus.call(connection, DAEMON, DAEMON_PATH, "Get", "ss", [interface, name], interface=PROPERTIES))


async def _xfce(connection: MessageBus) -> bool:
    body = ["xfce4-notifyd", "/do-not-disturb"]
    return _true(await bus.call(connection, XFCONF, "/org/xfce/Xfconf", "GetProperty", "ss", body))


async def _setting(schema: str, key: str, held: str, _bus: MessageBus) -> bool:
    command = ("gsettings", "get", schema, key)
    with contextlib.suppress(OSError, TimeoutError):
        asked = await asyncio.create_subprocess_exec(
            *command, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.DEVNULL
        )
        said, _ = await asyncio.wait_for(asked.communicate(), bus.ANSWERS_WITHIN)
        return said.decode(errors="replace").strip() == held
    return False


ASKS: Mapping[str, Ask] = {
    "do not disturb is on": partial(_property, DAEMON, "Inhibited"),
    "dunst is paused": partial(_property, "org.dunstproject.cmd0", "paused"),
    "Xfce's do not disturb is on": _xfce,
}
SETTINGS: Mapping[str, Mapping[str, Ask]] = {
    "GNOME": {
        "GNOME's do not disturb is on": partial(_setting, "org.gnome.desktop.notifications", "show-banners", "false")
    },
    "X-Cinnamon": {
        "Cinnamon's notifications are off": partial(
            _setting, "org.cinnamon.desktop.notifications", "display-notifications", "false"
        )
    },
}
# A change of any of them: the daemon's own properties, Xfce's settings, GNOME's, and another daemon.
SIGNALS: tuple[Mapping[str, str], ...] = (
    {"path": DAEMON_PATH, "interface": PROPERTIES, "member": "PropertiesChanged"},
    {"interface": XFCONF, "member": "PropertyChanged", "arg0": "xfce4-notifyd"},
    {"interface": DCONF, "member": "Notify"},
    {"sender": bus.DBUS, "member": "NameOwnerChanged", "arg0": DAEMON},
)


class BusDnd:
    def __init__(self, changed: Callable[[], None], desktops: str = "") -> None:
        """`desktops` as XDG_CURRENT_DESKTOP has them."""
        self._changed = changed
        self._asks = dict(ASKS)
        for desktop in desktops.split(":"):
            self._asks |= SETTINGS.get(desktop, {})
        self._now: str | None = None
        self._bus: MessageBus | None = None
        self._serving: asyncio.Task[None] | None = None
        self._looking: asyncio.Task[None] | None = None

    def start(self) -> None:
        self._serving = asyncio.get_running_loop().create_task(
            bus.serve("do not disturb", self._connected, self._lost), name="do not disturb"
        )

    def now(self) -> str | None:
        return self._now

    def stop(self) -> None:
        for task in (self._serving, self._looking):
            if task:
                task.cancel()

    async def _connected(self, connection: MessageBus) -> None:
        self._bus = connection
        connection.add_message_handler(self._on_message)
        for rule in SIGNALS:
            await bus.match(connection, **rule)
        await self._look(connection)

    def _lost(self) -> None:
        self._bus = None
        self._say(None)

    def _on_message(self, message: Message) -> None:
        told = (PROPERTIES, XFCONF, DCONF, bus.DBUS)
        if message.message_type is MessageType.SIGNAL and message.interface in told and self._bus:
            if self._looking:
                self._looking.cancel()
            self._looking = asyncio.ensure_future(self._look(self._bus))

    async def _look(self, connection: MessageBus) -> None:
        found = None
        for words, ask in self._asks.items():
            with contextlib.suppress(*bus.LOST):
                if await ask(connection):
                    found = words
                    break
        self._say(found)

    def _say(self, now: str | None) -> None:
        if now != self._now:
            self._now = now
            self._changed()


def _true(reply: Message) -> bool:
    return reply.signature == "v" and isinstance(reply.body[0], Variant) and reply.body[0].value is True
