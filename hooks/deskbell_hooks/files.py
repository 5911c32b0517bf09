"""Lock, read, append to and replace a session's journal and record, so that no reader ever sees half of one.

The lock on the journal is the session's lock: the process that holds it may append to the journal and replace the
record. The kernel releases it when the process ends. `os` is not imported: it would cost a tenth of the hook's time.
"""

import sys
from time import monotonic, sleep

TYPE_CHECKING = False
if TYPE_CHECKING:
    from os import stat_result
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
"""Seconds to wait for a lock. A holder that takes longer hangs: the journal is then appended to without the lock."""

BUSY = (11, 13, 35, 36)
"""EAGAIN, EACCES and EDEADLK, as Linux, macOS and Windows number them: another process has the lock."""

LARGEST_READ = 1024 * 1024
"""Bytes. A record has 16 KB at most, so a longer file is not one of ours."""

LARGEST_COPY = 128 * 1024 * 1024
"""The most bytes of a journal that are copied. The tray cuts a journal long before."""

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


def open_private(path: str, flags: int) -> tuple[int, int]:
    """Open a file with mode 0600; return its descriptor and the number of its names.

    A file with several names keeps its mode. Raise OSError if it is a symlink or anything but a regular file.
    """
    fd = system.open(path, flags | EXTRA, 0o600)
    found = system.fstat(fd)
    if found.st_mode & TYPE_MASK != REGULAR:
        system.close(fd)
        raise OSError(path)
    if found.st_mode & OTHERS and found.st_nlink < 2 and sys.platform != "win32":
        system.fchmod(fd, 0o600)
    return fd, found.st_nlink


def _create(path: str, flags: int) -> int:
    """Create a file with mode 0600. First remove what has its name: the file of a killed writer, or a link."""
    flags |= system.O_CREAT | system.O_EXCL | EXTRA
    try:
        return system.open(path, flags, 0o600)
    except FileExistsError:
        system.unlink(path)
        return system.open(path, flags, 0o600)


def read_file(path: str) -> bytes:
    """Return the content of a private file. Raise OSError if it cannot be read or has more than LARGEST_READ bytes."""
    fd, _ = open_private(path, system.O_RDONLY)
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
    """Replace a file whole or not at all. The next writer removes the temporary file that a killed one left.

    Any step may report a full disk. On a network drive, only the close may report it.
    """
    temporary = path + ".tmp"
    fd = _create(temporary, system.O_WRONLY)
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
    """The journal of one session. A `with` locks it; after PATIENCE seconds it is used without the lock.

    A backup may give the file a second name (`cp -al`). Then a copy takes its place, and the backup's file stays as it
    is. Without the lock, without room for a copy, and on Windows, which cannot replace an open file, the file itself is
    used: an event is worth more than a backup.
    """

    def __init__(self, path: str) -> None:
        self.path = path
        self.fd = -1
        self.locked = False
        self.size = 0

    def __enter__(self) -> "Journal":
        until = monotonic() + PATIENCE
        while True:
            self.fd, names = self._opened()
            self.locked = at_once = _lock(self.fd, 0.0)
            if not at_once:
                self.locked = _lock(self.fd, until)
            found = system.fstat(self.fd)
            self.size = found.st_size
            if (at_once and names == found.st_nlink == 1) or monotonic() > until or self._is_ours(found):
                return self
            system.close(self.fd)  # the tray deleted this file while we waited for the lock, or a copy took its place

    def __exit__(
        self, kind: "type[BaseException] | None", error: "BaseException | None", trace: "TracebackType | None"
    ) -> None:
        if sys.platform == "win32" and self.locked:
            system.lseek(self.fd, LOCK_AT, 0)
            msvcrt.locking(self.fd, msvcrt.LK_UNLCK, 1)
        system.close(self.fd)

    def _opened(self) -> tuple[int, int]:
        """Open the file. First delete a link or a device of this name: it would keep every event out of the journal."""
        flags = system.O_RDWR | system.O_APPEND | system.O_CREAT
        try:
            return open_private(self.path, flags)
        except OSError:
            if system.lstat(self.path).st_mode & TYPE_MASK in (REGULAR, FOLDER):
                raise
            system.unlink(self.path)
            return open_private(self.path, flags)

    def _is_ours(self, found: "stat_result") -> bool:
        """Return False if the file has lost its name. If it has other names too, put a copy in its place."""
        if sys.platform == "win32":
            return found.st_nlink > 0
        try:
            if system.lstat(self.path).st_ino != found.st_ino:
                return False
            if found.st_nlink > 1:
                self._copy(found)
        except FileNotFoundError:
            return False
        except OSError:  # no room for a copy
            pass
        return True

    def _copy(self, found: "stat_result") -> None:
        """Copy the file, and lock the copy before it gets the name. A journal that is too long to copy begins anew."""
        temporary = self.path + ".tmp"
        fd = _create(temporary, system.O_RDWR | system.O_APPEND)
        try:
            _write(fd, self.read_from(0) if self.size <= LARGEST_COPY else b"")
            system.utime(temporary, ns=(found.st_atime_ns, found.st_mtime_ns))  # the tray removes what is old
            _lock(fd, 0.0)
            size = system.fstat(fd).st_size
            system.replace(temporary, self.path)
        except BaseException:
            system.close(fd)
            system.unlink(temporary)
            raise
        before, self.fd, self.size = self.fd, fd, size
        system.close(before)

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
        """Append a line in one write; end a half line first. Raise OSError only if the line was not written."""
        try:
            half = self.size and self.read_from(self.size - 1) != b"\n"
        except OSError:
            half = True
        line = b"\n" + line + b"\n" if half else line + b"\n"
        try:
            _write(self.fd, line)
        finally:
            try:
                self.size = system.fstat(self.fd).st_size
            except OSError:
                self.size += len(line)


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
