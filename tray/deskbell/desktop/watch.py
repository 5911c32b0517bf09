"""Wake the loop when something may have changed on disk, and report what, as far as the system tells.

`deskbell.changes` says why a lost or doubled wake does no harm. Folders may be missing, replaced or moved at any time.
Folders that the system cannot watch are polled every second.
"""

import asyncio
import errno
import logging
import os
from collections import deque
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from pathlib import Path

from watchdog.events import FileSystemEvent
from watchdog.observers.api import BaseObserver, ObservedWatch

from deskbell.changes import Changes, Reports
from deskbell.desktop.mounts import is_remote, mounts
from deskbell.desktop.observers import Ear, Losses, is_dead, kinds, listening_observer, polling_observer
from deskbell.desktop.places import Place, modified, needed, places, resolved
from deskbell.errors import Problem
from deskbell.supervision import Supervisor

log = logging.getLogger(__name__)

PART = "file watcher"
PAUSE = 0.02
"""Seconds. The first change wakes the loop at once; the changes within this time after it wake it once, together."""
BUSY = 8
"""More changes than this within PAUSE: stop listening and poll, which is cheaper than to listen."""
STRIDE, CALM = 0.045, 0.5
"""Seconds. Poll every STRIDE until no file has come, gone or been replaced for CALM."""

TRY_EVERY = 30.0
"""Seconds between two attempts to have the system watch a folder that it refused to watch."""


def watch(folders: Sequence[Path], wake: Callable[[], None], supervisor: Supervisor) -> "Watcher":
    """Return a Watcher that calls WAKE in this running loop. Its `mend` has to be called about every half minute."""
    watcher = Watcher(folders, wake, asyncio.get_running_loop(), supervisor)
    watcher.mend()
    watcher.task = supervisor.keep(PART, watcher.run)
    return watcher


