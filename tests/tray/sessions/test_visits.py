"""Test which session is next for its person, and what is remembered of the earlier ones."""

import threading
from pathlib import Path

import pytest

from deskbell.sessions.visits import FILE, REMEMBERED, following, remember, visits
from tests.tray.making import NOON, session

URGENT, SECOND, THIRD = (session(session_id=name, since=NOON) for name in ("urgent", "second", "third"))
WAITING = [URGENT, SECOND, THIRD]
ROUNDS = {
    "nobody was visited": ({}, URGENT),
    "the most urgent was visited": ({"urgent": NOON + 1}, SECOND),
    "it was visited before it began to wait": ({"urgent": NOON - 1}, URGENT),
    "two were visited": ({"urgent": NOON + 1, "second": NOON + 2}, THIRD),
    "all were visited": ({"urgent": NOON + 1, "second": NOON + 2, "third": NOON + 3}, URGENT),
    "a new one is the most urgent": ({"second": NOON + 2, "third": NOON + 3}, URGENT),
}


@pytest.mark.parametrize(("seen", "next_one"), ROUNDS.values(), ids=ROUNDS)
def test_which_session_is_next(seen: dict[str, float], next_one: object) -> None:
    assert following(WAITING, seen) is next_one


def test_where_nobody_waits_nobody_is_next() -> None:
    assert following([], {"urgent": NOON}) is None


def test_a_visit_is_remembered(tmp_path: Path) -> None:
    assert visits(tmp_path) == {}
    remember(tmp_path, "a", NOON)
    remember(tmp_path, "b", NOON + 1)
    remember(tmp_path, "a", NOON + 2)
    assert visits(tmp_path) == {"a": NOON + 2, "b": NOON + 1}


def test_a_visit_that_another_program_remembers_is_not_lost(tmp_path: Path) -> None:
    def jumps(name: str) -> None:
        for number in range(10):
            remember(tmp_path, f"{name} {number}", NOON)

    threads = [threading.Thread(target=jumps, args=(name,)) for name in "abc"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(visits(tmp_path)) == 30


def test_only_the_newest_visits_are_kept(tmp_path: Path) -> None:
    for number in range(REMEMBERED + 5):
        remember(tmp_path, str(number), NOON + number)
    assert set(visits(tmp_path)) == {str(number) for number in range(5, REMEMBERED + 5)}


@pytest.mark.parametrize("content", [b"", b"{", b'{"visits": 1}', b'{"visits": {"a": "b"}}', b"\xff", b"[]" * 90_000])
def test_a_damaged_file_counts_as_missing(tmp_path: Path, content: bytes) -> None:
    (tmp_path / FILE).write_bytes(content)
    assert visits(tmp_path) == {}
    remember(tmp_path, "a", NOON)
    assert visits(tmp_path) == {"a": NOON}
