"""Wake the loop when something may have changed on disk.

A wake carries no information, so a lost or doubled one does no harm. Folders may be missing, replaced or moved at any
time. Those that the system cannot watch are polled every second.
"""

import asyncio
import errno
import logging
import sys
from collections import deque
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from pathlib import Path

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

from deskbell.desktop.mounts import is_remote, mounts
from deskbell.desktop.places import Place, modified, places, resolved
from deskbell.errors import Problem
from deskbell.supervision import Supervisor

log = logging.getLogger(__name__)
# watchdog logs an error when a thread is stopped just before it reads.
logging.getLogger("watchdog.observers.inotify").addFilter(lambda record: "thread is inactive" not in str(record.msg))

PART = "file watcher"
PAUSE = 0.02
"""Seconds. The first change wakes at once; the changes within this time after it wake once, together."""
BUSY = 8
"""More changes than this within PAUSE: stop listening and poll, which is cheaper than to listen."""
STRIDE, CALM = 0.045, 0.5
"""Seconds. Poll every STRIDE until no file has come, gone or been replaced for CALM."""

TRY_EVERY = 30.0
"""Seconds between two attempts to have the system watch a folder that it refused to watch."""

FOLDERS: list[type[FileSystemEvent]] = [DirCreatedEvent, DirDeletedEvent, DirMovedEvent]
FILES: list[type[FileSystemEvent]] = [FileMovedEvent, FileDeletedEvent, FileCreatedEvent, FileClosedEvent]
# Only Linux reports that a file was closed.
if sys.platform != "linux":
    FILES.append(FileModifiedEvent)


def watch(folders: Sequence[Path], wake: Callable[[], None], supervisor: Supervisor) -> "Watcher":
    """Call this in the loop in which WAKE is to be called. Call `mend` every half minute or so."""
    watcher = Watcher(folders, wake, asyncio.get_running_loop(), supervisor)
    watcher.mend()
    watcher.task = supervisor.keep(PART, watcher.run)
    return watcher


