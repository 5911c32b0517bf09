"""Define a Display: a backend of desktop-notifier, and what the delivery of notices needs beside it."""

from collections.abc import Callable, Sequence
from typing import Protocol

from desktop_notifier.backends.base import DesktopNotifierBackend

from deskbell.desktop.notify.notification import Extra
from deskbell.notices.screen import Left


class Display(Protocol):
    """A backend of desktop-notifier, with what its base class does not provide."""

    @property
    def name(self) -> str | None:
        """The name of what displays, with its version if that is known; None while it is not known."""

    @property
    def backend(self) -> DesktopNotifierBackend: ...

    async def serve(
        self,
        renewed: Callable[[], None],
        gone: Callable[[str], None],
        found: Callable[[Sequence[Left]], None],
    ) -> None:
        """Connect and stay connected. Return only if there is no connection to keep.

        Call `renewed` when all that was shown has gone and something may display again. Call `gone` with the reason
        when nothing can display. Once connected, call `found` with what an earlier connection left on the screen.
        """

    def unanswered(self, slot: str) -> bool:
        """Return whether what was sent to SLOT may still be displayed, because the system has not answered."""

    def attach(self, slot: str, more: Extra) -> None:
        """Keep MORE for the notification that is about to be sent to SLOT."""

    def drawn(self, message: str) -> str:
        """Return what a person reads of the body MESSAGE on this screen."""

    def token(self, slot: str) -> str | None:
        """Return the activation token of the last click in SLOT, once."""
