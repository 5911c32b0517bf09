"""Use a backend of desktop-notifier as it is, on macOS and Windows.

Nothing is taken over from an earlier run, because the library does not report a click on its notifications. A notice
that rings again replaces the earlier one, which has the same identifier; one that was answered meanwhile stays.
"""

from collections.abc import Callable, Sequence

from desktop_notifier.backends.base import DesktopNotifierBackend

from deskbell.desktop.notify.delivery import allowed
from deskbell.desktop.notify.notification import Extra
from deskbell.notices.screen import Left
from deskbell.notices.words import rows

LINES = 4


class Stock:
    """A Display whose backend is made at its first use, because making it calls the system, which may fail."""

    def __init__(self, name: str, make: Callable[[], DesktopNotifierBackend]) -> None:
        self.name = name
        self._make = make
        self._made: DesktopNotifierBackend | None = None

    @property
    def backend(self) -> DesktopNotifierBackend:
        if self._made is None:
            self._made = self._make()
        return self._made

    async def serve(
        self,
        renewed: Callable[[], None],
        gone: Callable[[str], None],
        found: Callable[[Sequence[Left]], None],
    ) -> None:
        """Ask for permission at the start, when the person is at the machine: macOS shows a dialog."""
        found(())
        if not await allowed(self.backend):
            gone(f"{self.name} does not allow it")

    def unanswered(self, slot: str) -> bool:
        """Return False: these backends raise no time-out, so what they raise was not displayed."""
        return False

    def attach(self, slot: str, more: Extra) -> None:
        """Do nothing, because these backends cannot use it."""

    def drawn(self, message: str) -> str:
        """Return the first lines. Windows shows four below the title, and macOS no more.

        https://learn.microsoft.com/windows/apps/design/shell/tiles-and-notifications/adaptive-interactive-toasts
        """
        shown = message.split("\n")
        while rows(shown) > LINES:
            shown.pop()
        return "\n".join(shown)

    def token(self, slot: str) -> str | None:
        """Return None, because these systems need no token."""
        return None
