"""Test which sessions began to want their person between two readings, and which no longer do."""

from collections.abc import Iterable
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deskbell.board import Board
from deskbell.notices.asks import SAME_ASK, Asked
from deskbell.notices.notice import notice
from deskbell.notices.policy import Policy
from deskbell.notices.wants import (
    ASKS,
    CRASHED_FOR,
    WANTING,
    Memory,
    RingState,
    Want,
    Wants,
    by_the_clock,
    reported_until,
    wants,
)
from deskbell.session import STATUSES, Session
from deskbell_hooks.requests import BY_ITSELF
from deskbell_hooks.schema import Status
from tests.tray.story import NOON, session

POLICY = Policy()
FIRST = Memory(first=NOON - 1000)
"""A memory of one who has been looking for long."""
NEVER_RING = frozenset(STATUSES) - WANTING


def board(*sessions: Session, hidden: Iterable[Session] = ()) -> Board:
    return Board(sessions, tuple(hidden))


def at(status: Status, since: float, **more: object) -> Session:
    return session("api", status, NOON + since, **more)


def memory(want: Want | None = None, run: float | None = None, **more: object) -> Memory:
    key = session("api").key
    made = replace(FIRST, wants={key: want} if want else {}, runs={key: run} if run is not None else {})
    return replace(made, **more)  # type: ignore[arg-type]  # the fields of Memory


def wanting(of: Session, **more: object) -> Want:
    made = Want(of, f"{of.session_id}:{of.pid}", of.since, of.since)
    return replace(made, **more)  # type: ignore[arg-type]  # the fields of Want


def change(before: Session | None, after: Session, want: Want | None = None, **more: object) -> Wants:
    """What follows when a session that was BEFORE is AFTER."""
    was = board(before) if before else board()
    return wants(was, board(after), POLICY, NOON + 100, memory(want, **more))  # type: ignore[arg-type]


# before, after: whether that begins a want
BEGINS: dict[str, tuple[Session | None, Session, bool]] = {
    **{f"working, then {s}": (at("working", -60), at(s, 0), True) for s in sorted(WANTING)},
    **{f"working, then {s}": (at("working", -60), at(s, 0), False) for s in sorted(NEVER_RING)},
    **{f"background, then {s}": (at("background", -60), at(s, 0), True) for s in sorted(WANTING)},
    "working, then idle as it was before": (at("working", -60), at("idle", -61), False),
    "working, then error as it was before": (at("working", -60), at("error", -61), False),
    "permission, then idle since before it": (at("permission", -60), at("idle", -61), True),
    "permission, then idle": (at("permission", -60), at("idle", 0), True),
    "permission, then error": (at("permission", -60), at("error", 0), True),
    "limit, then error": (at("limit", -60), at("error", 0), True),
    "limit, then working": (at("limit", -60), at("working", 0), False),
    "limit, then idle": (at("limit", -60), at("idle", 0), True),
    "limit, then input": (at("limit", -60), at("input", 0), True),
    "idle, then limit": (at("idle", -60), at("limit", 0), False),
    "new, then working": (at("new", -60), at("working", 0), False),
    "new, then idle": (at("new", -60), at("idle", 0), False),
    "new, then permission": (at("new", -60), at("permission", 0), True),
    "new, then crashed": (at("new", -60), at("crashed", 0), True),
    "idle, then permission": (at("idle", -60), at("permission", 0), True),
    "idle, then crashed": (at("idle", -60), at("crashed", 0), True),
    "ended, then crashed": (at("ended", -60), at("crashed", 0), False),
    "idle, then interrupted": (at("idle", -60), at("interrupted", 0), False),
    "idle, then idle": (at("idle", -60), at("idle", -60), False),
    "idle, then idle later": (at("idle", -60), at("idle", 0), False),
    "idle, then idle after a turn": (at("idle", -60, turns=1), at("idle", 0, turns=2), True),
    "idle, then idle of a turn before": (at("idle", -60, turns=1), at("idle", -60, turns=2), False),
    "idle, then error after a turn": (at("idle", -60, turns=1), at("error", 0, turns=2), True),
    "ended, then idle": (at("ended", -60), at("idle", 0), False),
    "error, then permission at once": (at("error", -0.5), at("permission", 0), True),
    "permission, then permission at once": (at("permission", -0.5), at("permission", 0), False),
    "permission, then permission": (at("permission", -1.0), at("permission", 0), True),
    "input, then permission at once": (at("input", -0.5), at("permission", 0), False),
    **{f"new, {s}": (None, at(s, 0), True) for s in ("permission", "question", "input", "plan", "error", "interrupted")},
    **{f"new, {s}": (None, at(s, 0), False) for s in ("idle", "crashed", "working", "ended", "background", "limit", "new")},
    **{f"new, {s} since before the first reading": (None, at(s, -2000), True) for s in sorted(ASKS)},
    **{f"new, {s} since before the first reading": (None, at(s, -2000), False) for s in sorted(WANTING - ASKS)},
    "new, interrupted since the first reading": (None, at("interrupted", -1000), False),
}  # fmt: skip


