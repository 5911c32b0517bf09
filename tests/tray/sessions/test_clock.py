"""Test that times from before somebody set the clock are put onto the clock of the reader. The simulation tests the law."""

from dataclasses import replace
from typing import Any

import pytest

from deskbell.sessions.clock import LONG_AGO, Clock, Clocks, entry_on, record_on, tail_on
from deskbell.sessions.conversation import Tail
from deskbell.sessions.course import Course, Turn
from deskbell.sessions.limits import Limit, Retries
from deskbell.sessions.registry import Entry
from deskbell_hooks.schema import Record

NOW = 10_000.0
CLOCK = Clock(NOW, 500.0, "b")
ENTRY = Entry(7, "s", "/c", status="busy", status_since=9_000.0, updated=9_000.0, started=8_000.0)
BACK, AHEAD = ((NOW - 60, -600.0),), ((NOW - 60, 600.0),)


def heard(at: float = 9_990.0, **fields: Any) -> Record:
    run = {"last_at": at, "turn_at": at, "since": at, "where": {"pid": 7, "start": 1, "boot": "b"}}
    return {**run, "pending": [], "agents": [], **fields}  # type: ignore[return-value]


@pytest.mark.parametrize(
    ("run", "clock", "by"),
    [
        (heard(), CLOCK, 0.0),
        (heard(zero=500.0), CLOCK, 0.0),
        (heard(zero=501.0), CLOCK, 0.0),
        (heard(zero=1_100.0), CLOCK, -600.0),
        (heard(10_500.0, zero=1_100.0), CLOCK, -600.0),
        (heard(9_000.0, zero=-100.0), CLOCK, 600.0),
        (heard(zero=-100.0), CLOCK, 0.0),
        (heard(zero=1_100.0, where={"pid": 7, "boot": "another"}), CLOCK, 0.0),
        (heard(zero=1_100.0), CLOCK._replace(zero=None), 0.0),
        (heard(10_500.0), CLOCK, -500.0 - LONG_AGO),
        (heard(10_500.0, zero=900.0), CLOCK._replace(zero=None), -500.0 - LONG_AGO),
    ],
)
def test_by_how_much_a_run_is_behind(run: Record, clock: Clock, by: float) -> None:
    assert clock.behind(run) == by
    moved = record_on(run, clock)
    assert moved["last_at"] == run["last_at"] + by
    assert (moved is run) is (by == 0.0)


def test_every_client_of_a_record_has_its_own_clock() -> None:
    record = heard(others=[heard(10_500.0, zero=1_100.0)])
    moved = record_on(record, CLOCK)
    assert (moved["last_at"], moved["others"][0]["last_at"]) == (9_990.0, 9_900.0)


@pytest.mark.parametrize(
    ("at", "steps", "present"),
    [
        (9_000.0, (), 9_000.0),
        (NOW + 1, (), NOW + 1),
        (NOW + 9, (), NOW - LONG_AGO),
        (NOW + 9, BACK, NOW - 591),
        (9_990.0, BACK, 9_990.0),
        (9_000.0, AHEAD, 9_600.0),
        (9_990.0, AHEAD, 9_990.0),
        (NOW + 9, AHEAD, NOW - LONG_AGO),
        (NOW + 9, (*BACK, (NOW - 90, -60.0)), NOW - 591),
        (NOW + 650, (*BACK, (NOW - 90, -60.0)), NOW - 10),
        (NOW + 900, BACK, NOW - LONG_AGO),
    ],
)
def test_a_time_by_an_earlier_clock(at: float, steps: tuple[tuple[float, float], ...], present: float) -> None:
    assert CLOCK.present(at, steps) == present


def test_an_entry_is_put_onto_the_clock_of_the_reader_and_stays_if_it_is() -> None:
    assert entry_on(ENTRY, CLOCK, ()) is ENTRY
    ahead = replace(ENTRY, status_since=NOW + 100, updated=NOW + 100)
    assert entry_on(ahead, CLOCK, BACK) == replace(ahead, status_since=NOW - 500, updated=NOW - 500)
    assert entry_on(replace(ahead, started=None), CLOCK, BACK).started is None
    assert entry_on(replace(ahead, started=NOW + 90), CLOCK, ()).started == NOW - LONG_AGO


def test_every_time_of_a_transcript_is_put_onto_the_clock_of_the_reader() -> None:
    late = NOW + 100
    assert tail_on(_tail(late), CLOCK, BACK) == _tail(NOW - 500)
    assert tail_on(_tail(late), CLOCK, ()) == _tail(late)


def _tail(at: float) -> Tail:
    waits: dict[str, Any] = {"limit": Limit(at, NOW + 900, True, said=at), "requests": Retries(at, at, 2, 4.0)}
    turn = Turn("p", Course(at=at, finished_at=at, sent_on_at=at, **waits), prompted=at)
    return Tail(at=at, finished_at=at, sent_on_at=at, prompts=(at,), prompted=at, own=(at,), turns=(turn,), **waits)


def test_what_a_transcript_does_not_tell_has_no_time_on_any_clock() -> None:
    limit = Limit(NOW + 100)
    assert tail_on(Tail(limit=limit, requests=Retries(NOW + 100)), CLOCK, BACK) == Tail(
        limit=Limit(NOW - 500), requests=Retries(NOW - 500)
    )
    assert tail_on(Tail(), CLOCK, BACK) == Tail()


def test_what_is_moved_is_the_same_object_until_the_clock_is_set_again() -> None:
    elapsed = [9_500.0]
    clocks = Clocks(lambda: elapsed[0])
    record, entry, tail = heard(10_500.0, zero=1_100.0), replace(ENTRY, status_since=NOW + 5), Tail(at=NOW + 100)

    def read(now: float) -> tuple[float, list[object]]:
        by = clocks.take(now, "b")
        clocks.begin()
        return by, [*clocks.records([record]), *clocks.entries([entry]), clocks.tail(tail, 7)]

    first, second = read(NOW), read(NOW)
    assert (first[0], second[0]) == (0.0, 0.0)
    assert all(one is other for one, other in zip(first[1], second[1], strict=True))
    by, third = read(NOW - 600)
    assert by == -600.0
    assert third[:2] != first[1][:2]


def test_nothing_is_moved_where_no_clock_was_set() -> None:
    clocks = Clocks(lambda: None)
    record = heard()
    assert clocks.take(NOW, "") == 0.0
    clocks.begin()
    assert clocks.records([record])[0] is record
    assert clocks.entries([ENTRY])[0] is ENTRY
    assert clocks.behind == {}
