"""Display notifications through the notification daemon of Linux, as a backend of desktop-notifier.

The library's own D-Bus backend (6.2) is not used. It passes replaces_id 0, so it cannot replace a notification; it does
not escape markup; it does not notice that another daemon has taken over; and it raises KeyError when an unknown
notification is cleared.
"""

import asyncio
from collections.abc import Callable, Sequence

from dbus_fast import Message, MessageType
from dbus_fast.aio import MessageBus
from desktop_notifier import Capability, Notification
from desktop_notifier.backends.base import DesktopNotifierBackend

from deskbell.desktop import bus
from deskbell.desktop.notify.calls import (
    NAME,
    PATH,
    UNSURE,
    Call,
    Calls,
    NotDisplayed,
    Refused,
    ask,
    close,
    notify,
    sound,
)
from deskbell.desktop.notify.daemons import Daemon, arguments, capabilities, drawn, takes_text
from deskbell.desktop.notify.delivery import CONNECTION
from deskbell.desktop.notify.fields import Fields
from deskbell.desktop.notify.notification import APP, Extra
from deskbell.desktop.notify.remembered import Entry, Remembered
from deskbell.desktop.notify.sound import Player, play
from deskbell.notices.screen import Left
from deskbell.supervision import Supervisor

EXPIRED, DISMISSED = 1, 2
"""The reasons of NotificationClosed that Deskbell has not caused."""


