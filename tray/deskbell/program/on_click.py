"""Go to a session or open a terminal for a click, and import the modules for that only then.

The functions do what those of the same name in `resuming`, `carding` and `jumping` do. They block: call them in a
thread.
"""

from typing import TYPE_CHECKING

from deskbell.home import Home
from deskbell.session import Session

if TYPE_CHECKING:
    from deskbell.desktop.jump.arrival import Arrival


def resume_in_terminal(session: Session, home: Home) -> None:
    from deskbell.program.resuming import resume_in_terminal

    resume_in_terminal(session, home)


def board_in_terminal(session: Session | None, home: Home) -> None:
    from deskbell.program.carding import board_in_terminal

    board_in_terminal(session, home)


def go_to(session: Session, token: str | None, home: Home) -> "Arrival":
    from deskbell.program.jumping import go_to

    return go_to(session, token, home)


def attach_in_terminal(came: "Arrival", session: Session, home: Home) -> None:
    from deskbell.program.jumping import attach_in_terminal

    attach_in_terminal(came, session, home)
