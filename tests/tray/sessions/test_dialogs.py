"""Test which request an open dialog is for, and whether the person opened it."""

from dataclasses import replace
from typing import Any

import pytest

from deskbell.sessions.conversation import Tail
from deskbell.sessions.dialogs import (
    ASKED_AS,
    HELD_BACK,
    HOOK_DELAY,
    LONGEST,
    WAITING_FOR,
    WITH_IT,
    approved,
    asked_in_words,
    has_queue,
    is_own,
    request_of,
    unanswered_call,
)
from deskbell.sessions.evidence import Evidence
from deskbell.sessions.truth import verdict
from deskbell.sessions.turns import GRACE, turn_since
from deskbell_hooks.schema import Call, Pending, Record, Run
from tests.tray.sessions.evidence import CALL, PROMPT, STOP, T, at, entry, run

OPENED = 100.0
"""Seconds after T at which the dialog opens."""


def request(before: float, kind: str = "permission", use: str = "") -> Pending:
    """A request that was made BEFORE seconds before the dialog opened. Its subject says when."""
    asked: Any = {"kind": kind, "tool": "Bash", "subject": f"{before:g}", "use": use, "agent": "", "order": 0}
    return {**asked, "at": T + OPENED - before}


def call(order: int, use: str = "u") -> Call:
    return {"use": use, "tool": "Bash", "subject": f"{order}", "agent": "", "order": order}


def pending(*requests: Pending) -> Record:
    return {**run(PROMPT), "pending": list(requests)}


def calling(*calls: Call) -> Record:
    return {**run(PROMPT), "calls": list(calls)}


ANY = entry("waiting", 9.0, "sandbox request")


def results(*uses: str) -> Tail:
    return Tail(results=frozenset(uses))


def subject_of(requests: list[Pending], dialog: str | None = "permission prompt", tail: Tail = results()) -> str | None:  # noqa: B008  # it is frozen
    evidence = Evidence(T + OPENED + HOOK_DELAY, pending(*requests), tail=tail)
    found = request_of(evidence, entry("waiting", OPENED, dialog))
    return found and found["subject"]


@pytest.mark.parametrize(
    ("requests", "asked"),
    [
        ([], None),
        ([0.05], 0.05),
        ([-0.05], -0.05),  # the registry may be first
        ([0.05, 0.03], 0.05),  # of those made at once the oldest comes first
        ([0.03, 0.05], 0.05),
        ([0.02, 0.05, 0.03], 0.05),
        ([WITH_IT, 0.0], WITH_IT),
        ([0.0, WITH_IT + 0.0625], 0.0),
        ([-WITH_IT, WITH_IT], WITH_IT),
        ([-WITH_IT, WITH_IT + 0.0625], -WITH_IT),
        ([-0.25, 0.75], -0.25),
        ([1.75, 0.75], 0.75),  # of those made before the nearest one
        ([0.75, 1.75], 0.75),
        ([-3.0, 1.75], 1.75),
        ([-1.0, 1.75], -1.0),
        ([-60.0], -60.0),
        ([HELD_BACK], None),
        ([HELD_BACK - 0.0625], HELD_BACK - 0.0625),
        ([60.0, 3.0], None),
    ],
)
def test_a_dialog_is_for_the_request_that_was_made_as_it_opened(requests: list[float], asked: float | None) -> None:
    assert subject_of([request(before) for before in requests]) == (None if asked is None else f"{asked:g}")


@pytest.mark.parametrize(("before", "asked"), [(WITH_IT, True), (WITH_IT + 0.0625, False), (-WITH_IT - 0.0625, False)])
def test_an_earlier_request_is_named_once_the_hook_of_a_nearer_one_had_time_to_report_it(
    before: float, asked: bool
) -> None:
    opened, one = entry("waiting", OPENED, "permission prompt"), request(before)

    assert request_of(Evidence(T + OPENED, pending(one)), opened) == (one if asked else None)
    assert request_of(Evidence(T + OPENED + HOOK_DELAY - 0.0625, pending(one)), opened) == (one if asked else None)
    assert request_of(Evidence(T + OPENED + HOOK_DELAY, pending(one)), opened) == one


def by(agent: str, one: Pending, tool: str = "Bash") -> Pending:
    return {**one, "agent": agent, "tool": tool}


FIRST = by("a", request(0.0))


@pytest.mark.parametrize(
    ("others", "asked"),
    [
        ([], "Bash: 0"),
        ([by("b", request(-3.0))], "Bash: 0, or -3"),
        ([by("b", request(0.0))], "Bash: 0, or 0"),
        ([by("b", request(-3.0), "Write")], "Bash: 0, or Write: -3"),
        ([by("b", request(-3.0)), by("", request(-9.0))], "Bash: 0, or one of 2 other requests"),
        ([by("a", request(-3.0))], "Bash: 0"),  # one subagent asks one thing at a time
        ([by("b", request(0.25))], "Bash: 0"),  # it asked before, so its dialog was answered
        ([by("b", request(-3.0, use="done"))], "Bash: 0"),
        ([by("b", request(-3.0, kind="question"))], "Bash: 0"),
    ],
)
def test_every_request_is_named_whose_dialog_may_have_followed(others: list[Pending], asked: str) -> None:
    evidence = Evidence(T + 60, pending(FIRST, *others), tail=results("done"))

    assert asked_in_words(evidence, entry("waiting", OPENED, "permission prompt"), FIRST) == asked


