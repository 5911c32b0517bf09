"""Suggest the name that a person meant who mistyped it."""

from collections.abc import Iterable
from itertools import islice

MOST = 2000
"""The most names that are compared: each takes some microseconds."""
LONGEST = 60
"""The most characters of a name that are compared."""


def nearest(word: str, names: Iterable[str]) -> str | None:
    """Return the one of NAMES that is most like WORD, ignoring case; None if no name is like it."""
    from difflib import get_close_matches  # imported for a mistyped name only

    known: dict[str, str] = {}
    for name in islice(names, MOST):
        known.setdefault(name[:LONGEST].casefold(), name)
    found = get_close_matches(word.strip()[:LONGEST].casefold(), known, n=1)
    return known[found[0]] if found else None


def suggestion(word: str, names: Iterable[str], otherwise: str) -> str:
    """Return "Did you mean ...?" with the nearest of NAMES, or what to do OTHERWISE."""
    found = nearest(word, names)
    return f'Did you mean "{found}"?' if found else otherwise
