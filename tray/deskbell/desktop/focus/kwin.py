"""Which window has the focus on KDE's Wayland? KWin answers no questions, but a script that it runs can tell."""

import asyncio
import tempfile
from pathlib import Path

from dbus_fast import Message, MessageType
from dbus_fast.aio import MessageBus

from deskbell.desktop import bus
from deskbell.desktop.focus import NOBODY, Active

NAME = "org.kde.KWin"
SCRIPTING = "org.kde.kwin.Scripting"
SCRIPT = "deskbell-focus"
PATH = "/deskbell/focus"
INTERFACE = "deskbell.Focus"

# Plasma 6 says windowActivated and activeWindow, Plasma 5 says clientActivated and activeClient.
TELL = """
function tell(window) {{ callDBus("{name}", "{path}", "{interface}", "Active", window ? window.pid : 0); }}
(workspace.windowActivated || workspace.clientActivated).connect(tell);
tell(workspace.activeWindow || workspace.activeClient);
"""


class KWin:
    name = "KWin"

    def __init__(self) -> None:
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        """Holds the script: KWin reads it in its own time, after it has answered."""
        self._active: Active | None = None
        self._bus: MessageBus | None = None
        self._serving: asyncio.Task[None] | None = None

    def start(self) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="deskbell-")
        self._serving = asyncio.get_running_loop().create_task(
            bus.serve("the focus", self.connected, self._lost), name="focus"
        )

    def active(self) -> Active | None:
        return self._active

    def stop(self) -> None:
        if self._bus:
            self._bus.send(
                Message(
                    destination=NAME,
                    path="/Scripting",
                    interface=SCRIPTING,
                    member="unloadScript",
                    signature="s",
                    body=[SCRIPT],
                )
            )
        if self._serving:
            self._serving.cancel()
        if self._folder:
            self._folder.cleanup()

    async def connected(self, connection: MessageBus) -> None:
        self._bus = connection
        connection.add_message_handler(self._on_message)
        await bus.match(connection, sender=bus.DBUS, member="NameOwnerChanged", arg0=NAME)
        if await bus.owner(connection, NAME):
            await self._load(connection)

    async def _load(self, connection: MessageBus) -> None:
        """A script of an earlier run tells somebody who is gone: it is replaced."""
        await bus.call(connection, NAME, "/Scripting", "unloadScript", "s", [SCRIPT], interface=SCRIPTING)
        assert self._folder
        file = Path(self._folder.name) / "focus.js"
        file.write_text(TELL.format(name=connection.unique_name, path=PATH, interface=INTERFACE))
        body = [str(file), SCRIPT]
        await bus.call(connection, NAME, "/Scripting", "loadScript", "ss", body, interface=SCRIPTING)
        await bus.call(connection, NAME, "/Scripting", "start", interface=SCRIPTING)

    def _lost(self) -> None:
        self._bus = self._active = None

    def _on_message(self, message: Message) -> Message | None:
        if message.message_type is MessageType.METHOD_CALL and message.interface == INTERFACE:
            pid = int(message.body[0])
            self._active = Active(pid) if pid > 0 else NOBODY
            return Message.new_method_return(message)
        if message.member == "NameOwnerChanged" and message.body[:1] == [NAME]:
            self._active = None
            if message.body[2] and self._bus:
                self._loading = asyncio.ensure_future(self._load(self._bus))
        return None
