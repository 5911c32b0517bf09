"""Read the settings of the statusline from config.toml, without parsing the file every time.

The parsed settings are kept beside the records, with the stamp of config.toml, and parsed again once that stamp has
changed: importing a TOML parser costs more than all the rest of the statusline. After a mistake in the file, the last
good settings stay in force, and the statusline says so. `deskbell.notices.policy` describes the settings to the person.
"""

import sys

from deskbell_hooks.codec import decode, encode
from deskbell_hooks.layout import ARROW, is_colour
from deskbell_hooks.plainread import read
from deskbell_hooks.segments import SEGMENTS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from deskbell_hooks.segments import Options

if sys.platform == "win32":
    import nt as system
else:
    import posix as system

LARGEST = 200_000
"""Bytes of config.toml."""
VERSION = 1
LONG_NAME = r"""(?:[\w"'-]{1,60}\s*\.\s*){64}"""
"""A regular expression for a dotted name with too many parts. tomllib keeps every beginning of such a name: a hundred
thousand parts take gigabytes."""
WRONG = "config.toml has a mistake"
ASCII = ("auto", "always", "never")

MOODS = {"good": "64", "warn": "166", "bad": "bold 196", "turn": "166"}
"""The colours of the moods. These, and those of the segments, are readable on white and on black. On a terminal of few
colours, `layout` takes others."""
PRESETS: "dict[str, Options]" = {
    "plain": {
        "segments": ["others", "model", "project", "branch", "context", "agents", "cost", "limits"],
        "separator": " │ ",
        "colors": {**MOODS, "model": "133", "project": "30", "branch": "64", "agents": "30"},
    },
    "powerline": {
        "segments": ["others", "model", "project", "branch", "context", "agents", "cost", "limits", "lines"],
        "separator": ARROW,
        "colors": {
            "good": "16/34",
            "warn": "16/178",
            "bad": "bold 231/160",
            "turn": "16/214",
            "model": "231/60",
            "project": "231/25",
            "branch": "16/37",
            "agents": "231/24",
            "cost": "231/240",
            "limits": "231/238",
            "lines": "231/236",
            "duration": "231/240",
        },
    },
    "minimal": {
        "segments": ["others", "branch", "context", "agents"],
        "separator": "  ",
        "colors": {"warn": "166", "bad": "bold 196", "turn": "166"},
    },
}
DEFAULTS: "Options" = {"preset": "plain", "ascii": "auto", "details": True, "bar": 10, "own_timeout": 3.0}


def settings(state: str, config: str) -> "tuple[Options, str]":
    """Return the settings, and in a few words what is wrong with the file; "" if nothing is.

    STATE is the state folder, CONFIG the path of config.toml.
    """
    stamp = _stamp(config)
    if stamp is None:
        return resolved({})
    kept = f"{state}/statusline/settings.json"
    try:
        before = decode(read(kept, LARGEST))
        said = before["said"] if before["v"] == VERSION and isinstance(before["said"], dict) else {}
        if before["v"] == VERSION and before["stamp"] == stamp:
            return resolved(said, before["problem"] if before["problem"] in ("", WRONG) else WRONG)
    except (OSError, ValueError, LookupError, TypeError):
        said = {}
    try:
        said, problem = _parsed(read(config, LARGEST)), ""
    except (OSError, ValueError, RecursionError):
        problem = WRONG
    _keep(kept, {"v": VERSION, "stamp": stamp, "said": said, "problem": problem})
    return resolved(said, problem)


def _stamp(path: str) -> "list[int] | None":
    """Return a value that differs after every write to the file; None if there is no file."""
    try:
        found = system.stat(path)
    except (OSError, ValueError):
        return None
    return [found.st_mtime_ns, found.st_size, found.st_ino]


def _parsed(data: bytes) -> "dict[str, Any]":
    """Return the table `statusline`. Raise ValueError if the file is not TOML, ImportError if Python has no parser."""
    import re
    import tomllib

    text = data.decode("utf-8").replace("\r\n", "\n")
    if re.search(LONG_NAME, text):
        raise ValueError("a name is too long")
    table = tomllib.loads(text).get("statusline", {})
    if not isinstance(table, dict):
        raise ValueError("not a table")
    return table


def _keep(path: str, value: "dict[str, Any]") -> None:
    """Keep the parsed settings. If that fails, they are parsed again each time."""
    from deskbell_hooks.files import make_folder, replace_file

    try:
        make_folder(path.rpartition("/")[0])
        replace_file(path, encode(value))
    except OSError:
        pass


def resolved(said: "dict[str, Any]", problem: str = "") -> "tuple[Options, str]":
    """Return the settings with their defaults and those of the preset, and what is wrong as `settings` does.

    A value that is not allowed is a mistake; its default is used.
    """
    right = {name: value for name, value in said.items() if name in CHECKS and CHECKS[name](value)}
    options: Options = {**DEFAULTS, **{name: value for name, value in right.items() if value not in ("", [])}}
    preset = PRESETS[options["preset"]]
    options = {**preset, **options, "colors": {**preset["colors"], **right.get("colors", {})}}
    return options, problem or (WRONG if len(right) < len(said) else "")


def _is_number(value: object, least: float, most: float) -> bool:
    return type(value) in (int, float) and least <= value <= most  # type: ignore[operator]  # a number


def _are_segments(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(one, str) and one in SEGMENTS for one in value)


def _is_shown(char: str) -> bool:
    """Return whether a terminal draws CHAR. Fonts for powerline have their signs in the first private area."""
    return char.isprintable() or "\ue000" <= char <= "\uf8ff"


def are_colours(value: object) -> bool:
    """Return whether VALUE maps names of segments and moods to colours."""
    names = {**SEGMENTS, **MOODS, "problem": ""}
    return isinstance(value, dict) and all(
        name in names and isinstance(spec, str) and is_colour(spec) for name, spec in value.items()
    )


CHECKS: "dict[str, Callable[[Any], bool]]" = {
    "preset": lambda value: isinstance(value, str) and value in PRESETS,
    "segments": _are_segments,
    "separator": lambda value: isinstance(value, str) and len(value) <= 8 and all(map(_is_shown, value)),
    "colors": are_colours,
    "ascii": lambda value: value in ASCII,
    "details": lambda value: isinstance(value, bool),
    "bar": lambda value: type(value) is int and 0 <= value <= 40,
    "own_timeout": lambda value: _is_number(value, 0.1, 30),
}
"""For each setting, a function that says whether a value is allowed."""
