"""Reduce a text to how it looks, so that two texts that a person cannot tell apart become equal. Pure.

This is the skeleton of Unicode Technical Standard 39, with what its data leaves out: compatibility forms, all dashes,
and the width of spaces. `lookalikes.txt` holds the data; `packaging/lookalikes.py` writes it.
"""

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from unicodedata import category, normalize

FILE = Path(__file__).with_name("lookalikes.txt")
DASH = "-"
"""Stands for every dash: a person does not measure them."""
PASSES = 3
"""A prototype of several characters may hold one that has a prototype or a compatibility form itself."""
UNSEEN = ("Cf", "Zs", "Zl", "Zp", "Cc")
"""What has no shape: two texts do not differ by it, because some of the spaces are too thin to be seen."""


def look(text: str) -> str:
    """Return what TEXT looks like. The result is for comparison only."""
    found = _decomposed(text)
    for _ in range(PASSES):
        found = _decomposed(found.translate(_prototypes()))
    seen = "".join(DASH if category(char) == "Pd" else char for char in found if not _is_unseen(char))
    return normalize("NFD", seen)  # marks that a space kept apart now stand on one letter


def _decomposed(text: str) -> str:
    return normalize("NFD", normalize("NFKC", text))


def _is_unseen(char: str) -> bool:
    return category(char) in UNSEEN or "\ufe00" <= char <= "\ufe0f"


@lru_cache(maxsize=1)  # the table takes 5 ms, and most people are never asked a question
def _prototypes() -> Mapping[int, str]:
    found = dict[int, str]()
    for line in FILE.read_text(encoding="ascii").splitlines():
        if not line.startswith("#"):
            prototype, *sources = map(_text, line.split())
            if len(prototype) == 1 and "Pd" in map(category, (prototype, *sources)):
                prototype, sources = DASH, [prototype, *sources]
            found |= {ord(source): prototype for source in sources}
    return found


def _text(numbers: str) -> str:
    return "".join(chr(int(number, 16)) for number in numbers.split("+"))
