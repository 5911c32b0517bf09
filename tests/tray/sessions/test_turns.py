"""Test what a turn does apart from its requests, and how it ended."""

from typing import Any

import pytest

from deskbell.sessions.conversation import Tail
from deskbell.sessions.evidence import Evidence, Verdict
from deskbell.sessions.registry import Entry
from deskbell.sessions.turns import (
    AT_ONCE,
    GRACE,
    REGISTRY_DELAY,
    UNREPORTED,
    as_recorded,
    besides,
    by_transcript,
    can_end_unseen,
    failed_at,
    has_later_end,
    how_it_ended,
    interrupted_at,
    interrupted_while_busy,
    interrupted_without_hooks,
    is_complete,
    is_newer,
    is_unreported,
    last_words,
    ran_agents_at,
    settled,
    settles_at,
    turn_at,
    turn_since,
    unreported_from,
    was_in_turn,
    words_of_crash,
    written_at,
)
from deskbell_hooks.schema import Pending, Record
from tests.tray.sessions.evidence import ASK, BASH, CALL, PROMPT, REMINDED, STOP, T, at, entry, run

ONE = {"agent": "a1", "agent_type": "Explore"}
AGENT = (2.0, "SubagentStart", ONE)
TEAMMATE = (3.0, "TeammateIdle", {"facts": {"teammate_name": "davinci"}})
END = (9.0, "SessionEnd", {"facts": {"reason": "other"}})


def with_call(tool: str, *events: Any) -> Record:
    return run(PROMPT, (2.0, "PreToolUse", {"tool": tool, "use": "u1"}), *events)


def unknown_start(record: Record) -> Record:
    return {**record, "turn_started": None}


def only_a_subagent(record: Record) -> Record:
    """Return RECORD as if all its events were of a subagent."""
    rest: Any = {name: value for name, value in record.items() if name != "turn_at"}
    return rest  # type: ignore[no-any-return]  # a record without one field


WITH_TASK = (9.0, "Stop", {"tasks": [{"id": "a1", "type": "subagent", "status": "running", "description": ""}]})


@pytest.mark.parametrize(
    ("record", "after", "ran"),
    [
        (run(PROMPT), 5.0, False),
        (run(PROMPT, AGENT), 2.0, True),
        (run(PROMPT, AGENT), 5.0, True),
        (run(PROMPT, AGENT), 1.999, False),
        (run(PROMPT, WITH_TASK), 5.0, True),  # since when it runs is not known
        (run(PROMPT, AGENT, (3.0, "SubagentStop", ONE)), 5.0, False),
        (run(PROMPT, AGENT, (3.0, "SubagentStart", {"agent": "a2"})), 2.5, True),
        (run(PROMPT, TEAMMATE), 5.0, False),  # it has no start
        (run(PROMPT, AGENT, TEAMMATE), 5.0, True),
    ],
)
def test_a_client_may_be_busy_with_a_subagent_only_once_it_has_started(record: Record, after: float, ran: bool) -> None:
    assert ran_agents_at(record, T + after) is ran


def test_the_times_of_a_turn() -> None:
    heard = run(PROMPT, CALL)

    assert (turn_at(heard), turn_since(heard)) == (T + 2, T + 1)
    assert turn_since(unknown_start(heard)) == heard["since"]
    assert turn_at(only_a_subagent(heard)) == 0.0


def test_an_entry_is_newer_than_the_newest_event_only_if_it_is_later() -> None:
    assert not is_newer(entry("busy", 2), run(PROMPT, CALL))
    assert is_newer(at(entry("busy", 0), T + 2.001), run(PROMPT, CALL))


def test_a_turn_apart_from_its_request_goes_on_since_it_began() -> None:
    asked = run(PROMPT, CALL, ASK)

    assert as_recorded(asked, "why") == ("permission", "Bash: npm publish", "why", T + 2.1)
    assert besides(asked, "why") == ("working", "Bash: npm publish", "why", T + 1)
    assert besides(run(PROMPT, STOP), "why") == ("idle", "", "why", T + 9)


