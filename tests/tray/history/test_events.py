"""Test that the events of several journals come in the order of time, and filtered."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deskbell.history.events import Events, Filter
from deskbell.home import home
from tests.tray.journals import line, write
from tests.tray.making import NOON


@pytest.fixture
def folder() -> Path:
    home().events.mkdir(parents=True)
    return home().events


def read(events: Events) -> list[tuple[str, str, float]]:
    return [(one.session_id, one.line["event"], one.line["at"] - NOON) for one in events.read()]


def every(folder: Path, chosen: Filter = Filter()) -> Events:  # noqa: B008  # it is frozen
    return Events(folder, chosen, lambda names: None)


def test_the_events_of_several_sessions_come_in_the_order_of_time_and_then_the_new_ones(folder: Path) -> None:
    write(folder, "a", line("SessionStart", 1), line("Stop", 4))
    write(folder, "b", line("SessionStart", 2), b"garbage", line("Stop", 3))
    events = every(folder)
    assert [(name, at) for name, _, at in read(events)] == [("a", 1), ("b", 2), ("b", 3), ("a", 4)]
    write(folder, "b", line("SessionEnd", 5))
    write(folder, "c", line("SessionStart", 6))
    assert read(events) == [("b", "SessionEnd", 5), ("c", "SessionStart", 6)]


@pytest.mark.parametrize(
    ("chosen", "seconds"),
    [
        (Filter(), [1, 2, 3]),
        (Filter(session_id="b"), [2]),
        (Filter(names=frozenset({"Stop"})), [3]),
        (Filter(names=frozenset({"Stop", "SessionStart"})), [1, 2, 3]),
        (Filter(since=NOON + 2), [2, 3]),
        (Filter(session_id="none"), []),
    ],
)
def test_only_the_events_that_pass_the_filter_are_read(folder: Path, chosen: Filter, seconds: list[float]) -> None:
    write(folder, "a", line("SessionStart", 1), line("Stop", 3))
    write(folder, "b", line("SessionStart", 2))
    assert [at for _, _, at in read(every(folder, chosen))] == seconds


def test_a_line_of_another_writer_is_filtered_by_its_name_too(folder: Path) -> None:
    write(folder, "a", b'{"event": "Stop", "at": 5}', b'{"event": "Other", "at": 6}')
    assert read(every(folder, Filter(names=frozenset({"Stop"})))) == [("a", "Stop", 5 - NOON)]


def test_skipped_events_are_not_read(folder: Path) -> None:
    write(folder, "a", line("Stop", 1))
    events = every(folder)
    events.skip()
    write(folder, "a", line("Stop", 2))
    assert read(events) == [("a", "Stop", 2)]


def test_things_that_are_not_journals_are_reported_once(folder: Path) -> None:
    for n in range(1000):
        (folder / f"garbage {n}").write_bytes(b"\x00")
    reported: list[int] = []
    events = Events(folder, Filter(), lambda names: reported.append(len(names)))
    assert read(events) == read(events) == []
    assert reported == [1000]


@given(st.lists(st.lists(st.integers(0, 50)), max_size=5))
def test_journals_that_are_in_order_are_merged_in_order(journals: list[list[int]]) -> None:
    folder = home().events
    folder.mkdir(parents=True, exist_ok=True)
    for path in folder.iterdir():
        path.unlink()
    for n, seconds in enumerate(journals):
        write(folder, f"s{n}", *(line("Stop", second) for second in sorted(seconds)))
    assert [at for _, _, at in read(every(folder))] == sorted(second for one in journals for second in one)
