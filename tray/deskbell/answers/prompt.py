"""Find the prompt of the client on its screen, and tell what is typed in it. Pure.

Claude Code draws its prompt between two rules, behind a sign and a no-break space. A dialog, a list, a page or another
program in its terminal draws something else, and then there is no prompt. A screen is its lines, each with the SGR
sequences of its colours, because a suggestion of the client differs from typed text only in being dim.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from typing import NamedTuple

SIGN = "❯\u00a0"
"""Two columns."""
INDENT = "  "
"""What each line of a prompt after the first begins with."""
_TOP, _BOTTOM = re.compile("──.*─"), re.compile("─{2,}")
_OTHER = re.compile("[─╌▔❯]")
"""How a row of a dialog, or of another prompt, begins."""
_SGR = re.compile(r"\x1b\[([0-9;:]*)m")
_ESCAPE = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[ -/]*[0-~])")
_PASTE = re.compile(r"\[Pasted text #\d+(?: \+\d+ lines)?\]")
"""What the client shows in place of a long text."""

Cursor = tuple[int, int]
"""Column and row, from 0."""


class Row(NamedTuple):
    text: str
    dim: tuple[bool, ...]
    """Of each character."""


def typed_text(lines: Sequence[str], cursor: Cursor | None) -> str | None:
    """Return what the person has typed into the prompt; None if no prompt is there.

    CURSOR is None where the terminal does not report it. Otherwise only the prompt that has the cursor counts.
    """
    rows = list(_rows(lines))
    first = next((at for at in reversed(range(len(rows))) if rows[at].text.startswith(SIGN)), None)
    if not first or not _TOP.fullmatch(rows[first - 1].text.rstrip()):
        return None
    end = next((at for at in range(first + 1, len(rows)) if _BOTTOM.fullmatch(rows[at].text.rstrip())), None)
    if end is None or any(_OTHER.match(row.text) for row in rows[end + 1 :]):
        return None
    if cursor and not first <= cursor[1] < end:
        return None
    inside = rows[first:end]
    if any(row.text.strip() and not row.text.startswith(INDENT) for row in inside[1:]):
        return None
    at_start = cursor is None or cursor == (len(SIGN), first)
    if at_start and _is_suggestion(inside):
        return ""
    typed = "\n".join(row.text[len(SIGN) :].rstrip() for row in inside)
    if not typed.strip():
        return "" if at_start else " "
    return typed


def holds(typed: str, text: str) -> bool:
    """Return whether the prompt holds TEXT and nothing else, as far as a screen can show it. TYPED: from `typed_text`.

    A terminal breaks lines anywhere and draws some signs its own way, so only letters and digits are compared.
    """
    if _PASTE.fullmatch(typed.strip()):
        return True
    shown = _letters(typed)
    return shown == _letters(text) and bool(shown or typed.strip())


def _letters(text: str) -> str:
    """Return the letters and digits of TEXT without accents, because the client may compose accents differently."""
    return "".join(char for char in unicodedata.normalize("NFD", text) if char.isalnum())


def _is_suggestion(inside: Sequence[Row]) -> bool:
    """Return whether the client suggests a prompt: all of it is dim except the character under the cursor."""
    (first, dims), *rest = inside
    shown = [dim for char, dim in zip(first[len(SIGN) :], dims[len(SIGN) :], strict=True) if char != " "]
    more = [dim for row in rest for char, dim in zip(row.text, row.dim, strict=True) if char != " "]
    return len(shown) > 1 and all(shown[1:]) and all(more)


def _rows(lines: Sequence[str]) -> Iterator[Row]:
    """Yield the text of each line without its sequences. A style lasts until it is ended, also beyond its line."""
    dim = False
    for line in lines:
        text, dims, at = "", list[bool](), 0
        for found in _ESCAPE.finditer(line):
            text += line[at : found.start()]
            dims += [dim] * (found.start() - at)
            if style := _SGR.fullmatch(found[0]):
                dim = _dimmed(style[1], dim)
            at = found.end()
        yield Row(text + line[at:], (*dims, *[dim] * (len(line) - at)))


def _dimmed(codes: str, dim: bool) -> bool:
    """Return whether text is dim after an SGR sequence. 38 and 48 are followed by the numbers of a colour."""
    skip = 0
    numbers = codes.split(";")
    for at, number in enumerate(numbers):
        if skip:
            skip -= 1
        elif number in ("38", "48"):
            skip = {"5": 2, "2": 4}.get("".join(numbers[at + 1 : at + 2]), 0)
        elif number == "2":
            dim = True
        elif number in ("", "0", "22"):
            dim = False
    return dim
