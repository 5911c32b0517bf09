"""The screen that notices go to, as the rest of the program sees it: a Notifier, and what it tells of the person.

`deskbell.desktop.notify` chooses the real one.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, Protocol

from deskbell.face.actions import Action
from deskbell.notices.notice import Notice

What = Literal["displayed", "clicked", "closed", "lost", "back"]
"""
displayed: the system has taken the notice
clicked: the person clicked on it or on one of its buttons
closed: the person closed it, or it expired
lost: nothing displays notices; sent once
back: notices are displayed again, after `lost`
"""


@dataclass(frozen=True, slots=True)
class Told:
    """What has become of a notice, or of the screen."""

    what: What
    slot: str = ""
    by: str = ""
    """What displays, by its name and its version where that is known."""
    action: Action | None = None
    """The action of the click."""
    token: str | None = None
    """The activation token of the click, which lets a window come to the front; None where the desktop gives none."""


Listener = Callable[[Told], None]
"""Called in the loop."""


class Notifier(Protocol):
    """Shows notices, and keeps those that cannot be shown yet. Its methods are called in the loop and do not raise."""

    @property
    def daemon(self) -> str | None:
        """What displays the notices. None while nothing is known to."""

    def start(self) -> None: ...

    def show(self, notice: Notice) -> None:
        """Show NOTICE, in place of what is in its slot."""

    def withdraw(self, slot: str) -> None:
        """Take the notice in SLOT off the screen. Do nothing if the slot is empty."""

    async def stop(self) -> None:
        """Take all notices off the screen, and end. Return once they are gone, or after a few seconds."""
