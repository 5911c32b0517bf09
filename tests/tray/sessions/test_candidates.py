"""Test which clients may run a session, and which record and entry belong to each."""

from typing import Any

import pytest

from deskbell.sessions.candidates import Candidate, candidates, newest_sessions, was_resumed
from deskbell.sessions.registry import Entry
from deskbell_hooks.schema import Record

ENTRY = Entry(7, "s", "/claude", pid_start=70)


def record(**fields: Any) -> Record:
    return {"session_id": "s", "last_at": 5.0, "where": {"pid": 7, "start": 70}, **fields}  # type: ignore[typeddict-item]


def found(*records: Record, living: tuple[Entry, ...] = (), left: tuple[Entry, ...] = ()) -> list[Candidate]:
    by_id = {one["session_id"]: one for one in records}
    return list(candidates(records, {entry.pid: entry for entry in living}, left, by_id.get))


def test_a_client_of_the_hooks_has_its_entry_of_the_registry() -> None:
    known = record()
    assert found(known, living=(ENTRY,)) == [Candidate("s", known, known, ENTRY, 7, 70)]


def test_an_entry_of_another_process_with_the_same_number_is_listed_beside_the_client() -> None:
    first, second = found(record(where={"pid": 7, "start": 71}), living=(ENTRY,))
    assert (first.entry, second.entry) == (None, ENTRY)
    assert first.key == second.key


@pytest.mark.parametrize(
    ("where", "entry", "same"),
    [
        ({"pid": 7, "start": 70}, ENTRY, True),
        ({"pid": 7, "start": None}, ENTRY, True),
        ({"pid": 7}, ENTRY, True),
        ({"pid": 7, "start": 70}, Entry(7, "s", "/claude"), True),
        ({"pid": 7, "start": 71}, ENTRY, False),  # the process id was used again
        ({"pid": 8, "start": 70}, ENTRY, False),
        ({"pid": 7, "start": 70}, Entry(7, "other", "/claude", pid_start=70), False),
    ],
)
def test_an_entry_belongs_to_the_same_process_and_session(where: dict[str, Any], entry: Entry, same: bool) -> None:
    assert (found(record(where=where), living=(entry,))[0].entry is entry) == same


def test_a_record_without_a_process_id_belongs_to_the_entry_of_its_session() -> None:
    known = record()
    del known["where"]
    assert found(known)[0] == Candidate("s", known, known, None, None, None)
    assert found(known, living=(ENTRY,))[0] == Candidate("s", known, known, ENTRY, 7, None)


def test_every_client_of_a_session_is_listed() -> None:
    other: Any = {"last_at": 4.0, "where": {"pid": 8, "start": 80}}
    assert [(one.pid, one.heard) for one in found(record(others=[other]))] == [(7, 5.0), (8, 4.0)]


def test_a_client_that_only_the_registry_lists_has_the_record_of_its_session_but_no_run() -> None:
    known = record(where={"pid": 9, "start": 90})
    assert found(known, living=(ENTRY,))[1] == Candidate("s", known, None, ENTRY, 7, 70)
    assert found(living=(ENTRY,)) == [Candidate("s", None, None, ENTRY, 7, 70)]


def test_a_client_that_left_the_registry_has_no_entry() -> None:
    (one,) = found(left=(ENTRY,))
    assert one == Candidate("s", None, None, None, 7, 70)
    assert one.heard == 0.0


@pytest.mark.parametrize(
    ("where", "same"),
    [
        ({"pid": 7, "start": 70}, True),
        ({"pid": 7, "start": None}, True),
        ({"pid": 7, "start": 71}, False),
        ({"pid": 8, "start": 70}, False),
    ],
)
def test_a_client_that_left_the_registry_has_its_run_though_its_record_is_not_listed(
    where: dict[str, Any], same: bool
) -> None:
    known = record(where=where)
    (one,) = candidates([], {}, [ENTRY], {"s": known}.get)
    assert one.run is (known if same else None)
    (other,) = candidates([], {}, [ENTRY], {"s": record(where={"pid": 9, "start": 9}, others=[known])}.get)
    assert other.run is (known if same else None)


def test_the_session_of_a_process_is_that_of_its_newest_record() -> None:
    cleared = record(session_id="old", last_at=4.0)
    other: Any = {"last_at": 9.0, "where": {"pid": 8, "start": 80}}
    without: Any = {"session_id": "x", "last_at": 9.0}
    for records in ([cleared, record(others=[other]), without], [without, record(others=[other]), cleared]):
        assert newest_sessions(records) == {(7, 70): "s", (8, 80): "s"}


@pytest.mark.parametrize(
    ("last_at", "more", "resumed"),
    [
        (5.1, {}, True),
        (5.0, {}, False),
        (4.9, {}, False),
        (9.0, {"began": 5.1}, True),
        (9.0, {"began": 5.0}, False),
        (5.1, {"where": {"pid": 7, "start": 80}}, False),
    ],
)
def test_a_session_was_resumed_if_another_client_began_later_and_has_newer_events(
    last_at: float, more: dict[str, Any], resumed: bool
) -> None:
    other: Any = {"last_at": last_at, "where": {"pid": 8, "start": 80}, **more}
    (mine, *_) = found(record(others=[other]))
    assert was_resumed(mine, 5.0) == resumed
    assert not was_resumed(mine._replace(record=None), 0.0)
