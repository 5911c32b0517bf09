"""How is a person's file read, and changed so that it is the old one or the new one, and nobody's edit is lost?

The new text is written beside the file and exchanged with it in one step; what came out is then compared with what was
read. If somebody wrote in between, theirs goes back at once, and the edit is made on it again. A link stays a link, and
owner, mode and attributes stay. Systems without such an exchange compare just before they replace.
"""

import contextlib
import os
import stat
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from deskbell.errors import Problem
from deskbell.settings.exchange import create, exchange

Edit = Callable[[bytes | None], bytes | None]
"""What is there (None: no file) to what should be there. It may raise a Problem."""

Swap = Callable[[Path, Path, bytes | None], bool]

TRIES = 100
PAUSE = 0.02
QUIET = 2.0
"""Seconds in which an editor that empties a file before it fills it has filled it."""


class Change(NamedTuple):
    path: Path
    before: bytes | None
    after: bytes | None

    @property
    def needed(self) -> bool:
        return self.before != self.after


def read(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise Problem(f"{path} cannot be read ({error.strerror}): nothing was changed") from None


def planned(path: Path, edit: Edit) -> Change:
    """What a change would be, without making it; refuses what could not be made."""
    before = _settled(path)
    change = Change(path, before, edit(before))
    if change.needed:
        _check_writable(path)
    return change


def change(path: Path, edit: Edit, saved: Callable[[bytes | None], None], swap: Swap = exchange) -> Change:
    """Makes the change; `saved` gets what was there before."""
    target = Path(os.path.realpath(path))
    for _ in range(TRIES):
        wish = planned(path, edit)
        if not wish.needed:
            return wish
        saved(wish.before)
        with _explained(path):
            if _done(target, wish, swap):
                _sync_folder(target.parent)
                return wish
        time.sleep(PAUSE)
    raise Problem(f"{path} keeps changing: nothing was changed; try again when nothing else writes it")


def _done(target: Path, wish: Change, swap: Swap) -> bool:
    """False where somebody else was faster: their file is in place."""
    if wish.after is None:
        return _removed(target, wish.before)
    with _beside(target, wish.after) as beside:
        if wish.before is None:
            return create(beside, target)
        return _exchanged(target, beside, wish, swap)


def _exchanged(target: Path, beside: Path, wish: Change, swap: Swap) -> bool:
    """The last look and the second one are these few calls apart: a rival has hardly a chance."""
    if read(target) != wish.before or not swap(beside, target, wish.before):
        return False
    if read(beside) == wish.before:
        return True
    swap(beside, target, wish.after)  # theirs goes back, and stays open for who is just writing it
    if read(beside) != wish.after:
        swap(beside, target, None)  # and what they wrote over ours meanwhile is newer still
    return False


def _removed(target: Path, believed: bytes | None) -> bool:
    aside = _beside_name(target)
    target.rename(aside)
    if read(aside) == believed:
        aside.unlink()
        return True
    create(aside, target)
    return False


def _settled(path: Path) -> bytes | None:
    """What is there, once nobody is just writing it: an unfinished text must have lain there for a while."""
    for _ in range(TRIES):
        found = read(path)
        if found is None or found.rstrip().endswith(b"}") or _age(path) > QUIET:
            break
        time.sleep(PAUSE)
    return found


def _age(path: Path) -> float:
    with contextlib.suppress(OSError):
        return time.time() - path.stat().st_mtime
    return 0


def _check_writable(path: Path) -> None:
    target = Path(os.path.realpath(path))
    with _explained(path):
        found = target.stat() if target.exists() else None
    if found is None:
        return
    if not stat.S_ISREG(found.st_mode):
        raise Problem(f"{path} is not a file: nothing was changed")
    if not found.st_mode & 0o222 or not os.access(target, os.W_OK):
        raise Problem(f"{path} is read-only: nothing was changed; make it writable first")
    if found.st_nlink > 1:
        raise Problem(f"{path} has {found.st_nlink} hard links, and replacing it would break them: nothing was changed")
    if not os.access(target.parent, os.W_OK):
        raise Problem(f"the folder {target.parent} is read-only: nothing was changed; make it writable first")


@contextlib.contextmanager
def _beside(target: Path, content: bytes) -> Iterator[Path]:
    """A file with the content, next to the target and like it in all else, gone at the end."""
    target.parent.mkdir(parents=True, exist_ok=True)
    beside = _beside_name(target)
    try:
        with beside.open("xb") as file:
            beside.chmod(0o600)
            if target.exists():
                _take_after(target, beside)
            _write(file.fileno(), content)
        yield beside
    finally:
        with contextlib.suppress(OSError):
            beside.unlink()


def _beside_name(target: Path) -> Path:
    return target.with_name(f".{target.name}.deskbell-{os.getpid()}-{time.monotonic_ns()}")


def leftovers(path: Path) -> list[Path]:
    """What a killed change left beside the file. Only to be asked for while no other change runs."""
    target = Path(os.path.realpath(path))
    return sorted(target.parent.glob(f".{target.name}.deskbell-*")) if target.parent.is_dir() else []


def _write(fd: int, content: bytes) -> None:
    while content:
        content = content[os.write(fd, content) :]
    os.fsync(fd)


def _take_after(target: Path, beside: Path) -> None:
    found = target.stat()
    if sys.platform == "win32":
        return
    if (found.st_uid, found.st_gid) != (os.getuid(), os.getgid()):
        try:
            os.chown(beside, found.st_uid, found.st_gid)
        except OSError:
            if beside.stat().st_uid != found.st_uid:
                raise Problem(f"{target} belongs to another user: nothing was changed") from None
    beside.chmod(stat.S_IMODE(found.st_mode))
    if sys.platform == "linux":
        for name in os.listxattr(target):
            with contextlib.suppress(OSError):
                os.setxattr(beside, name, os.getxattr(target, name))


def _sync_folder(folder: Path) -> None:
    if sys.platform == "win32":
        return
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
        raise Problem(f"{path} cannot be written ({error.strerror}): nothing was changed") from None
