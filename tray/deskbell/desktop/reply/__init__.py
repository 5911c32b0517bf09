"""Choose the Carrier that pastes a text into the prompt of a client. Nothing here presses Enter by itself.

Each way is a module, whose first sentence says what it reaches and how it reads the prompt. Only the terminal that
holds the client itself is used: tmux, and not the terminal around it. A terminal that cannot show the prompt to
Deskbell is refused.
"""

from collections.abc import Callable, Sequence

from deskbell.desktop.jump import screen as gnu_screen
from deskbell.desktop.jump import zellij
from deskbell.desktop.jump.desk import Desk
from deskbell.desktop.jump.spot import Spot, program
from deskbell.desktop.reply import kitty, konsole, tmux, wezterm
from deskbell.desktop.reply.carrier import BY_HAND, Carrier
from deskbell.errors import Problem

WAYS: Sequence[Callable[[Spot], Carrier | None]] = (tmux.carrier, kitty.carrier, wezterm.carrier, konsole.carrier)


def carrier(there: Spot) -> Carrier:
    """Return the Carrier for the client at THERE. Raise Problem if there is none."""
    if there.tty is None:
        raise Problem("The session runs without a terminal.", "Attach to it with `claude attach`.")
    for way in WAYS:
        if found := way(there):
            return found
        if way is tmux.carrier and (inside := _multiplexer(there)):
            raise Problem(f"The session runs in {inside}, which does not show its prompt to another program.", BY_HAND)
    name = program(there.holder) if there.holder else ""
    raise Problem(f"{name or 'Its terminal'} does not show the prompt of a session to another program.", BY_HAND)


def _multiplexer(there: Spot) -> str:
    """Return the name of the multiplexer that has started the client; empty if none has."""
    with Desk() as desk:
        for name, way in (("screen", gnu_screen.inside), ("zellij", zellij.inside)):
            try:
                if way(there, desk):
                    return name
            except Problem:
                return name
    return ""
