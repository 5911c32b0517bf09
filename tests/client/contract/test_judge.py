"""Test what is said of a fact: it holds, no longer holds or could not be checked; and how the table says it."""

import pytest

from tests.client.contract.judge import (
    FAILS,
    HOLDS,
    UNCHECKED,
    Fact,
    Judgement,
    Span,
    at_most,
    exit_code,
    judged,
    table,
)
from tests.client.contract.seen import Missing, Part, Run

STOPS = {"at": 10.5, "hook": {"hook_event_name": "Stop", "reason": "done"}}
RUN = Run(
    (Part("a turn", "turns", 7, 10.0, hooks=(STOPS,)), Part("a rest", "turns", 7, 20.0, trouble="no prompt came"))
)


def fires(run: Run) -> str:
    return run["a turn"].fired


def delay(run: Run) -> float:
    return float(run["a turn"].hook("Stop")["at"]) - run["a turn"].began


def nothing(run: Run) -> str:
    raise Missing("no Stop")


def one(expected: str | Span, look: object = fires) -> Judgement:
    [found] = judged([Fact("A turn ends.", expected, look, ("fold.py", "truth.py"))], RUN)  # type: ignore[arg-type]
    return found


@pytest.mark.parametrize(
    ("expected", "look", "seen", "verdict"),
    [
        ("Stop", fires, "Stop", HOLDS),
        ("nothing", fires, "Stop", FAILS),
        ("Stop", nothing, "no Stop", FAILS),
        ("Stop", lambda run: run["a rest"].fired, "no prompt came", UNCHECKED),
        ("Stop", lambda run: run["a dance"].fired, "'a dance' was not played", UNCHECKED),
        ("Stop", lambda run: run["a turn"].notes["gone"], "unreadable: KeyError('gone')", FAILS),
        (Span(0.0, 0.6), delay, "0.50 s", HOLDS),
        (Span(0.0, 0.4), delay, "0.50 s", FAILS),
        (Span(0.6, 2.0), delay, "0.50 s", FAILS),
        (at_most(0.5), delay, "0.50 s", HOLDS),
        (at_most(0.4), delay, "0.50 s", FAILS),
        (at_most(0.4), fires, "Stop", FAILS),
    ],
)
def test_a_fact_holds_only_where_the_client_does_what_is_expected(
    expected: str | Span, look: object, seen: str, verdict: str
) -> None:
    found = one(expected, look)
    assert (found.seen, found.verdict) == (seen, verdict)


def test_a_judgement_names_the_parts_that_it_rests_on() -> None:
    facts = [Fact("One.", "Stop", fires, ()), Fact("None.", "", lambda run: "", ())]
    assert [found.parts for found in judged(facts, RUN)] == [{"a turn"}, set()]


def test_the_table_has_a_row_for_each_fact_and_counts_the_verdicts() -> None:
    lines = [*table([one("Stop"), one("nothing"), one(at_most(0.4), delay)], "2.1.999")]
    assert [line.split("  ")[-1] for line in lines[:4]] == ["Claude Code 2.1.999", HOLDS, FAILS, FAILS]
    assert "at most 0.4 s" in lines[3]
    assert lines[5] == "1 holds, 2 no longer holds, 0 could not be checked"


def test_the_table_ends_with_what_rests_on_a_fact_that_no_longer_holds() -> None:
    assert [*table([one("Stop"), one("nothing")], "2.1.999")][-3:] == [
        "No longer holds: A turn ends.",
        "    fold.py rests on it",
        "    truth.py rests on it",
    ]


def test_a_long_cell_goes_on_in_the_next_line() -> None:
    row = [*table([one("Stop " * 12)], "2.1.999")][1:3]
    assert row[0].endswith(FAILS)
    assert row[1].split() == ["Stop"] * 5


@pytest.mark.parametrize(
    ("judgements", "code"),
    [
        ([one("Stop")], 0),
        ([one("Stop"), one("nothing")], 1),
        ([one("Stop"), one("Stop", lambda run: run["a rest"].fired)], 2),
        ([one("nothing"), one("Stop", lambda run: run["a rest"].fired)], 1),
        ([], 2),
    ],
)
def test_the_exit_code_says_whether_all_facts_hold(judgements: list[Judgement], code: int) -> None:
    assert exit_code(judgements) == code
