"""Judge a request after following the links of the file system: `docs/notes` may lead to `~/.ssh/config`.

The result holds for this moment only. A folder on a network that does not answer blocks the call, so make it in a
thread. `risk` alone judges a path as it is written.
"""

import os.path
import re
from collections.abc import Mapping

from deskbell.answers.risk import DEFAULT, Place, Risk, Table, risk
from deskbell.answers.risk.kind import careful, worst
from deskbell.answers.risk.paths import absolute, is_inside, reads

_PATHS = ("file_path", "notebook_path", "path")
_SPLIT = re.compile(r"[\s'\"=:;|&<>]+")
_MOST = 300
"""Words of a command that are looked up. A command with more does not fit into a notice."""


def linked(tool: str, tool_input: Mapping[str, object], place: Place, table: Table = DEFAULT) -> Risk:
    """The risk of allowing TOOL with TOOL_INPUT for a session at PLACE; never lower than what `risk` says."""
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
        return worst((written, _of_words(command, place, real)))
    named = {name: tool_input[name] for name in _PATHS if isinstance(tool_input.get(name), str)}
    followed = {name: _real(str(path), place) for name, path in named.items()}
    return worst((written, risk(tool, {**tool_input, **followed}, real, table)))


def _of_words(command: str, place: Place, real: Place) -> Risk:
    words = list(dict.fromkeys(_SPLIT.split(command)))
    if len(words) > _MOST:
        return careful("names too many files to be looked at")
    return worst(_of_word(word, place, real) for word in words if word)


def _of_word(word: str, place: Place, real: Place) -> Risk:
    path = _real(word, place)
    if is_inside(absolute(word, place.cwd, place.home), place) and not is_inside(path, real):
        return careful("follows a link out of the project")
    return worst([reads(path, real.cwd, real)] if path != _straight(word, place, real) else [])


def _real(path: str, place: Place) -> str:
    return os.path.realpath(absolute(path, place.cwd, place.home))


def _straight(path: str, place: Place, real: Place) -> str:
    """Where PATH leads if no link but those on the way to the session's folder is followed."""
    full = absolute(path, place.cwd, place.home)
    below = os.path.relpath(full, place.cwd)
    return absolute(below, real.cwd, real.home)
