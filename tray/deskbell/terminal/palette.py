"""Choose colours that can be read on a light and on a dark background alike.

Programs name the colours of the terminal, "red" or "yellow", and many terminals with a white background show some of
them too light to read: the yellow of xterm has a contrast of 1.7 there. Where the terminal has 256 colours, others take
their places, about as far from white as from black. A terminal with 16 colours keeps its own, but words get its default
colour in place of one that is too light for a white background: xterm has 16 colours and is white by default.
"""

import os
import sys
from collections.abc import Mapping
from functools import cache, lru_cache

from rich.color import Color, ColorType
from rich.style import Style

READABLE = {1: 196, 2: 64, 3: 166, 5: 133, 6: 30}
"""The numbers of red, green, yellow, magenta and cyan -> the readable one of the 256 colours that replaces each."""

TOO_LIGHT = frozenset((2, 3, 6, 10, 11, 14))
"""Green, yellow and cyan by their numbers, which many terminals show too light to be read on white."""


def has_many(env: Mapping[str, str], windows: bool = sys.platform == "win32") -> bool:
    """Return whether the terminal has at least 256 colours."""
    term = env.get("TERM", "")
    return windows or bool(env.get("COLORTERM")) or "256" in term or "direct" in term


@cache
def _has_many() -> bool:
    return has_many(os.environ)


def is_dark(env: Mapping[str, str]) -> bool:
    """Return whether the background is known to be black, as that of the console of Linux is."""
    return env.get("TERM") == "linux"


@cache
def _is_dark() -> bool:
    return is_dark(os.environ)


def readable(style: Style, text: str) -> Style:
    """Return STYLE with a colour in which TEXT can be read on this terminal."""
    if _has_many():
        return in_many(style)
    return style if _is_dark() else in_few(style, has_words(text))


def has_words(text: str) -> bool:
    """Return whether TEXT has letters or digits. A sign may be pale, because its shape tells it, too."""
    return any(map(str.isalnum, text))


@lru_cache(maxsize=1024)
def in_few(style: Style, worded: bool) -> Style:
    """Return STYLE without a colour of 16 in which words cannot be read on white. WORDED: whether it is for words."""
    front = style.color
    if not worded or front is None or front.type is not ColorType.STANDARD or front.number not in TOO_LIGHT:
        return style
    return style + Style(color=Color.default())


@lru_cache(maxsize=1024)
def in_many(style: Style) -> Style:
    """Return STYLE with one of the 256 colours in place of a named one."""
    front = style.color
    if front is None or front.type is not ColorType.STANDARD or front.number not in READABLE:
        return style
    return style + Style(color=Color.from_ansi(READABLE[front.number]))
