"""Learn from KWin which window has the focus on Wayland.

KWin has no call that tells it, so a script that KWin runs calls Deskbell at every change of the focus.
"""

import asyncio
import logging
import tempfile
from functools import partial
from math import isfinite
from pathlib import Path

from dbus_fast import Message, MessageType
from dbus_fast.aio import MessageBus

from deskbell.desktop import bus
from deskbell.desktop.focus import NOBODY, Active
from deskbell.desktop.focus.asked import AT_ONCE
from deskbell.desktop.repeat import Repeater
from deskbell.supervision import Supervisor

NAME = "org.kde.KWin"
SCRIPTING = "org.kde.kwin.Scripting"
SCRIPT = "deskbell-focus"
PATH = "/deskbell/focus"
INTERFACE = "deskbell.Focus"
HIGHEST = 2**31 - 1
"""The highest number that a process can have."""

log = logging.getLogger(__name__)

# Plasma 6 has windowActivated and activeWindow, Plasma 5 has clientActivated and activeClient.
SCRIPT_TEXT = """
function tell(window) {{ callDBus("{name}", "{path}", "{interface}", "Active", window ? window.pid : 0); }}
(workspace.windowActivated || workspace.clientActivated).connect(tell);
tell(workspace.activeWindow || workspace.activeClient);
"""


async def _unload(connection: MessageBus) -> None:
    """Wait until KWin has unloaded the script: it would keep one whose connection is closed."""
    async with asyncio.timeout(AT_ONCE):
        await bus.call(connection, NAME, "/Scripting", "unloadScript", "s", [SCRIPT], interface=SCRIPTING)


class KWin:
    name = "KWin"

    def __init__(self) -> None:
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        """Holds the script, because KWin may read it some time after it has answered."""
        self._active: Active | None = None
        self._bus: MessageBus | None = None
        self._loader = Repeater(self._load)

    def start(self, supervisor: Supervisor) -> None:
        serve = partial(bus.serve, "the focus", partial(self._connected, supervisor), self._lost, _unload)
        for work in (serve, self._loader.run):
            supervisor.keep("focus", work)

    def active(self) -> Active | None:
        return self._active

    def stop(self) -> None:
        """Remove the file of the script. The supervisor ends the connection, which first unloads the script."""
        if self._folder:
            self._folder.cleanup()

    async def _connected(self, supervisor: Supervisor, connection: MessageBus) -> None:
        self._bus = connection
        bus.listen("focus", connection, self._on_message, supervisor)
        await bus.match(connection, sender=bus.DBUS, member="NameOwnerChanged", arg0=NAME)
        self._loader.again()

    def _lost(self) -> None:
        self._bus = self._active = None

    async def _load(self) -> None:
        """Load the script into KWin, in place of one from an earlier run, which calls a connection that is gone."""
        connection = self._bus
        try:
            if connection and await bus.owner(connection, NAME):
                await self._load_into(connection)
        except bus.LOST as error:
            log.info("KWin did not take the script that reports the focus: %s", error)

    async def _load_into(self, connection: MessageBus) -> None:
        self._folder = self._folder or tempfile.TemporaryDirectory(prefix="deskbell-")
        file = Path(self._folder.name) / "focus.js"
        file.write_text(SCRIPT_TEXT.format(name=connection.unique_name, path=PATH, interface=INTERFACE))
        for member, signature, body in (
            ("unloadScript", "s", [SCRIPT]),
            ("loadScript", "ss", [str(file), SCRIPT]),
            ("start", "", []),
        ):
            await bus.call(connection, NAME, "/Scripting", member, signature, body, interface=SCRIPTING)

    def _on_message(self, message: Message) -> Message | None:
        if message.message_type is MessageType.METHOD_CALL and message.interface == INTERFACE:
            return self._on_call(message)
        if (owner := bus.new_owner(message, NAME)) is not None:
            self._active = None
            if owner:
                self._loader.again()
        return None

    def _on_call(self, message: Message) -> Message:
        """Take the report of the script. Any program may call this. JavaScript sends an integer or a double."""
        said = message.body[0] if message.signature in ("i", "u", "x", "d") else None
        if said is None or not isfinite(said) or said > HIGHEST:
            return Message.new_error(message, "org.freedesktop.DBus.Error.InvalidArgs", "a process id is needed")
        self._active = Active(int(said)) if said >= 1 else NOBODY
        return Message.new_method_return(message)