class BusBackend(DesktopNotifierBackend):
    """A backend of desktop-notifier that is its own Display. All of it runs in the loop.

    A notification that an earlier connection left on the screen has to be shown again in its place. Otherwise a click
    on it is not reported: dunst and GNOME report it only to the connection that showed the notification last.
    """

    def __init__(
        self,
        supervisor: Supervisor,
        play: Callable[[str], None] = play,
        patience: float = bus.ANSWERS_WITHIN,
        remembered: Remembered | None = None,
    ) -> None:
        """PLAY plays a sound if the daemon does not. PATIENCE: the seconds that a daemon may take."""
        super().__init__(APP)
        self._supervisor = supervisor
        self._player = Player(supervisor, play)
        self._patience = patience
        self._remembered = remembered or Remembered(supervisor)
        self._bus_id = ""
        self._bus: MessageBus | None = None
        self._tried = asyncio.Event()
        """Set once the connection has been made or has failed."""
        self._owner = ""
        """The unique name of the daemon on the bus; empty while there is no daemon."""
        self._daemon: Daemon | None = None
        self._ids: dict[str, int] = {}
        """The daemon's number of every notification on the screen, by identifier."""
        self._extras: dict[str, Extra] = {}
        self._fields = Fields()
        self._tokens: dict[str, str] = {}
        self._calls = Calls()
        self._renewed: Callable[[], None] = _nothing
        self._found: Callable[[Sequence[Left]], None] = _nothing

    @property
    def name(self) -> str | None:
        return str(self._daemon) if self._daemon else None

    @property
    def backend(self) -> DesktopNotifierBackend:
        return self

    def unanswered(self, slot: str) -> bool:
        return self._calls.are_open(slot)

    def attach(self, slot: str, more: Extra) -> None:
        self._extras[slot] = more

    def drawn(self, message: str) -> str:
        return drawn(message, self._daemon) if self._daemon else ""

    def token(self, slot: str) -> str | None:
        return self._tokens.pop(slot, None)

    async def serve(
        self,
        renewed: Callable[[], None],
        gone: Callable[[str], None],
        found: Callable[[Sequence[Left]], None],
    ) -> None:
        def lost() -> None:
            self._bus = None
            self._change_hands("")
            self._tried.set()
            gone("there is no session bus")

        self._renewed, self._found = renewed, found
        try:
            await bus.serve("notifications", self._connected, lost)
        finally:
            self._remembered.save()

    async def request_authorisation(self) -> bool:
        """Return whether a daemon answers. The bus starts one if none runs and one is installed."""
        self._daemon = None
        await self._tried.wait()
        if self._bus is None:
            return False
        try:
            async with asyncio.timeout(self._patience):
                found, owner = await ask(self._bus)
        except bus.LOST:
            return False
        if owner == self._owner:  # otherwise another daemon has taken over meanwhile
            self._daemon = found
        return self._daemon is not None

    async def has_authorisation(self) -> bool:
        return self._daemon is not None

    async def get_capabilities(self) -> frozenset[Capability]:
        """Return what the present daemon can do. The base class would keep the first answer for ever."""
        return await self._get_capabilities()

    async def _get_capabilities(self) -> frozenset[Capability]:
        return capabilities(self._daemon) if self._daemon else frozenset()

    async def _send(self, notification: Notification) -> None:
        """Show NOTIFICATION, in place of the one with the same identifier.

        A daemon that is too slow may display it later: its answer is taken whenever it comes.
        """
        if self._bus is None or self._daemon is None:
            raise NotDisplayed("no notification daemon is known")
        self._leave_what_is_typed_into(self._bus, self._daemon, notification.identifier)
        daemon, replaces = self._daemon, self._ids.get(notification.identifier, 0)
        try:
            await self._notify(self._bus, daemon, notification, replaces)
        except Refused:  # GNOME: after a restart of its shell, another program may have this number
            if not replaces:
                raise
            await self._notify(self._bus, daemon, notification, 0)

    async def _notify(self, on: MessageBus, daemon: Daemon, notification: Notification, replaces: int) -> None:
        more = self._extras.get(notification.identifier, Extra())
        message = notify(arguments(notification, more, daemon, replaces))
        written = on.send(message)
        call = self._calls.begin(message.serial, notification, sound(notification, daemon), more)
        try:
            async with asyncio.timeout(self._patience):
                await written
                await call.answer
        except (OSError, ValueError) as error:
            if not isinstance(error, TimeoutError):  # it was not sent
                self._calls.answered(message.serial)
            raise
        finally:
            call.answer.cancel()

    def _leave_what_is_typed_into(self, on: MessageBus, daemon: Daemon, slot: str) -> None:
        """Close the notification in SLOT if a text that is typed into it is meant for another one than the next.

        NotificationReplied only brings a number. In the place of the notification, the next one would get the text.
        """
        number = self._ids.get(slot, 0)
        if takes_text(daemon) and self._fields.are_for_another(number, self._extras.get(slot, Extra())):
            on.send(close(self._ids.pop(slot)))

    async def _clear(self, identifier: str) -> None:
        """Close the notification. Do nothing if it is not on the screen."""
        self._extras.pop(identifier, None)
        number = self._ids.pop(identifier, None)
        if number is None or self._bus is None:
            return
        try:
            await bus.call(self._bus, NAME, PATH, "CloseNotification", "u", [number])
        except TimeoutError:
            self._remember()  # a slow daemon closes it later
        except bus.LOST:
            pass  # keep it: the next connection may find it on the screen
        else:
            self._remember()

    async def _clear_all(self) -> None:
        await asyncio.gather(*map(self._clear, list(self._ids)))

    async def _connected(self, connection: MessageBus) -> None:
        bus.listen(CONNECTION, connection, self._on_message, self._supervisor)
        await bus.match(connection, sender=bus.DBUS, member="NameOwnerChanged", arg0=NAME)
        await bus.match(connection, interface=NAME, path=PATH)
        self._bus_id = await bus.identity(connection)
        owner = await bus.owner(connection, NAME)
        self._bus = connection
        self._change_hands(owner)
        left = self._remembered.left(self._life)
        self._ids = {entry.slot: entry.number for entry in left}
        self._extras |= {entry.slot: Extra(about=entry.about) for entry in left if entry.slot not in self._extras}
        for entry in left:
            self._fields.left(entry.number, entry.about)
        self._tried.set()
        self._found([Left(entry.slot, entry.about) for entry in left])

    @property
    def _life(self) -> str:
        """A name for one run of the daemon: no other connection to this bus ever gets its unique name."""
        return f"{self._bus_id} {self._owner}" if self._bus_id and self._owner else ""

    def _remember(self) -> None:
        about = {slot: self._extras.get(slot, Extra()).about for slot in self._ids}
        shown = [Entry(slot=slot, number=number, about=about[slot]) for slot, number in self._ids.items()]
        self._remembered.note(self._life, shown)

    def _change_hands(self, owner: str) -> None:
        """Take OWNER as the daemon. Forget what the previous one displayed, because the new one does not know it."""
        self._owner, self._daemon = owner, None
        self._ids.clear()
        self._tokens.clear()
        self._notification_cache.clear()
        self._fields = Fields()
        self._calls.fail(NotDisplayed("another daemon has taken over"))
        self._renewed()

    def _on_message(self, message: Message) -> None:
        if message.message_type is not MessageType.SIGNAL:
            if call := self._calls.answered(message.reply_serial):
                self._on_answer(call, message)
        elif message.sender == bus.DBUS:
            owner = bus.new_owner(message, NAME)
            if owner is not None and owner != self._owner:
                self._change_hands(owner)
        elif message.interface == NAME and message.sender == self._owner:
            self._on_signal(message)

    def _on_answer(self, call: Call, message: Message) -> None:
        if message.error_name in UNSURE:
            self._calls.reopen(message.reply_serial or 0, call)
            call.fail(TimeoutError())
        elif message.message_type is MessageType.ERROR or message.signature != "u":
            call.fail(Refused(f"{self._daemon} refused it: {message.error_name} {message.body[:1]}"))
        else:
            self._on_displayed(call, int(message.body[0]))

    def _on_displayed(self, call: Call, number: int) -> None:
        """Note the NUMBER of what CALL has sent. Close it if it comes so late that a newer one has taken its slot."""
        slot, late = call.notification.identifier, call.answer.done()
        newer = self._ids[slot] != number if slot in self._ids else self._calls.are_open(slot)
        if late and newer and self._bus:
            self._bus.send(close(number))
            return
        self._ids[slot] = number
        self._notification_cache[slot] = call.notification
        self._fields.put(number, call.notification, call.more)
        if not late:
            call.answer.set_result(None)
        for signal in [signal for signal in call.early if signal.body[:1] == [number]]:
            asyncio.get_running_loop().call_soon(self._on_signal, signal)  # after `send` reports it displayed
        self._remember()
        if call.sound:
            self._player.play(call.sound)
        if late:
            self.handle_dispatched(slot, call.notification)

    def _on_signal(self, message: Message) -> None:
        number, said = (*message.body, None, None)[:2]
        slot = next((slot for slot, known in self._ids.items() if known == number), None)
        if message.member == "NotificationReplied" and (asked := self._fields.take(number)):
            self._on_reply(asked, number, str(said))
        elif slot is None:
            self._calls.hear(message)
        elif message.member == "ActivationToken":
            self._tokens[slot] = str(said)
        elif message.member == "ActionInvoked":
            self._on_action(slot, number, str(said))
        elif message.member == "NotificationClosed":
            self._on_closed(slot, said)

    def _on_action(self, slot: str, number: object, key: str) -> None:
        """Handle the first click on a notification. Its number stays known until the daemon closes it."""
        notification = self._notification_cache.get(slot)
        if notification is None:
            return
        if key == "default":
            self._clear_notification_from_cache(slot)
            self._fields.take(number)
            self.handle_clicked(slot, notification)
        elif any(button.identifier == key for button in notification.buttons):
            self._clear_notification_from_cache(slot)
            self._fields.take(number)
            self.handle_button(slot, key, notification)

    def _on_reply(self, asked: Notification, number: object, typed: str) -> None:
        """Handle the first text that is typed into the field of ASKED, which may have left the screen by now."""
        if self._daemon is None or not takes_text(self._daemon):
            return
        if self._ids.get(asked.identifier) == number:
            self._clear_notification_from_cache(asked.identifier)
        self.handle_replied(asked.identifier, typed, asked)

    def _on_closed(self, slot: str, reason: object) -> None:
        del self._ids[slot]
        self._remember()
        notification = self._clear_notification_from_cache(slot)
        if notification and reason == DISMISSED:
            self.handle_dismissed(slot, notification)
        elif notification and reason == EXPIRED:
            self._extras.get(slot, Extra()).expired()


def _nothing(*_: object) -> None:
    """Do nothing until `serve` has set what to call."""