@pytest.mark.parametrize(("cut", "found"), [(None, None), (0.999, None), (1.0, 1.0), (5.0, 5.0)])
def test_an_interrupt_is_of_this_turn_from_its_beginning_on(cut: float | None, found: float | None) -> None:
    tail = Tail(interrupted_at=None if cut is None else T + cut)
    assert interrupted_at(run(PROMPT, CALL), tail) == (None if found is None else T + found)


@pytest.mark.parametrize(
    ("record", "status_since", "cut", "found"),
    [
        (run(PROMPT, AGENT, CALL), 1.0, None, False),
        (run(PROMPT, AGENT, CALL), 1.0, 5.0, True),
        (run(PROMPT, AGENT, CALL), 5.0, 5.0, True),  # a subagent runs, so the client stays busy
        (run(PROMPT, AGENT, CALL), 1.0, 2.0, True),
        (run(PROMPT, AGENT, CALL), 1.0, 1.999, False),  # something was heard after it
        (run(PROMPT, AGENT, CALL, REMINDED), 1.0, 5.0, True),  # but for a reminder, which says nothing of the turn
        (run(PROMPT, AGENT, CALL, REMINDED), 1.0, 2.0, True),
        (run(PROMPT, AGENT, CALL, REMINDED), 1.0, 1.999, False),
        (run(PROMPT, AGENT, CALL, END), 1.0, 9.5, False),
        (with_call("Agent"), 5.0, 5.0, True),
        (with_call("Task"), 5.0, 5.0, True),
        (with_call("Bash"), 5.0, 5.0, False),
        (run(PROMPT), 5.0, 5.0, False),
        (run(PROMPT), 2.0, 5.0, True),  # it was busy long before
    ],
)
def test_an_interrupt_while_the_client_stays_busy(
    record: Record, status_since: float, cut: float | None, found: bool
) -> None:
    at = None if cut is None else T + cut
    evidence = Evidence(T + 5.5, record, tail=Tail(interrupted_at=at))
    assert interrupted_while_busy(evidence, record, entry("busy", status_since)) == (at if found else None)


@pytest.mark.parametrize(("after", "found"), [(GRACE, False), (GRACE + 0.001, True)])
def test_an_interrupt_counts_only_after_the_grace_of_a_client_that_became_busy(after: float, found: bool) -> None:
    cut = T + 5.0 + after
    evidence = Evidence(cut, run(PROMPT), tail=Tail(interrupted_at=cut))
    assert interrupted_while_busy(evidence, run(PROMPT), entry("busy", 5)) == (cut if found else None)


@pytest.mark.parametrize(
    ("before", "later", "found"),
    [
        (0.0, GRACE, True),
        (0.0, GRACE - 0.0625, False),
        (0.0625, GRACE, True),
        (REGISTRY_DELAY, 30, False),  # its client became busy since, with a compaction that no hook reported
        (-0.25, GRACE, True),
        (-0.25, GRACE - 0.0625, False),
    ],
)
def test_what_still_ends_the_transcript_after_the_grace_ended_the_turn(
    before: float, later: float, found: bool
) -> None:
    cut = T + 5.0 - before
    interrupted = Evidence(cut + later, run(PROMPT), tail=Tail(interrupted_at=cut))
    failed = Evidence(cut + later, run(PROMPT), tail=Tail(error="overloaded", at=cut))

    assert interrupted_while_busy(interrupted, run(PROMPT), entry("busy", 5)) == (cut if found else None)
    assert failed_at(failed, entry("busy", 5)) == (cut if found else None)