def test_two_long_requests_are_both_named() -> None:
    long = "x" * LONGEST
    first, second = by("a", {**request(0.0), "subject": long}), by("b", {**request(-1.0), "subject": long}, "Write")
    evidence, opened = Evidence(T + 60, pending(first, second)), entry("waiting", OPENED, "permission prompt")

    assert asked_in_words(evidence, opened, first) == f"Bash: {long[:53]}…, or Write: {long[:52]}…"
    assert asked_in_words(Evidence(T + 60, pending(first)), opened, first) == f"Bash: {long}"


@pytest.mark.parametrize(
    ("dialog", "kinds"),
    [
        ("permission prompt", {"permission", "plan"}),
        ("worker request", {"permission", "plan"}),
        ("input needed", {"question", "input"}),
        ("dialog open", {"input"}),
        ("goal proposal", {"permission", "plan", "question", "input"}),
        ("", {"permission", "plan", "question", "input"}),
        (None, {"permission", "plan", "question", "input"}),
    ],
)
def test_a_dialog_is_for_a_request_of_its_kind(dialog: str | None, kinds: set[str]) -> None:
    every = ("permission", "plan", "question", "input")
    assert {kind for kind in every if subject_of([request(0.0, kind)], dialog)} == kinds
    assert ASKED_AS.get(dialog or "", frozenset(every)) == kinds


def test_a_request_of_another_kind_does_not_hide_the_one_that_is_asked() -> None:
    assert subject_of([request(0.25, "question"), request(0.125)]) == "0.125"


def test_a_request_whose_call_has_a_result_is_not_open() -> None:
    refused, next_one = request(0.25, use="u1"), request(0.125, use="u2")

    assert subject_of([refused, next_one]) == "0.25"
    assert subject_of([refused, next_one], tail=results("u1")) == "0.125"
    assert subject_of([refused, next_one], tail=results("u1", "u2")) is None


def test_no_request_is_open_in_a_client_without_a_record() -> None:
    assert request_of(Evidence(T), entry("waiting", OPENED, "permission prompt")) is None


@pytest.mark.parametrize(
    ("calls", "tail", "text"),
    [
        ([], results(), ""),
        ([call(1)], results(), "Bash: 1"),
        ([call(1), call(2)], results(), "Bash: 2"),
        ([call(2), call(1)], results(), "Bash: 2"),
        ([call(1, "a"), call(2, "b")], results("b"), "Bash: 1"),
        ([call(1, "a"), call(2, "b")], results("a", "b"), ""),
    ],
)
def test_the_newest_call_without_a_result(calls: list[Call], tail: Tail, text: str) -> None:
    assert unanswered_call(Evidence(T, calling(*calls), tail=tail), ANY) == text


@pytest.mark.parametrize(
    ("dialog", "tool", "known"),
    [
        ("permission prompt", "Bash", True),
        ("permission prompt", "ExitPlanMode", True),
        ("permission prompt", "EnterPlanMode", True),
        ("permission prompt", "AskUserQuestion", False),
        ("input needed", "AskUserQuestion", True),
        ("input needed", "mcp__x__ask", True),
        ("input needed", "ExitPlanMode", False),
        ("dialog open", "Bash", True),  # auto mode asks so, and no hook reports it
        ("dialog open", "AskUserQuestion", False),
        ("goal proposal", "AskUserQuestion", True),
    ],
)
def test_a_call_is_not_named_for_a_dialog_of_another_kind(dialog: str, tool: str, known: bool) -> None:
    asked: Call = {**call(1), "tool": tool}
    evidence, opened = Evidence(T, calling(asked)), entry("waiting", 9.0, dialog)

    assert bool(unanswered_call(evidence, opened)) is known


def test_a_call_that_has_asked_before_is_not_named() -> None:
    asked: Record = {**calling(call(1, "a"), call(2, "b")), "pending": [request(60.0, use="b")]}

    assert unanswered_call(Evidence(T, asked), ANY) == "Bash: 1"


def test_no_call_is_known_of_a_turn_whose_prompt_no_hook_reported() -> None:
    heard = calling(call(1))
    begun = turn_since(heard)

    assert unanswered_call(Evidence(T, heard, tail=Tail(prompts=(begun + GRACE,))), ANY) == "Bash: 1"
    assert unanswered_call(Evidence(T, heard, tail=Tail(prompts=(begun + GRACE + 0.01, begun))), ANY) == ""


def test_no_call_is_known_of_a_client_without_a_record() -> None:
    assert unanswered_call(Evidence(T), ANY) == ""


IN_TURN = Tail(at=T + 50, prompts=(T + 50,))
CALLING = Tail(at=T + 50, prompts=(T + 50,), calls=frozenset(("u1",)))
ANSWERED = Tail(at=T + 50, prompts=(T + 1,), finished_at=T + 50)
CUT = Tail(at=T + 50, interrupted_at=T + 50)