@pytest.mark.parametrize(("before", "after", "begins"), BEGINS.values(), ids=BEGINS)
def test_a_transition_begins_a_want(before: Session | None, after: Session, begins: bool) -> None:
    found = change(before, after)
    assert (list(found.now), found.over) == ([after.key] if begins else [], [])
    if begins:
        want = found.now[after.key]
        assert (want.session, want.asked, want.state, want.shown) == (after, after.since, "new", None)


# since when a request waits that is new on the board, and when it counts as found
FOUND = {
    "before the first reading": (-2000, NOON + 100),
    "at the moment of the first reading": (-1000, NOON + 100),
    "just after the first reading": (-999.9, None),
}


@pytest.mark.parametrize(("since", "found"), FOUND.values(), ids=FOUND)
def test_a_request_that_waited_before_the_first_reading_is_found_waiting(since: float, found: float | None) -> None:
    assert change(None, at("permission", since)).now[session("api").key].found == found


def test_at_the_first_reading_every_request_is_found_waiting_and_nothing_else_is_news() -> None:
    everything = [session(status, status, NOON + 50) for status in STATUSES]
    found = wants(board(), board(*everything), POLICY, NOON + 50, Memory()).now
    assert {key: want.found for key, want in found.items()} == {session(s).key: NOON + 50 for s in ASKS}


def test_a_request_that_is_seen_to_begin_is_not_found_waiting() -> None:
    assert change(at("working", -60), at("permission", -2000)).now[session("api").key].found is None


# the want, the session now: what ended it; None if it goes on
ENDS: dict[str, tuple[Status, Status, str | None]] = {
    "the same": ("permission", "permission", None),
    "an error stays": ("error", "error", None),
    "answered": ("permission", "working", "it was answered"),
    "answered in the background": ("question", "background", "it was answered"),
    "answered, and over": ("plan", "idle", "it was answered"),
    "it went on": ("idle", "working", "it went on"),
    "it was resumed": ("crashed", "working", "it went on"),
    "it ended": ("permission", "ended", "it ended"),
    "it crashed": ("permission", "crashed", "it crashed"),
}


@pytest.mark.parametrize(("status", "then", "how"), ENDS.values(), ids=ENDS)
def test_a_want_ends(status: Status, then: Status, how: str | None) -> None:
    old = wanting(at(status, -60), shown=notice(at(status, -60), POLICY, "at once", NOON))
    now = at(then, 0 if how else -60)
    found = change(at(status, -60), now, old)
    if how is None:
        assert (found.now, found.over) == ({now.key: replace(old, session=now)}, [])
        return
    replaced = then in WANTING
    assert found.over == [(replace(old, shown=None) if replaced else old, how)]
    assert [want.shown for want in found.now.values()] == ([old.shown] if replaced else [])


def test_a_new_want_takes_the_place_of_the_old_one_on_the_screen() -> None:
    old = wanting(at("permission", -60), slot="its own", shown=notice(at("permission", -60), POLICY, "at once", NOON))
    found = change(at("permission", -60), at("question", 0), old)
    (want,) = found.now.values()
    assert (want.slot, want.shown, want.state, want.steps) == ("its own", old.shown, "new", 0)


