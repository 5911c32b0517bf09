"""Word the command of the statusline, alone or chained to the person's own, and recognise such a command. Pure."""

import json
import re
from dataclasses import dataclass
from typing import Literal

from deskbell.errors import Problem
from deskbell.settings.registration import QUOTED, checked, has_drive, pattern, quoted, unquoted

Order = Literal["first", "last"]
"""Whether the person's own line is above Deskbell's or below."""

REFRESH = 10
"""Seconds after which Claude Code runs the statusline again: other sessions change while this one does nothing."""
REFRESHED = "+refresh"
"""Ends the word for the order if install added the refresh to the person's own entry. It has the text of SPARING in the
hook's `statusline`. That module is not imported for it, because it would take memory in the running program."""

# All forms that any Deskbell has written. The first of each tuple is written; all are recognised. Never change a form:
# add a new one in front. If Deskbell's code is gone, the person's own line still runs.
_START = 'p={python} m={main}; [ -x "$p" ] && [ -r "$m" ] && exec "$p" -I -S "$m" statusline {state} {config}'
ALONE = (_START + "; echo 'Deskbell is gone: take statusLine out of settings.json'",)
CHAINED = ("o={own} " + _START + ' {order} "$o" {raw}; eval "$o"',)
WINDOWS = ("{python} -I -S {main} statusline {state} {config}",)
"""On Windows, Claude Code runs the command in Git Bash or PowerShell. Words without quotes mean the same in both."""

_PLAIN = r"[A-Za-z0-9_.:/~+-]+"
_PARTS = {
    **dict.fromkeys(("python", "state", "config", "own", "raw"), QUOTED),
    "main": r"'(?:[^']|'\"'\"')*[/\\]deskbell_hooks[/\\]__main__\.py'",
    "order": r"(?:first|last)(?:\+refresh)?",
}
_PLAIN_PARTS = {
    **dict.fromkeys(("python", "state", "config"), _PLAIN),
    "main": rf"{_PLAIN}/deskbell_hooks/__main__\.py",
}


@dataclass(frozen=True, slots=True)
class Line:
    """The parts of the command that Claude Code starts. All paths are absolute."""

    python: str
    main: str
    state: str
    config: str
    """The path of config.toml."""


@dataclass(frozen=True, slots=True)
class Own:
    """The person's own line, to which Deskbell's is chained."""

    text: str
    """Its command exactly as it was in the settings: a string of JSON."""
    order: Order
    refreshed: bool = False
    """Whether install added `refreshInterval`."""

    @property
    def command(self) -> str:
        return str(json.loads(self.text))


@dataclass(frozen=True, slots=True)
class Registered:
    line: Line
    own: Own | None = None


def command(line: Line, own: Own | None, windows: bool = False) -> str:
    """Return the command to register. Raise Problem if no settings file, or no shell of Windows, can hold it."""
    paths = checked(line.python, line.main, line.state, line.config)
    if windows:
        return _of_windows(paths, own)
    names = ("python", "main", "state", "config")
    words = {
        name: quoted(path.replace("\\", "/") if has_drive(path) else path)
        for name, path in zip(names, paths, strict=True)
    }
    if own is None:
        return ALONE[0].format(**words)
    if any(char == "\0" or "\ud800" <= char <= "\udfff" for char in own.command):
        what = "The command of your own statusLine has a character that no shell can take."
        raise Problem(f"{what} Nothing was changed.", "Remove it, then try again.")
    raw = "" if own.text == json.dumps(own.command, ensure_ascii=False) else own.text
    order = own.order + REFRESHED * own.refreshed
    return CHAINED[0].format(**words, own=quoted(own.command), order=order, raw=quoted(raw))


def not_chained() -> Problem:
    """Return the Problem on Windows, where no line is chained: the shell that Claude Code will use is not known."""
    what = "Deskbell cannot show your own statusLine beside its own on Windows: Claude Code runs it in Git Bash or in"
    return Problem(
        f"{what} PowerShell, and Deskbell cannot know in which. Nothing was changed.",
        "Keep yours, or remove it from the settings first.",
    )


def _of_windows(paths: tuple[str, ...], own: Own | None) -> str:
    if own is not None:
        raise not_chained()
    plain = [path.replace("\\", "/") for path in paths]
    if strange := next((path for path in plain if not re.fullmatch(_PLAIN, path)), None):
        what = f"Claude Code on Windows cannot start a statusline whose path has spaces or signs: {strange}."
        raise Problem(what, "Set DESKBELL_HOME to another folder, or use a Python at another place.")
    return WINDOWS[0].format(python=plain[0], main=plain[1], state=plain[2], config=plain[3])


def registered(text: object) -> Registered | None:
    """Return the parts of a command if Deskbell wrote it, in exactly one of its forms; else None."""
    if not isinstance(text, str):
        return None
    for one in _PATTERNS:
        if found := one.fullmatch(text):
            words = {name: unquoted(word) if word[0] == "'" else word for name, word in found.groupdict().items()}
            return Registered(Line(words["python"], words["main"], words["state"], words["config"]), _own(words))
    return None


def _own(words: dict[str, str]) -> Own | None:
    if "own" not in words:
        return None
    raw = words["raw"] if _says(words["raw"], words["own"]) else json.dumps(words["own"], ensure_ascii=False)
    order: Order = "first" if words["order"].startswith("first") else "last"
    return Own(raw, order, words["order"].endswith(REFRESHED))


def _says(raw: str, text: str) -> bool:
    """Return whether RAW is TEXT as JSON. It is not if the person has edited one of the two."""
    try:
        return bool(json.loads(raw) == text)
    except ValueError:
        return False


_PATTERNS = (
    *(pattern(form, _PARTS) for form in (*ALONE, *CHAINED)),
    *(pattern(form, _PLAIN_PARTS) for form in WINDOWS),
)
