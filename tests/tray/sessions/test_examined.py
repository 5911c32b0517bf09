"""Test what is kept of a client that was examined, and when it need not be examined again."""

from dataclasses import replace

import pytest

from deskbell.session import Session
from deskbell.sessions.candidates import Candidate
from deskbell.sessions.evidence import Evidence
from deskbell.sessions.examined import (
    REPEATED_AFTER,
    REREAD_AFTER,
    Examined,
    due,
    examined,
    is_due,
    still_holds,
    unexamined,
    without_ended_doubles,
)
from deskbell.sessions.memory import Memory
from deskbell.sessions.registry import Entry
from tests.tray.making import session

ENTRY = Entry(7, "s", "/claude", 70, status="busy", status_since=900.0, cwd="/p/web")
NOW = 1000.0
SEEN = Evidence(now=NOW, entry=ENTRY, alive=True, had_entry=True)
CLIENT = Candidate("s", None, None, ENTRY, 7, 70)


def anything_goes(session: Session, now: float) -> None:
    """Find nothing wrong."""


def refuse(session: Session, now: float) -> None:
    if session.reason != "cannot be shown (LookupError)":
        raise LookupError


def test_all_that_is_asked_later_is_found_out_at_once() -> None:
    one = examined(CLIENT, Memory(), SEEN, anything_goes)
    assert (one.session.status, one.since, one.is_reread, one.why) == ("working", 900.0, True, "")


def test_the_same_evidence_need_not_be_examined_again() -> None:
    one = examined(CLIENT, Memory(), SEEN, anything_goes)
    assert still_holds(one, replace(SEEN, now=NOW + 1))
    assert not still_holds(one, replace(SEEN, suspended=True))
    assert not still_holds(one, replace(SEEN, entry=replace(ENTRY)))
    assert not still_holds(one._replace(again=NOW + 1), replace(SEEN, now=NOW + 1))


def test_a_client_whose_transcript_alone_shows_a_change_is_reread_soon() -> None:
    one = examined(CLIENT, Memory(), SEEN, anything_goes)._replace(again=None)
    assert due(one, NOW) == NOW + REREAD_AFTER
    assert due(one._replace(again=NOW + 9), NOW) == NOW + REREAD_AFTER
    assert due(one._replace(again=NOW + 0.1), NOW) == NOW + 0.1
    assert due(one._replace(is_reread=False), NOW) is None


@pytest.mark.parametrize(("stalled", "later", "due_again"), [(False, 9, False), (False, 10, True), (True, 10, False)])
def test_a_client_is_examined_again_when_it_stalls(stalled: bool, later: float, due_again: bool) -> None:
    one = Examined(Evidence(NOW), session(status="working", heard=NOW, stalled=stalled, stalls_at=NOW + 10))
    assert is_due(one, NOW + later) is due_again


@pytest.mark.parametrize(
    ("detail", "heard", "again", "expected"),
    [
        ("Thinking", NOW, None, NOW + REPEATED_AFTER),
        ("Thinking", NOW - 20, None, NOW + 10),
        ("Thinking", NOW - 20, NOW + 3, NOW + 3),
        ("Bash: make", NOW - 20, None, None),
        ("Bash: make", NOW - 20, NOW + 3, NOW + 3),
    ],
)
def test_a_client_that_thinks_is_read_again_at_growing_distances(
    detail: str, heard: float, again: float | None, expected: float | None
) -> None:
    thinks = Examined(Evidence(NOW), session(status="working", detail=detail, heard=heard), again=again)
    assert due(thinks, NOW) == expected


def test_a_session_that_cannot_be_shown_is_plain_until_its_evidence_changes() -> None:
    one = examined(CLIENT, Memory(), SEEN, refuse)
    assert (one.why, one.session.detail, one.session.status) == (
        "cannot be shown (LookupError)",
        "cannot be shown (LookupError)",
        "working",
    )
    assert still_holds(one, replace(SEEN, now=NOW + 1))


def test_a_client_that_could_not_be_examined_is_tried_again_at_once() -> None:
    one = unexamined(CLIENT, "cannot be examined (LookupError)", NOW, anything_goes)
    assert (one.session.project, one.session.detail) == ("web", "cannot be examined (LookupError)")
    assert not still_holds(one, SEEN)


def test_a_client_that_has_ended_is_left_out_where_another_runs_its_session() -> None:
    ended, runs = session(status="ended", pid=1), session(pid=2)
    every = {one.key: examined(CLIENT, Memory(), SEEN, anything_goes)._replace(session=one) for one in (ended, runs)}
    assert list(without_ended_doubles(every)) == [runs.key]
    assert list(without_ended_doubles({ended.key: every[ended.key]})) == [ended.key]
