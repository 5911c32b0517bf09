"""Choose colours that can be read on a light and on a dark background alike.

Programs name the colours of the terminal, "red" or "yellow", and many terminals with a white background show some of
them too light to read: the yellow of xterm has a contrast of 1.7 there. Where the terminal has 256 colours, others take
their places, about as far from white as from black. With 16 colours, those of the terminal itself remain.
"""

import os
import sys
from collections.abc import Mapping
from functools import cache, lru_cache

from rich.color import Color, ColorType
from rich.style import Style

READABLE = {1: 196, 2: 64, 3: 166, 5: 133, 6: 30}
"""For red, green, yellow, magenta and cyan, by their numbers: one of the 256 colours that can be read everywhere."""


def has_many(env: Mapping[str, str], windows: bool = sys.platform == "win32") -> bool:
    """Return whether the terminal has at least 256 colours."""
    term = env.get("TERM", "")
    return windows or bool(env.get("COLORTERM")) or "256" in term or "direct" in term


@cache
def _has_many() -> bool:
    return has_many(os.environ)


def readable(style: Style) -> Style:
    """Return STYLE with a colour that can be read on this terminal."""
    return in_many(style) if _has_many() else style


@lru_cache(maxsize=1024)
def in_many(style: Style) -> Style:
    """Return STYLE with one of 256 colours in place of one of the terminal."""
    front = style.color
    if front is None or front.type is not ColorType.STANDARD or front.number not in READABLE:
        return style
    return style + Style(color=Color.from_ansi(READABLE[front.number]))
