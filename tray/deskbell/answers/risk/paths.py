"""Judge a path that is read or written: inside the project or not, hidden, guarded, a secret. Pure.

Nothing is looked up in the file system. `links` follows links.
"""

import re
from fnmatch import fnmatchcase
from pathlib import PurePosixPath
from posixpath import normpath

from deskbell.answers.risk.kind import PLAIN, Place, Risk, careful, jump
from deskbell.answers.risk.places import is_secret, place
from deskbell.answers.risk.words import hidden

NOTHING = ("/dev/null", "/dev/stdout", "/dev/stderr")

_DRIVE = re.compile(r"^[A-Za-z]:")
_ODD = re.compile(r"[\\:*?\"<>|]|~\d|(?<=[^/.])[. ]+(?:/|$)|(?:^|/)-|[^/]/\.\.(?:/|$)")
"""What Windows reads differently, and `..` after a name: if the name is a link, `..` leads elsewhere."""
_KNOWN_HIDDEN = frozenset(
    (".gitignore", ".editorconfig", ".dockerignore", ".prettierignore", ".eslintignore", ".gitkeep")
)
_LIBRARIES = re.compile(r"\.(?:cargo/registry|rustup/toolchains|local/lib|pyenv/versions|nvm/versions|m2/repository)/")
_LONGEST_PATTERN = 200
_SYSTEM = re.compile(r"/(?:proc|sys|dev)(?:/|$)")
_HOMES = re.compile(r"(?:[A-Z]:)?/(?:home|Users)/|/root(?:/|$)|/var/root(?:/|$)")


def absolute(path: str, folder: str, home: str) -> str:
    """Return PATH as an absolute path: from FOLDER, with `~` as HOME, without `.` and `..`."""
    if path == "~" or path.startswith("~/"):
        path = home + path[1:]
    if _DRIVE.match(folder):
        path = _slashes(path)
    rooted = path.startswith("/") or _DRIVE.match(path)
    return normpath(path if rooted else f"{_slashes(folder) if _DRIVE.match(folder) else folder}/{path}")


def _slashes(path: str) -> str:
    path = path.replace("\\", "/")
    return path[0].upper() + path[1:] if _DRIVE.match(path) else path


def is_inside(path: str, at: Place) -> bool:
    """Return whether the absolute PATH is in the project. False for all if the project holds the home folder."""
    project = absolute(at.project, at.project, at.home)
    rooted = at.project.startswith("/") or bool(_DRIVE.match(at.project))
    if not rooted or holds(project, absolute(at.home, at.project, at.home)) or project in ("/", "//"):
        return False
    return holds(project, path)


def holds(folder: str, path: str) -> bool:
    """Return whether PATH is FOLDER or below it; both are absolute."""
    return path == folder or path.startswith(folder.rstrip("/") + "/")


def reads(path: str, folder: str, at: Place) -> Risk:
    """Return the risk of reading PATH, as it is written in FOLDER."""
    full = absolute(path, folder, at.home)
    if found := place(path) or place(full):
        return jump(found.replace("touches", "reads"))
    if hidden(path):
        return careful("reads a file whose name hides something")
    if is_secret(path) or is_secret(full):
        return careful("reads what may be credentials")
    if full.startswith("//") or path.startswith("\\\\"):
        return careful("reads from another machine")
    if full in NOTHING or is_inside(full, at):
        return PLAIN
    return _reads_outside(full, at)


def _reads_outside(full: str, at: Place) -> Risk:
    home = absolute(at.home, at.home, at.home)
    if _SYSTEM.match(full):
        return careful("reads from the system itself")
    if holds(home, full):
        below = full[len(home.rstrip("/")) + 1 :]
        return careful("reads a hidden file of your home") if _conceals(below) else PLAIN
    return careful("reads from the home of another person") if _HOMES.match(full) else PLAIN


def _conceals(below: str) -> bool:
    return bool(re.search(r"(?:^|/)\.", below)) and not _LIBRARIES.match(below)


def reads_all(path: str, folder: str, at: Place) -> Risk:
    """Return the risk of reading every file below PATH."""
    full = absolute(path, folder, at.home)
    if holds(full, absolute(at.home, at.home, at.home)):
        return careful("reads everything in your home")
    return reads(path, folder, at)


def writes(path: str, folder: str, at: Place) -> Risk:
    """Return the risk of writing to PATH, as it is written in FOLDER."""
    full = absolute(path, folder, at.home)
    if found := place(path) or place(full):
        return jump(found)
    below = full[len(absolute(at.project, at.project, at.home)) :]
    if not is_inside(full, at):
        return careful("writes outside the project")
    if hidden(path) or _ODD.search(_DRIVE.sub("", _slashes(path) if _DRIVE.match(folder) else path, count=1)):
        return careful("writes to a path that cannot be read with certainty")
    if is_secret(full):
        return careful("writes what may be credentials")
    if any(part[:1] == "." and part not in _KNOWN_HIDDEN for part in below.split("/")):
        return careful("writes a hidden file")
    return PLAIN


def may_take_all(pattern: str, folder: str, at: Place) -> bool:
    """Return whether PATTERN, for `fnmatch`, may match a folder that holds the project or the home."""
    if len(pattern) > _LONGEST_PATTERN or not pattern.strip("*?/"):
        return False
    full = absolute(re.sub(r"\*+", "*", pattern), folder, at.home).casefold()
    held = {absolute(one, one, at.home).casefold() for one in (at.project, at.home)}
    parents = {str(parent) for one in held for parent in (PurePosixPath(one), *PurePosixPath(one).parents)}
    return any(fnmatchcase(parent, full) for parent in parents)


def takes_all(path: str, folder: str, at: Place) -> bool:
    """Return whether PATH holds the project or the home, and with it every guarded place in them."""
    full = absolute(path, folder, at.home).casefold()
    return any(holds(full, absolute(one, one, at.home).casefold()) for one in (at.project, at.home))