@pytest.mark.parametrize(("since", "same"), [(SAME_ASK - 0.01, True), (SAME_ASK, False)])
def test_one_request_is_counted_from_when_it_was_first_heard_of(since: float, same: bool) -> None:
    old = wanting(at("input", 0))
    found = change(at("input", since - 0.01), at("permission", since), old)
    assert (found.over == []) is same
    assert found.now[old.session.key].asked == (old.asked if same else NOON + since)


def test_the_delay_of_its_status_makes_a_want_due() -> None:
    slow = Policy.model_validate({"rings": {"permission": {"delay": 5}}})
    (want,) = wants(board(at("working", -60)), board(at("permission", 0)), slow, NOON, FIRST).now.values()
    assert want.due == NOON + 5
    (want,) = change(at("working", -60), at("idle", 0)).now.values()
    assert want.due == NOON + 1


# the session now, since when it ran: how long the turn took
TURNS: dict[str, tuple[Session, float | None, float | None]] = {
    "since the run began": (at("idle", 0, last_turn_seconds=5.0), NOON - 90, 90.0),
    "an error ends a turn": (at("error", 0), NOON - 90, 90.0),
    "an interruption ends a turn": (at("interrupted", 0), NOON - 90, 90.0),
    "by the client's own seconds": (at("idle", 0, last_turn_seconds=5.0), None, 5.0),
    "unknown": (at("idle", 0), None, 0.0),
    "never less than nothing": (at("idle", 0), NOON + 19.2, 0.0),
    "never less than nothing by the client's own seconds": (at("idle", 0, last_turn_seconds=-19.2), None, 0.0),
    "a request does not end a turn": (at("permission", 0), NOON - 90, None),
    "a crash does not end a turn": (at("crashed", 0), NOON - 90, None),
}


@pytest.mark.parametrize(("after", "run", "turn"), TURNS.values(), ids=TURNS)
def test_how_long_the_turn_took(after: Session, run: float | None, turn: float | None) -> None:
    (want,) = change(at("working", -60), after, run=run).now.values()
    assert (want.turn, want.run) == (turn, run)


# when the person was there, from the end of the turn, and since when it ran: how long it ran without them
WITHOUT_PERSON = [(-4.0, NOON - 90, 4.0), (-90.0, NOON - 40, 40.0), (-4.0, None, 4.0), (1.0, NOON - 90, 0.0)]


@pytest.mark.parametrize("was_known", [True, False])
@pytest.mark.parametrize(("person", "run", "turn"), WITHOUT_PERSON)
def test_a_turn_counts_from_when_the_person_was_there(
    person: float, run: float | None, turn: float, was_known: bool
) -> None:
    before = at("working", -60, person_at=NOON + person if was_known else None)
    ended = at("idle", 0, last_turn_seconds=35.0, person_at=NOON + person)
    (want,) = change(before, ended, run=run).now.values()
    assert want.turn == turn


HOUR = 3600.0


def test_a_request_from_the_future_is_asked_now() -> None:
    (want,) = change(at("working", -60), at("permission", HOUR)).now.values()
    assert (want.asked, want.due, want.stamp) == (NOON + 100, NOON + 100, NOON + HOUR)


def test_a_request_from_the_future_is_still_the_same_at_the_next_reading() -> None:
    before = at("permission", HOUR)
    (want,) = change(at("working", -60), before).now.values()
    found = change(before, before, want)
    assert (list(found.now.values()), found.over) == ([want], [])


# by how much the clock was set, whether nobody sets another one: by how much the times of the memory move
SET = [(-HOUR, True, -HOUR), (HOUR, True, HOUR), (-HOUR, False, 5 - HOUR), (HOUR, False, 0.0), (0.01, True, 0.0)]


@pytest.mark.parametrize(("by", "even", "moved"), SET)
def test_the_times_of_the_memory_go_with_the_clock(by: float, even: bool, moved: float) -> None:
    want = wanting(at("permission", 0), rung=NOON + 2, seen=None)
    before = memory(want, NOON - 90, at=NOON + 5, elapsed=1.0 if even else None)
    after = by_the_clock(before, NOON + 10 + by, 6.0 if even else None)
    (found,) = after.wants.values()
    assert (found.asked, found.rung, found.seen) == (NOON + moved, NOON + 2 + moved, None)
    assert (after.runs[want.session.key], found.set_back) == (NOON - 90 + moved, moved < 0)


