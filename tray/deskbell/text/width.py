"""Fit text into the columns of a terminal. A character takes none, one or two. Pure."""

from deskbell.text.clean import END_ISOLATE, ISOLATE, cut, isolate


def width(text: str) -> int:
    """Return the columns that TEXT takes."""
    if text.isascii():
        return len(text)
    from rich.cells import cell_len  # imported here, because most text is ASCII

    return cell_len(text)


def cut_to(text: str, columns: int) -> str:
    """Cut TEXT to at most COLUMNS columns, with an ellipsis at the end. Keep the isolates around right-to-left text."""
    if width(text) <= columns:
        return text
    if columns < 1:
        return ""
    whole = text.replace(ISOLATE, "").replace(END_ISOLATE, "")
    length = min(len(whole), 2 * columns)  # accents and joiners take no column
    while width(shorter := cut(f"{whole}…", length)) > columns:
        length -= 1
    return isolate(shorter)


def fitted(text: str, columns: int) -> str:
    """Return TEXT in exactly COLUMNS columns: cut, or with spaces after it."""
    shorter = cut_to(text, columns)
    return shorter + " " * (columns - width(shorter))
