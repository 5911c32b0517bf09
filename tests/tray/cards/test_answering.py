"""Test that the page of a request opens, follows its session, and closes after the answer."""

from dataclasses import replace
from typing import Any

import pytest

from deskbell.asking import Asking, Choice
from deskbell.cards.answering import after_answer, answering, attached, with_session
from deskbell.cards.draft import OFF, Draft
from deskbell.cards.request import GONE, asked_of
from deskbell.cards.state import Page, State
from deskbell.face.facts import Facts
from tests.tray.making import session

KEY = ("a1", 100)
ASKING = Asking("c0de", "Bash: rm -rf a", ("rm -rf a",), (Choice("deny", "Deny"),), "It deletes files.")
WAITS = session(status="permission", asking=ASKING)
OPEN = answering(State(chosen=KEY, page_top=3), WAITS, Facts())


def test_a_session_that_waits_gets_its_request() -> None:
    waits, works = session(status="permission", detail="Bash: rm"), session(session_id="b2", status="working")
    requests = {KEY: ASKING, ("b2", 100): ASKING, ("gone", 1): ASKING}
    assert attached([waits, works], requests) == [replace(waits, asking=ASKING, detail="Bash: rm -rf a"), works]


def test_a_request_opens_in_a_page_of_its_own() -> None:
    page = Page("api · Ship it", (), KEY, asked_of(WAITS), has_details=False)
    assert (OPEN.mode, OPEN.page, OPEN.page_top) == ("page", page, 0)


def test_on_a_page_of_details_they_stay_below_the_request() -> None:
    details = Page("Details", ((),), KEY)
    state = answering(State(mode="page", page=details, page_top=9), WAITS, Facts())
    assert state.page == details._replace(title="api · Ship it", asked=asked_of(WAITS))
    assert state.page_top == 0


OTHERS: dict[str, tuple[Any, Facts, Any]] = {
    "what can never be answered here": (
        session(status="permission", asking=Asking("", "Bash: ls", why_not="A subagent asks.")),
        Facts(),
        "A subagent asks.",
    ),
    "a request that nobody holds": (session(status="permission"), Facts(), "It waits for an answer in its terminal."),
    "a turn that is over, without replies": (session(status="idle"), Facts(), OFF),
    "no session": (None, Facts(), "This session no longer exists."),
}


@pytest.mark.parametrize(("one", "facts", "says"), OTHERS.values(), ids=OTHERS)
def test_where_nothing_can_be_answered_it_says_why(one: Any, facts: Facts, says: str) -> None:
    state = answering(State(), one, facts)
    assert (state.mode, state.page) == ("board", None)
    assert state.message.startswith(says)


def test_a_turn_that_is_over_takes_a_reply() -> None:
    state = answering(State(), session(status="idle"), Facts(replies=True))
    assert (state.mode, state.draft) == ("reply", Draft(KEY))


def test_a_page_follows_its_session() -> None:
    named = with_session(OPEN, replace(WAITS, title="Other"))
    assert named.page
    assert named.page.title == "api · Other"
    gone = with_session(OPEN, None)
    assert gone.page
    assert gone.page.asked
    assert (gone.page.title, gone.page.asked.over) == ("api · Ship it", GONE)


@pytest.mark.parametrize("state", [State(), State(mode="page", page=Page("Help", ()))])
def test_what_is_about_no_session_stays_as_it_is(state: State) -> None:
    assert with_session(state, WAITS) == after_answer(state, True) == state


def sent(state: State) -> State:
    assert state.page
    assert state.page.asked
    return replace(state, page=state.page._replace(asked=state.page.asked._replace(is_sent=True)))


def test_after_the_last_answer_the_board_comes_back() -> None:
    state = after_answer(sent(OPEN), True)
    assert (state.mode, state.page) == ("board", None)


def test_after_another_step_and_on_a_page_of_details_the_page_stays() -> None:
    assert after_answer(sent(OPEN), False) == OPEN
    assert OPEN.page
    details = replace(OPEN, page=OPEN.page._replace(has_details=True))
    assert after_answer(sent(details), True) == details
