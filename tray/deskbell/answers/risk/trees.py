"""Find the credentials that a search through a folder would show: it reads every file below, hidden ones included.

A file counts if its name says that it holds credentials, and if it holds what the pattern of the search names. What the
search does not follow or does not read is left out. The answer takes bounded time and holds for this moment only.
"""

import os
import os.path
import re
from collections.abc import Iterable, Iterator, Sequence
from fnmatch import fnmatchcase
from itertools import pairwise
from pathlib import Path

from deskbell.answers.risk.credentials import is_secret
from deskbell.answers.risk.kind import PLAIN, Risk, careful
from deskbell.answers.risk.search import named
from deskbell.answers.risk.words import names
from deskbell.files.read import Unfit, read

PROGRAMS = names("grep egrep fgrep rg")
MOST = 20_000
"""The most names that are looked at."""
_MOST_FILES = 50
_LARGEST = 200_000
_LEFT_OUT = names(".git node_modules .venv venv __pycache__ .tox .mypy_cache")
"""Folders in which nobody keeps credentials of their own, and which hold most of the files."""
_RECURSIVE = re.compile(r"-[A-Za-z]*[rR][A-Za-z]*|--recursive|--dereference-recursive")
_FOLLOWS = re.compile(r"-[A-Za-z]*[RL][A-Za-z]*|--follow|--dereference-recursive")
_CHOICE = re.compile(r"(?:--(?:include|i?glob)(?:=| )|-g ?)(.+)", re.DOTALL)


def of_command(words: Sequence[str], folder: str, project: str) -> Risk:
    """Return the risk of what a search by WORDS in FOLDER shows; plain if they are no search through a folder."""
    program = next((at for at, word in enumerate(words) if word.rpartition("/")[2] in PROGRAMS), None)
    if program is None:
        return PLAIN
    is_rg, rest = words[program].endswith("rg"), words[program + 1 :]
    if not is_rg and not any(map(_RECURSIVE.fullmatch, rest)):
        return PLAIN
    paths = {word: Path(folder, word) for word in rest if word[:1] != "-"}
    roots = [str(path) for path in paths.values() if path.is_dir()] or [folder]
    patterns = [word for word, path in paths.items() if not path.exists()]
    pairs = (f"{one} {other}" for one, other in pairwise(rest))
    choices = [found[1] for found in map(_CHOICE.fullmatch, [*rest, *pairs]) if found]
    tree = Tree(project, hidden=not is_rg or bool(choices), follows=any(map(_FOLLOWS.fullmatch, rest)), choices=choices)
    return tree.searched(roots, patterns)


class Tree:
    """What one search reads below its folders."""

    def __init__(self, project: str, *, hidden: bool, follows: bool, choices: Iterable[str]) -> None:
        self.project, self.hidden, self.follows = project, hidden, follows
        self.choices = [one for one in choices if not one.startswith("!")]
        self.seen = 0
        self.leaves = False

    def searched(self, roots: Iterable[str], patterns: Iterable[str]) -> Risk:
        """Return the risk of searching all files below ROOTS for PATTERNS."""
        files = [path for root in roots for path in self._secrets(root)][: _MOST_FILES + 1]
        if self.leaves:
            return careful("follows a link out of the project")
        if self.seen > MOST or len(files) > _MOST_FILES:
            return careful("reads more files than can be looked up")
        alternatives = [texts for pattern in patterns for texts in named(pattern) if texts]
        found = next((path for path in files if _may_show(path, alternatives)), None)
        return careful("shows lines of what may be credentials") if found else PLAIN

    def _secrets(self, root: str) -> Iterator[str]:
        """Yield the files below ROOT whose names say that they hold credentials."""
        waiting, known = [root], set[str]()
        while waiting and self.seen <= MOST:
            folder = os.path.realpath(waiting.pop())
            if folder in known:
                continue
            known.add(folder)
            for entry in _entries(folder):
                self.seen += 1
                if entry.name in _LEFT_OUT or (entry.name[0] == "." and not self.hidden) or self._skips(entry):
                    continue
                if entry.is_dir():
                    waiting.append(entry.path)
                elif self._is_chosen(entry.name) and is_secret(os.path.relpath(entry.path, root)):
                    yield entry.path

    def _skips(self, entry: "os.DirEntry[str]") -> bool:
        """Return whether ENTRY is a link that is not followed. One that leads out of the project is remembered."""
        if not entry.is_symlink():
            return False
        if self.follows:
            real = os.path.realpath(entry.path)
            self.leaves |= not f"{real}/".startswith(f"{self.project.rstrip('/')}/")
        return not self.follows

    def _is_chosen(self, name: str) -> bool:
        return not self.choices or any(fnmatchcase(name, one.rpartition("/")[2]) or "{" in one for one in self.choices)


def _entries(folder: str) -> Iterator["os.DirEntry[str]"]:
    try:
        with os.scandir(folder) as found:
            yield from found
    except OSError:  # it is gone, or nobody may read it
        return


def _may_show(path: str, alternatives: Sequence[Sequence[str]]) -> bool:
    """Return whether a line of the file at PATH may hold all texts of one of ALTERNATIVES."""
    try:
        small = read(path, _LARGEST).decode("utf-8", "replace").casefold()
    except Unfit:  # it is too large, or no file
        return True
    except OSError:
        return False
    return any(all(one in small for one in texts) for texts in alternatives)
