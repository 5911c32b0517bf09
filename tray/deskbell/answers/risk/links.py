"""Judge a request by the files that are there: `docs/notes` may lead to `~/.ssh/config`, and `config/*` match a key.

The result holds for this moment only. A folder on a network that does not answer blocks the call, so make it in a
thread. `risk` alone judges a path as it is written.
"""

import os
import os.path
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from fnmatch import fnmatchcase
from glob import has_magic, iglob
from itertools import chain, islice

from deskbell.answers.risk import DEFAULT, Place, Risk, Table, risk
from deskbell.answers.risk.command import judge
from deskbell.answers.risk.kind import PLAIN, careful, worst
from deskbell.answers.risk.paths import absolute, holds, is_inside, reads
from deskbell.answers.risk.script import every_word, placed
from deskbell.answers.risk.shell import script
from deskbell.answers.risk.trees import MOST, Tree, of_command
from deskbell.answers.risk.words import Command, Word

_PATHS = ("file_path", "notebook_path", "path")
_SPLIT = re.compile(r"[\s'\"=:;|&<>]+")
_ROOTED = re.compile(r"[/\\]|[A-Za-z]:" if os.name == "nt" else "/")
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
        return _of_command(command, place, real, written)
    named = {name: tool_input[name] for name in _PATHS if isinstance(tool_input.get(name), str)}
    followed = {name: _real(str(path), place.cwd, place) for name, path in named.items()}
    found = worst((written, risk(tool, {**tool_input, **followed}, real, table)))
    if tool == "Grep" and found.verdict == "plain":
        return _grepped(tool_input, followed.get("path", real.cwd), real)
    return found


def _grepped(tool_input: Mapping[str, object], root: str, real: Place) -> Risk:
    """Return the risk of what the Grep tool shows. It reads hidden files, too."""
    glob = tool_input.get("glob")
    tree = Tree(real.project, hidden=True, follows=False, choices=[str(glob)] if glob else [])
    return tree.searched([root], [str(tool_input.get("pattern"))])


def _of_command(text: str, place: Place, real: Place, written: Risk) -> Risk:
    read = script(text)
    words, runs = every_word(read), placed(text, place)
    folders = list(dict.fromkeys((place.cwd, *(folder for _, folder in runs))))
    found = worst((written, *(_of_words(text, words, folder, place, real) for folder in folders)))
    if found.verdict != "plain":
        return found
    return worst(_of_run(command, folder, place, real) for command, folder in runs)


def _of_run(command: Command, folder: str, place: Place, real: Place) -> Risk:
    """Return the risk of one command with the files that its patterns match, and of those that a search reads."""
    expanded = replace(command, words=[one for word in command.words for one in _expanded(word, folder, place)])
    judged = judge(expanded, folder, place).risk if expanded.words != command.words else PLAIN
    words, there = [word.text for word in expanded.words], _real(".", folder, place)
    other = "git" in map(os.path.basename, words) and _is_another_repository(there, real.project)
    repository = careful("runs git in another repository than that of the project") if other else PLAIN
    return worst((judged, repository, of_command(words, there, real.project)))


def _is_another_repository(folder: str, project: str) -> bool:
    """Return whether git in FOLDER obeys another repository than PROJECT: one between them, or a bare one."""
    while folder != project and holds(project, folder):
        if os.path.lexists(f"{folder}/.git") or os.path.lexists(f"{folder}/HEAD"):
            return True
        folder = os.path.dirname(folder)  # noqa: PTH120  (the other paths here are texts, too)
    return folder != project


def _expanded(word: Word, folder: str, place: Place) -> list[Word]:
    """Return the words that the shell makes of WORD: the files that it matches."""
    if not word.glob:
        return [word]
    before = "" if _ROOTED.match(word.pattern) else f"{folder}/"
    found = sorted(one.removeprefix(before) for one in islice(_matches([word.pattern], folder, place), _MOST_MATCHES))
    return [Word(one, one) for one in found] or [word]


def _of_words(text: str, words: Sequence[Word], folder: str, place: Place, real: Place) -> Risk:
    """Return the risk of the files to which WORDS, and the pieces of TEXT, lead from FOLDER."""
    pieces = {piece for piece in _SPLIT.split(text) if piece}
    patterns = {one for word in words if word.glob for one in _values(word.pattern)}
    quoted = {piece for piece in pieces if has_magic(piece)} - patterns
    if any(len(pattern) > _LONGEST for pattern in patterns | quoted):
        return careful("names files by a pattern that is too long")
    named = pieces | {one for word in words for one in _values(word.text)}
    found = chain(_matches(patterns, folder, place), *(iglob(_joined(folder, one)) for one in quoted))  # noqa: PTH207
    matches = list(islice(found, _MOST_MATCHES + 1))
    if len(pieces) > _MOST or len(matches) > _MOST_MATCHES:
        return careful("names more files than can be looked up")
    return worst(_of_word(word, folder, place, real) for word in (*named, *matches))


def _values(word: str) -> set[str]:
    """Return what in WORD may be the name of a file: all of it, and what follows an option or a sign."""
    pieces = {word, *_SPLIT.split(word)}
    pieces |= {rest for sign in "=:" for rest in (word.partition(sign)[2], word.rpartition(sign)[2])}
    if word[:1] == "-":
        pieces |= {piece[2:] for piece in pieces}
    return {piece for piece in pieces if piece}


def _matches(patterns: Iterable[str], folder: str, place: Place) -> Iterator[str]:
    """Yield the files that PATTERNS match. Some shells read `**` as folders of any depth."""
    for pattern in patterns:
        full = _joined(folder, place.home + pattern[1:] if pattern.startswith("~/") else pattern)
        yield from iglob(full)  # noqa: PTH207  (a Path leaves out the steps of a pattern)
        if "**" in full:
            yield from _below(full)


def _below(pattern: str) -> Iterator[str]:
    """Yield the files at any depth that PATTERN, which has `**`, may match."""
    top, last, seen = pattern.partition("**")[0], pattern.rpartition("/")[2], 0
    for folder, folders, files in os.walk(top if top.endswith("/") else top.rpartition("/")[0]):
        folders[:] = [one for one in folders if one[0] != "."]
        seen += len(files) + len(folders)
        yield from (f"{folder}/{one}" for one in (*folders, *files) if one[0] != "." and fnmatchcase(one, last))
        if seen > MOST:
            raise OSError("too many files")


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