def test_before_the_first_call_there_is_nothing_to_set() -> None:
    assert by_the_clock(Memory(), NOON, 1.0) == Memory()
    assert by_the_clock(Memory(at=NOON + HOUR), NOON, None).first is None


@pytest.mark.parametrize(("since", "is_new"), [(-HOUR, True), (-2.0, False), (0.5, False), (5.0, True)])
def test_after_the_clock_was_set_back_an_earlier_request_is_the_next_one(since: float, is_new: bool) -> None:
    before = at("permission", 0)
    found = change(before, at("permission", since), wanting(before, set_back=True))
    assert (len(found.over) == 1) == is_new


# the end of the turn, the person's prompt, the run, by how much the clock was set back: how long the turn took
STAMPED_BEFORE = {
    "the end, before it was set back": (HOUR, None, NOON - 90 - HOUR, HOUR, 90.0 + HOUR),
    "the end, before it was set ahead": (0.0, None, NOON - 90 + HOUR, -HOUR, 90.0),
    "the prompt, before it was set back": (0.0, HOUR, NOON - 90, HOUR, 90.0),
    "nothing": (0.0, -90.0, NOON - 90, 0.0, 90.0),
}


@pytest.mark.parametrize(("since", "person", "run", "by", "turn"), STAMPED_BEFORE.values(), ids=STAMPED_BEFORE)
def test_a_turn_is_as_long_as_it_was_by_either_clock(
    since: float, person: float | None, run: float, by: float, turn: float
) -> None:
    person_at = None if person is None else NOON + person
    ended = at("idle", since, person_at=person_at)
    (want,) = change(at("working", -60, person_at=person_at), ended, run=run, by=by).now.values()
    assert want.turn == turn


# before, now, the run so far: since when it runs
RUNS: dict[str, tuple[Session | None, Session, float | None, float | None]] = {
    "it works on": (at("working", -60), at("working", 0), NOON - 90, NOON - 90),
    "in the background": (at("working", -60), at("background", 0), NOON - 90, NOON - 90),
    "a question in between": (at("working", -60), at("question", 0), NOON - 90, NOON - 90),
    "answered": (at("question", -60), at("working", 0), NOON - 90, NOON),
    "answered, and nothing was known": (at("question", -60), at("working", 0), None, NOON),
    "answered, and the person was there before it asked": (
        at("question", -60, person_at=NOON - 80), at("working", 0, person_at=NOON - 80), NOON - 90, NOON
    ),
    "answered, and said to run since it asked": (at("permission", 0), at("working", 0), NOON - 90, NOON + 100),
    "answered by a hook": (at("permission", -0.25), at("working", 0), NOON - 90, NOON - 90),
    "answered no faster than a person": (at("permission", -BY_ITSELF), at("working", 0), NOON - 90, NOON),
    "answered, and said to run since before": (at("permission", 0), at("working", -60), NOON - 90, NOON + 100),
    "the same request": (at("permission", -0.75), at("permission", 0), NOON - 90, NOON - 90),
    "the next request": (at("permission", -60), at("permission", 0), NOON - 90, NOON),
    "the person was there meanwhile": (
        at("working", -60, person_at=NOON - 90), at("working", -60, person_at=NOON - 5), NOON - 90, NOON - 5
    ),
    "the person was there, as is reported only now": (at("working", -60), at("working", 0, person_at=NOON - 5), NOON, NOON),
    "the person was there before": (
        at("working", -60, person_at=NOON - 5), at("working", 0, person_at=NOON - 5), NOON - 3, NOON - 3
    ),
    "an earlier sign is all that is left": (
        at("working", -60, person_at=NOON - 5), at("working", 0, person_at=NOON - 90), NOON - 5, NOON - 5
    ),
    "answered a while ago, as is reported only now": (
        at("permission", -60), at("idle", 0, person_at=NOON - 40), NOON - 90, None
    ),
    "answered, and the command ran on": (
        at("permission", -60), at("background", 0, person_at=NOON - 40), NOON - 90, NOON - 40
    ),
    "a new session whose person was there": (
        None, at("working", -60, turn_started=NOON - 90, person_at=NOON - 5), None, NOON - 5
    ),
    "over": (at("working", -60), at("idle", 0), NOON - 90, None),
    "a question of which no run is known": (at("idle", -60), at("question", 0), None, None),
    "it begins": (at("idle", -60), at("working", 0), None, NOON),
    "it begins with its turn": (at("idle", -60), at("working", 0, turn_started=NOON - 7), None, NOON - 7),
    "a turn that began before the session was idle": (
        at("idle", -60), at("working", 0, turn_started=NOON - 90), None, NOON
    ),
    "a turn and a status that began before the session was idle": (
        at("idle", -60), at("working", -90, turn_started=NOON - 95), None, NOON + 100
    ),
    "a turn that began when the session became idle": (
        at("idle", -60), at("working", 0, turn_started=NOON - 60), None, NOON - 60
    ),
    "a new session": (None, at("working", 0, turn_started=NOON - 7), None, NOON - 7),
    "a new session, since ever": (None, at("working", 0), None, NOON),
    "it ran, and nothing was known": (at("working", -60), at("working", 0, turn_started=NOON - 90), None, NOON - 90),
    "at the first moment of time": (None, at("working", 0, turn_started=0.0), None, 0.0),
}  # fmt: skip


