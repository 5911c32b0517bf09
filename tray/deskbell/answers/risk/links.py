"""Judge a request after following the links of the file system: `docs/notes` may lead to `~/.ssh/config`.

The result holds for this moment only. A folder on a network that does not answer blocks the call, so make it in a
thread. `risk` alone judges a path as it is written.
"""

import os.path
import re
from collections.abc import Iterable, Iterator, Mapping
from glob import has_magic, iglob
from itertools import islice

from deskbell.answers.risk import DEFAULT, Place, Risk, Table, risk
from deskbell.answers.risk.kind import PLAIN, careful, worst
from deskbell.answers.risk.paths import absolute, is_inside, reads
from deskbell.answers.risk.script import folders

_PATHS = ("file_path", "notebook_path", "path")
_SPLIT = re.compile(r"[\s'\"=:;|&<>]+")
_ROOTED = re.compile(r"[/\\]|[A-Za-z]:")
_MOST = 300
"""Words of a command that are looked up. A command with more does not fit into a notice."""
_LONGEST = 300
"""The most characters of a pattern that is looked up."""
_MOST_MATCHES = 1000
"""The most files that patterns match and that are looked up."""


def linked(tool: str, tool_input: Mapping[str, object], place: Place, table: Table = DEFAULT) -> Risk:
    """Return the risk of allowing TOOL with TOOL_INPUT for a session at PLACE; never lower than what `risk` says."""
    written = risk(tool, tool_input, place, table)
    if written.verdict == "jump":
        return written
    try:
        return _followed(tool, tool_input, place, table, written)
    except (OSError, ValueError):  # no file can have the name
        return worst((written, careful("names a file that cannot be looked up")))


def _followed(tool: str, tool_input: Mapping[str, object], place: Place, table: Table, written: Risk) -> Risk:
    real = Place(*(os.path.realpath(folder) for folder in (place.cwd, place.project, place.home)))
    command = tool_input.get("command")
    if isinstance(command, str):
        return worst((written, *(_of_words(command, folder, place, real) for folder in folders(command, place))))
    named = {name: tool_input[name] for name in _PATHS if isinstance(tool_input.get(name), str)}
    followed = {name: _real(str(path), place.cwd, place) for name, path in named.items()}
    return worst((written, risk(tool, {**tool_input, **followed}, real, table)))


def _of_words(command: str, folder: str, place: Place, real: Place) -> Risk:
    """Return the risk of the files that the words of COMMAND lead to from FOLDER."""
    words = {word for word in _SPLIT.split(command) if word}
    if any(has_magic(word) and len(word) > _LONGEST for word in words):
        return careful("names files by a pattern that is too long")
    matches = list(islice(_matches(words, folder), _MOST_MATCHES + 1))
    if len(words) > _MOST or len(matches) > _MOST_MATCHES:
        return careful("names more files than can be looked up")
    return worst(_of_word(word, folder, place, real) for word in (*words, *matches))


def _matches(words: Iterable[str], folder: str) -> Iterator[str]:
    """Yield the files that the patterns among WORDS match."""
    for word in words:
        if has_magic(word):
            yield from iglob(_joined(folder, word))  # noqa: PTH207  (a Path leaves out the steps of a pattern)


def _of_word(word: str, folder: str, place: Place, real: Place) -> Risk:
    path, full = _real(word, folder, place), absolute(word, folder, place.home)
    if path == _straight(full, place, real):
        return PLAIN
    leaves = is_inside(full, place) and not is_inside(path, real)
    return worst((reads(path, real.cwd, real), careful("follows a link out of the project") if leaves else PLAIN))


def _real(path: str, folder: str, place: Place) -> str:
    """Return where PATH leads. The system follows a link before it goes up by `..`, so each step is taken."""
    path = place.home + path[1:] if path == "~" or path.startswith("~/") else path
    return os.path.realpath(_joined(folder, path))


def _joined(folder: str, path: str) -> str:
    return path if _ROOTED.match(path) else f"{folder}/{path}"


def _straight(full: str, place: Place, real: Place) -> str:
    """Return where FULL leads if no link but those on the way to the session's folder is followed."""
    return absolute(os.path.relpath(full, place.cwd), real.cwd, real.home)
