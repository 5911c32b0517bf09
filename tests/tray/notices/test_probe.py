"""Test that a session whose fields are wrong costs itself alone: nothing that shows or rings for many sessions raises."""

import math
from dataclasses import fields, replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deskbell.board import Board, board
from deskbell.face.facts import Facts
from deskbell.face.look import look
from deskbell.face.menu import Item, menu
from deskbell.notices.judge import Senses
from deskbell.notices.news import news
from deskbell.notices.policy import Policy
from deskbell.notices.probe import LARGEST, RINGING, probe
from deskbell.notices.quiet import Quiet
from deskbell.notices.wants import Memory
from deskbell.session import GROUPS, STATUSES, Session
from deskbell.sessions.candidates import Candidate
from deskbell.sessions.evidence import Verdict
from deskbell.sessions.stand_in import stand_in
from deskbell_hooks.schema import Status
from tests.tray.making import NOON, session

WRONG: list[Any] = [
    *(None, True, -1, 10**400, 1e300, math.nan, math.inf, -math.inf, "", "x", "\ud800", "\0\x1b[2J", "a" * 10_000),
    *(b"x", (), [], {}, {"a": []}, object(), [[]], (None,), STATUSES),
]
FIELDS = st.dictionaries(st.sampled_from([field.name for field in fields(Session)]), st.sampled_from(WRONG), min_size=1)
NAMED = "a1"


def shown(bad: Session, status: Status) -> Session:
    """What the World returns for BAD, whose status was found."""
    try:
        probe(bad, NOON)
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        candidate = Candidate(NAMED, None, None, None, 100, 1)
        return stand_in(candidate, Verdict(status, "", "", NOON), f"cannot be shown ({error})", NOON, probe)
    return bad


def texts(items: tuple[Item, ...]) -> list[str]:
    return [text for item in items for text in (item.text, *texts(item.children))]


@given(FIELDS, st.sampled_from(STATUSES))
def test_whatever_the_fields_of_a_session_hold_the_others_are_listed_drawn_and_rung(
    wrong: dict[str, Any], status: Status
) -> None:
    good = session(session_id="b2", pid=2, project="good", status="permission", detail="npm publish")
    one = shown(replace(session(status=status), **wrong), status)
    after = board([one, good], NOON)

    assert good in after.sessions
    assert look(after, Facts(), NOON).count >= 1
    assert any("good" in text for text in texts(menu(after, Facts(), NOON)))
    senses = Senses(lambda _: False, None, Quiet(), 0.0, (), lambda _: False)
    memory, rung = Memory(), ""
    for seen, now in ((Board(), NOON - 1), (after, NOON), (after, NOON + 1), (after, NOON + 60)):
        decided = news(Board(), seen, Policy(), now, memory, senses)
        memory, rung = decided.memory, rung + "".join(f"{one.title} {one.body}" for one in decided.show)
    assert "good" in rung


@given(FIELDS)
def test_a_session_that_stands_for_another_says_why_and_can_be_shown(wrong: dict[str, Any]) -> None:
    one = shown(replace(session(status="permission"), **wrong), "permission")
    probe(one, NOON)
    if one.detail.startswith("cannot be shown"):
        assert (one.session_id, one.status, one.since) == (NAMED, "permission", NOON)


@pytest.mark.parametrize("status", STATUSES)
def test_an_ordinary_session_of_every_status_can_be_shown(status: Status) -> None:
    probe(session(status=status, last_line="done", last_error="oops", todo=(1, 2), cost_usd=0.5, turns=3), NOON)


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"project": 7}, "its project is of the type int"),
        ({"since": math.nan}, "its since is out of range"),
        ({"turns": 10**400}, "its turns is out of range"),
        ({"kept_until": LARGEST}, "its kept_until is out of range"),
        ({"status": "asleep"}, "its status is unknown"),
        ({"agents": []}, "its agents is of the type list"),
    ],
)
def test_a_field_that_does_not_hold_what_it_should_is_named(wrong: dict[str, Any], says: str) -> None:
    with pytest.raises((TypeError, ValueError), match=says):
        probe(session(**wrong), NOON)


@pytest.mark.parametrize("status", STATUSES)
def test_the_notification_is_tried_of_every_status_that_the_policy_knows(status: Status) -> None:
    assert (GROUPS[status] in RINGING) == (Policy().rings.of(status) is not None)
