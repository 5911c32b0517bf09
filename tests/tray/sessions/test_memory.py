"""Test what is remembered of a client from one look to the next."""

from dataclasses import replace
from typing import Any

import pytest

from deskbell.sessions.candidates import Candidate
from deskbell.sessions.memory import Memories, Memory
from deskbell.sessions.registry import Entry

ENTRY = Entry(7, "s", "/claude", pid_start=70)


def candidate(heard: float | None = 5.0, entry: Entry | None = None, pid: int = 7) -> Candidate:
    run: Any = None if heard is None else {"last_at": heard}
    return Candidate("s", run, run, entry, pid, 70)


@pytest.mark.parametrize(
    ("statuses", "own"),
    [
        (["waiting"], False),
        (["idle", "waiting"], True),
        (["shell", "waiting"], True),
        (["busy", "waiting"], False),
        (["idle", "waiting", "idle"], True),
        (["idle", "waiting", "busy"], False),
        (["idle", "waiting", "busy", "waiting"], False),
    ],
)
def test_a_dialog_straight_from_the_prompt_is_the_persons_own(statuses: list[Any], own: bool) -> None:
    memory = Memory()
    for status in statuses:
        memory.take_entry(replace(ENTRY, status=status))
    assert memory.own_dialog == own


# the statuses of the registry, each with its time: when a dialog was left
LEFT: dict[str, tuple[list[tuple[Any, float]], float | None]] = {
    "it is open": ([("busy", 1.0), ("waiting", 2.0)], None),
    "at the prompt": ([("shell", 1.0), ("waiting", 2.0), ("shell", 9.0)], 9.0),
    "in a turn": ([("busy", 1.0), ("waiting", 2.0), ("busy", 9.0)], 9.0),
    "no sooner than a person answers": ([("waiting", 2.0), ("busy", 2.5)], 2.5),
    "a hook answered": ([("waiting", 2.0), ("busy", 2.49)], None),
    "another one opened": ([("waiting", 2.0), ("waiting", 9.0)], None),
    "its status is not known any more": ([("waiting", 2.0), (None, 9.0)], None),
    "the newest one": ([("waiting", 2.0), ("busy", 9.0), ("waiting", 10.0), ("idle", 20.0)], 20.0),
    "no dialog": ([("busy", 1.0), ("idle", 9.0)], None),
}


@pytest.mark.parametrize(("entries", "left"), LEFT.values(), ids=LEFT)
def test_when_a_dialog_was_left(entries: list[tuple[Any, float]], left: float | None) -> None:
    memory = Memory()
    for status, since in entries:
        memory.take_entry(replace(ENTRY, status=status, status_since=since))
    assert memory.left_dialog == left


def test_the_same_entry_is_taken_once() -> None:
    memory, idle, waiting = Memory(), replace(ENTRY, status="idle"), replace(ENTRY, status="waiting")
    for entry in (idle, waiting, waiting):
        memory.take_entry(entry)
    assert memory.own_dialog


def test_a_client_left_the_registry_when_it_was_first_found_gone() -> None:
    memory = Memory()
    memory.take_absence(99.0)
    assert memory.left is None  # it was never listed

    memory.take_entry(ENTRY)
    memory.take_absence(100.0)
    memory.take_absence(101.0)
    assert memory.left == 100.0

    memory.take_entry(ENTRY)
    assert memory.left is None
    memory.take_absence(102.0)
    assert memory.left == 102.0


def never() -> float:
    raise AssertionError("a client that was seen alive needs no last sign of life")


def test_the_memory_of_a_client_notes_its_absence() -> None:
    memories = Memories()
    assert memories.of(candidate(entry=ENTRY), True, 100.0, never).left is None
    assert memories.of(candidate(), True, 101.0, never).left == 101.0
    assert memories.of(candidate(), True, 102.0, never).left == 101.0


@pytest.mark.parametrize(
    ("lives", "died"),
    [
        ([False], 5.0),  # first found dead: at its last sign of life
        ([False, False], 5.0),
        ([None, False], 5.0),
        ([True], None),
        ([None], None),
    ],
)
def test_a_client_that_was_never_seen_alive_died_when_it_last_did_something(
    lives: list[bool | None], died: float | None
) -> None:
    memory = Memory()
    for second, alive in enumerate(lives):
        memory.take_life(alive, lambda: 5.0, 100.0 + second)
    assert memory.died == died