@pytest.mark.parametrize(("before", "after", "run", "since"), RUNS.values(), ids=RUNS)
def test_when_a_run_began(before: Session | None, after: Session, run: float | None, since: float | None) -> None:
    assert change(before, after, run=run).runs == ({} if since is None else {after.key: since})


@pytest.mark.parametrize(
    ("old", "since"),
    [
        (wanting(at("idle", -1), run=NOON - 90), NOON - 90),
        (wanting(at("idle", -1)), NOON - 1),
        (wanting(at("idle", -1), run=NOON - 90, state="shown"), NOON - 1),
        (wanting(at("interrupted", -1), run=NOON - 90), NOON - 1),
    ],
)
def test_an_end_of_turn_that_did_not_last_does_not_end_a_run(old: Want, since: float) -> None:
    found = change(at("idle", -1), at("working", 0, turn_started=NOON - 1), old)
    assert found.runs == {old.session.key: since}


def test_the_latest_want_of_each_status_that_rang_is_remembered_after_it_is_over() -> None:
    key = session("api").key
    earlier = {key: {"idle": Asked(NOON - 500)}}
    found = change(at("working", -60), at("permission", 0), latest=earlier)
    assert found.latest == earlier
    silent, rang = wanting(at("permission", 0)), wanting(at("permission", 0), called=NOON)
    assert change(at("permission", 0), at("working", 5), silent, latest=earlier).latest == earlier
    after = change(at("permission", 0), at("working", 5), rang, latest=earlier)
    assert after.latest == {key: {"idle": Asked(NOON - 500), "permission": Asked(NOON)}}
    assert change(at("working", -60), at("working", 0)).latest == {}


def test_a_want_that_rang_is_remembered_with_the_time_and_the_request_that_it_rang_for() -> None:
    """The reading before may give another time, and may not know which request it is."""
    before = at("permission", 0.5)
    rang = wanting(before, asked=NOON, ask=(10, ""), called=NOON)
    found = change(before, at("working", 5), rang)
    assert found.latest == {before.key: {"permission": Asked(NOON, (10, ""))}}


def test_a_person_answers_a_request_from_when_it_was_first_heard_of() -> None:
    before, after = at("permission", 0.75), at("working", 1)
    assert change(before, after, wanting(before, asked=NOON), run=NOON - 90).runs == {after.key: NOON + 1}
    assert change(before, after, run=NOON - 90).runs == {after.key: NOON - 90}


def test_a_request_that_seemed_over_comes_back_as_the_same() -> None:
    key = session("api").key
    (want,) = change(at("working", 1), at("permission", 0), latest={key: {"permission": Asked(NOON)}}).now.values()
    assert want.again
    (want,) = change(at("working", 1), at("permission", 2), latest={key: {"permission": Asked(NOON)}}).now.values()
    assert not want.again
    (want,) = change(at("working", 1), at("question", 0), latest={key: {"permission": Asked(NOON)}}).now.values()
    assert not want.again


