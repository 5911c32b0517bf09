"""Write small files of Deskbell's own: whole or not at all, and for their owner alone.

The one writer of all rooms; only the person's settings.json goes through `settings.settings_file`, which also keeps
foreign edits. Every function raises OSError, with the name of the file it was given, and leaves no other file behind.
"""

import errno
import os
import stat
import sys
from pathlib import Path

from deskbell.files.read import Unfit, read

PRIVATE = 0o600


def write_private(path: Path, content: bytes, mode: int = PRIVATE) -> None:
    """Replace PATH with CONTENT in one step, under a mode that the umask does not change.

    Create missing folders with mode 0700. If PATH is a symbolic link, replace the file that it points to. Never replace
    a device, a named pipe or a socket: root could replace /dev/null by a link to it.
    """
    target = Path(os.path.realpath(path))
    try:
        _check_replaceable(target)
        make_private(target.parent)
        # Of the name of the target nothing is taken over: with more letters it could be too long.
        beside = target.with_name(f".{os.urandom(8).hex()}.tmp")
        create_private(beside, content, mode)
        try:
            beside.replace(target)
        except BaseException:
            beside.unlink(missing_ok=True)
            raise
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from None


def _check_replaceable(target: Path) -> None:
    try:
        mode = target.lstat().st_mode
    except OSError:
        return  # nothing is there, or the next step says better why it cannot be reached
    if stat.S_ISLNK(mode):  # realpath gives up at a circle of links
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
    if not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):
        raise OSError(errno.EINVAL, "it is a device, a named pipe or a socket")


def write_changed(path: Path, content: bytes, mode: int = PRIVATE) -> bool:
    """Do as `write_private`. Return False, and touch nothing, if PATH holds CONTENT already."""
    try:
        if read(path, len(content)) == content:
            return False
    except (FileNotFoundError, Unfit):
        pass
    write_private(path, content, mode)
    return True


def create_private(path: Path, content: bytes, mode: int = PRIVATE) -> None:
    """Create PATH with CONTENT on the disk. Raise FileExistsError if the name is taken, also by a link."""
    fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), PRIVATE)
    try:
        try:
            if sys.platform != "win32":
                os.fchmod(fd, mode)
            _write(fd, content)
        finally:
            os.close(fd)
    except BaseException:
        path.unlink(missing_ok=True)
        raise


def _write(fd: int, content: bytes) -> None:
    left = memoryview(content)
    while left:
        left = left[os.write(fd, left) :]
    os.fsync(fd)


def make_private(folder: Path) -> None:
    """Create FOLDER and every missing folder above it, each with mode 0700 whatever the umask.

    Leave an existing folder as it is. Raise NotADirectoryError if a file or a broken link has the name.
    """
    try:
        folder.mkdir(mode=0o700)
    except FileNotFoundError:
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
