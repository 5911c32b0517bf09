"""Read do-not-disturb of KDE, dunst, Xfce, GNOME and Cinnamon at the start and at every change.

KDE and dunst keep it in a property of the notification daemon, the others in their settings.
"""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Mapping
from functools import partial

from dbus_fast import Message, MessageType, Variant
from dbus_fast.aio import MessageBus

from deskbell.desktop import bus
from deskbell.desktop.repeat import Repeater
from deskbell.helper import end_group
from deskbell.supervision import Supervisor

DAEMON = "org.freedesktop.Notifications"
DAEMON_PATH = "/org/freedesktop/Notifications"
PROPERTIES = "org.freedesktop.DBus.Properties"
XFCONF = "org.xfce.Xfconf"
DCONF = "ca.desrt.dconf.Writer"
BURIED_WITHIN = 4.0
"""Seconds that a busy machine has to end a killed process."""

Ask = Callable[[MessageBus], Awaitable[bool]]


async def _property(interface: str, name: str, connection: MessageBus) -> bool:
    return _true(await bus.call(connection, DAEMON, DAEMON_PATH, "Get", "ss", [interface, name], interface=PROPERTIES))


async def _xfce(connection: MessageBus) -> bool:
    body = ["xfce4-notifyd", "/do-not-disturb"]
    return _true(await bus.call(connection, XFCONF, "/org/xfce/Xfconf", "GetProperty", "ss", body))


async def _setting(schema: str, key: str, held: str, _bus: MessageBus) -> bool:
    """Return whether `gsettings` has the value HELD for KEY."""
    command = ("gsettings", "get", schema, key)
    try:
        asked = await asyncio.create_subprocess_exec(
            *command, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.DEVNULL, start_new_session=True
        )
    except OSError:  # gsettings is not installed
        return False
    try:
        async with asyncio.timeout(bus.ANSWERS_WITHIN):
            said, _ = await asked.communicate()
    except TimeoutError:
        return False
    finally:
        if asked.returncode is None:  # it hangs, or Deskbell ends
            end_group(asked.pid)
            await _bury(asked)
    return said.decode(errors="replace").strip() == held


async def _bury(killed: asyncio.subprocess.Process) -> None:
    """Wait until KILLED and its output have ended, because neither may outlive the loop. Endure being cancelled."""
    end = asyncio.get_running_loop().time() + BURIED_WITHIN
    cancelled: asyncio.CancelledError | None = None
    buried = False
    while not buried:
        try:
            async with asyncio.timeout_at(end):
                await killed.communicate()
            buried = True
        except TimeoutError:
            buried = True  # another program holds its output open
        except asyncio.CancelledError as again:
            cancelled = again
    if cancelled:
        raise cancelled


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
# The signals of a change: the daemon's properties, Xfce's settings, GNOME's settings, and a new daemon.
SIGNALS: tuple[Mapping[str, str], ...] = (
    {"path": DAEMON_PATH, "interface": PROPERTIES, "member": "PropertiesChanged"},
    {"interface": XFCONF, "member": "PropertyChanged", "arg0": "xfce4-notifyd"},
    {"interface": DCONF, "member": "Notify"},
    {"sender": bus.DBUS, "member": "NameOwnerChanged", "arg0": DAEMON},
)


class BusDnd:
    def __init__(self, supervisor: Supervisor, changed: Callable[[], None], desktops: str = "") -> None:
        """CHANGED is called in the loop. DESKTOPS has the form of XDG_CURRENT_DESKTOP."""
        self._supervisor = supervisor
        self._changed = changed
        self._asks = dict(ASKS)
        for desktop in desktops.split(":"):
            self._asks |= SETTINGS.get(desktop, {})
        self.known = False
        self._now: str | None = None
        self._bus: MessageBus | None = None
        self._reader = Repeater(self._read)
        self._tasks: list[asyncio.Task[None]] = []

    def start(self) -> None:
        serve = partial(bus.serve, "do not disturb", self._connected, self._lost)
        self._tasks = [self._supervisor.keep("do not disturb", work) for work in (serve, self._reader.run)]

    def now(self) -> str | None:
        return self._now

    def stop(self) -> None:
        for task in self._tasks:
            task.cancel()

    async def _connected(self, connection: MessageBus) -> None:
        self._bus = connection
        bus.listen("do not disturb", connection, self._on_message, self._supervisor)
        for rule in SIGNALS:
            await bus.match(connection, **rule)
        self._reader.again()

    def _lost(self) -> None:
        self._bus = None
        self._set(None)

    def _on_message(self, message: Message) -> None:
        watched = (PROPERTIES, XFCONF, DCONF, bus.DBUS)
        if message.message_type is MessageType.SIGNAL and message.interface in watched:
            self._reader.again()

    async def _read(self) -> None:
        """Ask each program in turn. A program that does not answer counts as off."""
        if self._bus is None:
            return
        found = None
        for words, ask in self._asks.items():
            with contextlib.suppress(*bus.LOST):
                if self._bus and await ask(self._bus):
                    found = words
                    break
        self._set(found)

    def _set(self, now: str | None) -> None:
        if now != self._now or not self.known:
            self._now, self.known = now, True
            self._changed()


def _true(reply: Message) -> bool:
    return reply.signature == "v" and isinstance(reply.body[0], Variant) and reply.body[0].value is True
