"""Name the project folder in which Claude Code keeps the transcripts of a folder, and find the folders for a name.

Pure. Claude Code writes every character except ASCII letters and digits as "-", one for each UTF-16 unit; it cuts a
long name and adds a hash (seen in 2.1.326). So a name can mean several folders, and only the disk says which exist.
"""

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

LONGEST = 200
"""Characters of a name before it is cut."""
MOST_LOOKS = 3000
"""The most folders that one search lists: links in a circle make endless paths."""

_BEHIND = "\0"
"""The separator of names that are encoded together. No path holds it."""
_OTHER, _OF_TWO_UNITS = re.compile(r"[^a-zA-Z0-9\0]"), re.compile("[\U00010000-\U0010ffff]")
_ASCII = {code: "-" for code in range(1, 128) if not chr(code).isalnum()}
_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"


class Tree(NamedTuple):
    """The disk, for a search."""

    list_children: Callable[[str], Sequence[str] | None]
    """Return the names in a folder; empty if it is no folder, None if it cannot be read."""
    is_folder: Callable[[str], bool]
    separator: str = "/"


class Meant(NamedTuple):
    """The folders that a name can mean."""

    paths: tuple[str, ...]
    whole: bool
    """False if there may be more: a folder could not be listed, or there were too many."""


def project_folder(path: str) -> str:
    """Return the name of the folder in `projects` that holds the transcripts of the sessions started in PATH."""
    name = encoded(path)
    return name if len(name) <= LONGEST else f"{name[:LONGEST]}-{_hash(path)}"


def encoded(text: str) -> str:
    if text.isascii():
        return text.translate(_ASCII)
    return _OTHER.sub("-", _OF_TWO_UNITS.sub("--", text))


def _hash(path: str) -> str:
    """Return the hash that Java's String has, over UTF-16 units, without its sign and to the base 36."""
    units, value = path.encode("utf-16-le", "surrogatepass"), 0
    for at in range(0, len(units), 2):
        value = (value * 31 + units[at] + 256 * units[at + 1]) & 0xFFFF_FFFF
    value = 2**32 - value if value >= 2**31 else value
    digits = ""
    while value:
        digits, value = _DIGITS[value % 36] + digits, value // 36
    return digits or "0"


def meant(name: str, tree: Tree, starts: Sequence[str]) -> Meant:
    """Return the folders at and below STARTS whose sessions Claude Code keeps under NAME.

    Earlier starts come first, and among children the longest match. Only folders whose encoded path NAME begins with
    are listed, so that a home with 50,000 folders takes one listing.
    """
    found: dict[str, None] = {}
    whole, seen = True, set[str]()
    waiting = [(start, encoded(start)) for start in reversed(starts) if _leads_to(encoded(start), name)]
    while waiting:
        path, done = waiting.pop()
        if path in seen:
            continue
        if len(seen) == MOST_LOOKS:
            return Meant(tuple(found), False)
        seen.add(path)
        if project_folder(path) == name and tree.is_folder(path):
            found[path] = None
        children = tree.list_children(path) if len(done) < len(name) or len(done) > LONGEST else ()
        whole = whole and children is not None
        before, stem = (done, path) if path.endswith(tree.separator) else (f"{done}-", path + tree.separator)
        fitting = [(stem + child, after) for child, after in _encoded_all(before, children or (), name)]
        waiting += sorted(fitting, key=lambda one: len(one[1]))
    return Meant(tuple(found), whole)


def _encoded_all(before: str, children: Sequence[str], name: str) -> list[tuple[str, str]]:
    """Return the CHILDREN that may be on the way to NAME, each with its encoded path, which begins with BEFORE."""
    rest, is_cut = name[:LONGEST][len(before) :], len(name) > LONGEST
    parts = encoded(_BEHIND.join(children)).split(_BEHIND) if children else []  # at once: there may be many thousands
    # After the cut every child may be on the way: only the hash of the whole path decides.
    every = [(child, part) for child, part in zip(children, parts, strict=True) if is_cut or rest.startswith(part)]
    return [(child, done) for child, part in every if _fits(done := before + part, name)]


def _fits(done: str, name: str) -> bool:
    return _leads_to(done, name) and (len(done) > LONGEST or name[len(done) :][:1] in ("", "-"))


def _leads_to(done: str, name: str) -> bool:
    """Return True if the path with the encoding DONE can be the folder of NAME, or a folder above it."""
    if len(done) > len(name) or len(done) > LONGEST:
        return len(name) > LONGEST and done[:LONGEST] == name[:LONGEST]
    return name.startswith(done)
