"""Draw the tray icon of every state, the sign of every status, and the icon of the program.

`make pixels` draws what Deskbell ships; nothing here is shipped. Each module is pure.
"""

from functools import lru_cache

from PIL.Image import Image

from deskbell_drawings import scenes, shapes, signs
from deskbell_icons import Ground, IconState, Panel, Sign, look


def draw(state: IconState, count: int = 0, size: int = 22, panel: Panel = "any") -> Image:
    """Return the tray icon. Equal arguments give the same image: do not change it."""
    return _draw(*look(state, count), size, panel)


@lru_cache(maxsize=128)
def _draw(state: IconState, count: int, size: int, panel: Panel) -> Image:
    return shapes.raster(scenes.tray(state, count, size, panel), size)


@lru_cache(maxsize=64)
def draw_sign(sign: Sign, size: int, ground: Ground = "any") -> Image:
    """Return the sign of a status. Equal arguments give the same image: do not change it."""
    return shapes.raster(signs.sign(sign, size, ground), size)


@lru_cache(maxsize=16)
def app(size: int) -> Image:
    """Return the icon of the program itself."""
    return shapes.raster(scenes.app(size), size)