def test_the_next_request_is_news_however_soon_it_comes() -> None:
    first, then = at("permission", 0, ask=(10, "a")), at("permission", 0.2, ask=(20, "b"))
    old = wanting(first, ask=first.ask, called=NOON)
    found = change(first, then, old)
    assert [(want.asked, want.ask, want.again) for want in found.now.values()] == [(NOON + 0.2, (20, "b"), False)]
    assert found.latest == {first.key: {"permission": Asked(NOON, (10, "a"))}}


def test_a_want_remembers_its_request_while_only_the_registry_knows_of_it() -> None:
    first, unknown = at("permission", 0, ask=(10, "")), at("permission", 0.5)
    (kept,) = change(first, unknown, wanting(first, ask=first.ask)).now.values()
    assert (kept.session, kept.ask) == (unknown, (10, ""))
    (new,) = change(unknown, at("permission", 0.6, ask=(20, "")), kept).now.values()
    assert (new.asked, new.ask) == (NOON + 0.6, (20, ""))


def test_a_want_learns_its_request_from_a_hook_that_follows_the_registry() -> None:
    unknown, known = at("permission", 0), at("permission", 0.1, ask=(10, ""))
    (kept,) = change(unknown, known, wanting(unknown)).now.values()
    assert (kept.asked, kept.ask) == (NOON, (10, ""))
    (new,) = change(known, at("permission", 0.2, ask=(20, "")), kept).now.values()
    assert (new.asked, new.ask) == (NOON + 0.2, (20, ""))


def test_the_request_of_a_session_without_a_want_is_known_from_the_reading_before() -> None:
    first = at("permission", 0, ask=(10, ""))
    assert change(first, at("permission", 0.2, ask=(10, ""))).now == {}
    assert len(change(first, at("permission", 0.2, ask=(20, ""))).now) == 1


def known_as(before: list[int | None], now: list[int | None], pid: int | None) -> int | str | None:
    """The pid under which the session PID was known before: those BEFORE and NOW are terminals of one session."""
    was = board(*(at("working", -60, pid=p) for p in before))
    runs = {("api-id", p): float(p or 1) for p in before}
    found = wants(was, board(*(at("working", 0, pid=p) for p in now)), POLICY, NOON, replace(FIRST, runs=runs))
    return next((p for p in before if found.runs.get(("api-id", pid)) == float(p or 1)), "new")


# pids before, pids now, which of them: the pid it was known by
KNOWN: dict[str, tuple[list[int | None], list[int | None], int | None, int | str | None]] = {
    "the same": ([7], [7], 7, 7),
    "its process is heard of": ([None], [7], 7, None),
    "its process is not heard of any more": ([7], [None], None, 7),
    "another process": ([7], [8], 8, "new"),
    "a second process": ([7], [7, 8], 8, "new"),
    "a second, beside one without a process": ([None], [None, 8], 8, "new"),
    "one of two processes": ([7, 8], [None], None, "new"),
    "one of two, the other is still there": ([7, 8], [7, None], None, 8),
    "both of two": ([7, 8], [7, 8], 8, 8),
    "the first of two processes that are heard of": ([None], [7, 8], 7, None),
    "the second of two processes that are heard of": ([None], [7, 8], 8, "new"),
}


@pytest.mark.parametrize(("before", "now", "pid", "known"), KNOWN.values(), ids=KNOWN)
def test_a_session_is_known_again(
    before: list[int | None], now: list[int | None], pid: int | None, known: int | str | None
) -> None:
    assert known_as(before, now, pid) == known


def test_a_want_follows_its_session_to_the_process_that_is_heard_of() -> None:
    old = wanting(at("permission", 0, pid=None), slot="its own")
    before, after = at("permission", 0, pid=None), at("permission", 0, pid=7)
    was = replace(FIRST, wants={before.key: old}, latest={before.key: {"permission": Asked(NOON)}})
    found = wants(board(before), board(after), POLICY, NOON, was)
    assert (found.now, found.over) == ({after.key: replace(old, session=after)}, [])
    assert found.latest == {after.key: {"permission": Asked(NOON)}}


