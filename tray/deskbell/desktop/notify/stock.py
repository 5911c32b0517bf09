"""Use a backend of desktop-notifier as it is, on macOS and Windows.

Nothing is adopted there: the library cannot hear a click on a notification of an earlier run. One that rings again
takes the place of the earlier, for both have the same identifier; one that was answered meanwhile stays.
"""

from collections.abc import Callable, Sequence

from desktop_notifier.backends.base import DesktopNotifierBackend

from deskbell.desktop.notify.delivery import allowed
from deskbell.desktop.notify.notification import Extra
from deskbell.notices.screen import Left


class Stock:
    """A Display whose backend is made on first use: making it calls the system, which may fail."""

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
        """Ask for permission at the start, while the person is there: macOS shows a dialog for it."""
        found(())
        if not await allowed(self.backend):
            gone(f"{self.name} does not allow it")

    def attach(self, slot: str, more: Extra) -> None:
        """Do nothing: these backends have no use for it."""

    def token(self, slot: str) -> str | None:
        """Return None: these systems let the program of a click come to the front without a token."""
        return None
