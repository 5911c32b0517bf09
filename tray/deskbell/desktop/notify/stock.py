"""How are notices displayed on macOS and Windows? By desktop-notifier as it is: the same identifier replaces there."""

import asyncio
import sys
from collections.abc import Callable, Coroutine
from functools import partial
from typing import Protocol

from desktop_notifier import Button, Capability, DesktopNotifier, Notification, Sound, Urgency

from deskbell.face.actions import Action
from deskbell.notices.notice import Notice
from deskbell.notices.policy import Urgency as Weight
from deskbell.notices.screen import Listener, Told

# The name is the AUMID on Windows: it may not change, and it may hold no backslash.
APP = "Deskbell"
SYSTEMS = {"darwin": "Notification Centre", "win32": "Windows"}
URGENCY: dict[Weight, Urgency] = {"low": Urgency.Low, "normal": Urgency.Normal, "critical": Urgency.Critical}


class Library(Protocol):
    """As much of DesktopNotifier as is used."""

    async def request_authorisation(self) -> bool: ...
    async def get_capabilities(self) -> frozenset[Capability]: ...
    async def send_notification(self, notification: Notification) -> str: ...
    async def clear(self, identifier: str) -> None: ...


class StockNotifier:
    def __init__(self, listener: Listener, library: Library | None = None) -> None:
        self._listener = listener
        self._library: Library | None = library
        self._deeds: set[asyncio.Task[None]] = set()
        self._shown: set[str] = set()
        self._order = asyncio.Lock()
        """A notice is withdrawn after it was shown, never before."""
        self._loop: asyncio.AbstractEventLoop | None = None
        self.daemon: str | None = None

    def start(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._library = self._library or DesktopNotifier(APP)
        self._do(self._authorise())

    def show(self, notice: Notice) -> None:
        self._do(self._show(notice))

    def withdraw(self, slot: str) -> None:
        self._do(self._withdraw(slot))

    def stop(self) -> None:
        for slot in list(self._shown):
            self.withdraw(slot)

    async def _authorise(self) -> None:
        assert self._library
        if await self._library.request_authorisation() and Capability.TITLE in await self._library.get_capabilities():
            self.daemon = SYSTEMS.get(sys.platform, sys.platform)
        else:  # a Python that is in no application bundle may not notify on macOS
            self._listener(Told("lost"))

    async def _show(self, notice: Notice) -> None:
        assert self._library
        await self._library.send_notification(self._notification(notice))

    async def _withdraw(self, slot: str) -> None:
        assert self._library
        if slot in self._shown:
            self._shown.discard(slot)
            await self._library.clear(slot)

    def _notification(self, notice: Notice) -> Notification:
        slot = notice.slot
        return Notification(
            title=notice.title,
            message=notice.body,
            urgency=URGENCY[notice.urgency],
            buttons=tuple(Button(b.label, self._soon(self._clicked, slot, b.action), b.id) for b in notice.buttons),
            on_dispatched=self._soon(self._displayed, slot),
            on_clicked=self._soon(self._clicked, slot, notice.click)
            if notice.click
            else self._soon(self._closed, slot),
            on_dismissed=self._soon(self._closed, slot),
            sound=_sound(notice),
            thread=APP,
            identifier=slot,
        )

    def _displayed(self, slot: str) -> None:
        self._shown.add(slot)
        self._listener(Told("displayed", slot, self.daemon or ""))

    def _clicked(self, slot: str, action: Action) -> None:
        self._shown.discard(slot)
        self._listener(Told("clicked", slot, self.daemon or "", action))

    def _closed(self, slot: str) -> None:
        self._shown.discard(slot)
        self._listener(Told("closed", slot, self.daemon or ""))

    def _soon(self, effect: Callable[..., None], *args: object) -> Callable[[], object]:
        """Their callbacks come in threads of the system."""
        assert self._loop
        return partial(self._loop.call_soon_threadsafe, effect, *args)

    def _do(self, deed: Coroutine[object, object, None]) -> None:
        async def in_order() -> None:
            async with self._order:
                await deed

        task = asyncio.ensure_future(in_order())
        self._deeds.add(task)
        task.add_done_callback(self._deeds.discard)


def _sound(notice: Notice) -> Sound | None:
    if notice.quiet or not notice.sound:
        return None
    return Sound(uri=f"file://{notice.sound}") if notice.sound.startswith("/") else Sound(name=notice.sound)
