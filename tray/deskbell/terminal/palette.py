"""Choose colours that can be read on a light and on a dark background alike.

Programs use the named colours of the terminal, such as "yellow". Many terminals with a white background show some of
them too light to read: the yellow of xterm has a contrast of 1.7 there. On a terminal with 256 colours, others replace
them, which are about as far from white as from black. A terminal with 16 colours keeps its own.
"""

import os
import sys
from collections.abc import Mapping
from functools import cache, lru_cache

from rich.color import Color, ColorType
from rich.style import Style

READABLE = {1: 196, 2: 64, 3: 166, 5: 133, 6: 30}
"""The numbers of red, green, yellow, magenta and cyan -> the readable one of the 256 colours that replaces each."""


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
    """Return STYLE with one of the 256 colours in place of a named one."""
    front = style.color
    if front is None or front.type is not ColorType.STANDARD or front.number not in READABLE:
        return style
    return style + Style(color=Color.from_ansi(READABLE[front.number]))
