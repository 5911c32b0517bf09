"""Exchange two files in one step, and create a file only where none exists.

Linux and macOS exchange two names atomically. On other systems, and on file systems without an exchange, the file is
compared with the expected content just before it is replaced: if another program writes in the microseconds between,
its text is lost. `settings_file` is the only caller.
"""

import ctypes
import errno
import os
import sys
from pathlib import Path

from deskbell.errors import Problem, reason
from deskbell.files.read import read
from deskbell.files.write import create_private

LARGEST = 4_000_000
"""The most bytes of a settings file. Finding the places of the values in a larger one would take many seconds."""

_AT_FDCWD = -100
_RENAME_EXCHANGE = 2  # linux/fs.h
_RENAME_SWAP = 2  # sys/stdio.h of macOS
_CANNOT = {errno.ENOSYS, errno.EINVAL, errno.ENOTSUP, errno.EOPNOTSUPP}


def exchange(one: Path, other: Path, expected: bytes | None) -> bool:
    """Exchange the files ONE and OTHER. Return False if OTHER does not exist.

    Afterwards ONE holds what OTHER held; the caller compares it. On a system without an exchange, first compare OTHER
    with EXPECTED, and return False if it differs; None expects anything.
    """
    error = _swap(os.fsencode(one), os.fsencode(other))
    if error == 0:
        return True
    if error == errno.ENOENT:
        return False
    if error not in _CANNOT:
        raise OSError(error, os.strerror(error), str(other))
    return compare_and_replace(one, other, expected)


def _swap(one: bytes, other: bytes) -> int:
    """Return the number of the error; 0 for success."""
    if sys.platform == "win32":
        return errno.ENOSYS
    libc = ctypes.CDLL(None, use_errno=True)
    if sys.platform == "darwin" and hasattr(libc, "renamex_np"):
        failed = libc.renamex_np(one, other, _RENAME_SWAP)
    elif hasattr(libc, "renameat2"):
        failed = libc.renameat2(_AT_FDCWD, one, _AT_FDCWD, other, _RENAME_EXCHANGE)
    else:
        return errno.ENOSYS
    return ctypes.get_errno() if failed else 0


def compare_and_replace(one: Path, other: Path, expected: bytes | None) -> bool:
    """Do what `exchange` does, without its atomic step. After an error, OTHER holds what it held."""
    kept = one.with_name(f"{one.name}-kept")
    try:
        found = read(other, LARGEST)
        if expected is not None and found != expected:
            return False
        create_private(kept, found)  # before OTHER changes: if the disk is full, nothing is lost
        if not _replaced(one, other, found, kept):
            return False
        _hand_out(kept, one, other)
    except FileNotFoundError:
        return False
    except PermissionError:
        if sys.platform != "win32":
            raise
        return False  # another process has it open, such as Claude Code while it reads its settings
    return True


def _replaced(one: Path, other: Path, expected: bytes, kept: Path) -> bool:
    """Replace OTHER by ONE if it still holds what is EXPECTED. Remove KEPT if that is not done."""
    done = False
    try:
        if read(other, LARGEST) == expected:
            one.replace(other)
            done = True
    finally:
        if not done:
            kept.unlink(missing_ok=True)
    return done


def _hand_out(kept: Path, one: Path, other: Path) -> None:
    """Rename KEPT to ONE. If that fails, put it back as OTHER; if that fails, too, say where it is."""
    try:
        kept.replace(one)
    except BaseException as error:
        try:
            kept.replace(other)
        except OSError:
            what = f"{other} was changed, but the change could not be completed: {reason(error)}."
            raise Problem(what, f"What it held before is in {kept}.") from None
        raise


def create(one: Path, other: Path) -> bool:
    """Rename ONE to OTHER. Return False if OTHER exists."""
    try:
        os.link(one, other)
    except FileExistsError:
        return False
    except OSError:  # a file system without hard links
        if other.exists():
            return False
        one.rename(other)
        return True
    one.unlink()
    return True
