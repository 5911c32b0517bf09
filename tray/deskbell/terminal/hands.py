"""Define the Hands: what the board in the terminal needs of the program."""

from typing import Protocol

from rich.console import RenderableType

from deskbell.cards.keys import Order
from deskbell.face.facts import Facts
from deskbell.session import Session


class Hands(Protocol):
    """What the board needs of the program. `look`, `do` and `details` may block, so they are called in a thread."""

    def facts(self, now: float) -> Facts: ...

    def look(self) -> None:
        """Look again for what is broken. `facts` then returns it."""

    def do(self, order: Order, session: Session | None) -> str:
        """Carry out ORDER and return what came of it in a sentence. Raise Problem if it failed."""

    def is_shown(self) -> bool:
        """Return whether the last jump has brought its session to the front."""

    def details(self, session: Session, now: float) -> RenderableType: ...