@pytest.mark.parametrize(
    ("now", "tail", "due"),
    [
        (5.0, Tail(), 5 + GRACE),
        (5 + GRACE, Tail(), None),
        (5.5, Tail(interrupted_at=T + 5.25), 5 + GRACE),
        (5.75, Tail(interrupted_at=T + 5.25), 5.25 + GRACE),
        (5.75, Tail(error="overloaded", at=T + 5.25), 5.25 + GRACE),
        (5.75, Tail(at=T + 5.25), None),
        (5.75, Tail(interrupted_at=T + 5 - REGISTRY_DELAY), None),
        (5.25, Tail(interrupted_at=T + 5 - REGISTRY_DELAY), 5 + GRACE),
        (5.25, Tail(interrupted_at=T + 5 - 0.0625), 5 - 0.0625 + GRACE),
        (9.0, Tail(interrupted_at=T + 5.25), None),
    ],
)
def test_when_the_transcript_of_a_client_that_became_busy_is_read_again(
    now: float, tail: Tail, due: float | None
) -> None:
    found = settles_at(Evidence(T + now, run(PROMPT), tail=tail), entry("busy", 5))
    assert found == (None if due is None else T + due)


@pytest.mark.parametrize(
    ("record", "status", "found"),
    [
        (run(PROMPT, AGENT), "busy", True),
        (with_call("Task"), "busy", True),
        (with_call("Bash"), "busy", False),
        (run(PROMPT, AGENT), "idle", False),
        (run(PROMPT, AGENT), None, False),
        (run(PROMPT, AGENT, (9.0, "StopFailure", {})), "busy", False),
        (None, "busy", True),
        (None, "idle", False),
    ],
)
def test_whether_only_the_transcript_can_show_an_interrupt(
    record: Record | None, status: str | None, found: bool
) -> None:
    one = entry(status, 1) if status else None
    assert can_end_unseen(Evidence(T, record, one)) is found


@pytest.mark.parametrize(
    ("record", "alive", "found"),
    [
        (run(PROMPT), True, True),
        (run(PROMPT, STOP, (9.5, "PermissionRequest", {**BASH, "agent": "a1"})), True, True),
        (run(PROMPT, STOP), True, False),
        (run(PROMPT), False, False),
        (None, True, False),
    ],
)
def test_only_the_transcript_can_show_an_interrupt_of_a_client_that_the_registry_does_not_list(
    record: Record | None, alive: bool, found: bool
) -> None:
    for one in (None, Entry(7, "s", "/c")):
        assert can_end_unseen(Evidence(T, record, one, alive)) is found


def test_only_the_transcript_can_show_an_interrupt_after_the_hooks_have_fallen_silent() -> None:
    assert can_end_unseen(Evidence(T + 30, run(PROMPT, STOP), entry("busy", 20), tail=Tail(prompts=(T + 20,))))


@pytest.mark.parametrize(
    ("before", "found"),
    [(None, False), (0.125, False), (REGISTRY_DELAY, False), (0.0625, True), (0.0, True), (-5.0, True)],
)
def test_an_interrupt_in_a_busy_client_without_hooks(before: float | None, found: bool) -> None:
    cut = None if before is None else T + 20.0 - before
    evidence = Evidence(T + 30, tail=Tail(interrupted_at=cut))
    assert interrupted_without_hooks(evidence, entry("busy", 20)) == (cut if found else None)


@pytest.mark.parametrize(
    ("record", "failed", "found"),
    [
        (run(PROMPT, AGENT, CALL), None, False),
        (run(PROMPT, AGENT, CALL), 2.0, False),
        (run(PROMPT, AGENT, CALL), 2.001, True),
        (with_call("Task"), 5.0, True),
        (run(PROMPT, CALL), 2.0, False),
        (run(PROMPT, CALL), 2.001, True),  # a subagent whose start no hook reported may run
        (run(PROMPT), 1.5, False),  # its client may not yet be idle since the error before
        (run(PROMPT), 1.0 + GRACE, False),
        (run(PROMPT), 1.0 + GRACE + 0.001, True),
        (run(PROMPT, AGENT, (9.0, "Stop", {})), 10.0, False),
        (None, None, False),
        (None, 1.0, False),  # before its client became busy
        (None, 1.001, True),
    ],
)
def test_an_api_error_while_the_client_stays_busy(record: Record | None, failed: float | None, found: bool) -> None:
    when = None if failed is None else T + failed
    one = entry("busy", 1)

    assert failed_at(Evidence(T + 2, record, tail=Tail(error="overloaded", at=when)), one) == (when if found else None)


