"""How are notices displayed by the notification daemons of Linux?

In place of desktop-notifier's D-Bus part, which can neither replace what it has shown, nor escape markup, nor notice
that the daemon was changed.

What is wanted on the screen is kept here, and one task brings the screen to it: a daemon that dies or comes late loses
nothing, and slow ones are told only the newest.
"""

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass

from dbus_fast import Message, MessageFlag, MessageType, Variant
from dbus_fast.aio import MessageBus

from deskbell.desktop import bus
from deskbell.desktop.notify.picture import image_data
from deskbell.desktop.notify.sound import named, play
from deskbell.face.actions import Action
from deskbell.notices.notice import Notice
from deskbell.notices.policy import Urgency
from deskbell.notices.screen import Listener, Told

NAME = "org.freedesktop.Notifications"
PATH = "/org/freedesktop/Notifications"
XFCE = "Xfce Notify Daemon"
URGENCY: dict[Urgency, int] = {"low": 0, "normal": 1, "critical": 2}
ESCAPED = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;"})
LOOKALIKES = str.maketrans("<>", "‹›")
EXPIRED, DISMISSED = 1, 2

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Daemon:
    name: str
    version: str
    capabilities: frozenset[str]

    def __str__(self) -> str:
        return f"{self.name} {self.version}"


class BusNotifier:
    def __init__(self, listener: Listener, play: Callable[[str], None] = play) -> None:
        """`play` plays a sound where the daemon does not."""
        self._listener = listener
        self._play = play
        self._wanted: dict[str, Notice] = {}
        self._ids: dict[str, int] = {}
        self._changed: dict[str, None] = {}
        """The slots whose screen is to be brought up to date, the oldest first."""
        self._tokens: dict[str, str] = {}
        self._early: list[Message] | None = None
        """What was said of a notification before its number was known here."""
        self._work = asyncio.Event()
        self._bus: MessageBus | None = None
        self._owner = ""
        self._daemon: Daemon | None = None
        self._told_lost = False
        self._tasks: list[asyncio.Task[None]] = []

    @property
    def daemon(self) -> str | None:
        return str(self._daemon) if self._daemon else None

    def start(self) -> None:
        """In the running loop, on a connection of its own; on one that is given, `connected` and `lost` are enough."""
        loop = asyncio.get_running_loop()
        serving = bus.serve("notifications", self.connected, self.lost)
        self._tasks = [
            loop.create_task(serving, name="notifications"),
            loop.create_task(self._deliver(), name="notifications, delivery"),
        ]

    def stop(self) -> None:
        for shown in self._ids.values():
            self._bus and self._bus.send(_close(shown))
        self._ids.clear()
        for task in self._tasks:
            task.cancel()

    def show(self, notice: Notice) -> None:
        self._wanted[notice.slot] = notice
        self._touch(notice.slot)

    def withdraw(self, slot: str) -> None:
        if self._wanted.pop(slot, None) or slot in self._ids:
            self._touch(slot)

    def _touch(self, *slots: str) -> None:
        self._changed.update(dict.fromkeys(slots))
        self._work.set()

    async def connected(self, connection: MessageBus) -> None:
        connection.add_message_handler(self._on_message)
        await bus.match(connection, sender=bus.DBUS, member="NameOwnerChanged", arg0=NAME)
        await bus.match(connection, interface=NAME, path=PATH)
        self._bus = connection
        self._changed_hands(await bus.owner(connection, NAME))

    def lost(self) -> None:
        self._bus = None
        self._changed_hands("")
        self._absent("no session bus")

    def _changed_hands(self, owner: str) -> None:
        """Another daemon knows nothing of what the one before showed: it is told all that is still wanted."""
        self._owner, self._daemon = owner, None
        self._ids.clear()
        self._tokens.clear()
        self._touch(*self._wanted)

    async def _deliver(self) -> None:
        while True:
            await self._work.wait()
            self._work.clear()
            while self._bus and self._changed:
                slot = next(iter(self._changed))
                del self._changed[slot]
                try:
                    await self._bring_up(self._bus, slot)
                except bus.LOST as error:
                    self._absent(f"{type(error).__name__}: {error}")
                except ValueError as error:  # dbus-fast's word for what does not fit into a message
                    log.error("a notification cannot be sent: %s", error)

    async def _bring_up(self, connection: MessageBus, slot: str) -> None:
        notice, owner = self._wanted.get(slot), self._owner
        if notice is None:
            if (shown := self._ids.pop(slot, None)) is not None:
                await bus.call(connection, NAME, PATH, "CloseNotification", "u", [shown])
        elif daemon := await self._known(connection):
            await self._notify(connection, notice, daemon)
        elif self._owner == owner:  # else it was changed meanwhile, and all is told again
            self._absent("no notification daemon that answers")

    async def _known(self, connection: MessageBus) -> Daemon | None:
        """Asked once of every daemon; the question starts one where the system can."""
        if self._daemon is None:
            found, owner = await _ask(connection)
            if found is None or owner != self._owner:
                return None
            self._daemon = found
            self._told_lost = False
            self._listener(Told("back", by=str(self._daemon)))
        return self._daemon

    async def _notify(self, connection: MessageBus, notice: Notice, daemon: Daemon) -> None:
        again = self._ids.get(notice.slot, 0)
        self._early = []  # from here on
        reply = await bus.call(connection, NAME, PATH, "Notify", "susssasa{sv}i", arguments(notice, daemon, again))
        if reply.message_type is MessageType.ERROR:
            log.error("%s did not take a notification: %s %s", daemon, reply.error_name, reply.body[:1])
        elif reply.sender == self._owner and reply.signature == "u":
            self._ids[notice.slot] = int(reply.body[0])
            if notice.sound and not notice.quiet and "sound" not in daemon.capabilities:
                self._play(notice.sound)
            self._listener(Told("displayed", notice.slot, str(daemon)))
        early, self._early = self._early, None
        for message in early:
            self._on_signal(message)

    def _absent(self, why: str) -> None:
        if not self._told_lost:
            log.warning("nothing displays notifications: %s", why)
            self._told_lost = True
            self._listener(Told("lost"))

    def _on_message(self, message: Message) -> None:
        if message.member == "NameOwnerChanged" and message.body[:1] == [NAME]:
            if message.body[2] != self._owner:
                self._changed_hands(str(message.body[2]))
        elif message.interface == NAME and message.sender == self._owner:
            self._on_signal(message)

    def _on_signal(self, message: Message) -> None:
        shown, said = (*message.body, None, None)[:2]
        slot = next((slot for slot, id_ in self._ids.items() if id_ == shown), None)
        if slot is None:
            if self._early is not None:
                self._early.append(message)
        elif message.member == "ActivationToken":
            self._tokens[slot] = str(said)
        elif message.member == "ActionInvoked":
            self._clicked(slot, str(said))
        elif message.member == "NotificationClosed":
            self._closed(slot, said)

    def _clicked(self, slot: str, key: str) -> None:
        """Whether the daemon then closes it by itself is its own affair: it has done its duty."""
        notice = self._wanted.get(slot)
        token = self._tokens.pop(slot, None)
        if notice and (action := _wish(notice, key)):
            self.withdraw(slot)
            self._listener(Told("clicked", slot, self.daemon or "", action, token))

    def _closed(self, slot: str, reason: object) -> None:
        del self._ids[slot]
        if reason in (EXPIRED, DISMISSED) and slot in self._wanted:
            del self._wanted[slot]
            self._listener(Told("closed", slot, self.daemon or ""))


