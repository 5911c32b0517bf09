"""How does a notice come to the screen of this system, and what does the person do with it there?"""

import sys

from deskbell.notices.notice import Notice
from deskbell.notices.screen import Listener, Notifier


class SilentNotifier:
    """Where nothing can be displayed; the badge carries on."""

    daemon: str | None = None

    def start(self) -> None:
        """Nothing is there to be started."""

    def show(self, notice: Notice) -> None:
        """Nobody would see it."""

    def withdraw(self, slot: str) -> None:
        """Nothing was shown."""

    def stop(self) -> None:
        """Nothing was started."""


def notifier(listener: Listener) -> Notifier:
    """`listener` is called in the running loop."""
    if sys.platform == "linux":
        from deskbell.desktop.notify.linux import BusNotifier

        return BusNotifier(listener)
    if sys.platform in ("darwin", "win32"):
        from deskbell.desktop.notify.stock import StockNotifier

        return StockNotifier(listener)
    return SilentNotifier()
