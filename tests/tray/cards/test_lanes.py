"""Test which sessions stand in which lane of the board, in which order, filtered, folded and grouped."""

from typing import Any

import pytest

from deskbell.board import board
from deskbell.cards.lanes import COLD, UNKNOWN, WARM, Lane, View, lanes, past, warmth
from deskbell.session import Session
from tests.tray.cards.boards import NOW, OFFICE, one


def laid(*sessions: Session, now: float = NOW, **view: Any) -> dict[str, Lane]:
    arranged = board(sessions, now)
    return {lane.name: lane for lane in lanes(arranged, past(arranged, sessions), View(**view), now)}


def names(lane: Lane) -> list[str]:
    return [session.session_id for session in lane.sessions]


@pytest.mark.parametrize(
    ("sessions", "order"),
    [
        ([one("idle", "idle", 1000), one("asks", "question", 900), one("runs", "permission", 800)], "runs asks idle"),
        ([one("older", "idle", 900), one("newer", "idle", 800)], "newer older"),
        ([one("cold", "permission", 301), one("warm", "idle", 299)], "warm cold"),
        ([one("warm", "idle", 10), one("asks", "permission", 200)], "asks warm"),
        ([one("failed", "error", 10), one("warm", "idle", 290)], "warm failed"),
        ([one("cold", "permission", 900), one("failed", "error", 10)], "failed cold"),
        ([one("failed", "error", 900), one("cold", "permission", 900)], "cold failed"),
        ([one("never", "idle", 5, turns=0), one("cold", "permission", 900)], "cold never"),
        ([one("b", "idle", 900), one("a", "idle", 900)], "a b"),
    ],
)
def test_a_warm_cache_goes_before_what_is_urgent_and_that_before_what_is_new(sessions: Any, order: str) -> None:
    assert names(laid(*sessions)["needs_you"]) == order.split()


@pytest.mark.parametrize(
    ("status", "ago", "expected"),
    [("idle", 0, WARM), ("idle", 299, WARM), ("idle", 300, COLD), ("permission", 10, WARM), ("error", 10, UNKNOWN), ("error", 400, COLD)],
)  # fmt: skip
def test_the_cache_is_warm_for_five_minutes_after_the_session_stopped(status: str, ago: float, expected: int) -> None:
    assert warmth(one("a", status, ago), NOW) == expected


def test_the_newest_prompt_runs_on_top_whatever_happened_since() -> None:
    first = one("first", "working", 10, turn_started=NOW - 900)
    latest = one("latest", "background", 500, turn_started=NOW - 60)
    unknown = one("unknown", "working", 100)
    assert names(laid(first, latest, unknown)["running"]) == ["latest", "unknown", "first"]


def test_the_sessions_that_were_never_prompted_have_a_lane_of_their_own_at_the_end() -> None:
    laid_out = laid(*OFFICE, one("fresh", "new", 20))
    assert list(laid_out) == ["needs_you", "running", "ended", "new"]
    assert names(laid_out["new"]) == ["fresh"]
    assert "new" not in laid(*OFFICE)
    assert "new" not in laid(one("fresh", "new", 20), query="else")
    assert "new" not in laid(one("fresh", "new", 20), only_needs_you=True)


def test_what_crashed_stands_on_top_of_what_ended_which_is_folded() -> None:
    folded = laid(*OFFICE)["ended"]
    assert (names(folded), folded.folded, folded.many) == (["mobile"], 1, 2)
    unfolded = laid(*OFFICE, one("new", "ended", 4000, pid=None), unfolded=True)["ended"]
    assert (names(unfolded), unfolded.folded) == (["mobile", "new", "old"], 0)


def test_a_session_that_has_just_ended_is_counted_once() -> None:
    assert names(laid(one("a", "ended", 1, pid=None), unfolded=True)["ended"]) == ["a"]


def test_a_run_without_a_person_is_in_no_lane_even_after_its_end() -> None:
    found = laid(one("print", "ended", 60, pid=None, hidden=True), one("live", hidden=True), unfolded=True)
    assert [names(lane) for lane in found.values()] == [[], [], []]


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("", "api infra web"),
        ("API", "api"),
        ("npm", "api"),
        ("do main", "api"),
        ("your turn", "infra"),
        ("question", "web"),
        ("opus", "api"),
        ("nothing", ""),
    ],
)
def test_a_filter_keeps_the_sessions_that_have_each_of_its_words(query: str, found: str) -> None:
    assert sorted(names(laid(*OFFICE, query=query)["needs_you"])) == found.split()


def test_only_who_needs_the_person_is_one_lane() -> None:
    assert list(laid(*OFFICE, only_needs_you=True)) == ["needs_you"]


def test_projects_that_would_print_alike_are_told_apart() -> None:
    names = ["api", "api\x07", "web\x07"]
    groups = laid(*(one(name, "idle", project=name) for name in names), by_project=True)["needs_you"].groups
    assert sorted(group.name for group in groups) == ["api", "api\\u0007", "web\x07"]


def test_projects_are_grouped_in_the_order_of_their_first_session() -> None:
    sessions = [
        one("1", "permission", 400, project="b"),
        one("2", "idle", 400, project="a"),
        one("3", "idle", 500, project="b"),
    ]
    groups = laid(*sessions, by_project=True)["needs_you"].groups
    assert [(group.name, [one.session_id for one in group.sessions]) for group in groups] == [
        ("b", ["1", "3"]),
        ("a", ["2"]),
    ]
