"""Change a file of the person without losing an edit of another program, and without ever leaving half a file.

`install`, `line_install` and `tmux_files` change settings.json and tmux.conf with it.

The new text is written beside the file and exchanged with it in one step; what comes out is then compared with what was
read. If another program has written in between, its file is put back at once, and the edit is made on that text. A link
stays a link, and owner, mode and attributes stay. Systems without an exchange compare just before they replace.
"""

import contextlib
import os
import stat
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from deskbell.errors import NOT_WRITTEN, Problem
from deskbell.files.read import Unfit
from deskbell.files.read import read as read_file
from deskbell.files.there import ending_in
from deskbell.files.trial import existing
from deskbell.files.write import make_private, new_private
from deskbell.settings.exchange import LARGEST, create, exchange

Edit = Callable[[bytes | None], bytes | None]
"""A function that returns the new content for the present one; None stands for no file. It may raise Problem."""

Swap = Callable[[Path, Path, bytes | None], bool]

TRIES = 100
PAUSE = 0.02
"""Seconds between two tries."""

QUIET = 2.0
"""Seconds after which an incomplete text counts as final: an editor that empties a file fills it again sooner."""

UNCHANGED = "Nothing was changed."
"""Said of a plan, before any file changes."""
AS_BEFORE = "The file is as it was."
"""Said of one file, while others may have changed already."""

_ACCESS_LIST = "system.posix_acl_access"
"""Says what the group of the file may do, too: https://man7.org/linux/man-pages/man5/acl.5.html"""


class Kind(NamedTuple):
    """What differs between the files that are changed here."""

    is_complete: Callable[[bytes], bool]
    """Whether a text is complete. Another program may still be writing one that is not."""
    mode: int
    """The mode of a new file."""


SETTINGS = Kind(lambda text: text.rstrip().endswith(b"}"), 0o600)


class Change(NamedTuple):
    path: Path
    before: bytes | None
    after: bytes | None

    @property
    def needed(self) -> bool:
        return self.before != self.after


def read(path: Path) -> bytes | None:
    """Return the content of PATH; None if it does not exist. Raise Problem if it cannot be read."""
    try:
        return read_file(path, LARGEST)
    except FileNotFoundError:
        return None
    except Unfit as error:
        raise Problem(f"Cannot read {path}: {error.strerror}.", "Move it away, then try again.") from None
    except OSError as error:
        raise Problem(f"Cannot read {path}: {error.strerror}.", "Make it readable, then try again.") from None


def planned(path: Path, edit: Edit, kind: Kind = SETTINGS) -> Change:
    """Return the change that EDIT makes, without making it. Raise Problem if it could not be made."""
    before = _settled(path, kind)
    change = Change(path, before, edit(before))
    if change.needed:
        check_writable(path)
    return change


def change(
    path: Path, edit: Edit, saved: Callable[[bytes | None], None], swap: Swap = exchange, kind: Kind = SETTINGS
) -> Change:
    """Change the file by EDIT, and return the change. Call SAVED with the former content before each try."""
    target = Path(os.path.realpath(path))
    for _ in range(TRIES):
        wish = planned(path, edit, kind)
        if not wish.needed:
            return wish
        saved(wish.before)
        with _explained(path):
            if _done(target, wish, swap, kind.mode):
                _sync_folder(target.parent)
                return wish
        time.sleep(PAUSE)
    raise Problem(f"{path} keeps changing, so Deskbell has not changed it. Try again when no other program writes it.")


def _done(target: Path, wish: Change, swap: Swap, mode: int) -> bool:
    """Make the change. Return False if another program has written meanwhile: its file is then in place."""
    if wish.after is None:
        return _removed(target, wish.before)
    with _beside(target, wish.after, mode) as beside:
        if wish.before is None:
            return create(beside, target)
        return _exchanged(target, beside, wish, swap)


def _exchanged(target: Path, beside: Path, wish: Change, swap: Swap) -> bool:
    """Exchange the files, and back again if another program wrote since the plan was made, or if that is not known."""
    if read(target) != wish.before or not swap(beside, target, wish.before):
        return False
    try:
        if read(beside) == wish.before:
            return True
    except BaseException:
        with contextlib.suppress(OSError):
            swap(beside, target, None)
        raise
    swap(beside, target, wish.after)  # put their file back: a program that has it open may still write to it
    if read(beside) != wish.after:
        swap(beside, target, None)  # they have just replaced our file: that text is the newest
    return False


def _removed(target: Path, believed: bytes | None) -> bool:
    """Remove the file if it still holds what is BELIEVED. Else, and after an error, it is in its place again."""
    aside = _beside_name(target)
    target.rename(aside)
    try:
        if read(aside) == believed:
            aside.unlink()
            return True
    except BaseException:
        with contextlib.suppress(OSError):
            create(aside, target)
        raise
    create(aside, target)
    return False


