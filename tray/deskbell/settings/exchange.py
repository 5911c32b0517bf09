"""How do two files change places in one step, and how does a file come into being only where none is?

Linux and macOS can exchange two names atomically. Elsewhere, and on file systems that cannot, the file is compared with
what was expected just before it is replaced: then a foreign write can be overlooked for some microseconds.
"""

import ctypes
import errno
import os
import sys
from pathlib import Path

_AT_FDCWD = -100
_RENAME_EXCHANGE = 2  # linux/fs.h
_RENAME_SWAP = 2  # sys/stdio.h of macOS
_CANNOT = {errno.ENOSYS, errno.EINVAL, errno.ENOTSUP, errno.EOPNOTSUPP}


def exchange(one: Path, other: Path, expected: bytes | None) -> bool:
    """False where `other` no longer is as expected and could not be exchanged.

    Afterwards `one` holds what `other` was: the caller compares.
    """
    error = _swap(os.fsencode(one), os.fsencode(other))
    if error == 0:
        return True
    if error == errno.ENOENT:
        return False
    if error not in _CANNOT:
        raise OSError(error, os.strerror(error))
    return compare_and_replace(one, other, expected)


def _swap(one: bytes, other: bytes) -> int:
    """The error number; 0: done."""
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
    """As near to an exchange as it gets: what was there is put under the name of `one`."""
    try:
        there = other.read_bytes()
        if expected is not None and there != expected:
            return False
        one.replace(other)
    except FileNotFoundError:
        return False
    except PermissionError:
        if sys.platform != "win32":
            raise
        return False  # somebody has it open, as the client while it reads it
    one.write_bytes(there)
    return True


def create(one: Path, other: Path) -> bool:
    """Moves `one` to a name that nobody has; False where somebody has it."""
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
