"""Test what the card of a session says."""

from dataclasses import replace
from typing import Any

import pytest

from deskbell.cards.card import MOST_CHILDREN, card, changing, thousands
from deskbell.face.facts import Facts
from deskbell.session import Session
from deskbell.text.times import clock
from tests.tray.cards.boards import NOW, agent, one


def marks(session: Session, facts: Facts | None = None) -> list[str]:
    return [mark.text for mark in card(session, facts or Facts(), NOW).marks]


@pytest.mark.parametrize(
    ("said", "what"),
    [
        ({"status": "permission", "detail": "Bash: npm publish"}, "wants to run npm publish"),
        ({"status": "question", "detail": "Which?"}, "asks: Which?"),
        ({"status": "idle", "detail": "", "last_line": "Done."}, "Done."),
        ({"status": "idle", "detail": ""}, "your turn"),
        ({"status": "ended", "detail": ""}, "ended"),
        ({"status": "crashed", "detail": ""}, "crashed"),
        ({"status": "working", "detail": "Bash: make"}, "running make"),
    ],
)
def test_a_card_always_says_what_its_session_asks_or_does(said: dict[str, Any], what: str) -> None:
    assert card(one("api", **said), Facts(), NOW).what.text == what


@pytest.mark.parametrize(
    ("status", "ago", "said"),
    [
        ("idle", 0, ["cache warm for 5 min"]),
        ("idle", 61, ["cache warm for 4 min"]),
        ("permission", 299, ["cache warm for 1 min"]),
        ("idle", 300, []),
        ("error", 10, []),
        ("working", 10, []),
    ],
)
def test_a_card_says_for_how_long_the_cache_is_warm(status: str, ago: float, said: list[str]) -> None:
    assert marks(one("api", status, ago)) == said


def test_a_clock_that_was_set_back_keeps_no_cache_warm_for_longer() -> None:
    assert marks(one("api", "idle", -86400)) == ["cache warm for 5 min"]


def test_a_card_says_what_the_person_silenced() -> None:
    facts = Facts(muted=frozenset(("api",)), later={"api": NOW + 60})
    assert marks(one("api"), facts) == ["muted", f"quiet until {clock(NOW + 60, NOW)}"]
    assert marks(one("web"), facts) == []


def test_a_session_in_the_background_says_so() -> None:
    assert marks(one("api", kind="background")) == ["background"]


def test_the_figures_are_the_model_the_context_the_tokens_and_the_cost() -> None:
    full = one("api", model="claude-opus-5-5", context_percent=34.4, output_tokens=12_345, cost_usd=0.414)
    assert card(full, Facts(), NOW).figures == ("opus-5-5", "34 %", "12k", "$0.41")
    assert card(one("api", cost_usd=0.004, output_tokens=0), Facts(), NOW).figures == ("", "", "", "")


@pytest.mark.parametrize(
    ("tokens", "said"),
    [(0, "0"), (999, "999"), (1000, "1.0k"), (9949, "9.9k"), (9950, "10k"), (999_499, "999k"), (999_500, "1.0M"), (9_949_999, "9.9M"), (12_345_678, "12M")],
)  # fmt: skip
def test_tokens_have_three_digits_at_most(tokens: int, said: str) -> None:
    assert thousands(tokens) == said


def test_the_subagents_that_are_not_done_are_its_children() -> None:
    agents = (
        agent("Explore", detail="Grep: def handler"),
        agent("Plan", "idle", ago=None),
        agent("old", "done"),
        agent("reviewer"),
        agent("tester", detail="Thinking"),
        agent("last"),
    )
    found = card(one("api", agents=agents), Facts(), NOW)
    told = [(child.type, child.does, child.age) for child in found.children]
    assert told == [
        ("Explore", "searching for def handler", "1 min"),
        ("Plan", "idle", ""),
        ("reviewer", "running", "1 min"),
    ]
    assert (len(told), found.more) == (MOST_CHILDREN, 2)


OVER = [
    (("done", "done", "error"), NOW - 90, ["2 done", "1 failed"]),
    (("done",) * 8, NOW - 90, ["8+ done"]),  # a record keeps no more
    (("done", "error"), NOW - 10, []),
    (("done",), None, []),
    (("running",), NOW - 90, []),
]


@pytest.mark.parametrize(("states", "began", "said"), OVER)
def test_the_subagents_that_ended_in_this_turn_are_counted(
    states: tuple[str, ...], began: float | None, said: list[str]
) -> None:
    ended = tuple(
        replace(agent(f"a{n}", state), ended=None if state == "running" else NOW - 60) for n, state in enumerate(states)
    )
    found = card(one("api", agents=ended, turn_started=began), Facts(), NOW)
    assert [span.text for span in found.over] == said


def test_a_subagent_without_a_type_is_called_by_its_id() -> None:
    unnamed = agent("a1b2")
    child = card(one("api", agents=(unnamed.__class__("a1b2", "", "running", "", None, None),)), Facts(), NOW).children[
        0
    ]
    assert child.type == "a1b2"


@pytest.mark.parametrize(
    "later",
    [
        lambda at, facts: (at + 60, facts),
        lambda at, facts: (at, Facts(muted=frozenset(("api",)))),
        lambda at, facts: (at, Facts(later={"api": at + 60})),
    ],
)
def test_what_can_change_on_a_card_is_known_without_making_it(later: Any) -> None:
    session = one("api", "idle", 10, agents=(agent("Explore"),))
    now, facts = later(NOW, Facts())
    assert changing(session, Facts(), NOW) == changing(session, Facts(), NOW + 0.4)
    assert changing(session, facts, now) != changing(session, Facts(), NOW)
