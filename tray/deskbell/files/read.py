"""Read files that other programs can write: regular files only, up to a size, and without waiting for anybody.

Every room reads its files through this module. Every function raises OSError if the file cannot be read; its
`strerror` ends the sentence "PATH cannot be read: ...". A size is in bytes. Each caller names the largest of its files.
"""

import errno
import os
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from deskbell_hooks.codec import decode

DEEPEST = 200
"""The most levels of lists and objects. Claude Code and Deskbell nest fewer than twenty."""
LATEST = 2.5e11
"""Seconds since 1970. No calendar knows a later time."""

# A terminal must not become the controlling terminal, and a named pipe must not make the program wait for a writer.
_FLAGS = os.O_RDONLY
for _name in ("O_NONBLOCK", "O_NOCTTY", "O_CLOEXEC", "O_BINARY"):
    _FLAGS |= getattr(os, _name, 0)
_NO_LINK = getattr(os, "O_NOFOLLOW", 0)
_KINDS = {
    stat.S_IFIFO: "a named pipe",
    stat.S_IFDIR: "a folder",
    stat.S_IFSOCK: "a socket",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
}


class Unfit(OSError):
    """The file itself is wrong, and only another one in its place helps: it is a device, too large or not UTF-8."""


def is_passing(error: Exception) -> bool:
    """Return True if another attempt may succeed without a change of the file, as after a shortage of memory.

    A caller that remembers what a file holds must not remember such an error in its place.
    """
    return isinstance(error, MemoryError) or (
        isinstance(error, OSError)
        and not isinstance(error, Unfit | FileNotFoundError | NotADirectoryError)
        and error.errno != errno.ENAMETOOLONG  # no file can have this name
    )


class Opened(NamedTuple):
    fd: int
    found: os.stat_result


@contextmanager
def opened(path: str | Path, follow: bool = True) -> Iterator[Opened]:
    """Open the regular file PATH. With FOLLOW false, raise Unfit for a symbolic link."""
    fd = _descriptor(path, follow)
    try:
        found = os.fstat(fd)
        if not stat.S_ISREG(found.st_mode):
            raise _unfit(errno.EINVAL, f"it is {_KINDS.get(stat.S_IFMT(found.st_mode), 'something else')}", path)
        yield Opened(fd, found)
    finally:
        os.close(fd)


def read(path: str | Path, largest: int, follow: bool = True) -> bytes:
    """Return the content of PATH. Raise Unfit if it has more than LARGEST bytes, also if it grows meanwhile."""
    with opened(path, follow) as (fd, found):
        data = b""
        if found.st_size <= largest:
            data = os.read(fd, found.st_size + 1)
            if len(data) != found.st_size:  # it grows or shrinks, or its size is not known, as below /proc
                data = _rest(fd, data, largest)
        if max(found.st_size, len(data)) > largest:
            raise _unfit(errno.EFBIG, f"it is larger than {largest // 1000} kB", path)
        return data


def read_text(path: str | Path, largest: int) -> str:
    """Return the text of PATH with LF after each line. Raise Unfit as `read_exactly` does."""
    return with_lf(read_exactly(path, largest))


def with_lf(text: str) -> str:
    """Return TEXT with LF after each line, in place of CRLF or CR."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def read_exactly(path: str | Path, largest: int) -> str:
    """Return the text of PATH with the line ends that it has. Raise Unfit as `read` does, and if it is not UTF-8."""
    try:
        return read(path, largest).decode()
    except UnicodeDecodeError as error:
        raise _unfit(errno.EILSEQ, f"it is not UTF-8 text (byte {error.start})", path) from None


def json_value(data: bytes) -> Any:
    """Return the value of one JSON text. Raise ValueError if it is not JSON, or nested more than DEEPEST deep.

    Wrong UTF-8 becomes U+FFFD; NaN, infinities and numbers of more digits than Python reads become None.
    """
    value = decode(data)
    if data.count(b"[") + data.count(b"{") > DEEPEST and _is_too_deep(value):
        raise ValueError("nested too deep to read")
    return value


def _descriptor(path: str | Path, follow: bool) -> int:
    try:
        if not follow and sys.platform == "win32" and os.path.islink(path):  # noqa: PTH114  # there is no flag for it
            raise OSError(errno.ELOOP, "")
        return os.open(path, _FLAGS if follow else _FLAGS | _NO_LINK)
    except ValueError:  # a NUL, or half of a surrogate pair
        raise _unfit(errno.EINVAL, "no file can have this name", path) from None
    except OSError as error:
        if error.errno == errno.ELOOP:
            raise _unfit(errno.ELOOP, "it is a circle of links" if follow else "it is a link", path) from None
        if error.errno in (errno.ENXIO, errno.EOPNOTSUPP):  # Linux and macOS open no socket
            raise _unfit(error.errno, "it is a socket, or a device that is missing", path) from None
        raise


def _rest(fd: int, data: bytes, largest: int) -> bytes:
    parts, left = [data], largest + 1 - len(data)
    while left > 0 and (part := os.read(fd, left)):
        parts.append(part)
        left -= len(part)
    return b"".join(parts)


def _unfit(number: int, why: str, path: str | Path) -> Unfit:
    return Unfit(number, why, str(path))


def _is_too_deep(value: object) -> bool:
    level = [value]
    for _ in range(DEEPEST):
        level = [inner for outer in level for inner in _inside(outer)]
    return bool(level) and any(isinstance(one, list | dict) for one in level)


def _inside(value: object) -> list[object]:
    if isinstance(value, dict):
        return list(value.values())
    return value if isinstance(value, list) else []
