"""Fit styled text into columns. Pure."""

from collections.abc import Iterable

from deskbell.text.rows import Line, Span
from deskbell.text.width import cut_to, width


def wide(line: Line) -> int:
    """Return the columns that LINE takes."""
    return sum(width(span.text) for span in line)


def fit(line: Iterable[Span], columns: int) -> Line:
    """Return LINE in exactly COLUMNS columns: cut, or followed by spaces."""
    cut = shortened(line, columns)
    return filled(cut, columns)


def shortened(line: Iterable[Span], columns: int) -> Line:
    """Return LINE cut to at most COLUMNS columns, with an ellipsis where something is missing."""
    kept: list[Span] = []
    left = columns
    for span in line:
        if not span.text:
            continue
        if (needed := width(span.text)) <= left:
            kept.append(span)
            left -= needed
            continue
        if left > 0:
            text = cut_to(span.text, left).replace("·…", "…")  # no separator stands before an ellipsis
            kept.append(span._replace(text=text))
        elif kept and columns > 0:
            kept = list(shortened((*kept[:-1], kept[-1]._replace(text=f"{kept[-1].text}…")), columns))
        break
    return tuple(kept)


def filled(line: Line, columns: int) -> Line:
    """Return LINE followed by spaces, in at least COLUMNS columns."""
    missing = columns - wide(line)
    return (*line, Span(" " * missing)) if missing > 0 else line


def apart(left: Line, right: Line, columns: int) -> Line:
    """Return LEFT and RIGHT at the two ends of COLUMNS columns. If there is little room, cut LEFT before RIGHT."""
    end = shortened(right, columns)
    room = columns - wide(end) - bool(end)
    return (*fit(left, max(0, room)), *((Span(" "),) if end and room >= 0 else ()), *end)


def restyled(line: Line, style: str) -> Line:
    """Return LINE with STYLE added to each of its parts."""
    return tuple(span._replace(style=f"{span.style} {style}".strip()) for span in line)