@pytest.mark.parametrize(
    ("evidence", "own"),
    [
        (Evidence(T), True),
        (Evidence(T, tail=IN_TURN), True),
        (Evidence(T, tail=CALLING), False),
        (Evidence(T, tail=CALLING, own_dialog=True), False),
        (Evidence(T, tail=ANSWERED), True),
        (Evidence(T, tail=CUT), True),
        (Evidence(T, run(PROMPT, STOP)), True),
        (Evidence(T, run(PROMPT)), True),
        (Evidence(T, run(PROMPT, CALL)), False),
        (Evidence(T, run(PROMPT, CALL), tail=results("u1")), True),
        (Evidence(T, pending(request(0.0))), False),
        (Evidence(T, pending(request(0.0, use="u1"), request(0.0, use="u2")), tail=results("u1")), False),
        (Evidence(T, pending(request(0.0, use="u1")), tail=results("u1")), True),
        (Evidence(T, run(PROMPT, CALL), own_dialog=True), True),
        (Evidence(T, run(PROMPT, CALL), tail=replace(IN_TURN, finished_at=T + 5)), True),
        (Evidence(T, run(PROMPT, CALL), tail=replace(IN_TURN, at=T + 5, error="overloaded")), True),
        (Evidence(T, run(PROMPT, CALL), tail=replace(IN_TURN, finished_at=T + 0.9)), False),
        (Evidence(T, run(PROMPT, CALL), tail=IN_TURN, own_dialog=True), False),
        (Evidence(T, run(PROMPT, CALL), tail=CUT), True),
        (Evidence(T, run(PROMPT, CALL), tail=Tail(interrupted_at=T + 0.5)), False),  # of an earlier turn
    ],
)
def test_a_dialog_that_the_person_opened(evidence: Evidence, own: bool) -> None:
    assert is_own(evidence, entry("waiting", OPENED, "dialog open")) is own


def test_a_dialog_that_comes_with_the_newest_event_is_the_clients_own() -> None:
    evidence = Evidence(T, run(PROMPT), tail=CUT, own_dialog=True)

    assert not is_own(evidence, at(entry("waiting", 0), T + 1.0 + GRACE))
    assert is_own(evidence, at(entry("waiting", 0), T + 1.0 + GRACE + 0.001))


def test_the_statuses_of_the_dialogs_are_those_of_requests() -> None:
    assert set(WAITING_FOR.values()) == {"permission", "question", "input"}
    assert set(ASKED_AS) <= set(WAITING_FOR)


ASKED = {"kind": "permission", "tool": "Bash", "use": "", "at": T, "order": 5_000}
MADE: Any = {**ASKED, "subject": "touch made.txt && sleep 'a b'", "agent": "a1"}
RIGHT_ONE: Any = {**ASKED, "subject": "touch right.txt", "agent": "a2", "order": 5_010}
LINE = "/bin/bash -c source x && eval 'touch made.txt && sleep '\"'\"'a b'\"'\"'' < /dev/null && pwd"


def queue(*pending: Any) -> Run:
    return {**run(PROMPT), "pending": list(pending)}


@pytest.mark.parametrize(
    ("pending", "status", "found"),
    [
        ([MADE, RIGHT_ONE], "waiting", True),
        ([MADE, RIGHT_ONE], "busy", False),
        ([MADE, {**RIGHT_ONE, "agent": "a1"}], "waiting", False),
        ([MADE], "waiting", False),
        ([], "waiting", False),
    ],
)
def test_whether_requests_of_several_agents_wait(pending: list[Any], status: str, found: bool) -> None:
    assert has_queue(queue(*pending), entry(status, 1)) is found
    assert not has_queue(None, entry(status, 1))
    assert not has_queue(queue(*pending), None)


@pytest.mark.parametrize(
    ("request_", "commands", "found"),
    [
        (MADE, [(500, LINE)], {5_000}),
        (MADE, [(499, LINE)], set()),
        (MADE, [(500, LINE.replace("made", "other"))], set()),
        (MADE, [(500, LINE.replace("eval", "echo"))], set()),
        (MADE, [], set()),
        ({**MADE, "tool": "WebFetch"}, [(500, LINE)], set()),
        ({**MADE, "subject": "touch made.txt && sl…"}, [(1, "x"), (700, LINE)], {5_000}),
    ],
)
def test_a_request_whose_command_runs_was_approved(
    request_: Any, commands: list[tuple[int, str]], found: set[int]
) -> None:
    assert approved(queue(request_, RIGHT_ONE), commands) == found


def test_an_approved_request_is_not_named_any_more() -> None:
    both = Evidence(T + 9, queue(MADE, RIGHT_ONE), entry("waiting", 0.1, "permission prompt"))
    assert verdict(both).detail == f"Bash: {MADE['subject']}, or touch right.txt"
    one = verdict(replace(both, approved=frozenset((5_000,))))
    assert (one.status, one.detail, one.since) == ("permission", "Bash: touch right.txt", T)
