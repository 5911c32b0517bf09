"""What is remembered of a client from one look to the next."""

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


def test_the_memory_of_a_client_notes_its_absence() -> None:
    memories = Memories(0.0)
    assert memories.of(candidate(entry=ENTRY), True, 100.0).left is None
    assert memories.of(candidate(), True, 101.0).left == 101.0
    assert memories.of(candidate(), True, 102.0).left == 101.0


@pytest.mark.parametrize(
    ("lives", "fresh_for", "died"),
    [
        ([False], 0.0, 5.0),  # first found dead: at its last event
        ([False], 200.0, 100.0),  # heard lately: just now
        ([False], 95.0, 5.0),
        ([True, False], 0.0, 101.0),  # seen alive: just now
        ([None, False], 0.0, 5.0),
        ([True, False, False], 0.0, 101.0),
        ([True], 0.0, None),
        ([None], 0.0, None),
    ],
)
def test_when_a_client_died(lives: list[bool | None], fresh_for: float, died: float | None) -> None:
    memory = Memory()
    for second, alive in enumerate(lives):
        memory.take_life(alive, 5.0, 100.0 + second, fresh_for)
    assert memory.died == died


def test_a_client_without_an_event_died_when_it_was_found_dead() -> None:
    assert Memories(0.0).of(candidate(None), False, 100.0).died == 100.0


def test_the_memory_of_a_client_is_kept_until_the_client_is_not_listed() -> None:
    memories = Memories(0.0)
    first = memories.of(candidate(entry=ENTRY), True, 100.0)
    memories.keep([("s", 7)])
    assert memories.of(candidate(), True, 101.0) is first
    memories.keep([])
    assert memories.of(candidate(), True, 102.0) is not first


def test_a_client_has_left_when_its_process_is_not_in_the_registry() -> None:
    memories = Memories(0.0)
    memories.of(candidate(entry=ENTRY), True, 100.0)
    memories.of(candidate(pid=8), True, 100.0)  # never in the registry
    assert list(memories.left({})) == [ENTRY]
    assert list(memories.left({7: ENTRY})) == []


def test_a_buried_client_stays_buried_until_it_is_heard_or_listed_again() -> None:
    memories = Memories(0.0)
    memories.bury(candidate())
    assert memories.is_buried(candidate())
    assert not memories.is_buried(candidate(heard=6.0))
    assert not memories.is_buried(candidate(entry=ENTRY))
    assert not memories.is_buried(candidate(heard=None))
    assert not memories.is_buried(candidate(pid=8))
