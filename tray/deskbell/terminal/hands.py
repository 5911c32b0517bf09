"""Define the Hands: what the board in the terminal needs of the program."""

from collections.abc import Mapping
from typing import Protocol

from rich.console import RenderableType

from deskbell.asking import Asking
from deskbell.cards.keys import Order
from deskbell.face.facts import Facts
from deskbell.session import Key, Session


class Hands(Protocol):
    """What the board needs of the program. All but `facts` and `is_shown` may block, so a thread calls them."""

    def facts(self, now: float) -> Facts: ...

    def look(self) -> None:
        """Look again for what is broken. `facts` then returns it."""

    def requests(self) -> Mapping[Key, Asking]:
        """Return the open requests that can be answered here."""

    def do(self, order: Order, session: Session | None) -> str:
        """Carry out ORDER and return what came of it in a sentence. Raise Problem if it failed.

        SESSION has the request that was on the screen: an answer to it counts only if it is still the same.
        """

    def is_shown(self) -> bool:
        """Return whether the last jump has brought its session to the front."""

    def details(self, session: Session, now: float) -> RenderableType: ...
