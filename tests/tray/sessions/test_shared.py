"""Test which turns of a transcript belong to which of the clients that write into it."""

from dataclasses import replace
from math import inf
from typing import Any

import pytest

from deskbell.sessions.candidates import Candidate
from deskbell.sessions.conversation import Tail
from deskbell.sessions.course import Course, Turn
from deskbell.sessions.registry import Entry
from deskbell.sessions.shared import others_wrote_until, own_tail
from deskbell.sessions.turns import GRACE
from deskbell_hooks.schema import Record

MINE, OTHER = 7, 8
ENTRY = Entry(MINE, "s", "/claude", status="busy", status_since=3.0)


def entry(pid: int, status: Any, since: float, session: str = "s") -> Entry:
    return Entry(pid, session, "/claude", status=status, status_since=since)


def record(**fields: Any) -> Record:
    return {"session_id": "s", "last_at": 5.0, "where": {"pid": MINE, "start": 70}, **fields}  # type: ignore[typeddict-item]


def candidate(known: Record | None, own: Entry | None = ENTRY, pid: int = MINE) -> Candidate:
    run = known if known and pid == MINE else None
    return Candidate("s", known, run, own, pid, None)


CUT = Course(at=10.0, interrupted_at=10.0, cut=frozenset(("u2",)))
WORKS = Course(at=9.0, begun=4.0, calls=frozenset(("u1",)))
BOTH = Tail(
    branch="main",
    interrupted_at=10.0,
    at=10.0,
    prompts=(4.0, 6.0),
    prompt="yours",
    prompted=6.0,
    results=frozenset(("u2",)),
    turns=(Turn("aaaa", WORKS, 4.0, "mine"), Turn("bbbb", CUT, 6.0, "yours")),
)
WHOSE = {"aaaa": MINE, "bbbb": OTHER}


@pytest.mark.parametrize(
    "living",
    [
        [],  # the other client has exited, was killed, or went on with another session
        [entry(OTHER, "idle", 10.0)],
        [entry(OTHER, "idle", 2.0)],  # its end came long after its registry said so
        [entry(OTHER, "busy", 2.0)],
    ],
)
def test_a_turn_belongs_to_the_client_that_reported_its_prompt(living: list[Entry]) -> None:
    mine = own_tail(BOTH, candidate(record(prompts=WHOSE)), living)
    yours = own_tail(BOTH, candidate(record(prompts=WHOSE), pid=OTHER), living)

    assert (mine.interrupted_at, mine.at, mine.prompts, mine.prompt) == (None, 9.0, (4.0,), "mine")
    assert (mine.calls, mine.cut, mine.branch, mine.results) == ({"u1"}, frozenset(), "main", BOTH.results)
    assert (yours.interrupted_at, yours.at, yours.prompts, yours.prompt) == (10.0, 10.0, (6.0,), "yours")
    assert (yours.calls, yours.cut) == (frozenset(), {"u2"})


def test_of_turns_whose_newest_lines_came_at_once_the_last_one_counts() -> None:
    both = replace(BOTH, turns=(Turn("aaaa", Course(at=9.0, error="limit"), 4.0), Turn("bbbb", Course(at=9.0), 9.0)))
    mine = own_tail(both, candidate(record(prompts={"aaaa": MINE, "bbbb": MINE})), [entry(OTHER, "idle", 2.0)])
    assert mine.error is None


def test_a_client_without_a_turn_of_its_own_has_not_ended_one() -> None:
    alone = own_tail(BOTH, candidate(record(prompts=WHOSE), pid=9), [])
    assert (alone.interrupted_at, alone.finished_at, alone.error, alone.at) == (None, None, None, None)
    assert (alone.prompts, alone.prompt, alone.prompted) == ((), "", None)


def test_a_stop_hook_sends_on_the_turn_of_its_own_client_alone() -> None:
    turns = (BOTH.turns[0], BOTH.turns[1]._replace(course=CUT._replace(sent_on_at=9.5)))
    both = replace(BOTH, sent_on_at=9.5, turns=turns)
    assert own_tail(both, candidate(record(prompts=WHOSE)), []).sent_on_at is None
    assert own_tail(both, candidate(record(prompts=WHOSE), pid=OTHER), []).sent_on_at == 9.5


def test_an_interrupt_that_lets_a_queued_prompt_begin_does_not_count() -> None:
    yours = own_tail(replace(BOTH, begins=True), candidate(record(prompts=WHOSE), pid=OTHER), [])
    assert (yours.interrupted_at, yours.at, yours.cut) == (None, 10.0, {"u2"})


