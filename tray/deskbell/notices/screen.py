"""The screen that notices go to, as the rest of the program sees it: the Notifier, and what it hears from the person.

`deskbell.desktop.notify` holds the real ones.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, Protocol

from deskbell.face.actions import Action
from deskbell.notices.notice import Notice

What = Literal["displayed", "clicked", "closed", "lost", "back"]
# displayed: a daemon has taken it   clicked: on the body or a button   closed: dismissed or expired
# lost: there is no daemon           back: there is one (again)


@dataclass(frozen=True, slots=True)
class Told:
    """What the desktop tells of a notice."""

    what: What
    slot: str = ""
    by: str = ""
    """The daemon, by its name and version."""
    action: Action | None = None
    """The wish that was clicked."""
    token: str | None = None
    """The activation token of the click, where the desktop gives one: it lets a window come to the front."""


Listener = Callable[[Told], None]


class Notifier(Protocol):
    @property
    def daemon(self) -> str | None:
        """Who displays; None while nobody is known to."""

    def start(self) -> None: ...
    def show(self, notice: Notice) -> None:
        """Shown, or put in place of what is in the same slot."""

    def withdraw(self, slot: str) -> None: ...
    def stop(self) -> None:
        """Nothing of ours stays on the screen."""
