"""A backend of desktop-notifier that records, and is as slow and as broken as a test wants it."""

import asyncio
import threading
from collections.abc import Callable
from typing import Literal

from desktop_notifier import Capability, Notification
from desktop_notifier.backends.base import DesktopNotifierBackend

Method = Literal["request_authorisation", "get_capabilities", "send", "clear", "clear_all"]


class Recorded(DesktopNotifierBackend):
    """Answers like the backends for macOS and Windows: what is unknown may be cleared, callbacks come in threads."""

    def __init__(self, app_name: str = "Test") -> None:
        super().__init__(app_name)
        self.allowed = True
        self.broken: set[Method] = set()
        self.broken_once: set[Method] = set()
        self.calls: list[tuple[str, ...]] = []
        self.screen: dict[str, Notification] = {}
        self.sent: list[Notification] = []
        self.open = asyncio.Event()
        """While it is not set, what is sent and cleared takes its time."""
        self.open.set()

    async def request_authorisation(self) -> bool:
        await self._called("request_authorisation")
        return self.allowed

    async def has_authorisation(self) -> bool:
        return self.allowed

    async def get_capabilities(self) -> frozenset[Capability]:
        return await self._get_capabilities()

    async def _get_capabilities(self) -> frozenset[Capability]:
        await self._called("get_capabilities")
        return frozenset([Capability.TITLE])

    async def _send(self, notification: Notification) -> None:
        await self._called("send", notification.identifier)
        self.sent.append(notification)
        self.screen[notification.identifier] = notification

    async def _clear(self, identifier: str) -> None:
        await self._called("clear", identifier)
        self.screen.pop(identifier, None)

    async def _clear_all(self) -> None:
        await self._called("clear_all")
        self.screen.clear()

    async def _called(self, method: Method, *arguments: str) -> None:
        self.calls.append((method, *arguments))
        await asyncio.sleep(0)
        await self.open.wait()
        if method in self.broken | self.broken_once:
            self.broken_once.discard(method)
            raise RuntimeError(f"{method} is broken")

    def click(self, slot: str, button: str | None = None) -> None:
        notification = self._clear_notification_from_cache(slot)
        if button:
            _in_thread(lambda: self.handle_button(slot, button, notification))
        else:
            _in_thread(lambda: self.handle_clicked(slot, notification))

    def close(self, slot: str) -> None:
        notification = self._clear_notification_from_cache(slot)
        _in_thread(lambda: self.handle_dismissed(slot, notification))

    def count(self, method: Method) -> int:
        return [call[0] for call in self.calls].count(method)


def _in_thread(effect: Callable[[], object]) -> None:
    thread = threading.Thread(target=effect)
    thread.start()
    thread.join()