class Watcher:
    """Watches folders. `changes` says which files in them have changed."""

    def __init__(
        self,
        folders: Sequence[Path],
        wake: Callable[[], None],
        loop: asyncio.AbstractEventLoop,
        supervisor: Supervisor,
    ) -> None:
        self.folders = folders
        """The folders to watch. The caller may change this; the next `mend` acts on it."""
        self.task: asyncio.Task[None] | None = None
        self._wake = wake
        self._loop = loop
        self._ear = Ear(supervisor.guarded(PART, self._take))
        self._observers: dict[bool, BaseObserver] = {}
        self._watches: dict[Place, tuple[BaseObserver, ObservedWatch]] = {}
        self._way: frozenset[Path] = frozenset()
        self._needed: dict[Path, tuple[str, frozenset[Path]]] = {}
        """Each folder -> where it really is, and which folders have to be watched to notice all its changes."""
        self._sure: dict[Path, str] | None = None
        """The folders of which every change is reported, and where they are; None if that has to be found out."""
        self._reports = Reports()
        self._losses = Losses(supervisor.guarded(PART, self._lost))
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
        """Whether an error has interrupted `_react`."""
        self._was_deaf = False
        """Whether a listening thread was found dead. `run` reports it."""
        self._tried = float("-inf")

    @property
    def polled(self) -> frozenset[Path]:
        """The folders that are polled, because the system does not watch them."""
        polling = self._observers.get(True)
        return frozenset(p.path for p, (observer, _) in self._watches.items() if p.target and observer is polling)

    @property
    def listening(self) -> bool:
        """Whether changes of files are reported; not while a storm is polled."""
        heard = (place for place, (observer, _) in self._watches.items() if not is_dead(observer))
        return not self._striding and any(place.target for place in heard)

    def changes(self) -> Changes:
        """Return which files changed since the last call, in each folder that was watched all the time."""
        listening = self._observers.get(False)
        if self._striding or self._moved or listening is None or is_dead(listening):
            return self._reports.take({})
        if self._sure is None:
            heard = {place.path for place, (observer, _) in self._watches.items() if observer is listening}
            self._sure = {folder: at for folder, (at, needed) in self._needed.items() if needed <= heard}
        return self._reports.take(self._sure)

    async def run(self) -> None:
        """Wake after every change, until cancelled. Wake after an error, too: something may have changed meanwhile."""
        woken = float("-inf")
        try:
            while True:
                await self._changed.wait()
                if (left := woken + PAUSE - self._loop.time()) > 0:
                    await asyncio.sleep(left)
                if self._was_deaf:
                    self._was_deaf = False
                    raise Problem(
                        "A listening thread had died and was started again.", "If it happens often, restart Deskbell."
                    )
                await self._react()
                woken = self._loop.time()
                self._wake()
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

        Replace observers whose threads have died, because they report nothing. Try again to watch what the system
        refused, because another program may have freed what was scarce.
        """
        if self._striding:
            return
        self._forget_the_dead()
        self._try_again()
        for _ in range(8):  # a folder may appear while its parent begins to be watched
            moved = {self._moved.popleft() for _ in range(len(self._moved))}
            found = {folder: at for folder in self.folders for at in resolved([folder], self._unfit)}
            targets = list(found.values())
            self._way = frozenset(step for target in targets for step in (target, *target.parents))
            wanted = places(targets)
            self._needed = {folder: (str(at), needed(at, wanted)) for folder, at in found.items()}
            self._sure = None
            # A new folder may get the number of the one that has gone.
            for place in [p for p in self._watches if p not in wanted or p.path in moved]:
                self._leave(place)
            entered = [self._enter(place) for place in wanted - self._watches.keys()]
            if not any(entered):
                return

    def close(self) -> None:
        self._losses.close()
        if self.task:
            self.task.cancel()
        for observer in self._observers.values():
            observer.stop()
        for observer in self._observers.values():
            observer.join()
        self._observers.clear()
        self._watches.clear()

    def _forget_the_dead(self) -> None:
        for polling, dead in [(polling, one) for polling, one in self._observers.items() if is_dead(one)]:
            del self._observers[polling]
            for place in [place for place, (observer, _) in self._watches.items() if observer is dead]:
                del self._watches[place]
                self._blind.discard(place.path)
            self._lose()
            self._was_deaf = True
            self._changed.set()
            dead.stop()

    def _try_again(self) -> None:
        """Leave the polled folders from time to time, so that they are entered again. That counts as a change."""
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
            observer = polling_observer() if polling else listening_observer(self._ear.dispatch)
            observer.start()
            self._observers[polling] = observer
        observer = self._observers[polling]
        self._lose()
        watched = observer.schedule(self._ear, str(place.path), event_filter=kinds(place.target, polling))
        self._watches[place] = observer, watched

    def _leave(self, place: Place) -> None:
        self._lose()
        observer, watched = self._watches.pop(place)
        with suppress(KeyError, OSError):
            observer.unschedule(watched)

    def _lose(self) -> None:
        """Trust no report until the next `changes`: other places are watched from now on."""
        self._sure = None
        self._reports.lose()

    def _take(self, event: FileSystemEvent) -> None:
        """Note an event, but no temporary files, which are not read. The threads of watchdog call this."""
        paths = [os.fsdecode(path) for path in (event.src_path, event.dest_path) if path]
        if event.is_directory:
            self._heard_folders([Path(path) for path in paths])
        elif read := [path for path in paths if path.endswith((".json", ".toml"))]:
            for path in read:
                self._reports.add(path)
            self._heard()

    def _heard_folders(self, folders: Collection[Path]) -> None:
        """Note a change of FOLDERS, if one of them is on the way to a watched folder."""
        if not self._way.isdisjoint(folders):
            self._moved.extend(folders)
            self._lost()

    def _lost(self) -> None:
        """Note that some changes may not have been reported."""
        self._reports.lose()
        self._heard()

    def _heard(self) -> None:
        """Note a change."""
        self._count += 1
        if not self._pending:
            self._pending = True
            with suppress(RuntimeError):  # the loop has ended before us
                self._loop.call_soon_threadsafe(self._changed.set)

    async def _poll_until_calm(self) -> None:
        """Poll instead of listening until it is calm: each of a thousand files in a second would cost an event."""
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
        """Return when each folder was modified, which changes when a file in it comes, goes or is replaced."""
        return [modified(folder) for folder in self.folders]
