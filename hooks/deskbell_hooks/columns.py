"""Count the columns that text takes in a terminal: a character takes none, one or two. Pure.

The statusline imports this only for text that is not ASCII: `unicodedata` takes a tenth of a millisecond.
"""

from unicodedata import category, east_asian_width

NARROW = "\u1100"
"""No character before it is wide, and none before U+0300 combines."""
MARKS = 2
"""Combining marks kept on one letter. A stack of them covers other lines."""


def columns(text: str) -> int:
    """Return the columns of TEXT."""
    if text.isascii() or max(text) < "\u0300":
        return len(text)
    return sum(map(_columns, text))


def _columns(char: str) -> int:
    if char >= NARROW and east_asian_width(char) in "WF":
        return 2
    return 0 if category(char) in ("Mn", "Me", "Cf") or "\u1160" <= char <= "\u11ff" else 1


def cut(text: str, room: int) -> str:
    """Cut TEXT to at most ROOM columns, with an ellipsis at the end."""
    if columns(text) <= room:
        return text
    while text and columns(text) > room - 1:
        text = text[:-1]
    return text.rstrip() + "…" if room > 0 else ""


def without_stacks(text: str) -> str:
    """Return TEXT with at most MARKS combining marks on each letter, and without those that stand on no letter."""
    if not text or max(text) < "\u0300":
        return text
    kept, marks = [], MARKS
    for char in text:
        marks = marks + 1 if category(char) in ("Mn", "Me") else 0
        if marks <= MARKS:
            kept.append(char)
        elif not kept:
            marks = MARKS
    return "".join(kept)