async def identity() -> str | None:
    """Who would display a notification."""
    try:
        connection = await MessageBus(bus_address=bus.session_bus()).connect()
    except bus.LOST:
        return None
    try:
        found, _ = await _ask(connection)
    except bus.LOST:
        return None
    finally:
        await bus.close(connection)
    return str(found) if found else None


async def _ask(connection: MessageBus) -> tuple[Daemon | None, str | None]:
    """The daemon, and who on the bus it is."""
    about = await bus.call(connection, NAME, PATH, "GetServerInformation", start=True)
    can = await bus.call(connection, NAME, PATH, "GetCapabilities")
    if (about.signature, can.signature) != ("ssss", "as") or about.sender != can.sender:
        return None, None
    return Daemon(str(about.body[0]), str(about.body[2]), frozenset(can.body[0])), about.sender


def arguments(notice: Notice, daemon: Daemon, again: int) -> list[object]:
    """Those of Notify; `again` is the notification that it takes the place of."""
    stays = 0 if notice.stays or notice.urgency == "critical" else -1
    return ["Deskbell", again, "", notice.title, _body(notice, daemon), _actions(notice, daemon), _hints(notice), stays]


def _body(notice: Notice, daemon: Daemon) -> str:
    if "body-markup" in daemon.capabilities:
        return notice.body.translate(ESCAPED)
    if "body-hyperlinks" in daemon.capabilities:  # dunst without a `markup` setting: it parses markup, and denies it
        return notice.body.translate(LOOKALIKES)
    return notice.body


def _actions(notice: Notice, daemon: Daemon) -> list[str]:
    """xfce4-notifyd draws the default action as a button too: there it is the first button, elsewhere the body."""
    if "actions" not in daemon.capabilities:
        return []
    buttons = [(b.id, b.label) for b in notice.buttons if daemon.name != XFCE or b.action != notice.click]
    default = [("default", notice.click_label)] if notice.click else []
    return [word for pair in [*default, *buttons] for word in pair]


def _wish(notice: Notice, key: str) -> Action | None:
    return notice.click if key == "default" else next((b.action for b in notice.buttons if b.id == key), None)


def _hints(notice: Notice) -> dict[str, Variant]:
    hints = {
        "urgency": Variant("y", URGENCY[notice.urgency]),
        "desktop-entry": Variant("s", "deskbell"),
        "category": Variant("s", f"x-deskbell.{notice.status}"),
        "image-data": Variant("(iiibiiay)", image_data(notice.status)),
    }
    if notice.quiet or not notice.sound:
        return hints | {"suppress-sound": Variant("b", True)}
    if notice.sound.startswith("/"):
        return hints | {"sound-file": Variant("s", notice.sound)}
    return hints | {"sound-name": Variant("s", named(notice.sound))}


def _close(shown: int) -> Message:
    return Message(
        destination=NAME,
        path=PATH,
        interface=NAME,
        member="CloseNotification",
        signature="u",
        body=[shown],
        flags=MessageFlag.NO_REPLY_EXPECTED | MessageFlag.NO_AUTOSTART,
    )
