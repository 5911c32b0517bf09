"""Write small files of Deskbell's own: whole or not at all, and for their owner alone.

All rooms write through this module. Only the person's settings.json and tmux.conf have a writer of their own,
`settings.settings_file`, which also keeps the edits of others. After an OSError no temporary file is left. No function
writes into a file that has a second name: under that name, it is part of a backup or belongs to somebody else.
"""

import contextlib
import errno
import os
import stat
import sys
from collections.abc import Iterator
from pathlib import Path

from deskbell.files.read import Unfit, read

PRIVATE = 0o600
_OTHERS = 0o077
"""The permissions of everybody but the owner."""

# A link must not lead to another file, and a named pipe must not make the program wait for a reader.
_FLAGS = 0
for _name in ("O_NOFOLLOW", "O_NONBLOCK", "O_NOCTTY", "O_CLOEXEC", "O_BINARY", "O_NOINHERIT"):
    _FLAGS |= getattr(os, _name, 0)


def write_private(path: Path, content: bytes, mode: int = PRIVATE, follow: bool = False) -> None:
    """Replace PATH with CONTENT in one step, under a mode that the umask does not change.

    Create missing folders with mode 0700. Replace a symbolic link; with FOLLOW, replace the file that it points to, for
    files that people keep elsewhere. Never replace a device, a named pipe or a socket: root could replace /dev/null.
    """
    target = Path(os.path.realpath(path)) if follow else path
    try:
        _check_replaceable(target, follow)
        make_private(target.parent)
        # The name does not contain that of the target, which could make it too long.
        beside = target.with_name(f".{os.urandom(8).hex()}.tmp")
        create_private(beside, content, mode)
        try:
            beside.replace(target)
        except BaseException:
            beside.unlink(missing_ok=True)
            raise
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from None


def _check_replaceable(target: Path, follow: bool) -> None:
    try:
        mode = target.lstat().st_mode
    except OSError:
        return  # nothing is there, or the next step says better why it cannot be reached
    if follow and stat.S_ISLNK(mode):  # realpath gives up at a circle of links
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
    if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode) or stat.S_ISLNK(mode)):
        raise OSError(errno.EINVAL, "it is a device, a named pipe or a socket")


def write_changed(path: Path, content: bytes, mode: int = PRIVATE, follow: bool = False) -> bool:
    """Do what `write_private` does. Return False, and touch nothing, if PATH holds CONTENT already."""
    try:
        if read(path, len(content), follow) == content:
            return False
    except (FileNotFoundError, Unfit):
        pass
    write_private(path, content, mode, follow)
    return True


def create_private(path: Path, content: bytes, mode: int = PRIVATE) -> None:
    """Create PATH with CONTENT on the disk. Raise FileExistsError if the name is taken, also by a link."""
    fd = new_private(path)
    try:
        try:
            if sys.platform != "win32":
                os.fchmod(fd, mode)
            _write(fd, content)
            os.fsync(fd)
        finally:
            os.close(fd)
    except BaseException:
        path.unlink(missing_ok=True)
        raise


def new_private(path: Path) -> int:
    """Create PATH and return its descriptor. At no moment can anybody else open it."""
    return os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _FLAGS, PRIVATE)


def append_private(path: Path, data: bytes, largest: int, kept: int) -> None:
    """Append DATA to the log PATH; create it, and its folder, if they are missing.

    If it would become larger than LARGEST bytes, it is first renamed to PATH.1, that one to PATH.2, and so on; KEPT of
    them stay. A link is replaced by a new file.
    """
    make_private(path.parent)
    with contextlib.suppress(OSError):  # no file yet, or one that another program holds open on Windows
        if path.lstat().st_size + len(data) > largest:
            _shift(path, kept)
    fd = _open_log(path, largest)
    try:
        _write(fd, data)
    finally:
        os.close(fd)


def _shift(path: Path, kept: int) -> None:
    names = [path, *(path.with_name(f"{path.name}.{number}") for number in range(1, kept + 1))]
    for older, newer in zip(reversed(names[1:]), reversed(names[:-1]), strict=True):
        if os.path.lexists(newer):
            newer.replace(older)


def _open_log(path: Path, largest: int) -> int:
    try:
        fd = open_own(path, os.O_WRONLY | os.O_APPEND)
    except OSError as error:
        if error.errno != errno.ELOOP:
            raise
        path.unlink()
        return open_own(path, os.O_WRONLY | os.O_APPEND)
    with closed_if_it_fails(fd):
        shared = is_shared(fd)
    if shared:
        os.close(fd)
        write_private(path, read(path, largest))
        fd = open_own(path, os.O_WRONLY | os.O_APPEND)
    return fd


def open_own(path: Path, flags: int) -> int:
    """Open PATH; create it, with mode 0600, if it is missing. Raise OSError if it is a link or no regular file.

    The caller must not write into a file that `is_shared`.
    """
    if sys.platform == "win32" and path.is_symlink():  # there is no flag for it
        raise OSError(errno.ELOOP, "it is a link", str(path))
    try:
        fd = os.open(path, flags | os.O_CREAT | _FLAGS, PRIVATE)
    except OSError as error:
        if error.errno == errno.ELOOP:
            raise OSError(errno.ELOOP, "it is a link", str(path)) from None
        raise
    with closed_if_it_fails(fd):
        found = os.fstat(fd)
        if not stat.S_ISREG(found.st_mode):
            raise OSError(errno.EINVAL, "it is not a file", str(path))
        if sys.platform != "win32" and found.st_mode & _OTHERS and found.st_nlink == 1:
            os.fchmod(fd, PRIVATE)
    return fd


@contextlib.contextmanager
def closed_if_it_fails(fd: int) -> Iterator[None]:
    """Close FD if the body raises OSError."""
    try:
        yield
    except OSError:
        os.close(fd)
        raise


def is_shared(fd: int) -> bool:
    """Return whether the file has a second name."""
    return os.fstat(fd).st_nlink > 1


def _write(fd: int, content: bytes) -> None:
    left = memoryview(content)
    while left:
        left = left[os.write(fd, left) :]


def make_private(folder: Path) -> None:
    """Create FOLDER and every missing folder above it, each with mode 0700 whatever the umask.

    Leave an existing folder as it is. Raise NotADirectoryError if a file or a broken link has the name.
    """
    try:
        folder.mkdir(mode=0o700)
    except FileNotFoundError:
        if folder.parent.is_dir():  # folders cannot be made everywhere, for example below /proc
            raise
        make_private(folder.parent)
        make_private(folder)
    except OSError as error:  # systems differ in the error for a folder that exists
        if folder.is_dir():
            return
        if isinstance(error, FileExistsError):
            raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), str(folder)) from None
        raise
    else:
        folder.chmod(0o700)


def narrow(path: Path) -> None:
    """Take the permissions of everybody else from a file or a folder of Deskbell's own. Follow no link."""
    mode = path.lstat().st_mode
    if sys.platform != "win32" and mode & _OTHERS and not stat.S_ISLNK(mode):
        path.chmod(stat.S_IMODE(mode) & ~_OTHERS)
