"""Define the screen that notices go to: a Notifier, and the events that it reports.

`deskbell.desktop.notify` chooses the real one.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, Protocol

from deskbell.face.actions import Action
from deskbell.notices.notice import Notice, Request

What = Literal["displayed", "clicked", "closed", "lost", "back", "left"]
"""
displayed: the system has accepted the notice
clicked: the person clicked on it or on one of its buttons
closed: it has left the screen without a click
lost: nothing displays notices or, if it names a slot, not the notice in that slot; sent once for each of the two
back: all notices are displayed again, after `lost`
left: it is known what an earlier run left on the screen; sent once, if the system can know it
"""


@dataclass(frozen=True, slots=True)
class Left:
    """A notification of an earlier run that is still on the screen."""

    slot: str
    about: tuple[Request, ...]
    """What it asks, for each of its sessions."""


@dataclass(frozen=True, slots=True)
class ScreenEvent:
    """What happened to a notice or to the screen."""

    what: What
    slot: str = ""
    by: str = ""
    """The program that displays the notices: its name, and its version if that is known."""
    action: Action | None = None
    """The action of the click; with the text, if the person has typed one."""
    token: str | None = None
    """The activation token of the click, which lets a window come to the front; None if the desktop gives none."""
    by_person: bool = True
    """Whether the person closed it; else its time on the screen was over, which says nothing of the person."""
    stays: bool = False
    """Whether its slot is still in use: the notice comes back after the click, or a newer one has taken its slot."""
    left: tuple[Left, ...] = ()
    why: str = ""
    """Why notices are not displayed; empty if no program answers that could display them."""


Listener = Callable[[ScreenEvent], None]
"""The bell, called in the loop for each event."""


class Notifier(Protocol):
    """Shows notices, and keeps those that cannot be shown yet. Its methods are called in the loop and do not raise."""

    @property
    def daemon(self) -> str | None:
        """The program that displays the notices; None while it is unknown."""

    @property
    def takes_text(self) -> bool:
        """Whether a notification can have a field for a text; False while `daemon` is unknown."""

    def start(self) -> None: ...

    def show(self, notice: Notice) -> None:
        """Show NOTICE, in place of what is in its slot."""

    def withdraw(self, slot: str) -> None:
        """Take the notice in SLOT off the screen, also one of an earlier run. Do nothing if the slot is empty."""

    async def stop(self) -> None:
        """Take all notices off the screen, and end. Return once they are gone, or after a few seconds."""
