"""Test what is learned of watchdog's threads."""

import sys
import threading
from pathlib import Path

import pytest
from watchdog.events import FileSystemEventHandler
from watchdog.observers import Observer

from deskbell.desktop.observers import Losses, is_dead, kinds, listening_observer
from tests.waiting import wait


def test_an_observer_that_was_stopped_is_not_dead() -> None:
    observer = Observer()
    observer.start()
    assert not is_dead(observer)
    observer.stop()
    observer.join()
    assert not is_dead(observer)


def test_an_event_is_passed_on_by_the_thread_that_noticed_it(tmp_path: Path) -> None:
    heard: list[tuple[str, threading.Thread]] = []
    observer = listening_observer(lambda event: heard.append((str(event.src_path), threading.current_thread())))
    observer.start()
    observer.schedule(FileSystemEventHandler(), str(tmp_path), event_filter=kinds(files=True, polling=False))
    (tmp_path / "new.json").touch()
    wait(lambda: heard, "the event")
    observer.stop()
    observer.join()
    path, thread = heard[0]
    assert Path(path).resolve() == (tmp_path / "new.json").resolve()
    assert thread is not observer


@pytest.mark.skipif(sys.platform != "linux", reason="only inotify drops events")
def test_events_that_the_system_has_dropped_are_told_of_until_it_is_closed() -> None:
    from watchdog.observers.inotify_c import InotifyConstants, InotifyEvent, InotifyFD, Mask, WatchDescriptor

    lost = []
    losses = Losses(lambda: lost.append(None))
    reader = InotifyFD()
    dropped = InotifyEvent(WatchDescriptor(-1), Mask(InotifyConstants.IN_Q_OVERFLOW), 0, b"")
    reader.handle_event(dropped)
    assert len(lost) == 1
    losses.LOGGER.warning("something else")
    losses.close()
    reader.handle_event(dropped)
    assert len(lost) == 1