def _settled(path: Path, kind: Kind) -> bytes | None:
    """Return the content when no program is writing it. An incomplete text is returned when it is older than QUIET."""
    for _ in range(TRIES):
        found = read(path)
        if found is None or kind.is_complete(found) or _age(path) > QUIET:
            break
        time.sleep(PAUSE)
    return found


def _age(path: Path) -> float:
    with contextlib.suppress(OSError):
        return time.time() - path.stat().st_mtime
    return 0


def check_writable(path: Path) -> None:
    """Raise Problem if PATH, or the file that it links to, cannot be replaced or created, or not without a loss."""
    target = Path(os.path.realpath(path))
    with _explained(path):
        found = target.stat() if target.exists() else None
        folder = existing(target.parent)
        is_closed = folder.is_dir() and not os.access(folder, os.W_OK | os.X_OK)
    if found:
        _check_file(path, target, found)
    if is_closed:
        raise Problem(f"The folder {folder} is read-only. {UNCHANGED}", "Make it writable, then try again.")


def _check_file(path: Path, target: Path, found: os.stat_result) -> None:
    if not stat.S_ISREG(found.st_mode):
        raise Problem(f"{path} is not a file. {UNCHANGED}", "Move it away, then try again.")
    if not found.st_mode & 0o222 or not os.access(target, os.W_OK):
        raise Problem(f"{path} is read-only. {UNCHANGED}", "Make it writable, then try again.")
    if found.st_nlink > 1:
        what = f"{path} has {found.st_nlink} hard links, and replacing it would break them. {UNCHANGED}"
        raise Problem(what, "Make it a file of its own or a symbolic link, then try again.")


@contextlib.contextmanager
def _beside(target: Path, content: bytes, mode: int) -> Iterator[Path]:
    """Create a file with CONTENT next to the target, with its owner, mode and attributes. Remove it at the end.

    MODE is for a target that does not exist.
    """
    make_private(target.parent)
    beside = _beside_name(target)
    try:
        with os.fdopen(new_private(beside), "wb") as file:
            if target.exists():
                _take_after(target, beside)
            else:
                beside.chmod(mode)
            _write(file.fileno(), content)
        yield beside
    finally:
        with contextlib.suppress(OSError):
            beside.unlink()


def _beside_name(target: Path) -> Path:
    return target.with_name(f".{target.name}.deskbell-{os.getpid()}-{time.monotonic_ns()}")


def leftovers(path: Path) -> list[Path]:
    """Return the files that a killed change left beside PATH. Call this under the lock, while no change runs."""
    target = Path(os.path.realpath(path))
    return [path for path in ending_in(target.parent, "") if path.name.startswith(f".{target.name}.deskbell-")]


def _write(fd: int, content: bytes) -> None:
    while content:
        content = content[os.write(fd, content) :]
    os.fsync(fd)


def _take_after(target: Path, beside: Path) -> None:
    """Give BESIDE the owner, the mode and the extended attributes of TARGET.

    If the group of TARGET cannot be kept, another group gets no more than everybody.
    """
    found, made = target.stat(), beside.stat()
    if sys.platform == "win32":
        return
    if (found.st_uid, found.st_gid) != (made.st_uid, made.st_gid):
        with contextlib.suppress(OSError):
            os.chown(beside, found.st_uid, found.st_gid)
        made = beside.stat()
    if made.st_uid != found.st_uid:
        raise Problem(f"{target} belongs to another user. {AS_BEFORE} Run this as that user.")
    mode, keeps_group = stat.S_IMODE(found.st_mode), made.st_gid == found.st_gid
    beside.chmod(mode if keeps_group else _without_group(mode))
    if sys.platform == "linux":
        for name in os.listxattr(target):
            if keeps_group or name != _ACCESS_LIST:
                with contextlib.suppress(OSError):
                    os.setxattr(beside, name, os.getxattr(target, name))


def _without_group(mode: int) -> int:
    """Return MODE with no more for the group than for everybody."""
    return mode & ~(stat.S_ISGID | stat.S_IRWXG) | mode & (mode & stat.S_IRWXO) << 3


def _sync_folder(folder: Path) -> None:
    """Put the change on the disk at once. A file system that cannot do that does so later."""
    if sys.platform == "win32":
        return
    with contextlib.suppress(OSError):  # the change is made, so it must not be reported as one that failed
        fd = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(fd)
        finally:
            os.close(fd)


@contextlib.contextmanager
def _explained(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise Problem(f"Cannot write {path}: {error.strerror}. {AS_BEFORE}", NOT_WRITTEN) from None
