"""When may something have changed on disk? Wakes the loop; a wake says nothing, so a lost or doubled one does no harm.

Folders may be missing, replaced or moved at any time. Those that the system cannot watch are looked at every second.
"""

import asyncio
import errno
import logging
import sys
from collections import deque
from collections.abc import Callable, Collection, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import psutil
from watchdog.events import (
    DirCreatedEvent,
    DirDeletedEvent,
    DirMovedEvent,
    FileClosedEvent,
    FileCreatedEvent,
    FileDeletedEvent,
    FileModifiedEvent,
    FileMovedEvent,
    FileSystemEvent,
    FileSystemEventHandler,
)
from watchdog.observers import Observer
from watchdog.observers.api import BaseObserver, ObservedWatch
from watchdog.observers.polling import PollingObserver

log = logging.getLogger(__name__)
# watchdog calls it an error that a thread was asked to end while it was about to read.
logging.getLogger("watchdog.observers.inotify").addFilter(lambda record: "thread is inactive" not in str(record.msg))

PAUSE = 0.02
"""The first change wakes at once, those that follow it only after so many seconds, together."""
BUSY = 8
"""More changes than this within a pause, and nobody listens any more: to look is cheap, to listen is not."""
STRIDE, CALM = 0.045, 0.5
"""Then it is simply looked every so many seconds, until for so many no file came, went or was replaced."""

TRY_EVERY = 30.0
"""Seconds between two attempts to have the system watch what it would not."""

FOLDERS: list[type[FileSystemEvent]] = [DirCreatedEvent, DirDeletedEvent, DirMovedEvent]
FILES: list[type[FileSystemEvent]] = [FileMovedEvent, FileDeletedEvent, FileCreatedEvent, FileClosedEvent]
# Windows and polling know no closing.
if sys.platform != "linux":
    FILES.append(FileModifiedEvent)

REMOTE = (
    *("nfs", "cifs", "smb", "afp", "9p", "ceph", "fuse.gluster", "lustre", "webdav", "davfs", "fuse.sshfs"),
    *("virtiofs", "vboxsf", "prl_fs", "fuse.vmhgfs", "drvfs", "fakeowner"),
)
"""File systems that tell nothing of what is written on the other side: networks, and the hosts of virtual machines."""


def watch(folders: Sequence[Path], wake: Callable[[], None]) -> "Watcher":
    """To be called in the loop that is to be woken: `wake` runs there. Needs `mend` every half minute or so."""
    watcher = Watcher(folders, wake, asyncio.get_running_loop())
    watcher.mend()
    return watcher


@dataclass(frozen=True, slots=True)
class _Place:
    """A folder as it is now: another one under the same name is another place."""

    path: Path
    device: int
    number: int
    target: bool
    """Its files matter; else only that folders come and go in it."""