FAILURE = (4.0, "StopFailure", {"facts": {"error": "rate_limit"}})
BROKEN_OFF = (4.0, "PostToolUseFailure", {**BASH, "interrupt": True})
COMPACTS = (4.5, "PreCompact", {})
IDLE, CUT = (
    ("idle", "its client is idle and its answer is complete"),
    ("interrupted", "its client went idle in the middle of a turn"),
)
FAILED = ("error", "the transcript records an API error")


@pytest.mark.parametrize(
    ("record", "tail", "ended", "since"),
    [
        (run(PROMPT, CALL), Tail(), CUT, 7.0),
        (run(PROMPT, CALL), Tail(interrupted_at=T + 0.999), CUT, 7.0),
        (run(PROMPT, CALL), Tail(interrupted_at=T + 3), CUT, T + 3),
        (run(PROMPT, CALL), Tail(finished_at=T + 0.999), CUT, 7.0),
        (run(PROMPT, CALL), Tail(finished_at=T + 1), IDLE, T + 1),
        (run(PROMPT, CALL), Tail(error="overloaded"), CUT, 7.0),
        (run(PROMPT, CALL), Tail(error="overloaded", at=T + 0.999), CUT, 7.0),
        (run(PROMPT, CALL), Tail(error="overloaded", at=T + 1), FAILED, T + 1),
        (run(PROMPT, CALL), Tail(at=T + 5), CUT, 7.0),
        (unknown_start(run(PROMPT, CALL)), Tail(finished_at=T + 1.999), CUT, 7.0),
        (unknown_start(run(PROMPT, CALL)), Tail(finished_at=T + 2), IDLE, T + 2),
    ],
)
def test_how_a_turn_ended_whose_end_no_hook_reported(
    record: Record, tail: Tail, ended: tuple[str, str], since: float
) -> None:
    evidence = Evidence(T + 30, record, tail=tail)
    detail = {"interrupted": "Bash: npm publish", "error": "overloaded"}.get(ended[0], "")
    verdict = Verdict(ended[0], detail, ended[1], since)  # type: ignore[arg-type]  # a status

    assert how_it_ended(evidence, record, 7.0) == verdict
    assert by_transcript(evidence, record) == (None if ended == CUT else verdict)


@pytest.mark.parametrize(
    ("tail", "complete"),
    [
        (Tail(), False),
        (Tail(finished_at=T + 0.999), False),
        (Tail(finished_at=T + 1), True),
        (Tail(finished_at=T + 20), True),
        (Tail(finished_at=T + 20, error="overloaded"), False),
    ],
)
def test_a_turn_that_the_transcript_ends_with_an_answer(tail: Tail, complete: bool) -> None:
    assert is_complete(Evidence(T + 30, tail=tail), T + 1) is complete


@pytest.mark.parametrize(
    ("events", "later"),
    [
        ((FAILURE,), True),
        ((FAILURE, COMPACTS), False),
        ((BROKEN_OFF,), True),
        ((BROKEN_OFF, COMPACTS), False),
        ((STOP,), False),
        ((), False),
    ],
)
def test_a_turn_that_broke_off_has_a_later_end_unless_its_client_compacts(events: Any, later: bool) -> None:
    record = run(PROMPT, CALL, *events)
    assert has_later_end(Evidence(T + 30, record, tail=Tail(finished_at=T + 20)), record) is later