# the want, the board after its session has left it: what ended the want; None if it stays
LEAVES: dict[str, tuple[Status, Board, float, str | None]] = {
    "gone": ("permission", board(), 5, "its session is gone"),
    "gone, others are there": ("permission", board(session("web")), 5, "its session is gone"),
    "crashed": ("crashed", board(), 5, None),
    "crashed, almost forgotten": ("crashed", board(), CRASHED_FOR - 0.1, None),
    "crashed, forgotten": ("crashed", board(), CRASHED_FOR, "its session is gone"),
    "crashed, resumed": ("crashed", board(at("idle", 5, pid=7)), 5, "it was resumed"),
    "crashed, and another process ended": ("crashed", board(at("ended", 5, pid=7)), 5, None),
    "unattended now": ("permission", board(hidden=[at("permission", 0)]), 5, "it runs unattended"),
    "another is unattended": ("permission", board(hidden=[session("web")]), 5, "its session is gone"),
}


@pytest.mark.parametrize(("status", "after", "later", "how"), LEAVES.values(), ids=LEAVES)
def test_a_session_leaves_the_board(status: Status, after: Board, later: float, how: str | None) -> None:
    of = at(status, 0)
    old = wanting(of, state="shown", rung=NOON)
    found = wants(board(of), after, POLICY, NOON + later, memory(old))
    assert (found.now, found.over) == (({of.key: old}, []) if how is None else ({}, [(old, how)]))


@pytest.mark.parametrize(
    ("after", "later", "how"),
    [
        (board(), 5, "it was seen"),
        (board(at("idle", 5, pid=7)), 5, "it was resumed"),
        (board(at("crashed", 0, kept_until=NOON + 9999)), CRASHED_FOR - 0.1, None),
        (board(at("crashed", 0, kept_until=NOON + 9999)), CRASHED_FOR, "it is in the menu"),
    ],
)
def test_the_notification_of_a_crash_that_stays_on_the_board(after: Board, later: float, how: str | None) -> None:
    of = at("crashed", 0, kept_until=NOON + 9999)
    old = wanting(of, state="shown", rung=NOON)
    found = wants(board(of), after, POLICY, NOON + later, memory(old))
    assert (found.now, found.over) == (({of.key: old}, []) if how is None else ({}, [(old, how)]))


@pytest.mark.parametrize(
    ("state", "rung", "until"),
    [
        ("shown", NOON, NOON + CRASHED_FOR),
        ("seen", NOON + 5, NOON + 5 + CRASHED_FOR),
        ("held", NOON, None),
        ("silent", NOON, None),
        ("new", None, None),
    ],
)
def test_only_a_crash_that_rang_or_was_seen_is_over_after_a_time(
    state: RingState, rung: float | None, until: float | None
) -> None:
    crash, request = (wanting(at(status, 0), state=state, rung=rung) for status in ("crashed", "permission"))
    assert (reported_until(crash), reported_until(request)) == (until, None)


def test_a_crash_that_never_rings_leaves_with_its_session() -> None:
    old = wanting(at("crashed", 0), state="silent")
    found = wants(board(old.session), board(), POLICY, NOON + 5, memory(old))
    assert (found.now, found.over) == ({}, [(old, "its session is gone")])


SESSIONS = st.lists(
    st.builds(
        session,
        project=st.sampled_from("ab"),
        status=st.sampled_from(STATUSES),
        since=st.sampled_from([NOON - 2, NOON - 0.5, NOON]),
        pid=st.sampled_from([None, 1, 2]),
        turns=st.integers(0, 2),
    ),
    max_size=4,
    unique_by=lambda s: s.key,
)


@given(SESSIONS, SESSIONS, SESSIONS)
def test_whatever_the_boards_are_each_want_goes_on_or_ends_once(
    first: list[Session], second: list[Session], third: list[Session]
) -> None:
    was = FIRST
    for before, after in ((first, second), (second, third)):
        found = wants(board(*before), board(*after), POLICY, NOON, was)
        ended = [want.asked for want, _ in found.over]
        assert len(found.now) <= len(after) + sum(want.session.status == "crashed" for want in was.wants.values())
        assert len(ended) <= len(was.wants)
        assert all(want.session.status in WANTING for want in found.now.values())
        assert all(key == want.session.key for key, want in found.now.items())
        was = replace(was, wants=found.now, runs=found.runs, latest=found.latest)