class Watcher:
    def __init__(self, folders: Sequence[Path], wake: Callable[[], None], loop: asyncio.AbstractEventLoop) -> None:
        self.folders = folders
        """May be changed; the next `mend` acts on it."""
        self._wake = wake
        self._loop = loop
        self._ear = _Ear(self._heard, self._heard_folders)
        self._observers: dict[bool, BaseObserver] = {}
        self._watches: dict[_Place, tuple[BaseObserver, ObservedWatch]] = {}
        self._way: frozenset[Path] = frozenset()
        self._stirred: deque[Path] = deque()
        self._blind: set[Path] = set()
        self._count = 0
        self._pending = False
        self._closed = False
        self._striding = False
        self._last = float("-inf")
        self._tried = float("-inf")

    @property
    def polled(self) -> frozenset[Path]:
        """The folders that the system does not watch for us."""
        polling = self._observers.get(True)
        return frozenset(p.path for p, (observer, _) in self._watches.items() if p.target and observer is polling)

    def mend(self) -> None:
        """Watch what there is to watch now. Costs next to nothing when that is what is watched already.

        What the system would not watch is tried again: others may have let go of what there is too little of.
        """
        if self._striding:
            return
        self._try_again()
        for _ in range(8):  # a folder may appear while its parent begins to be watched
            stirred = {self._stirred.popleft() for _ in range(len(self._stirred))}
            targets = [folder.resolve() for folder in self.folders]
            self._way = frozenset(step for target in targets for step in (target, *target.parents))
            wanted = _places(targets)
            # A folder made anew may well be given the number of the one that went.
            for place in [p for p in self._watches if p not in wanted or p.path in stirred]:
                self._leave(place)
            entered = [self._enter(place) for place in wanted - self._watches.keys()]
            if not any(entered):
                return

    def _try_again(self) -> None:
        """Seldom, for between leaving a folder and entering it again nobody looks: so it is looked at after that."""
        now, polled = self._loop.time(), [place for place in self._watches if place.path in self._blind]
        if polled and now >= self._tried + TRY_EVERY:
            self._tried = now
            for place in polled:
                self._leave(place)
            self._heard()

    def close(self) -> None:
        self._closed = True
        for observer in self._observers.values():
            observer.stop()
        for observer in self._observers.values():
            observer.join()
        self._observers.clear()
        self._watches.clear()

    def _enter(self, place: _Place) -> bool:
        try:
            self._schedule(place, polling=is_remote(place.path, _mounts()))
        except OSError as error:
            return error.errno not in (errno.ENOENT, errno.ENOTDIR) and self._poll(place, error)
        if place.path in self._blind:
            log.info("%s is watched again", place.path)
            self._blind.discard(place.path)
        return True

    def _poll(self, place: _Place, reason: OSError) -> bool:
        if place.path not in self._blind:
            log.warning("%s cannot be watched (%s); looking at it every second instead", place.path, reason.strerror)
            self._blind.add(place.path)
        with suppress(OSError):
            self._schedule(place, polling=True)
            return True
        return False

    def _schedule(self, place: _Place, polling: bool) -> None:
        if polling not in self._observers:
            self._observers[polling] = observer = PollingObserver(timeout=1.0) if polling else Observer()
            observer.start()
        observer = self._observers[polling]
        kinds = FOLDERS + (FILES + [FileModifiedEvent] * polling) * place.target
        watched = observer.schedule(self._ear, str(place.path), event_filter=kinds)
        self._watches[place] = observer, watched

    def _leave(self, place: _Place) -> None:
        observer, watched = self._watches.pop(place)
        with suppress(KeyError, OSError):
            observer.unschedule(watched)

    def _heard_folders(self, folders: Collection[Path]) -> None:
        """Others than those on the way to ours are nobody's business."""
        if not self._way.isdisjoint(folders):
            self._stirred.extend(folders)
            self._heard()

    def _heard(self) -> None:
        """In a thread of watchdog."""
        self._count += 1
        if not self._pending:
            self._pending = True
            with suppress(RuntimeError):  # the loop has ended before us
                self._loop.call_soon_threadsafe(self._soon)

    def _soon(self) -> None:
        self._loop.call_at(max(self._last + PAUSE, self._loop.time()), self._ring)

    def _ring(self) -> None:
        if self._closed:
            return
        busy = self._count > BUSY
        self._count, self._pending, self._last = 0, busy, self._loop.time()
        if busy:
            self._rest()
        elif self._stirred:
            self.mend()
        self._wake()

    def _rest(self) -> None:
        for place in [place for place in self._watches if place.target]:
            self._leave(place)
        self._striding = True
        self._stride(self._stamps(), self._loop.time())

    def _stride(self, stamps: list[int], changed: float) -> None:
        if self._closed:
            return
        now, found = self._loop.time(), self._stamps()
        if found != stamps:
            stamps, changed = found, now
        if now < changed + CALM:
            self._loop.call_later(STRIDE, self._stride, stamps, changed)
        else:
            self._striding = False
            self.mend()
            self._count, self._pending = 0, False
        self._wake()

    def _stamps(self) -> list[int]:
        """A folder's own time moves whenever a file in it comes, goes or is replaced."""
        return [folder.stat().st_mtime_ns if folder.is_dir() else 0 for folder in self.folders]


class _Ear(FileSystemEventHandler):
    def __init__(self, heard: Callable[[], None], heard_folders: Callable[[Collection[Path]], None]) -> None:
        self._heard = heard
        self._heard_folders = heard_folders

    def dispatch(self, event: FileSystemEvent) -> None:
        """Files on their way to become a record are nobody's business yet."""
        if event.is_directory:
            self._heard_folders([Path(str(path)) for path in (event.src_path, event.dest_path) if path])
        elif str(event.dest_path or event.src_path).endswith((".json", ".toml")):
            self._heard()


def _places(targets: Iterable[Path]) -> set[_Place]:
    """Each folder and its parent, which sees it go and come; of a missing one the nearest folder above it."""
    found: dict[Path, bool] = {}
    for path in targets:
        above = next((parent for parent in path.parents if parent.is_dir()), None)
        if above:
            found.setdefault(above, False)
        if path.is_dir():
            found[path] = True
    return {place for path, target in found.items() if (place := _place(path, target))}


def _place(path: Path, target: bool) -> _Place | None:
    try:
        status = path.stat()
    except OSError:
        return None
    return _Place(path, status.st_dev, status.st_ino, target)


def _mounts() -> list[tuple[str, str]]:
    return [(part.mountpoint, part.fstype) for part in psutil.disk_partitions(all=True)]


def is_remote(path: Path, mounts: Iterable[tuple[str, str]]) -> bool:
    """By the innermost mount: mount points, each with the kind of its file system."""
    if path.drive.startswith("\\\\"):
        return True
    around = [(len(point), kind) for point, kind in mounts if path.is_relative_to(point)]
    return max(around, default=(0, ""))[1].lower().startswith(REMOTE)
