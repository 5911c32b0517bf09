"""Name the icons of Deskbell: the tray icon of every state, and the sign of every status. Pure.

`pixels` returns their pictures. `packaging/icons` draws them, and is not shipped.
"""

from typing import Literal, get_args

IconState = Literal["blocked", "your_turn", "working", "quiet", "snoozed", "uninstalled", "problem"]
STATES: tuple[IconState, ...] = get_args(IconState)

Panel = Literal["any", "contrast", "template"]
"""What the tray icon is drawn for. `any`: a panel of any colour. `contrast`: the same, for a person who wants full
contrast. `template`: black and alpha, for a system that colours icons itself.
"""

Sign = Literal[
    "permission",
    "question",
    "input",
    "plan",
    "interrupted",
    "error",
    "idle",
    "limit",
    "working",
    "background",
    "crashed",
    "ended",
    "new",
    "muted",
    "later",
    "install",
    "plain",
]
"""The status of a session, or what else a row of the menu or a notification is about: `plain` is Deskbell itself."""
SIGNS: tuple[Sign, ...] = get_args(Sign)

Ground = Literal["any", "light", "dark"]
"""The background that a sign is drawn for. `any`: a background of any colour, as in a notification."""
GROUNDS: tuple[Ground, ...] = get_args(Ground)

MOST = 9
"""The largest number that is drawn; a larger one becomes `9+`."""
_COUNTS: dict[IconState, range] = {"blocked": range(1, MOST + 2), "snoozed": range(MOST + 2)}
LOOKS: tuple[tuple[IconState, int], ...] = tuple(
    (state, count) for state in STATES for count in _COUNTS.get(state, range(1))
)
"""Every tray icon: its state and its number."""


def look(state: IconState, count: int) -> tuple[IconState, int]:
    """Return the entry of LOOKS for STATE and COUNT."""
    counts = _COUNTS.get(state, range(1))
    return state, max(counts[0], min(count, counts[-1]))
