"""Make the observers of watchdog, and name the events that they report.

watchdog itself reports neither lost events nor threads that have died: this module finds out both.
"""

import logging
import sys
from collections.abc import Callable
from typing import Any

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
from watchdog.observers.api import BaseObserver, EventDispatcher, EventQueue

# watchdog logs an error when a thread is stopped just before it reads.
logging.getLogger("watchdog.observers.inotify").addFilter(lambda record: "thread is inactive" not in str(record.msg))

FOLDERS: list[type[FileSystemEvent]] = [DirCreatedEvent, DirDeletedEvent, DirMovedEvent]
FILES: list[type[FileSystemEvent]] = [FileMovedEvent, FileDeletedEvent, FileCreatedEvent, FileClosedEvent]


def kinds(files: bool, polling: bool) -> list[type[FileSystemEvent]]:
    """Return the events of a place. FILES: whether files in it matter, not only folders. POLLING: how it is watched."""
    if not files:
        return FOLDERS
    # Only Linux reports that a file was closed, and only where it watches the folder itself.
    return FOLDERS + FILES + ([FileModifiedEvent] if polling or sys.platform != "linux" else [])


class Ear(FileSystemEventHandler):
    """Passes every event of watchdog on."""

    def __init__(self, take: Callable[[FileSystemEvent], None]) -> None:
        self._take = take

    def dispatch(self, event: FileSystemEvent) -> None:
        """Pass EVENT on. An error here would end the thread, which watches every folder."""
        self._take(event)


class Losses(logging.Filter):
    """Calls TELL, in any thread, when the system has dropped events. watchdog 7 only logs that."""

    LOGGER = logging.getLogger("watchdog.observers.inotify_c")

    def __init__(self, tell: Callable[[], object]) -> None:
        super().__init__()
        self._tell = tell
        self.LOGGER.addFilter(self)

    def filter(self, record: logging.LogRecord) -> bool:
        if "queue overflowed" in str(record.msg):
            self._tell()
        return True

    def close(self) -> None:
        self.LOGGER.removeFilter(self)


def is_dead(observer: BaseObserver) -> bool:
    """Return whether an error has ended a thread of OBSERVER: its own, or one that reads for it.

    watchdog 7 reads in a private thread. A thread whose folder was deleted ends without an error.
    """
    threads = (observer, *observer.emitters, getattr(observer, "_inotify_fd", observer))
    return any(not thread.is_alive() and thread.should_keep_running() for thread in threads)


class Unqueued(EventQueue):
    """Passes each event on in the thread that noticed it. Only the order to stop goes through the queue.

    To wake one more thread for each event would take almost a tenth of the time that the program needs for it.
    """

    def __init__(self, take: Callable[[FileSystemEvent], None]) -> None:
        super().__init__()
        self._take = take

    def put(self, item: Any, block: bool = True, timeout: float | None = None) -> None:
        if item is EventDispatcher.stop_event:
            super().put(item, block, timeout)
        else:
            self._take(item[0])


def listening_observer(take: Callable[[FileSystemEvent], None]) -> BaseObserver:
    """Return an observer to which the system reports changes, and which passes them to TAKE in any of its threads."""
    observer = Observer()
    # watchdog has no public way. If a later version renames this, its events go through its queue, as they usually do.
    observer._event_queue = Unqueued(take)
    return observer


def polling_observer() -> BaseObserver:
    """Return an observer that looks at its folders every second."""
    from watchdog.observers.polling import PollingObserver  # imported here, because most machines never need it

    return PollingObserver(timeout=1.0)