class Watcher:
    def __init__(
        self,
        folders: Sequence[Path],
        wake: Callable[[], None],
        loop: asyncio.AbstractEventLoop,
        supervisor: Supervisor,
    ) -> None:
        self.folders = folders
        """May be changed; the next `mend` acts on it."""
        self.task: asyncio.Task[None] | None = None
        self._wake = wake
        self._loop = loop
        self._ear = _Ear(supervisor.guarded(PART, self._take))
        self._observers: dict[bool, BaseObserver] = {}
        self._watches: dict[Place, tuple[BaseObserver, ObservedWatch]] = {}
        self._way: frozenset[Path] = frozenset()
        self._moved: deque[Path] = deque()
        self._blind: set[Path] = set()
        self._unfit: set[Path] = set()
        """The folders that cannot be resolved."""
        self._count = 0
        self._pending = False
        """Whether the loop has been asked to set `_changed`."""
        self._changed = asyncio.Event()
        self._striding = False
        self._interrupted = False
        """Whether an error has left the reaction half done."""
        self._was_deaf = False
        """Whether a listening thread was found dead. `run` reports it."""
        self._tried = float("-inf")

    @property
    def polled(self) -> frozenset[Path]:
        """The folders that the system does not watch for us."""
        polling = self._observers.get(True)
        return frozenset(p.path for p, (observer, _) in self._watches.items() if p.target and observer is polling)

    @property
    def listening(self) -> bool:
        """Whether changes of files are reported; not while a storm is polled."""
        heard = (place for place, (observer, _) in self._watches.items() if not _is_dead(observer))
        return not self._striding and any(place.target for place in heard)

    async def run(self) -> None:
        """Wake after every change, until cancelled. After an error, start anew: something may have changed since."""
        try:
            while True:
                await self._changed.wait()
                if self._was_deaf:
                    self._was_deaf = False
                    raise Problem(
                        "A listening thread had died and was started again.", "If it happens often, restart Deskbell."
                    )
                await self._react()
                self._wake()
                await asyncio.sleep(PAUSE)
        finally:
            self._pending, self._interrupted = False, True
            self._changed.set()

    async def _react(self) -> None:
        self._changed.clear()
        self._pending = False
        busy, self._count = self._count > BUSY, 0
        if busy:
            await self._poll_until_calm()
        if busy or self._moved or self._interrupted:
            self._interrupted = False
            self.mend()

    def mend(self) -> None:
        """Watch every folder that exists now. This costs almost nothing if all of them are watched already.

        Replace observers whose threads have died: nothing is heard of their folders. Try again what the system
        refused to watch: another program may have freed what was scarce.
        """
        if self._striding:
            return
        self._forget_the_dead()
        self._try_again()
        for _ in range(8):  # a folder may appear while its parent begins to be watched
            moved = {self._moved.popleft() for _ in range(len(self._moved))}
            targets = resolved(self.folders, self._unfit)
            self._way = frozenset(step for target in targets for step in (target, *target.parents))
            wanted = places(targets)
            # A new folder may get the number of the one that has gone.
            for place in [p for p in self._watches if p not in wanted or p.path in moved]:
                self._leave(place)
            entered = [self._enter(place) for place in wanted - self._watches.keys()]
            if not any(entered):
                return

    def close(self) -> None:
        if self.task:
            self.task.cancel()
        for observer in self._observers.values():
            observer.stop()
        for observer in self._observers.values():
            observer.join()
        self._observers.clear()
        self._watches.clear()

    def _forget_the_dead(self) -> None:
        for polling, dead in [(polling, one) for polling, one in self._observers.items() if _is_dead(one)]:
            del self._observers[polling]
            for place in [place for place, (observer, _) in self._watches.items() if observer is dead]:
                del self._watches[place]
                self._blind.discard(place.path)
            self._was_deaf = True
            self._changed.set()
            dead.stop()

    def _try_again(self) -> None:
        """Between leaving a folder and entering it again nothing is heard, so count that as a change."""
        now, polled = self._loop.time(), [place for place in self._watches if place.path in self._blind]
        if polled and now >= self._tried + TRY_EVERY:
            self._tried = now
            for place in polled:
                self._leave(place)
            self._changed.set()

    def _enter(self, place: Place) -> bool:
        try:
            self._schedule(place, polling=is_remote(place.path, mounts()))
        except OSError as error:
            return error.errno not in (errno.ENOENT, errno.ENOTDIR) and self._poll(place, error)
        if place.path in self._blind:
            log.info("%s is watched again", place.path)
            self._blind.discard(place.path)
        return True

    def _poll(self, place: Place, reason: OSError) -> bool:
        if place.path not in self._blind:
            log.warning("%s cannot be watched (%s); it is polled every second instead", place.path, reason.strerror)
            self._blind.add(place.path)
        with suppress(OSError):
            self._schedule(place, polling=True)
            return True
        return False

    def _schedule(self, place: Place, polling: bool) -> None:
        if polling not in self._observers:
            observer = _polling_observer() if polling else Observer()
            observer.start()
            self._observers[polling] = observer
        observer = self._observers[polling]
        kinds = FOLDERS + (FILES + [FileModifiedEvent] * polling) * place.target
        watched = observer.schedule(self._ear, str(place.path), event_filter=kinds)
        self._watches[place] = observer, watched

    def _leave(self, place: Place) -> None:
        observer, watched = self._watches.pop(place)
        with suppress(KeyError, OSError):
            observer.unschedule(watched)

    def _take(self, event: FileSystemEvent) -> None:
        """Pass on only files that are read: a temporary file is not yet a record. Called in the threads of watchdog."""
        if event.is_directory:
            self._heard_folders([Path(str(path)) for path in (event.src_path, event.dest_path) if path])
        elif str(event.dest_path or event.src_path).endswith((".json", ".toml")):
            self._heard()

    def _heard_folders(self, folders: Collection[Path]) -> None:
        """Only folders on the way to ours matter."""
        if not self._way.isdisjoint(folders):
            self._moved.extend(folders)
            self._heard()

    def _heard(self) -> None:
        """Note a change."""
        self._count += 1
        if not self._pending:
            self._pending = True
            with suppress(RuntimeError):  # the loop has ended before us
                self._loop.call_soon_threadsafe(self._changed.set)

    async def _poll_until_calm(self) -> None:
        """Listen to nothing meanwhile: a thousand files written in a second cost a thousand events."""
        self._striding = True
        try:
            for place in [place for place in self._watches if place.target]:
                self._leave(place)
            stamps, changed = self._stamps(), self._loop.time()
            while self._loop.time() < changed + CALM:
                self._wake()
                await asyncio.sleep(STRIDE)
                if (found := self._stamps()) != stamps:
                    stamps, changed = found, self._loop.time()
        finally:
            self._striding = False
            self._count = 0

    def _stamps(self) -> list[int]:
        """A folder's own time changes whenever a file in it comes, goes or is replaced."""
        return [modified(folder) for folder in self.folders]


class _Ear(FileSystemEventHandler):
    def __init__(self, take: Callable[[FileSystemEvent], None]) -> None:
        self._take = take

    def dispatch(self, event: FileSystemEvent) -> None:
        """An error here would end the thread that calls this for every folder."""
        self._take(event)


def _is_dead(observer: BaseObserver) -> bool:
    """Return whether an error has ended one of its threads: its own, or one that reads for it.

    watchdog 7 reads in a thread that it does not make public. A thread of a folder that has gone ends as it should.
    """
    threads = (observer, *observer.emitters, getattr(observer, "_inotify_fd", observer))
    return any(thread.should_keep_running() and not thread.is_alive() for thread in threads)


def _polling_observer() -> BaseObserver:
    from watchdog.observers.polling import PollingObserver  # most machines watch every folder and never need it

    return PollingObserver(timeout=1.0)
