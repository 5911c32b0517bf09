"""Test whether a session still waits for the same request."""

import pytest

from deskbell.asking import Asking
from deskbell.notices.asks import SAME_ASK, Asked, asked_of, is_just_that, is_same_ask
from deskbell.session import Ask, Session
from tests.tray.story import NOON, session

FIRST, NEXT = (1_000, ""), (1_010, "")

# the request of before, the request of now and how much later it was made: whether it is the same
SAME: dict[str, tuple[Ask | None, Ask | None, float, bool]] = {
    "the same request": (FIRST, FIRST, 0.0, True),
    "the next request, a moment later": (FIRST, NEXT, 0.01, False),
    "the next request, much later": (FIRST, NEXT, 60.0, False),
    "an earlier request whose hook was slower": (NEXT, FIRST, -0.01, True),
    "another subagent, in the same hundredth of a second": ((1_000, "a"), (1_000, "b"), 0.0, False),
    "the hook says what the registry knew": (None, FIRST, -0.1, True),
    "the client held the dialog back": (None, FIRST, -2.0, True),
    "only the registry knows it now": (FIRST, None, SAME_ASK - 0.01, True),
    "a dialog of which only the registry knows": (FIRST, None, SAME_ASK, False),
    "two dialogs of which only the registry knows": (None, None, SAME_ASK, False),
}  # fmt: skip


@pytest.mark.parametrize(("then", "now", "later", "same"), SAME.values(), ids=SAME)
def test_whether_it_is_the_same_request(then: Ask | None, now: Ask | None, later: float, same: bool) -> None:
    assert is_same_ask(session("api", "permission", NOON + later, ask=now), Asked(NOON, then)) is same


@pytest.mark.parametrize(
    ("then", "now", "later", "same"),
    [
        (FIRST, FIRST, 0.0, True),
        (FIRST, NEXT, 0.0, False),
        (NEXT, FIRST, 0.0, False),
        (None, FIRST, 0.0, True),
        (FIRST, None, 0.0, True),
        (None, None, 0.0, True),
        (FIRST, FIRST, 0.01, False),
    ],
)
def test_whether_it_is_just_that_request(then: Ask | None, now: Ask | None, later: float, same: bool) -> None:
    assert is_just_that(session("api", "permission", NOON + later, ask=now), Asked(NOON, then)) is same


def test_without_an_earlier_ring_no_request_is_the_same() -> None:
    assert not is_just_that(session("api", "permission"), None)


@pytest.mark.parametrize(
    ("then", "now", "same"), [(NOON, NOON, True), (NOON, NOON + 5, False), (None, NOON, False), (None, None, False)]
)
def test_a_turn_is_interrupted_once(then: float | None, now: float | None, same: bool) -> None:
    interrupted = session("api", "interrupted", NOON + 9, turn_started=now)
    assert is_just_that(interrupted, Asked(NOON + 7, turn=then)) is same


def answerable(code: str) -> Session:
    return session("api", "permission", NOON, ask=(7, ""), asking=Asking(code, "Bash: ls"))


def test_two_requests_that_can_be_answered_are_told_apart_by_their_names() -> None:
    """Also where no hook has said yet that the first is over."""
    first = asked_of(answerable("a"), NOON, (7, ""))
    assert is_same_ask(answerable("a"), first)
    assert not is_same_ask(answerable("b"), first)


@pytest.mark.parametrize("code", ["", "a"])
def test_a_request_stays_itself_when_it_can_be_answered_and_when_it_no_longer_can(code: str) -> None:
    plain = session("api", "permission", NOON, ask=(7, ""))
    assert is_same_ask(plain, asked_of(answerable(code), NOON, (7, "")))
    assert is_same_ask(answerable(code), asked_of(plain, NOON, (7, "")))
