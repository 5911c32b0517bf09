"""Test the order of urgency and the counts."""

from dataclasses import replace
from random import Random
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deskbell.board import ENDED_FOR, Board, board, leaves
from deskbell.session import BLOCKED, GROUPS, STATUSES, Session, of_every_status
from deskbell_hooks.schema import Status
from tests.tray.making import NOON, session

ORDER = [
    *("permission", "question", "input", "plan", "interrupted", "error", "idle"),
    *("limit", "working", "background", "crashed", "ended", "new"),
]

sessions = st.lists(
    st.builds(
        session,
        session_id=st.sampled_from(["a", "b", "c"]),
        pid=st.none() | st.integers(1, 3),
        status=st.sampled_from(STATUSES),
        since=st.integers(0, 20).map(lambda second: NOON - second),
        turn_started=st.none() | st.integers(0, 20).map(lambda second: NOON - second),
        hidden=st.booleans(),
        kept_until=st.none() | st.integers(0, 40).map(lambda second: NOON + second),
    ),
    max_size=8,
)


def test_every_status_has_a_place_in_the_order_of_urgency() -> None:
    assert list(STATUSES) == ORDER
    assert set(ORDER) == set(get_args(Status))


def test_a_table_must_have_every_status_and_no_other_word() -> None:
    with pytest.raises(ValueError, match="or too many: new"):
        of_every_status({status: 1 for status in ORDER if status != "new"})
    with pytest.raises(ValueError, match="or too many: newer"):
        of_every_status(dict.fromkeys([*ORDER, "newer"], 1))


def test_the_most_urgent_status_is_first() -> None:
    shuffled = [session(status=status, session_id=status) for status in sorted(ORDER)]
    assert [one.status for one in board(shuffled, NOON).sessions] == ORDER


@pytest.mark.parametrize(
    ("status", "first", "second"),
    [
        ("permission", {"since": NOON - 9}, {"since": NOON - 1}),  # the longest wait
        ("idle", {"since": NOON - 9}, {"since": NOON - 1}),
        ("ended", {"since": NOON - 9}, {"since": NOON - 1}),
        ("working", {"turn_started": NOON - 1}, {"turn_started": NOON - 9}),  # the latest turn
        ("background", {"turn_started": NOON - 1}, {"turn_started": NOON - 9}),
        ("working", {"since": NOON - 1}, {"since": NOON - 9}),  # without a known turn
        ("working", {"since": NOON - 9, "turn_started": NOON - 1}, {"since": NOON - 2, "turn_started": NOON - 8}),
        ("idle", {"since": NOON - 9, "turn_started": NOON - 9}, {"since": NOON - 1, "turn_started": NOON - 1}),
        ("idle", {"session_id": "a"}, {"session_id": "b"}),
        ("idle", {"pid": 1}, {"pid": 2}),
        ("idle", {"pid": None}, {"pid": 2}),
    ],
)
def test_the_order_within_one_status(status: Status, first: dict[str, object], second: dict[str, object]) -> None:
    one, other = session(status=status, **first), session(status=status, **second)
    assert board([one, other], NOON).sessions == board([other, one], NOON).sessions == (one, other)


@pytest.mark.parametrize("status", ["ended", "crashed"])
def test_an_ended_session_leaves_the_board_after_ten_seconds(status: Status) -> None:
    gone = session(status=status, since=NOON)
    assert board([gone], NOON + ENDED_FOR - 0.1).sessions == (gone,)
    assert board([gone], NOON + ENDED_FOR).sessions == ()


def test_a_crash_that_is_to_be_seen_stays_until_then() -> None:
    crashed = session(status="crashed", since=NOON, kept_until=NOON + 3600)
    assert board([crashed], NOON + 3599).crashed == (crashed,)
    assert board([crashed], NOON + 3600).crashed == ()
    assert board([replace(crashed, kept_until=NOON + 1)], NOON + 1).sessions == ()


@pytest.mark.parametrize("status", STATUSES)
def test_only_a_session_that_is_over_leaves_the_board_by_itself(status: Status) -> None:
    one = session(status=status)
    assert (leaves(one) is not None) == one.over == (status in ("ended", "crashed"))


def test_other_sessions_stay_however_old_they_are() -> None:
    assert len(board([session(status="idle", since=0.0)], NOON).sessions) == 1


def test_hidden_sessions_are_listed_apart() -> None:
    shown, hidden = session(session_id="a"), session(session_id="b", hidden=True)
    assert board([hidden, shown], NOON) == Board((shown,), (hidden,))


@pytest.mark.parametrize(
    ("status", "counts"),
    [
        ("permission", (1, 0, 0, 0)),
        ("question", (1, 0, 0, 0)),
        ("input", (1, 0, 0, 0)),
        ("plan", (1, 0, 0, 0)),
        ("interrupted", (0, 1, 0, 0)),
        ("error", (0, 1, 0, 0)),
        ("idle", (0, 1, 0, 0)),
        ("working", (0, 0, 1, 0)),
        ("background", (0, 0, 1, 0)),
        ("crashed", (0, 0, 0, 1)),
        ("ended", (0, 0, 0, 0)),
    ],
)
def test_every_session_is_counted_once(status: Status, counts: tuple[int, int, int, int]) -> None:
    """blocked, your turn, running, crashed"""
    found = board([session(status=status)], NOON)
    assert (len(found.blocked), len(found.your_turn), len(found.running), len(found.crashed)) == counts


def test_hidden_sessions_are_not_counted() -> None:
    found = board([session(status=status, hidden=True) for status in STATUSES], NOON)
    assert found.needs_you == found.blocked == found.running == ()


@given(sessions, st.randoms())
def test_the_order_does_not_depend_on_the_order_of_the_sessions(some: list[Session], random: Random) -> None:
    distinct = list({one.key: one for one in some}.values())
    shuffled = random.sample(distinct, len(distinct))
    assert board(distinct, NOON) == board(shuffled, NOON)


@given(sessions, st.floats(0, 30))
def test_no_session_is_lost_or_doubled_but_those_that_ended(some: list[Session], later: float) -> None:
    now = NOON + later
    found = board(some, now)
    left = [one for one in some if (until := leaves(one)) is not None and now >= until]
    assert sorted([*found.sessions, *found.hidden, *left], key=str) == sorted(some, key=str)


@given(sessions)
def test_the_groups_are_the_board_in_its_order(some: list[Session]) -> None:
    found = board(some, NOON)
    ended = tuple(one for one in found.sessions if one.group == "ended")
    assert found.sessions == (*found.needs_you, *found.running, *found.crashed, *ended, *found.new)
    assert found.needs_you == (*found.blocked, *found.your_turn)


@given(sessions)
def test_a_board_that_is_arranged_again_stays_as_it_is(some: list[Session]) -> None:
    found = board(some, NOON)
    assert board([*found.sessions, *found.hidden], NOON) == found


def test_a_session_that_becomes_blocked_comes_before_all_that_are_not() -> None:
    others = [session(status=status, session_id=status) for status in GROUPS if status not in BLOCKED]
    for status in BLOCKED:
        assert board([*others, session(status=status)], NOON).sessions[0].status == status
