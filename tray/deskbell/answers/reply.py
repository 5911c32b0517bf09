"""Make the text of a reply ready for the prompt of a session, or refuse it. Pure.

The text is pasted and followed by one Enter. It must be one prompt and nothing else: no command of the client, no line
of a shell, no key. Seen with Claude Code 2.1.326: a text that begins with "!" runs in a shell, also if it is pasted; a
space before it prevents that. "/" begins a command, also after a space. "exit" alone ends the client. A "\" at the end
turns Enter into a new line. The client removes invisible characters itself, so a "!" after them begins the text, and
then waits for another Enter. A long paste comes with tags around it, or around each of two parts, which the hook takes
out (`deskbell_hooks.pasted`).
"""

import re
import unicodedata

from deskbell.errors import Misuse, Problem
from deskbell.text.clean import without_escapes
from deskbell_hooks.trim import LIMITS, clean

LONGEST = LIMITS["prompt"]
"""Characters. The journal cuts a longer prompt, so nobody could tell whether it arrived."""
TAB = "    "
"""What the client makes of a tab."""
ENDS_THE_CLIENT = frozenset(("exit", "quit", ":q", ":q!", ":wq", ":wq!"))
SHELL, COMMAND, MEMORY = "!", "/", "#"
NOT_SENT = "Nothing was sent."
SHORT, FEW = 800, 2
"""Characters and line ends of a paste that comes without tags. One with more of either gets them."""

_LINE_END = re.compile("\r\n|[\r\x85\u2028\u2029]")
_JOINERS = "\u200c\u200d"
"""Characters that join emoji and split Persian words. All other characters of their kind are removed."""
_BLANKS = "\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0"
"""Letters and marks without a shape."""
_LONE = re.compile(rf"(?<!\S)[{_JOINERS}\ufe00-\ufe0f]+|[{_JOINERS}]+(?!\S)")
"""Joiners with nothing to join, and selectors of a shape without a character before them."""
_TAG = re.compile(r"<(?=/?pasted_content)", re.IGNORECASE)
"""The beginning of a tag that the client takes for one of its own."""


def ready(text: str) -> str:
    """Return what to paste for TEXT. Raise Misuse if TEXT is empty, and Problem if it would not be a prompt."""
    said = _plain(text)
    if not _solid(said):
        raise Misuse("The reply is empty.", "Type what Claude is to read.")
    if len(said) > LONGEST:
        raise Problem(f"The reply has {len(said)} characters, and {LONGEST} are the most.", "Put the rest into a file.")
    if said.casefold() in ENDS_THE_CLIENT:
        raise Problem(f'"{said}" alone would end Claude Code. {NOT_SENT}', "Say it in a sentence.")
    if said.endswith("\\"):
        raise Problem(f"The reply ends in a backslash, so Enter would not send it. {NOT_SENT}", "Remove it.")
    first = _solid(said)
    if first in (COMMAND, MEMORY) or (first == SHELL and said[0] != SHELL):
        raise Problem(f'A reply that begins with "{first}" would be a command. {NOT_SENT}', "Begin it with a word.")
    return f" {said}" if first == SHELL else said


def arrived(pasted: str, heard: str) -> bool:
    """Return whether HEARD, a prompt of the journal, is what was PASTED.

    The journal redacts secrets, and the client may compose accents differently. It puts a "\\" into the tags of a paste
    that are a part of the text. If it takes a long paste in two parts, a line end comes between them.
    """
    said, came = _composed(pasted), _composed(heard).strip()
    escaped = _TAG.sub(r"<\\", said)
    return _is_same(said, came) or (len(escaped) <= LONGEST and _is_same(escaped, came))


def _composed(text: str) -> str:
    return unicodedata.normalize("NFC", text)


def _is_same(said: str, came: str) -> bool:
    kept = clean(said, LONGEST).strip()
    return came in (kept, _in_two(kept, came))


def _in_two(said: str, came: str) -> str | None:
    """Return SAID with a line end where CAME departs from it; None if that would not part two pastes with tags."""
    at = next((at for at, (one, other) in enumerate(zip(said, came, strict=False)) if one != other), len(said))
    parts = said[:at], said[at:]
    return "\n".join(parts) if all(len(one) > SHORT or one.count("\n") > FEW for one in parts) else None


def _plain(text: str) -> str:
    """Return TEXT without escapes, controls and invisible characters, and without blanks around it."""
    lines = _LINE_END.sub("\n", text).replace("\t", TAB).split("\n")
    shown = "\n".join("".join(filter(_is_kept, without_escapes(line))) for line in lines)
    while (less := _LONE.sub("", shown.strip())) != shown:
        shown = less
    return shown


def _is_kept(char: str) -> bool:
    """Return whether CHAR goes into the prompt: it has a shape, or is part of one."""
    if char in _BLANKS:
        return False
    return char in _JOINERS or unicodedata.category(char) not in ("Cc", "Cf", "Cs", "Cn", "Zl", "Zp")


def _solid(text: str) -> str:
    """Return the first character of TEXT that has a shape of its own; empty if there is none."""
    return next((char for char in text if unicodedata.category(char)[0] not in "CMZ"), "")
