"""Test which clients can change without a change of any other one."""

from typing import Any

import pytest

from deskbell.sessions.alone import Alone
from deskbell.sessions.candidates import Candidate
from deskbell.sessions.registry import Entry
from deskbell_hooks.schema import Record


def record(session: str = "s", **fields: Any) -> Record:
    return {"session_id": session, "where": {"pid": 7, "start": 70}, "detail": "", **fields}  # type: ignore[return-value]


def entry(session: str = "s", **fields: Any) -> Entry:
    return Entry(**{"pid": 7, "session_id": session, "config_dir": "/claude", "pid_start": 70, **fields})


def client(session: str = "s", pid: int | None = 7, known: Record | None = None, listed: bool = True) -> Candidate:
    known = known or record(session)
    return Candidate(session, known, known, entry(session, pid=pid or 0) if listed else None, pid, 70)


def alone(*listed: Candidate, over: frozenset[tuple[str, int | None]] = frozenset()) -> Alone:
    return Alone(listed, {one.key for one in listed} - over)


def test_what_is_read_again_is_put_into_its_client() -> None:
    one = alone(client(), client("other", 8))
    (renewed,) = one.renewed([record(detail="make")], [entry(status="busy")]) or ()
    assert renewed.record is renewed.run
    assert (renewed.record or {}).get("detail") == "make"
    assert renewed.entry == entry(status="busy")


def test_what_was_read_first_stays_when_the_rest_is_read() -> None:
    one = alone(client())
    one.renewed([record(detail="make")], [])
    (renewed,) = one.renewed([], [entry(status="idle")]) or ()
    assert ((renewed.record or {}).get("detail"), renewed.entry) == ("make", entry(status="idle"))


def test_nothing_that_was_read_changes_no_client() -> None:
    assert alone(client()).renewed([], []) == []


NOT_ALONE = {
    "two clients in one session": [client(), client(pid=8)],
    "two sessions of one process": [client(), client("other")],
    "a client without a process": [client(pid=None)],
    "another session": [client("other", 8)],
}


@pytest.mark.parametrize("listed", NOT_ALONE.values(), ids=NOT_ALONE)
def test_clients_that_can_say_something_of_each_other_are_not_alone(listed: list[Candidate]) -> None:
    assert alone(*listed).renewed([record()], []) is None


def test_a_client_that_is_over_is_not_alone() -> None:
    assert alone(client(), over=frozenset({("s", 7)})).renewed([record()], []) is None


BEFORE = record(config_dir="/claude")
OTHER_RECORDS: dict[str, tuple[Candidate, Record]] = {
    "another process": (client(), record(where={"pid": 8, "start": 70})),
    "a later process of this number": (client(), record(where={"pid": 7, "start": 71})),
    "a second client": (client(), record(others=[record()])),
    "no place": (client(), {"session_id": "s"}),  # type: ignore[dict-item]
    "another account": (client(known=BEFORE), record(config_dir="/work")),
    "the first record": (client()._replace(record=None, run=None), record()),
    "no longer its record": (client()._replace(run=record()), record()),
}


@pytest.mark.parametrize(("known", "now"), OTHER_RECORDS.values(), ids=OTHER_RECORDS)
def test_a_record_with_another_place_or_client_may_change_others(known: Candidate, now: Record) -> None:
    assert alone(known).renewed([now], []) is None


OTHER_ENTRIES = {
    "another process": entry(pid=8),
    "a later process": entry(pid_start=71),
    "another account": entry(config_dir="/work"),
    "another session": entry("other"),
}


@pytest.mark.parametrize("now", OTHER_ENTRIES.values(), ids=OTHER_ENTRIES)
def test_an_entry_of_another_client_may_change_others(now: Entry) -> None:
    assert alone(client()).renewed([], [now]) is None
    assert alone(client(listed=False)).renewed([], [entry()]) is None
