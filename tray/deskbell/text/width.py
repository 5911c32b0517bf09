"""Fit text into the columns of a terminal. A character takes none, one or two. Pure."""

import re
from bisect import bisect_left, bisect_right

from deskbell.text.clean import END_ISOLATE, ISOLATE, cut, isolate

_UNEVEN = re.compile("\u200d(?=[\u2190-\u2bff\U0001f000-\U0001faff])|[\ufe0e\ufe0f\U0001f3fb-\U0001f3ff]")


def even(text: str) -> str:
    """Return TEXT without the joiners, selectors and skin tones of emoji.

    Terminals count their columns differently: xterm draws a family of four in eight columns, kitty in two.
    """
    return text if text.isascii() else _UNEVEN.sub("", text)


def width(text: str) -> int:
    """Return the columns that TEXT takes once it is `even`."""
    if text.isascii():
        return len(text)
    from rich.cells import cell_len  # imported here, because most text is ASCII

    return cell_len(even(text))


def cut_to(text: str, columns: int) -> str:
    """Cut TEXT to at most COLUMNS columns, with an ellipsis at the end. Keep the isolates around right-to-left text."""
    if width(text) <= columns:
        return text
    if columns < 1:
        return ""
    whole = text.replace(ISOLATE, "").replace(END_ISOLATE, "")[: 2 * columns + 1]
    length = min(len(whole), 2 * columns)  # accents and joiners take no column
    while width(shorter := cut(f"{whole}…", length)) > columns:
        length -= 1
    return isolate(shorter)


def first_of(text: str, columns: int) -> str:
    """Return as much of the beginning of TEXT as fits into COLUMNS, without an ellipsis."""
    return text[: bisect_right(range(1, len(text) + 1), columns, key=lambda end: width(text[:end]))]


def last_of(text: str, columns: int) -> str:
    """Return as much of the end of TEXT as fits into COLUMNS, without an ellipsis."""
    return text[bisect_left(range(len(text)), -columns, key=lambda start: -width(text[start:])) :]


def fitted(text: str, columns: int) -> str:
    """Return TEXT in exactly COLUMNS columns: cut, or with spaces after it."""
    shorter = cut_to(text, columns)
    return shorter + " " * (columns - width(shorter))
