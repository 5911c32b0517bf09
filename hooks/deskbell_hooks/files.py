"""Lock, read, append to and replace a session's journal and record, so that no reader ever sees half of one.

The lock on the journal is the session's lock: the process that holds it may append to the journal and replace the
record. The kernel releases it when the process ends. `os` is not imported: it would cost a tenth of the hook's time.
"""

import sys
from time import monotonic, sleep

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import TracebackType

if sys.platform == "win32":
    import msvcrt
    import nt as system
    from nt import _exit  # type: ignore[attr-defined]  # typeshed does not list it

    EXTRA = system.O_BINARY | system.O_NOINHERIT
    LOCK_AT = 2**40  # far behind any content: on Windows others cannot read what a lock covers
else:
    import posix as system
    from posix import _exit

    EXTRA = system.O_NOFOLLOW | system.O_CLOEXEC | system.O_NONBLOCK

PATIENCE = 2.0
"""Seconds to wait for a lock. If its holder takes longer, it is stopped, and the journal is appended to without it."""

BUSY = (11, 13, 35, 36)
"""EAGAIN, EACCES and EDEADLK, as Linux, macOS and Windows number them: another process has the lock."""

LARGEST_READ = 1024 * 1024
"""Bytes. A record has 16 KB at most, so a longer file is not one of ours."""

TYPE_MASK, REGULAR, FOLDER, OTHERS = 0o170000, 0o100000, 0o040000, 0o077
"""Bits of `st_mode`: its type, a regular file, a folder, and the permissions of everybody but the owner."""


def leave() -> None:
    """End the process at once: nothing is left to flush, and a normal end costs a tenth of the hook's time."""
    _exit(0)


def make_folder(path: str) -> None:
    """Create PATH with mode 0700 if it is missing. Raise NotADirectoryError if it is a symlink or a file."""
    try:
        found = system.lstat(path)
    except FileNotFoundError:
        parent = (path.replace("\\", "/") if sys.platform == "win32" else path).rpartition("/")[0]
        if parent and parent != path:
            _make_parents(parent)
        try:
            system.mkdir(path, 0o700)
        except FileExistsError:
            pass
        found = system.lstat(path)
    if found.st_mode & TYPE_MASK != FOLDER:
        raise NotADirectoryError(path)
    if found.st_mode & OTHERS and sys.platform != "win32":
        system.chmod(path, 0o700)


def _make_parents(path: str) -> None:
    try:
        system.stat(path)
    except FileNotFoundError:
        parent = path.rpartition("/")[0]
        if parent:
            _make_parents(parent)
        try:
            system.mkdir(path, 0o700)
        except FileExistsError:
            pass


def open_private(path: str, flags: int) -> int:
    """Open a file with mode 0600. Raise OSError if it is a symlink, a pipe, a folder or anything but a regular file."""
    fd = system.open(path, flags | EXTRA, 0o600)
    found = system.fstat(fd)
    if found.st_mode & TYPE_MASK != REGULAR:
        system.close(fd)
        raise OSError(path)
    if found.st_mode & OTHERS and sys.platform != "win32":
        system.fchmod(fd, 0o600)
    return fd


def read_file(path: str) -> bytes:
    """Return the content of a private file. Raise OSError if it cannot be read or has more than LARGEST_READ bytes."""
    fd = open_private(path, system.O_RDONLY)
    try:
        size = system.fstat(fd).st_size
        if size > LARGEST_READ:
            raise OSError(path)
        return _read(fd, size)
    finally:
        system.close(fd)


def _read(fd: int, size: int) -> bytes:
    parts = []
    while size > 0 and (part := system.read(fd, size)):
        parts.append(part)
        size -= len(part)
    return b"".join(parts)


def _write(fd: int, data: bytes) -> None:
    while data:
        data = data[system.write(fd, data) :]


def replace_file(path: str, data: bytes) -> None:
    """Replace a file whole or not at all. The next writer overwrites the temporary file that a killed one left.

    A full disk may show at any step: on a network drive only when the file is closed.
    """
    temporary = path + ".tmp"
    fd = open_private(temporary, system.O_WRONLY | system.O_CREAT | system.O_TRUNC)
    try:
        try:
            _write(fd, data)
        finally:
            system.close(fd)
        _rename(temporary, path)
    except BaseException:
        system.unlink(temporary)
        raise


def _rename(source: str, target: str) -> None:
    """Rename a file. Windows refuses while a reader has the target open, for less than a millisecond: try again."""
    until = monotonic() + PATIENCE
    while True:
        try:
            return system.replace(source, target)
        except PermissionError:
            if sys.platform != "win32" or monotonic() > until:
                raise
            sleep(0.002)


class Journal:
    """The journal of one session. A `with` locks it; after PATIENCE seconds it is used without the lock."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.fd = -1
        self.locked = False
        self.size = 0

    def __enter__(self) -> "Journal":
        until = monotonic() + PATIENCE
        while True:
            self.fd = open_private(self.path, system.O_RDWR | system.O_APPEND | system.O_CREAT)
            self.locked = _lock(self.fd, until)
            found = system.fstat(self.fd)
            if found.st_nlink or monotonic() > until:
                self.size = found.st_size
                return self
            system.close(self.fd)  # the tray deleted this file while we waited for the lock

    def __exit__(
        self, kind: "type[BaseException] | None", error: "BaseException | None", trace: "TracebackType | None"
    ) -> None:
        if sys.platform == "win32" and self.locked:
            system.lseek(self.fd, LOCK_AT, 0)
            msvcrt.locking(self.fd, msvcrt.LK_UNLCK, 1)
        system.close(self.fd)

    def lock_now(self) -> bool:
        """Try once more to lock; return True on success."""
        self.locked = _lock(self.fd, 0.0)
        return self.locked

    def has_grown(self) -> bool:
        """Read the size again; return True if another process has appended."""
        before, self.size = self.size, system.fstat(self.fd).st_size
        return self.size > before

    def read_from(self, start: int, end: int | None = None) -> bytes:
        end = self.size if end is None else end
        if start >= end:
            return b""
        system.lseek(self.fd, start, 0)
        return _read(self.fd, end - start)

    def append(self, line: bytes) -> None:
        """Append a line in one write. If a killed writer left half a line, end that one first."""
        if self.size and self.read_from(self.size - 1) != b"\n":
            line = b"\n" + line
        try:
            _write(self.fd, line + b"\n")
        finally:
            self.size = system.fstat(self.fd).st_size


def _lock(fd: int, until: float) -> bool:
    pause = 0.0005
    while True:
        try:
            _try_lock(fd)
            return True
        except OSError as error:
            if error.errno not in BUSY:
                return True  # the file system has no locks, so nothing better can be done
        if monotonic() > until:
            return False
        sleep(pause)
        pause = min(pause * 1.5, 0.01)


if sys.platform == "win32":

    def _try_lock(fd: int) -> None:
        system.lseek(fd, LOCK_AT, 0)
        msvcrt.locking(fd, msvcrt.LK_NBLCK, 1)

else:

    def _try_lock(fd: int) -> None:
        """Use POSIX record locks: they need no further module and work over NFS."""
        system.lseek(fd, 0, 0)
        system.lockf(fd, system.F_TLOCK, 0)
