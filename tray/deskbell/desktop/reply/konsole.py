"""Refuse Konsole, whose sendText would reach the client unseen.

Konsole 22.12 tells over D-Bus neither what stands in the prompt nor whether "Copy Input To" is on, which sends the text
to other tabs too: https://docs.kde.org/stable_kf6/en/konsole/konsole/scripting.html
"""

from deskbell.desktop.jump.spot import Spot, program
from deskbell.desktop.reply.carrier import BY_HAND, Carrier
from deskbell.errors import Problem


def carrier(there: Spot) -> Carrier | None:
    """Return None for another terminal. Raise Problem for Konsole."""
    if there.holder is None or program(there.holder) != "konsole":
        return None
    raise Problem("Konsole tells nobody what stands in the prompt and where its input is copied to.", BY_HAND)
