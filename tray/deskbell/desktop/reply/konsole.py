"""Refuse Konsole: it could take a text, but does not show the prompt before.

Over D-Bus, Konsole 22.12 tells neither what is in the prompt nor whether "Copy Input To" is on, which would send the
text to other tabs, too: https://docs.kde.org/stable_kf6/en/konsole/konsole/scripting.html
"""

from deskbell.desktop.jump.spot import Spot, program
from deskbell.desktop.reply.carrier import BY_HAND, Carrier
from deskbell.errors import Problem


def carrier(there: Spot) -> Carrier | None:
    """Return None for another terminal. Raise Problem for Konsole."""
    if there.holder is None or program(there.holder) != "konsole":
        return None
    raise Problem("Konsole does not tell what is in the prompt, nor where its input is copied to.", BY_HAND)
