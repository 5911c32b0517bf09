"""Read small files of other programs (git, Claude Code, the tray) without changing anything about them."""

import sys

if sys.platform == "win32":
    import nt as system

    FLAGS = system.O_RDONLY | system.O_BINARY | system.O_NOINHERIT
else:
    import posix as system

    FLAGS = system.O_RDONLY | system.O_NONBLOCK | system.O_NOCTTY | system.O_CLOEXEC

TYPE_MASK, REGULAR = 0o170000, 0o100000
"""Bits of `st_mode`: its type, and that of a regular file."""


def read(path: str, largest: int) -> bytes:
    """Return what a regular file holds. Raise OSError if it cannot be read, grows, or has more than LARGEST bytes."""
    try:
        fd = system.open(path, FLAGS)
    except ValueError:  # a NUL, or half of a surrogate pair
        raise OSError(path) from None
    try:
        found = system.fstat(fd)
        if found.st_mode & TYPE_MASK != REGULAR or found.st_size > largest:
            raise OSError(path)
        data = system.read(fd, found.st_size + 1)
    finally:
        system.close(fd)
    if len(data) > found.st_size:
        raise OSError(path)
    return data
