"""Learn of the threads of watchdog what it does not tell: which have died, and when events were lost."""

import logging
from collections.abc import Callable

from watchdog.events import FileSystemEvent, FileSystemEventHandler
from watchdog.observers.api import BaseObserver

# watchdog logs an error when a thread is stopped just before it reads.
logging.getLogger("watchdog.observers.inotify").addFilter(lambda record: "thread is inactive" not in str(record.msg))


class Ear(FileSystemEventHandler):
    def __init__(self, take: Callable[[FileSystemEvent], None]) -> None:
        self._take = take

    def dispatch(self, event: FileSystemEvent) -> None:
        """An error here would end the thread that calls this for every folder."""
        self._take(event)


class Losses(logging.Filter):
    """Calls TELL in any thread when the system has dropped events. watchdog 7 says so only in its log."""

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
    """Return whether an error has ended one of its threads: its own, or one that reads for it.

    watchdog 7 reads in a thread that it does not make public. A thread of a folder that has gone ends as it should.
    """
    threads = (observer, *observer.emitters, getattr(observer, "_inotify_fd", observer))
    return any(not thread.is_alive() and thread.should_keep_running() for thread in threads)


def polling_observer() -> BaseObserver:
    from watchdog.observers.polling import PollingObserver  # most machines watch every folder and never need it

    return PollingObserver(timeout=1.0)
