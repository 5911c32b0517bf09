"""Define the parts of a shell command, and which characters may hide something. Pure."""

import re
import unicodedata
from dataclasses import dataclass, field

HIDDEN = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp", "Zs")


def names(text: str) -> frozenset[str]:
    """The names in TEXT, which spaces divide."""
    return frozenset(text.split())


@dataclass(slots=True)
class Word:
    """One word without its quotes. What only the shell knows is missing in `text` and `*` in `pattern`."""

    text: str = ""
    pattern: str = ""
    """The word for `fnmatch`."""
    bare: bool = True
    """Nothing is quoted or escaped, and nothing is missing."""
    glob: bool = False
    missing: bool = False

    def add(self, text: str) -> None:
        self.text += text
        self.pattern += re.sub(r"[*?\[]", r"[\g<0>]", text)

    def wild(self, sign: str, text: str) -> None:
        """Add what matches more than one text; TEXT is what stands for it, empty for what only the shell knows."""
        self.text += text
        self.pattern += sign
        self.glob |= bool(text)
        self.missing |= not text


@dataclass(slots=True)
class Redirect:
    sign: str
    target: Word


@dataclass(slots=True)
class Command:
    """One part of a chain: words and redirections. BEFORE and AFTER are the signs that join it to its neighbours."""

    before: str
    words: list[Word] = field(default_factory=list)
    redirects: list[Redirect] = field(default_factory=list)
    after: str = ""


@dataclass(slots=True)
class Script:
    commands: list[Command]
    doubts: list[str]


def hidden(text: str) -> bool:
    """Return whether TEXT has a control, an invisible or an unassigned character, or a space that is not a space."""
    if text.isascii():
        return not text.isprintable()
    return any(c != " " and unicodedata.category(c) in HIDDEN for c in text)