@pytest.mark.parametrize(
    ("record", "tail", "in_turn"),
    [
        (run(PROMPT, CALL), Tail(), True),
        (run(PROMPT, CALL), Tail(at=T + 5), True),
        (run(PROMPT, CALL), Tail(finished_at=T + 0.999), True),
        (run(PROMPT, CALL), Tail(finished_at=T + 1), False),
        (run(PROMPT, CALL), Tail(interrupted_at=T + 1), False),
        (run(PROMPT, CALL), Tail(error="overloaded", at=T + 1), False),
        (run(PROMPT, CALL, STOP), Tail(), False),
        (None, Tail(), False),
    ],
)
def test_a_client_died_in_a_turn_whose_end_nothing_records(record: Record | None, tail: Tail, in_turn: bool) -> None:
    assert was_in_turn(Evidence(T + 30, record, tail=tail)) is in_turn


@pytest.mark.parametrize(
    ("record", "prompt", "of_earlier"),
    [
        (run(PROMPT, CALL), None, False),
        (run(PROMPT, CALL), T + 2, False),
        (run(PROMPT, CALL), T + 2 + GRACE, False),
        (run(PROMPT, CALL), T + 2.625, True),
        (only_a_subagent(run(PROMPT, CALL)), None, False),
    ],
)
def test_what_hooks_reported_before_a_prompt_that_they_did_not_report_is_of_an_earlier_turn(
    record: Record, prompt: float | None, of_earlier: bool
) -> None:
    evidence = Evidence(T + 30, record, tail=Tail(prompts=() if prompt is None else (prompt,)))
    assert was_in_turn(evidence) is not of_earlier
    assert words_of_crash(evidence) == ("" if of_earlier else "Bash: npm publish")


def test_a_transcript_without_a_line_was_never_written() -> None:
    assert (written_at(Tail()), written_at(Tail(at=T))) == (0.0, T)


HEARD = T + 9.0


@pytest.mark.parametrize(
    ("prompts", "silent"),
    [
        ((), None),
        ((T + 1,), None),
        ((HEARD,), None),
        ((HEARD + GRACE,), None),
        ((T + 9.75,), T + 9.75 + UNREPORTED),
        ((T + 1, T + 20, T + 30), T + 20 + UNREPORTED),
        ((T + 20, T + 1), T + 20 + UNREPORTED),
    ],
)
def test_hooks_are_silent_from_some_time_after_the_first_prompt_that_they_did_not_report(
    prompts: tuple[float, ...], silent: float | None
) -> None:
    assert unreported_from(Evidence(T + 60, run(PROMPT, STOP), entry("busy", 20), tail=Tail(prompts=prompts))) == silent


@pytest.mark.parametrize(("record", "one"), [(None, entry("busy", 20)), (run(PROMPT, STOP), None)])
def test_only_hooks_that_reported_before_can_fall_silent_and_only_with_a_registry(
    record: Record | None, one: Entry | None
) -> None:
    assert unreported_from(Evidence(T + 60, record, one, tail=Tail(prompts=(T + 20,)))) is None


@pytest.mark.parametrize(
    ("prompts", "after", "silent"),
    [
        ((T + 20,), 20 + UNREPORTED - 0.0625, False),
        ((T + 20,), 20 + UNREPORTED, True),
        ((T + 20,), 60, True),
        ((T + 1,), 60, False),
        ((), 60, False),
    ],
)
def test_hooks_are_silent_once_that_time_has_come(prompts: tuple[float, ...], after: float, silent: bool) -> None:
    evidence = Evidence(T + after, run(PROMPT, STOP), entry("busy", 20), tail=Tail(prompts=prompts))
    assert is_unreported(evidence) is silent


def request(after: float) -> Pending:
    asked: Any = {"kind": "permission", "tool": "Bash", "subject": f"{after:g}", "use": "", "agent": "", "order": 0}
    return {**asked, "at": T + after}