@pytest.mark.parametrize(
    ("since", "prompts"),
    [(5.0, (4.0,)), (6.5, (4.0, 6.0))],
    ids=["while it showed a dialog", "before its dialog"],
)
@pytest.mark.parametrize(
    "others", [[{"last_at": 1.0, "where": {"pid": OTHER, "start": 80}}], []], ids=["a known client", "an unknown one"]
)
def test_an_unreported_prompt_is_not_that_of_a_client_that_showed_a_dialog(
    since: float, prompts: tuple[float, ...], others: list[Any]
) -> None:
    known = record(prompts={"aaaa": MINE}, others=others)
    asking = replace(ENTRY, status="waiting", status_since=since)
    assert own_tail(BOTH, candidate(known, asking), []).prompts == prompts


def test_a_queued_prompt_is_that_of_the_client_in_whose_turn_it_was_typed() -> None:
    turns = (*BOTH.turns, Turn("cccc", Course(at=10.1, begun=10.1, is_unanswered=True), 8.0, "then", queued_in="bbbb"))
    tail, living = replace(BOTH, turns=turns), [entry(MINE, "busy", 3.0), entry(OTHER, "busy", 6.0)]
    mine = own_tail(tail, candidate(record(prompts=WHOSE)), living)
    yours = own_tail(tail, candidate(record(prompts=WHOSE), pid=OTHER), living)
    assert (mine.interrupted_at, mine.prompts) == (None, (4.0,))
    assert (yours.interrupted_at, yours.prompts, yours.prompt) == (None, (6.0, 8.0), "then")


def test_a_command_of_the_client_is_no_prompt() -> None:
    turns = (Turn("aaaa", WORKS, 4.0, "mine"), Turn("cccc", Course(at=11.0, finished_at=11.0)))
    tail = replace(BOTH, turns=turns)
    mine = own_tail(tail, candidate(record(prompts={"aaaa": MINE, "bbbb": OTHER, "cccc": MINE})), [])
    assert (mine.finished_at, mine.prompts, mine.prompt) == (11.0, (4.0,), "mine")


@pytest.mark.parametrize("known", [None, record(), record(prompts={"aaaa": MINE})])
def test_the_transcript_of_one_client_is_all_its_own(known: Record | None) -> None:
    assert own_tail(BOTH, candidate(known), [ENTRY]) is BOTH


ENDS = [CUT, Course(at=10.0, finished_at=10.0), Course(at=10.0, error="overloaded")]


def unreported(course: Course) -> Tail:
    return Tail(turns=(Turn("cccc", course, 4.0, "go"),))


def is_own(course: Course, changed: float, until: float, own: Entry | None = ENTRY) -> bool:
    """Whether a turn of a prompt that no hook reported counts for a client whose status CHANGED then."""
    mine = own and entry(MINE, "idle", changed)
    found = own_tail(unreported(course), candidate(record(), mine), [entry(OTHER, "idle", until)])
    return found.at == course.at


@pytest.mark.parametrize("course", [*ENDS, Course(at=10.0)])
def test_an_unreported_turn_may_be_that_of_another_client_that_was_writing(course: Course) -> None:
    for changed in (3.0, 10 - GRACE - 0.1, 10 + GRACE + 0.1):
        assert not is_own(course, changed, 10 - GRACE)
        assert is_own(course, changed, 10 - GRACE - 0.01)


@pytest.mark.parametrize("course", ENDS)
def test_an_unreported_end_is_that_of_the_client_that_came_to_rest_then(course: Course) -> None:
    for changed in (10 - GRACE + 0.01, 10.0, 10 + GRACE - 0.01):
        assert is_own(course, changed, 20.0)
    assert not is_own(Course(at=10.0), 10.0, 20.0)
    assert not is_own(course, 10.0, 20.0, own=None)


RUN: Any = {"last_at": 4.0, "where": {"pid": OTHER, "start": 80}}


@pytest.mark.parametrize(
    ("others", "living", "until"),
    [
        ([], [ENTRY], None),
        ([], [ENTRY, entry(9, "busy", 3.0, session="another")], None),
        ([], [ENTRY, entry(8, "idle", 3.0)], 3.0),
        ([], [ENTRY, entry(8, "idle", 3.0), entry(9, "shell", 6.0)], 6.0),
        ([], [ENTRY, entry(8, "busy", 3.0), entry(9, "idle", 6.0)], inf),
        ([], [ENTRY, entry(8, "waiting", 3.0)], inf),
        ([], [ENTRY, entry(8, None, 3.0)], inf),
        ([RUN], [ENTRY], 4.0),
        ([RUN], [ENTRY, entry(8, "idle", 6.0)], 6.0),
    ],
)
def test_another_client_of_a_session_writes_while_it_works(
    others: list[Any], living: list[Entry], until: float | None
) -> None:
    assert others_wrote_until(candidate(record(others=others)), living) == until


def test_a_client_that_no_hook_reported_shares_its_session_with_those_that_hooks_did() -> None:
    unheard = Candidate("s", record(), None, entry(9, "busy", 3.0), 9, None)

    assert others_wrote_until(unheard, [ENTRY]) == inf
    assert others_wrote_until(unheard, []) == 5.0
    assert others_wrote_until(unheard._replace(record=None), []) is None
