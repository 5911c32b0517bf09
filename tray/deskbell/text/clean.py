"""Make text from elsewhere safe to show: remove escapes and invisible characters, cut it, isolate its direction.

Pure. `deskbell.text.wording.short` does all of this and redacts secrets; most callers want that one. The places that
show text (terminal, log, notification, menu) pass all of it through `visible`, so that text is safe even if no caller
has cleaned it.
"""

import re
import unicodedata
from itertools import pairwise

READ_AT_MOST = 4000
"""The most characters of a text that are read. A prompt may have a million."""

# CSI, OSC (ended by BEL or ST), other strings (DCS, PM, APC, SOS), two-character escapes; in 7 and 8 bits.
_ESCAPES = re.compile(
    r"(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]?"
    r"|(?:\x1b\]|\x9d)[^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c)?"
    r"|(?:\x1b[PX^_]|[\x90\x98\x9e\x9f])[^\x1b\x9c]*(?:\x1b\\|\x9c)?"
    r"|\x1b[ -/]*[0-~]?"
)
_SPACE = re.compile(r"\s")
# ASCII, letters of Europe, punctuation, currency signs, symbols: no control, no mark, nothing invisible among them.
_ORDINARY = re.compile(
    "[ -~\u00a1-\u00ac\u00ae-\u02ff\u2010-\u2027\u2030-\u205e\u20a0-\u20cf\u2100-\u27ff\u2801-\u2bff]*"
)
_JOINER, _PERSIAN_SPLIT = "\u200d", "\u200c"
_JOINERS = (_JOINER, _PERSIAN_SPLIT)
ISOLATE, END_ISOLATE = "\u2068", "\u2069"
_ISOLATED = re.compile(f"{ISOLATE}([^\u2066-\u2069]*){END_ISOLATE}")
_MARKUP = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;", "`": "&#96;"})
_HARMFUL = ("Cc", "Cf", "Cs", "Zl", "Zp")
_BLANK = frozenset(
    "\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2065\u2800\u3164\uffa0\U0001d159"
    + "".join(map(chr, range(0xE0100, 0xE01F0)))
)
"""Letters, marks and signs that are drawn as nothing or as an empty space: fillers of Hangul, the empty Braille cell,
joiners of marks, and variation selectors that no emoji has."""
_MARKS_KEPT = 2
"""Combining marks kept on one letter. Every living script needs at most two; a stack of them covers other lines."""


def clean(text: str) -> str:
    """Return TEXT as one line, without escapes, controls, invisible or direction-changing characters and stacked marks.

    Only the first READ_AT_MOST characters are read.
    """
    return " ".join(_without_harm(text[:READ_AT_MOST]).split())


def without_escapes(text: str) -> str:
    """Return the line TEXT without escape sequences. One that does not end takes the rest of the line with it."""
    return _ESCAPES.sub("", text)


def visible(text: str) -> str:
    """Return the line TEXT without what `clean` removes, but at full length, with its spaces and its isolates.

    The line may be one of a table, so its spaces matter.
    """
    if _ORDINARY.fullmatch(text):
        return text
    parts = map(_without_harm, _ISOLATED.split(text))  # every second one stood in isolates
    return "".join(f"{ISOLATE}{part}{END_ISOLATE}" if at % 2 else part for at, part in enumerate(parts))


def visible_lines(text: str) -> str:
    """Return TEXT with each line as `visible` returns it. Only a newline ends a line."""
    return "\n".join(map(visible, text.split("\n")))


def escaped(text: str) -> str:
    """Return TEXT with numbers in place of controls and invisible characters: "\\u009b". Tabs and line ends stay."""
    return "\n".join(_numbered(line.removesuffix("\r")) + "\r" * line.endswith("\r") for line in text.split("\n"))


def html(text: str) -> str:
    """Return TEXT for a page: each line as `visible` returns it, with its markup escaped."""
    return visible_lines(text).translate(_MARKUP)


def html_exactly(text: str) -> str:
    """Return TEXT for a page as `escaped` returns it, so that every character of a changed file can be seen."""
    return escaped(text).translate(_MARKUP)


def is_harmless(text: str) -> bool:
    """Return whether TEXT can be pasted into a terminal: no control, line end or direction-changing character."""
    return all(c in (_JOINER, _PERSIAN_SPLIT) or unicodedata.category(c) not in _HARMFUL for c in text)


def cut(text: str, length: int) -> str:
    """Cut TEXT to at most LENGTH characters, of which the last is an ellipsis. LENGTH is at least 1.

    Never cut inside an emoji or an accented letter, and cut between words if that costs little.
    """
    if len(text) <= length:
        return text
    end = length - 1
    while end > 0 and _continues(text, end):
        end -= 1
    space = text.rfind(" ", max(end - 12, end * 3 // 4), end)
    return text[: space if space > 0 else end].rstrip() + "…"


def isolate(text: str) -> str:
    """Wrap right-to-left text in isolate characters, so that it does not reverse the text around it."""
    if any(unicodedata.bidirectional(c) in ("R", "AL") for c in text):
        return f"{ISOLATE}{text}{END_ISOLATE}"
    return text


def _without_harm(text: str) -> str:
    return "".join(_shown(_SPACE.sub(" ", without_escapes(text))))


def _numbered(line: str) -> str:
    if _ORDINARY.fullmatch(line):
        return line
    return "".join(char if char == "\t" or is_harmless(char) else f"\\u{ord(char):04x}" for char in line)


def _shown(text: str) -> list[str]:
    """Return the characters of TEXT without invisible ones, marks without a letter, and further marks on a letter."""
    kept: list[str] = []
    marks = 0
    for char in text:
        before = kept[-1] if kept else " "
        if is_blank(char):
            continue
        if is_variation(char):
            if not _takes_variation(before):
                continue
        elif char in _JOINERS:
            if not _can_be_joined(before):
                continue
        elif unicodedata.category(char) in ("Mn", "Me"):
            marks += 1
            if marks > _MARKS_KEPT or before == " ":
                continue
        elif not _is_shown(char):
            continue
        else:
            marks = 0
        kept.append(char)
    return [char for char, following in pairwise([*kept, " "]) if _stays(char, following)]


def is_blank(char: str) -> bool:
    """Return whether CHAR is drawn as nothing although it counts as a letter, a mark or a sign."""
    return char in _BLANK


def _takes_variation(before: str) -> bool:
    """Return whether a variation selector changes how BEFORE is drawn. If not, it is invisible, and may hide a text."""
    return before > "\x7f" and unicodedata.category(before) in ("So", "Sm", "Sk", "Po")


def _stays(char: str, following: str) -> bool:
    """Return whether CHAR is drawn or changes how FOLLOWING is drawn."""
    return char not in _JOINERS or _can_be_joined(following)


def _can_be_joined(char: str) -> bool:
    """Return whether a joiner beside CHAR may change how it is drawn: an emoji, or a letter of a script that joins."""
    if "\u0600" <= char <= "\u109f" or "\u1780" <= char <= "\u18af" or "\ufb50" <= char <= "\ufefc":
        return True
    return char >= "\U0001f000" or unicodedata.category(char) in ("So", "Sk", "Mn", "Mc", "Me")


def _is_shown(char: str) -> bool:
    # Cf holds the bidirectional controls, zero-width characters and tags; Cs and Co have no shape anywhere.
    return unicodedata.category(char) not in ("Cc", "Cf", "Cs", "Co") and ord(char) & 0xFFFE != 0xFFFE


def is_variation(char: str) -> bool:
    """Return whether CHAR is a variation selector: it changes the sign before it, as for many emoji."""
    return "\ufe00" <= char <= "\ufe0f"


def _is_flag(char: str) -> bool:
    return "\U0001f1e6" <= char <= "\U0001f1ff"


def _continues(text: str, at: int) -> bool:
    """Return whether text[at] is drawn as one character with text[at - 1]."""
    here, before = text[at], text[at - 1]
    if here == _JOINER or before == _JOINER or unicodedata.category(here) in ("Mn", "Me", "Mc"):
        return True
    if "\U0001f3fb" <= here <= "\U0001f3ff":
        return True
    return _is_flag(here) and _flags_before(text, at) % 2 == 1


def _flags_before(text: str, at: int) -> int:
    return next((n for n in range(at) if not _is_flag(text[at - 1 - n])), at)