def test_a_client_that_was_seen_alive_died_when_it_was_found_dead() -> None:
    memory = Memory()
    for second, alive in enumerate([True, False, False]):
        memory.take_life(alive, never, 100.0 + second)
    assert memory.died == 101.0


@pytest.mark.parametrize(
    ("listings", "seconds"),
    [
        ([False, False], 2.0),
        ([True, False], 1.0),  # it goes on with another session, and leaves the registry before it ends
        ([True, True], 0.0),
        ([False, True], 0.0),
        ([], 0.0),
    ],
)
def test_a_client_that_lived_for_long_without_an_entry_has_none(listings: list[bool], seconds: float) -> None:
    memory = Memory()
    for second, listed in enumerate(listings):
        memory.take_life(True, never, 100.0 + second)
        memory.take_listing(True, ENTRY if listed else None, "another", 100.0 + second)
    assert memory.unlisted_for() == 0.0
    memory.take_life(False, lambda: 5.0, 102.0)
    memory.take_listing(False, None, "another", 102.0)
    assert memory.unlisted_for() == seconds


@pytest.mark.parametrize(("session", "moved_on"), [("s", False), ("another", True)])
def test_a_client_that_is_not_listed_any_more_ran_the_session_that_was_listed_last(
    session: str, moved_on: bool
) -> None:
    memory = Memory()
    memory.take_listing(True, ENTRY, session, 100.0)
    memory.take_listing(True, None, session, 101.0)
    assert memory.moved_on is moved_on


def test_nothing_dies_in_the_future() -> None:
    memory = Memory()
    memory.take_life(False, lambda: 999.0, 100.0)
    assert memory.died == 100.0


def test_what_a_dead_client_left_in_the_registry_is_known_after_another_client_removed_it() -> None:
    memories = Memories()
    assert not memories.of(candidate(), True, 100.0, never).killed
    memory = memories.of(candidate(), False, 101.0, never, ENTRY)
    assert (memory.killed, memory.entry) == (True, ENTRY)
    assert memories.of(candidate(), False, 102.0, never).killed


def test_the_memory_of_a_client_is_kept_until_the_client_is_not_listed() -> None:
    memories = Memories()
    first = memories.of(candidate(entry=ENTRY), True, 100.0, never)
    memories.keep([("s", 7)], [])
    assert memories.of(candidate(), True, 101.0, never) is first
    memories.keep([], [])
    assert memories.of(candidate(), True, 102.0, never) is not first


def test_a_client_has_left_when_its_process_is_not_in_the_registry() -> None:
    memories = Memories()
    memories.of(candidate(entry=ENTRY), True, 100.0, never)
    memories.of(candidate(pid=8), True, 100.0, never)  # never in the registry
    assert list(memories.left({})) == [ENTRY]
    assert list(memories.left({7: ENTRY})) == []


def test_a_retired_client_stays_retired_until_a_new_event_or_entry() -> None:
    memories = Memories()
    memories.retire(candidate())
    assert memories.is_retired(candidate())
    assert not memories.is_retired(candidate(heard=6.0))
    assert not memories.is_retired(candidate(entry=ENTRY))
    assert not memories.is_retired(candidate(heard=None))
    assert not memories.is_retired(candidate(pid=8))


def test_a_retired_client_is_forgotten_when_it_is_no_longer_listed() -> None:
    memories = Memories()
    memories.retire(candidate())
    memories.keep([], [("s", 7)])
    assert memories.is_retired(candidate())
    memories.keep([], [("s", 8)])
    assert not memories.is_retired(candidate())


def test_when_the_clock_is_set_what_is_remembered_moves_with_it() -> None:
    memory = Memory(died=5.0, left=4.0)
    memory.shift(-3.0)
    assert (memory.died, memory.left, memory.left_dialog, memory.unlisted_from) == (2.0, 1.0, None, None)
