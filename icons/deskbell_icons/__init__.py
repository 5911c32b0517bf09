"""Draw the icons of Deskbell: the tray icon of every state at every size, the notification icons and the app icon.

The import loads neither Pillow nor the geometry; the first icon that is drawn does.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Literal, get_args

if TYPE_CHECKING:
    from PIL.Image import Image

IconState = Literal["blocked", "your_turn", "working", "quiet", "snoozed", "uninstalled", "problem"]
STATES: tuple[IconState, ...] = get_args(IconState)

Panel = Literal["dark", "light", "any", "template"]
"""The background of the icon. `any`: not known. `template`: black and alpha, for a system that colours icons itself."""

Sign = Literal[
    "permission",
    "question",
    "input",
    "interrupted",
    "error",
    "plan",
    "idle",
    "working",
    "background",
    "ended",
    "crashed",
]
"""The status of the session that a notification is about."""
SIGNS: tuple[Sign, ...] = get_args(Sign)

MOST = 9
"""More than this many blocked sessions are drawn as `9+`."""
LOOKS: tuple[tuple[IconState, int], ...] = tuple(
    (state, count) for state in STATES for count in (range(1, MOST + 2) if state == "blocked" else (0,))
)
"""Every tray icon."""


def draw(state: IconState, count: int = 0, size: int = 22, panel: Panel = "any") -> Image:
    """Return the tray icon. Equal arguments give the same image: do not change it."""
    return _draw(*look(state, count), size, panel)


def look(state: IconState, count: int) -> tuple[IconState, int]:
    """Return the entry of LOOKS that shows STATE and COUNT."""
    return state, max(1, min(count, MOST + 1)) if state == "blocked" else 0


@lru_cache(maxsize=128)
def _draw(state: IconState, count: int, size: int, panel: Panel) -> Image:
    from deskbell_icons import scenes, shapes

    return shapes.raster(scenes.tray(state, count, size, panel), size)


@lru_cache(maxsize=len(SIGNS))
def notice(sign: Sign, size: int = 256) -> Image:
    """Return the picture in a notification about a session in this status."""
    from deskbell_icons import scenes, shapes

    return shapes.raster(scenes.notice(sign, size), size)


@lru_cache(maxsize=16)
def app(size: int) -> Image:
    """Return the icon of the program itself."""
    from deskbell_icons import scenes, shapes

    return shapes.raster(scenes.app(size), size)
