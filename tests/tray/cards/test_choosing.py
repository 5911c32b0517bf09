"""Test how a request is answered on the board."""

from dataclasses import replace
from typing import Any

import pytest

from deskbell.asking import Asking, Choice
from deskbell.cards.choosing import MOST, answering, line
from deskbell.cards.draft import OFF, Draft
from deskbell.cards.keys import Scene, Step, pressed
from deskbell.cards.state import Page, State
from deskbell.face.actions import Answer, Reply
from deskbell.face.facts import Facts
from tests.tray.making import session

KEY = ("a1", 100)
CHOICES = (Choice("allow", "Allow…"), Choice("deny", "Deny"), Choice("say", "In words", takes_text=True))
ASKING = Asking("c0de", "Bash: rm -rf a", ("rm -rf a",), CHOICES, why_not="Allow asks again: it deletes files.")
WAITS = session(status="permission", asking=ASKING)
OPEN = answering(State(chosen=KEY), WAITS, Facts())
SCENE = Scene((), Facts(), 20)


def press(*keys: str, state: State = OPEN) -> Step:
    step = Step(state)
    for key in keys:
        step = pressed(step.state, key, key if len(key) == 1 else None, SCENE)
    return step


def test_a_request_is_shown_with_its_answers() -> None:
    assert (OPEN.mode, OPEN.choosing) == ("answer", (KEY, ASKING))
    said = "".join(span.text for span in line(ASKING))
    assert said == " 1 Allow…  2 Deny  3 In words  Allow asks again: it deletes files.  Esc leaves it"


def test_a_digit_answers() -> None:
    step = press("2")
    assert (step.state.mode, step.state.choosing, step.order) == ("board", None, Answer(KEY, "c0de", "deny"))


@pytest.mark.parametrize("key", ["escape", "q", "enter", "x"])
def test_another_key_leaves_it_unanswered(key: str) -> None:
    step = press(key)
    assert (step.state.mode, step.state.choosing, step.order) == ("board", None, None)


@pytest.mark.parametrize("key", ["0", "4", "9"])
def test_a_digit_of_no_answer_does_nothing(key: str) -> None:
    assert press(key) == Step(OPEN)


def test_words_are_written_in_a_line_of_their_own() -> None:
    step = press("3", "N", "o", "enter")
    assert (step.state.mode, step.order) == ("board", Answer(KEY, "c0de", "say", "No"))
    assert press("3", "enter").order is None
    assert press("3", "N", "escape").order is None


def test_the_page_of_a_session_comes_back() -> None:
    page = replace(OPEN, page=Page("Details", (), KEY))
    assert press("1", state=page).state.mode == "page"


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
    assert (state.mode, state.choosing) == ("board", None)
    assert state.message.startswith(says)


def test_a_turn_that_is_over_takes_a_reply() -> None:
    state = answering(State(), session(status="idle"), Facts(replies=True))
    assert (state.mode, state.draft) == ("reply", Draft(KEY))
    assert press("g", "o", "enter", state=state).order == Reply(KEY, "go")


def test_there_are_no_more_answers_than_digits() -> None:
    many = replace(ASKING, choices=tuple(Choice(f"option:{at}", str(at)) for at in range(20)))
    assert "".join(span.text for span in line(many)).count("  ") == MOST + 1
