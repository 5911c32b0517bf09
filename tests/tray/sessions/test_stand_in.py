"""Test the session that stands for one that cannot be examined or shown."""

from typing import Any

import pytest

from deskbell.session import Session
from deskbell.sessions.candidates import Candidate
from deskbell.sessions.evidence import Verdict
from deskbell.sessions.registry import Entry
from deskbell.sessions.stand_in import stand_in

NOW = 1000.0
RECORD: Any = {"project": "web", "cwd": "/p/web", "where": {"attended": False}}
FOUND = Verdict("permission", "Bash: npm publish", "it asks", 900.0)


def anything_goes(session: Session, now: float) -> None:
    """Find nothing wrong."""


def candidate(record: Any = RECORD, entry: Entry | None = None) -> Candidate:
    return Candidate("s", record, record, entry, 7, 70)


def test_it_keeps_what_is_known_for_certain_and_no_words() -> None:
    made = stand_in(candidate(), FOUND, "cannot be shown", NOW, anything_goes)
    assert (made.key, made.pid_start, made.status, made.since) == (("s", 7), 70, "permission", 900.0)
    assert (made.detail, made.reason, made.title, made.prompt) == ("cannot be shown", "cannot be shown", "", "")
    assert (made.project, made.kind, made.hidden) == ("web", "print", True)


def test_without_a_verdict_it_works_so_that_it_does_not_ring() -> None:
    made = stand_in(candidate(), None, "cannot be examined", NOW, anything_goes)
    assert (made.status, made.since) == ("working", NOW)


@pytest.mark.parametrize("record", [RECORD, {"project": 7}, {"project": "web", "where": 5}])
def test_where_even_that_cannot_be_shown_it_is_as_plain_as_can_be(record: Any) -> None:
    def refuse(session: Session, now: float) -> None:
        raise LookupError

    made = stand_in(candidate(record), FOUND, "cannot be shown", NOW, refuse)
    assert (made.key, made.project, made.status, made.since) == (("s", 7), "?", "working", NOW)


def test_it_takes_the_project_from_the_registry_where_no_record_is() -> None:
    made = stand_in(candidate(None, Entry(7, "s", "/c", cwd="/p/api")), None, "why", NOW, anything_goes)
    assert made.project == "api"
