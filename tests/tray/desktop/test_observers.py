"""Test what is learned of watchdog's threads."""

import sys

import pytest
from watchdog.observers import Observer

from deskbell.desktop.observers import Losses, is_dead


def test_an_observer_that_was_stopped_is_not_dead() -> None:
    observer = Observer()
    observer.start()
    assert not is_dead(observer)
    observer.stop()
    observer.join()
    assert not is_dead(observer)


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
