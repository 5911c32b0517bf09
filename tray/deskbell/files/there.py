"""Tell what a path leads to, without an error if a folder above it is closed.

Before Python 3.14, `exists`, `is_dir`, `is_file` and `glob` of a Path raise PermissionError there, and another OSError
for a name that is too long. A person or a file may name any path.
"""

import errno
import stat
from pathlib import Path

_NOTHING = frozenset((errno.ENOENT, errno.ENOTDIR, errno.ELOOP, errno.ENAMETOOLONG))
"""The errors that say that nothing is there. Others say that it cannot be found out."""


def exists(path: Path, unknown: bool = False) -> bool:
    """Return whether PATH leads to anything; UNKNOWN if that cannot be found out."""
    mode = _mode(path)
    return unknown if mode is None else mode != 0


def is_folder(path: Path, unknown: bool = False) -> bool:
    """Return whether PATH leads to a folder; UNKNOWN if that cannot be found out."""
    mode = _mode(path)
    return unknown if mode is None else stat.S_ISDIR(mode)


def ending_in(folder: Path, suffix: str) -> list[Path]:
    """Return what has a name with SUFFIX in FOLDER, in the order of the names; nothing if it cannot be listed."""
    try:
        return sorted(path for path in folder.iterdir() if path.name.endswith(suffix))
    except (OSError, ValueError):
        return []


def _mode(path: Path) -> int | None:
    """Return the mode of what PATH leads to; 0 for nothing, None if it cannot be found out."""
    try:
        return path.stat().st_mode
    except OSError as error:
        return 0 if error.errno in _NOTHING else None
    except ValueError:  # a NUL, or half of a surrogate pair
        return 0
