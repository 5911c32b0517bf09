"""Draw the icons of Deskbell: the tray icon of every state, the sign of every status, and the icon of the program.

The import loads neither Pillow nor the geometry; drawing does. `pixels` keeps the usual sizes ready.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Literal, get_args

if TYPE_CHECKING:
    from PIL.Image import Image

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


def draw(state: IconState, count: int = 0, size: int = 22, panel: Panel = "any") -> Image:
    """Return the tray icon. Equal arguments give the same image: do not change it."""
    return _draw(*look(state, count), size, panel)


def look(state: IconState, count: int) -> tuple[IconState, int]:
    """Return the entry of LOOKS for STATE and COUNT."""
    counts = _COUNTS.get(state, range(1))
    return state, max(counts[0], min(count, counts[-1]))


@lru_cache(maxsize=128)
def _draw(state: IconState, count: int, size: int, panel: Panel) -> Image:
    from deskbell_icons import scenes, shapes

    return shapes.raster(scenes.tray(state, count, size, panel), size)


@lru_cache(maxsize=64)
def draw_sign(sign: Sign, size: int, ground: Ground = "any") -> Image:
    """Return the sign of a status. Equal arguments give the same image: do not change it."""
    from deskbell_icons import shapes, signs

    return shapes.raster(signs.sign(sign, size, ground), size)


@lru_cache(maxsize=16)
def app(size: int) -> Image:
    """Return the icon of the program itself."""
    from deskbell_icons import scenes, shapes

    return shapes.raster(scenes.app(size), size)