@pytest.mark.parametrize(
    ("requests", "words"),
    [
        ([], "Bash: npm publish"),
        ([2.0], "Bash: 2"),
        ([2.0, 8.0], "Bash: 8"),  # the older one was refused with words, or given to a subagent
        ([8.0, 2.0], "Bash: 8"),
        ([2.0, 2.125], "Bash: 2"),
        ([2.125, 2.0], "Bash: 2"),
        ([2.0, 2.0 + AT_ONCE], "Bash: 2"),
        ([2.0, 2.0 + AT_ONCE + 0.0625], "Bash: 2.5625"),
    ],
)
def test_the_words_for_what_was_interrupted(requests: list[float], words: str) -> None:
    record = run(PROMPT, CALL)
    record["pending"] = [request(after) for after in requests]
    assert last_words(Evidence(T + 30, record)) == words


def test_the_main_loop_was_interrupted_in_its_own_call_not_in_the_request_of_a_subagent() -> None:
    of_agent = (2.5, "PermissionRequest", {"tool": "Bash", "subject": "sub slow", "agent": "a1"})
    assert last_words(Evidence(T + 30, run(PROMPT, CALL, of_agent))) == "Bash: npm publish"


WRITE = {"tool": "Write", "subject": "/a.py", "use": "u2"}
ANOTHER = ((3.0, "PreToolUse", WRITE), (3.1, "PermissionRequest", {"tool": "Write", "subject": "/a.py"}))


@pytest.mark.parametrize(
    ("record", "over", "cut", "status", "detail"),
    [
        (run(PROMPT, CALL), (), (), "working", "Bash: npm publish"),
        (run(PROMPT, CALL), ("u1",), (), "working", "Thinking"),
        (run(PROMPT, CALL), ("u1",), ("u1",), "working", "Bash: npm publish"),
        (run(PROMPT, CALL, ASK), ("u1",), (), "working", "Thinking"),
        (run(PROMPT, CALL, ASK, *ANOTHER), ("u1",), (), "permission", "Write: /a.py"),
        (run(PROMPT, CALL, ASK, *ANOTHER), ("u2",), (), "permission", "Bash: npm publish"),
        (run(PROMPT, CALL, ASK, *ANOTHER), ("u1", "u2"), ("u2",), "permission", "Write: /a.py"),
        (run(PROMPT, CALL, ASK), ("u9",), (), "permission", "Bash: npm publish"),
    ],
)
def test_what_has_a_result_is_over_unless_the_interrupt_ended_it(
    record: Record, over: tuple[str, ...], cut: tuple[str, ...], status: str, detail: str
) -> None:
    found = settled(Evidence(T + 30, record, tail=Tail(results=frozenset(over), cut=frozenset(cut)))).run
    assert found
    assert (found["status"], found["detail"]) == (status, detail)
    assert found["since"] == (T + 3.1 if detail == "Write: /a.py" else T + 2.1 if status == "permission" else T + 1)


def test_a_session_whose_call_has_a_result_works_since_its_request_was_answered() -> None:
    answered = run(PROMPT, CALL, ASK, (3.0, "PostToolUse", BASH), (4.0, "PreToolUse", WRITE))
    found = settled(Evidence(T + 30, answered, tail=Tail(results=frozenset(("u2",))))).run
    assert found
    assert (found["status"], found["detail"], found["since"]) == ("working", "Thinking", T + 3)


def test_nothing_is_settled_of_a_client_that_no_hook_reported() -> None:
    evidence = Evidence(T, tail=Tail(results=frozenset(("u1",))))
    assert settled(evidence) is evidence


@pytest.mark.parametrize("record", [None, run(PROMPT), run(PROMPT, CALL, (3.0, "PostToolUse", BASH))])
def test_no_words_for_what_was_interrupted_where_nothing_ran(record: Record | None) -> None:
    assert last_words(Evidence(T + 30, record)) == ""
