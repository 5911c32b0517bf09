"""Test when a request is over."""

from dataclasses import replace
from typing import Any

import pytest

from deskbell.answers.waiting import (
    ANSWERED,
    BEFORE,
    ELSEWHERE,
    GONE,
    NEVER_OPENED,
    OPENS_WITHIN,
    READABLE_WITHIN,
    UNKNOWN,
    Open,
    Over,
    Seen,
    waiting,
)
from deskbell.sessions.registry import Entry
from tests.tray.answers.making import request
from tests.tray.making import NOON

WAITING = Entry(100, "a1", "/c", 1, "waiting", NOON + 0.05, "permission prompt")


def stands(before: Open = Open(), now: float = NOON + 0.1, alive: bool = True, **entry: Any) -> Open | Over:  # noqa: B008
    return waiting(request(), before, Seen(replace(WAITING, **entry), alive), now)


def test_a_request_is_open_once_its_dialog_is() -> None:
    assert stands() == Open(NOON + 0.05)


def test_a_dialog_may_open_a_moment_before_its_asker_starts() -> None:
    assert stands(status_since=NOON - BEFORE) == Open(NOON - BEFORE)


def test_the_dialog_of_an_earlier_request_is_not_taken_for_its_own() -> None:
    assert stands(status_since=NOON - BEFORE - 0.01) == Open()


@pytest.mark.parametrize("status", ["busy", "idle", None])
def test_it_waits_for_its_dialog_for_a_while(status: str | None) -> None:
    assert stands(status=status) == Open()
    assert stands(status=status, now=NOON + OPENS_WITHIN) == NEVER_OPENED


def test_a_clock_that_was_set_back_keeps_nothing_open() -> None:
    assert stands(status="busy", now=NOON - 3600) == NEVER_OPENED


OPEN = Open(NOON + 0.05)


def test_an_open_request_stays_open_for_as_long_as_nothing_moves() -> None:
    assert stands(OPEN, now=NOON + 9e5) == OPEN


MOVED: dict[str, tuple[dict[str, Any], Over]] = {
    "busy": ({"status": "busy", "status_since": NOON + 1}, ANSWERED),
    "idle": ({"status": "idle", "status_since": NOON + 1}, ANSWERED),
    "another dialog": ({"status_since": NOON + 1}, ANSWERED),
    "a dialog of an earlier time": ({"status_since": NOON}, ANSWERED),
    "busy at the same moment": ({"status": "busy"}, ANSWERED),
    "another session": ({"session_id": "b2"}, ELSEWHERE),
    "another process with its number": ({"pid_start": 2}, ELSEWHERE),
}


@pytest.mark.parametrize(("entry", "over"), MOVED.values(), ids=MOVED)
def test_whatever_moves_ends_it(entry: dict[str, Any], over: Over) -> None:
    assert stands(OPEN, **entry) == over


def test_a_start_that_is_not_known_proves_nothing() -> None:
    assert stands(OPEN, pid_start=None) == OPEN


@pytest.mark.parametrize("before", [Open(), OPEN])
def test_it_is_over_with_its_client(before: Open) -> None:
    assert stands(before, alive=False) == GONE


@pytest.mark.parametrize("before", [Open(), OPEN])
def test_an_entry_that_cannot_be_read_for_a_moment_ends_nothing(before: Open) -> None:
    """The client is writing it."""
    unread = waiting(request(), before, Seen(None, alive=True), NOON + 0.1)
    assert unread == replace(before, unread=NOON + 0.1)
    assert isinstance(unread, Open)
    assert not unread.is_sure
    assert waiting(request(), unread, Seen(None, alive=True), NOON + 0.2) == unread
    assert stands(unread) == OPEN


def test_while_the_entry_is_written_the_client_may_have_gone_on() -> None:
    assert stands(replace(OPEN, unread=NOON), status="busy") == ANSWERED
    assert stands(Open(unread=NOON), status="busy") == Open()


@pytest.mark.parametrize("before", [Open(), OPEN])
@pytest.mark.parametrize("later", [READABLE_WITHIN, -0.1])
def test_without_an_entry_nobody_could_tell_when_it_is_over(before: Open, later: float) -> None:
    unread = replace(before, unread=NOON)
    assert waiting(request(), unread, Seen(None, alive=True), NOON + later) == UNKNOWN
