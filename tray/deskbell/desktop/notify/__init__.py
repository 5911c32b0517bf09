"""Choose what displays notices on this system.

`delivery` has the only Notifier. It uses a backend of desktop-notifier: the library's own on macOS and Windows
(`stock`), and Deskbell's own on Linux (`linux`).
"""

import sys
from pathlib import Path

from deskbell.notices.notice import Notice
from deskbell.notices.screen import Listener, Notifier
from deskbell.supervision import Supervisor


class SilentNotifier:
    """For systems on which nothing can be displayed. The tray icon works without it."""

    daemon: str | None = None
    takes_text = False

    def start(self) -> None:
        """Do nothing."""

    def show(self, notice: Notice) -> None:
        """Do nothing."""

    def withdraw(self, slot: str) -> None:
        """Do nothing."""

    async def stop(self) -> None:
        """Do nothing."""


def notifier(listener: Listener, supervisor: Supervisor, remembered: Path | None = None) -> Notifier:
    """Return the Notifier of this system. It calls LISTENER in the loop in which it is started.

    REMEMBERED: the file in which it writes down what is on the screen, for the next run.
    """
    if sys.platform == "linux":
        from deskbell.desktop.notify.delivery import LibraryNotifier
        from deskbell.desktop.notify.linux import BusBackend
        from deskbell.desktop.notify.remembered import Remembered

        backend = BusBackend(supervisor, remembered=Remembered(supervisor, remembered))
        return LibraryNotifier(backend, listener, supervisor)
    if sys.platform == "darwin":
        from deskbell.desktop.notify import macos
        from deskbell.desktop.notify.delivery import LibraryNotifier
        from deskbell.desktop.notify.stock import Stock

        return LibraryNotifier(Stock(macos.NAME, macos.backend), listener, supervisor)
    if sys.platform == "win32":
        from deskbell.desktop.notify import windows
        from deskbell.desktop.notify.delivery import LibraryNotifier
        from deskbell.desktop.notify.stock import Stock

        return LibraryNotifier(Stock(windows.NAME, windows.backend), listener, supervisor)
    return SilentNotifier()
