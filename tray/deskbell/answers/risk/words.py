"""Define the parts of a shell command, and the characters that may hide something. Pure."""

import re
import unicodedata
from dataclasses import dataclass, field, replace
from itertools import product

from deskbell.text.clean import is_blank, is_variation

HIDDEN = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp", "Zs")


CHOICE = "\0"


def names(text: str) -> frozenset[str]:
    """Return the names in TEXT, which spaces separate."""
    return frozenset(text.split())


@dataclass(slots=True)
class Word:
    """One word without its quotes. A value that only the shell knows is left out of `text`, and `*` in `pattern`."""

    text: str = ""
    pattern: str = ""
    """The word for `fnmatch`."""
    bare: bool = True
    """Whether nothing is quoted or escaped, and nothing is missing."""
    glob: bool = False
    """Whether it is a pattern, which the shell replaces by names of files."""
    missing: bool = False
    """Whether a value that only the shell knows was left out."""

    choices: list[list[str]] = field(default_factory=list)
    """The alternatives of each pair of braces, which stands as CHOICE in `text` and `pattern`."""

    def add(self, text: str) -> None:
        self.text += text
        self.pattern += re.sub(r"[*?\[]", r"[\g<0>]", text)

    def wild(self, sign: str, text: str) -> None:
        """Add SIGN, which matches more than one text. TEXT is how it is written; empty if only the shell knows it."""
        self.text += text
        self.pattern += sign
        self.glob |= bool(text)
        self.missing |= not text

    def choose(self, choices: list[str]) -> None:
        self.text += CHOICE
        self.pattern += CHOICE
        self.choices.append(choices)
        self.bare = False

    def expanded(self) -> "list[Word]":
        """Return the words that the shell makes of this one and its braces."""
        texts = [(self.text, self.pattern)]
        for choices in self.choices:
            pairs = product(texts, choices)
            texts = [(text.replace(CHOICE, one, 1), form.replace(CHOICE, one, 1)) for (text, form), one in pairs]
        return [replace(self, text=text, pattern=form, choices=[]) for text, form in texts] if self.choices else [self]


@dataclass(slots=True)
class Redirect:
    """A redirection: its sign, such as `>`, and the word after it."""

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
    """The commands of a text, and why it cannot be read with certainty."""

    commands: list[Command]
    doubts: list[str]
    inner: list[str] = field(default_factory=list)
    """What stands in substitutions, such as `$(...)`: the shell runs it, too."""


def hidden(text: str) -> bool:
    """Return whether TEXT has a control, invisible or unassigned character, or a space other than U+0020."""
    if text.isascii():
        return not text.isprintable()
    return any(c != " " and (unicodedata.category(c) in HIDDEN or is_blank(c) or is_variation(c)) for c in text)
