"""Print the statusline of a session: its own figures, from stdin and its record, and which other sessions wait.

`__main__` calls `main`. Whatever is wrong on stdin, on disk or in the environment, it prints a line and no traceback,
and exits with 0. The line leaves out or names what cannot be read.
"""

import sys
from time import time

from deskbell_hooks.branch import branch, is_absolute
from deskbell_hooks.client import DEBUG as DEBUG
from deskbell_hooks.client import client_pid, is_safe_id, variable, was_given
from deskbell_hooks.codec import decode
from deskbell_hooks.layout import RESET, line
from deskbell_hooks.linesettings import resolved, settings
from deskbell_hooks.others import LARGEST_RECORD, home, others, run_of
from deskbell_hooks.plainread import read
from deskbell_hooks.segments import Found, Others, segments

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeVar

    from deskbell_hooks.segments import Options

    T = TypeVar("T")

if sys.platform == "win32":
    import nt as system
    from nt import _exit  # type: ignore[attr-defined]  # typeshed does not list it
else:
    import posix as system
    from posix import _exit

MARGIN = 4
"""Columns that Claude Code keeps free: two on each side."""
USUAL = 80
"""Columns if nothing says how many there are."""
FAILED = "Deskbell: the statusline has failed"
LINK = "deskbell://jump/"
HANDLER = "applications/deskbell-link.desktop"
"""The entry that opens our links on freedesktop.org systems. `deskbell statusline install` writes it."""
LIMITS = b'"rate_limits"'
"""A part of the JSON of an account with limits."""
FIRST, SPARING = "first", "+refresh"
"""Parts of the word for the order. FIRST: the person's own line is above. SPARING: it runs only when Claude Code itself
would run it."""


def main(words: "list[str]") -> None:
    """Print the line. WORDS: the state folder and config.toml; for a chained line also its order, command and JSON."""
    data = stdin()
    write(printed(words, data))
    _attempt(lambda: keep_limits(words[0], data), None)
    _exit(0)


def keep_limits(state: str, data: bytes) -> None:
    """Keep what the account has used of its limits, if DATA says it. The line is on the screen by then."""
    if LIMITS in data:
        from deskbell_hooks.usage import keep

        keep(state, data, time())


def stdin() -> bytes:
    try:
        return sys.stdin.buffer.read()
    except (AttributeError, OSError):  # there is none
        return b""


def write(output: bytes) -> None:
    try:
        while output:
            output = output[system.write(1, output) :]
    except OSError:  # nobody reads it
        pass


def printed(words: "list[str]", data: bytes) -> bytes:
    """Return the bytes to print for DATA. The last one is a line break."""
    given, problem = _given(data)
    options, mistake = _attempt(lambda: settings(words[0], words[1]), resolved({}))
    ours = _attempt(lambda: ours_for(given, words[0], options, problem or mistake, time()), FAILED)
    own = _attempt(lambda: _own(words, data, given, options), b"") if len(words) > 3 and words[3] else b""
    encoded = ours.encode("utf-8", "replace")
    if not own:
        return encoded + b"\n"
    lines = [own + RESET.encode(), encoded] if words[2].startswith(FIRST) else [encoded, own]
    return b"\n".join(lines) + b"\n"


def _attempt(make: "Callable[[], T]", otherwise: "T") -> "T":
    """Return the result of MAKE, or OTHERWISE if it fails for any reason: the person always sees a line."""
    try:
        return make()
    except BaseException:  # Ctrl+C included
        if variable(DEBUG):
            raise
        return otherwise


def _own(words: "list[str]", data: bytes, given: "Any", options: "Options") -> bytes:
    from deskbell_hooks.ownline import own_line

    return own_line(words[0], words[3], data, given, options["own_timeout"], words[2].endswith(SPARING))


def _given(data: bytes) -> "tuple[Any, str]":
    """Return what DATA holds, and what is wrong with it."""
    try:
        given = decode(data)
    except ValueError:
        return {}, "input unreadable"
    return (given, "") if isinstance(given, dict) else ({}, "input unreadable")


def ours_for(given: "dict[str, Any]", state: str, options: "Options", problem: str, now: float) -> str:
    """Return Deskbell's line for GIVEN. It says PROBLEM if there is one."""
    session_id = given.get("session_id")
    own = session_id if isinstance(session_id, str) and is_safe_id(session_id) else ""
    shown = options["segments"]
    waiting = others(state, own, now) if "others" in shown else Others([], [])
    found = Found(
        branch(_folder(given)) if "branch" in shown else "",
        waiting,
        agents_of(f"{state}/sessions/{own}.json") if own and "agents" in shown else {},
        now,
        problem,
    )
    link = LINK if (waiting.blocked or waiting.your_turn) and _has_handler() else ""
    made = segments(given, found, options)
    return line(made, options, _room(), _has_colours(), is_ascii(options), link, has_few_colours())


def _folder(given: "dict[str, Any]") -> "Any":
    place = given.get("workspace")
    return (place.get("current_dir") if isinstance(place, dict) else None) or given.get("cwd")


def agents_of(path: str) -> "dict[str, int] | None":
    """Count the subagents of a session by their status. None if its record cannot be read."""
    try:
        record = decode(read(path, LARGEST_RECORD))
        run = run_of(record, client_pid())
        listed, tasks = run.get("agents", []), run.get("tasks", [])
        status = {one["id"]: one["status"] for one in listed}
        status.update((one["id"], "running") for one in tasks if one["type"] == "subagent")
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, LookupError, TypeError, AttributeError):
        return None
    return {word: list(status.values()).count(word) for word in ("running", "idle", "done", "error")}


def _has_handler() -> bool:
    """Return whether this machine opens our links. The terminal of a remote session is on another machine."""
    if sys.platform in ("win32", "darwin") or variable("SSH_CONNECTION"):
        return False
    data = variable("XDG_DATA_HOME")
    try:
        system.stat(f"{data if is_absolute(data) else home() + '/.local/share'}/{HANDLER}")
    except (OSError, ValueError):
        return False
    return True


def _room() -> int:
    columns = variable("COLUMNS")
    known = columns.isascii() and columns.isdigit() and 0 < len(columns) < 6
    return max(1, (int(columns) if known else USUAL) - MARGIN)


def _has_colours() -> bool:
    """Return whether to colour the line: https://no-color.org"""
    return not variable("NO_COLOR") and variable("TERM") != "dumb"


def has_few_colours() -> bool:
    """Return whether the terminal is known to have no more than 16 colours."""
    term = variable("TERM")
    return bool(term) and "256" not in term and "direct" not in term and not variable("COLORTERM")


def is_ascii(options: "Options") -> bool:
    """Return whether to show only ASCII, as the person wants it or else as the locale says."""
    if options["ascii"] != "auto":
        return bool(options["ascii"] == "always")
    if sys.platform == "win32":
        return False
    locale = variable("LC_ALL") or ("" if _is_pythons_own() else variable("LC_CTYPE")) or variable("LANG")
    return bool(locale) and "utf" not in locale.lower()


def _is_pythons_own() -> bool:
    """Return whether Python has set LC_CTYPE itself. It does so in the locale C: https://peps.python.org/pep-0538"""
    if variable("LANG") not in ("C", "POSIX") or variable("LC_CTYPE") not in ("C.UTF-8", "C.utf8", "UTF-8"):
        return False
    return not was_given("LC_CTYPE")
