"""Test what an event settles and asks: requests, running tool calls, and what is remembered as settled."""

import copy
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deskbell_hooks.codec import decode, encode
from deskbell_hooks.requests import (
    MOST_CALLS,
    MOST_REQUESTS,
    MOST_SETTLED,
    SETTLED_SUBJECT,
    Settlement,
    ask,
    begin,
    settle,
)  # fmt: skip
from deskbell_hooks.runs import ANOTHER_BOOT
from deskbell_hooks.schema import Event, Line, Record
from tests.hooks.said import AGENT, e, folded, line, lines, notification, prompt, recorded, tool

ORDER, AT = 5_000, 1_000_005.0
"""When the events of these tables happen. What is `BEFORE` is older, what is `AFTER` is newer."""
BEFORE, AFTER = ORDER - 1_000, ORDER + 1_000


def call(tool_name: str = "Bash", subject: str = "make test", use: str = "", of: str = "", order: int = BEFORE) -> Any:
    return {"use": use, "tool": tool_name, "subject": subject, "agent": of, "order": order}


def asked(kind: str = "permission", tool_name: str = "Bash", subject: str = "make test", **more: Any) -> Any:
    return {**call(tool_name, subject, **more), "kind": kind, "at": 1.0}


def guess(kind: str = "permission", **more: Any) -> Any:
    return asked(kind, "", "Claude needs your permission", **more)


DIALOG = asked("input", "elic", "Name?")
RESULT = e("ElicitationResult", mcp_server_name="elic")
RESPONSE = notification("elicitation_response", 'Elicitation response for server "elic"')

# pending before, event, how -> pending after
SETTLES: list[tuple[list[Any], Event, str, list[Any]]] = [
    ([asked()], tool("PostToolUse"), "call", []),
    ([asked(use="t1")], tool("PostToolUse", use="t1"), "call", []),
    ([asked(use="t1")], tool("PostToolUse", what="changed", use="t1"), "call", []),
    ([asked(use="t1")], tool("PostToolUse"), "call", []),
    ([asked()], tool("PostToolUse", use="t1"), "call", []),
    ([asked(), asked()], tool("PostToolUse"), "call", [asked()]),
    ([asked(of="a1")], tool("PostToolUse", **AGENT), "call", []),
    ([asked(order=ORDER)], tool("PostToolUse"), "call", []),
    ([guess()], tool("PostToolUse"), "call", []),
    ([guess(), asked(subject="ls")], tool("PreToolUse"), "guess", [asked(subject="ls")]),
    ([guess(of="a1")], tool("PreToolUse"), "guess", []),
    ([asked(), asked(of="a1"), DIALOG], e("Stop"), "loop", [asked(of="a1")]),
    ([asked(), asked(of="a1"), asked(of="a2")], e("SubagentStop", **AGENT), "loop", [asked(), asked(of="a2")]),
    ([asked(), asked(of="a1"), DIALOG, guess()], prompt(), "all", []),
    ([asked(), asked(of="a1"), asked(of="a2")], prompt(**AGENT), "all", [asked(), asked(of="a2")]),
    ([DIALOG], RESULT, "dialog", []),
    ([{**DIALOG, "tool": ""}], RESULT, "dialog", []),
    ([{**DIALOG, "agent": "a1"}], RESULT, "dialog", []),
    ([{**DIALOG, "agent": "a1"}], {**RESULT, **AGENT}, "dialog", []),
    ([DIALOG], RESPONSE, "dialog", []),
    ([{**DIALOG, "tool": ""}], notification("elicitation_complete", "done"), "dialog", []),
    ([DIALOG, asked()], RESULT, "dialog", [asked()]),
]  # fmt: skip
SETTLES_NOTHING: list[tuple[list[Any], Event, str]] = [
    ([asked(), guess(), DIALOG], prompt(), ""),
    ([asked(use="t1")], tool("PostToolUse", use="t2"), "call"),
    ([asked()], tool("PostToolUse", what="ls"), "call"),
    ([asked()], tool("PostToolUse", "Read", "make test"), "call"),
    ([asked(of="a1")], tool("PostToolUse"), "call"),
    ([asked()], tool("PostToolUse", **AGENT), "call"),
    ([guess()], tool("PostToolUse", **AGENT), "call"),
    ([asked(order=AFTER)], tool("PostToolUse"), "call"),
    ([asked()], tool("PreToolUse"), "guess"),
    ([guess()], tool("PreToolUse", **AGENT), "guess"),
    ([guess(order=AFTER)], tool("PreToolUse"), "guess"),
    ([asked(order=AFTER), asked(of="a1")], e("Stop"), "loop"),
    ([asked(order=AFTER)], prompt(), "all"),
    ([{**DIALOG, "tool": "other"}], RESULT, "dialog"),
    ([{**DIALOG, "tool": "other"}], RESPONSE, "dialog"),
    ([DIALOG], notification("elicitation_complete", "done"), "dialog"),
    ([{**DIALOG, "agent": "a2"}], {**RESULT, **AGENT}, "dialog"),
    ([{**DIALOG, "kind": "permission"}], RESULT, "dialog"),
    ([DIALOG], e("ElicitationResult"), "dialog"),
    ([{**DIALOG, "order": AFTER}], RESULT, "dialog"),
]


def settled_by(event: Event, how: str, **run: list[Any]) -> tuple[dict[str, Any], bool]:
    new: Any = copy.deepcopy(run)
    return new, settle(new, line(event, ORDER), how)


@pytest.mark.parametrize(("pending", "event", "how", "left"), SETTLES)
def test_an_event_that_settles_requests(pending: list[Any], event: Event, how: str, left: list[Any]) -> None:
    assert settled_by(event, how, pending=pending)[0]["pending"] == left


@pytest.mark.parametrize(("pending", "event", "how"), SETTLES_NOTHING)
def test_an_event_that_settles_no_request(pending: list[Any], event: Event, how: str) -> None:
    assert settled_by(event, how, pending=pending)[0]["pending"] == pending


CALLS: list[tuple[list[Any], Event, str, list[Any]]] = [
    ([call(use="t1"), call(use="t2")], tool("PostToolUse", use="t2"), "call", [call(use="t1")]),
    ([call(), call()], tool("PostToolUse"), "call", [call()]),
    ([call(order=AFTER)], tool("PostToolUse"), "call", []),
    ([call(), call(of="a1")], e("PostToolBatch"), "loop", [call(of="a1")]),
    ([call(), call(of="a1"), call(order=AFTER)], prompt(), "all", [call(order=AFTER)]),
]
SAME_CALLS: list[tuple[list[Any], Event, str]] = [
    ([call(use="t1")], tool("PostToolUse", use="t2"), "call"),
    ([call()], tool("PreToolUse"), "guess"),
    ([call("", "x")], tool("PreToolUse"), "guess"),
    ([call()], RESULT, "dialog"),
    ([call()], prompt(), ""),
    ([call(of="a1"), call(order=AFTER)], e("Stop"), "loop"),
]


@pytest.mark.parametrize(("calls", "event", "how", "left"), CALLS)
def test_an_event_that_ends_calls(calls: list[Any], event: Event, how: str, left: list[Any]) -> None:
    assert settled_by(event, how, calls=calls)[0]["calls"] == left


@pytest.mark.parametrize(("calls", "event", "how"), SAME_CALLS)
def test_an_event_that_ends_no_call(calls: list[Any], event: Event, how: str) -> None:
    assert settled_by(event, how, calls=calls)[0]["calls"] == calls


# What is remembered as settled

REMEMBERED: list[tuple[list[Any], Event, str, list[Any]]] = [
    ([], tool("PostToolUse", use="t1"), "call", [[ORDER, "", "t1", "Bash", "make test"]]),
    ([], tool("PostToolUse", what="x" * 99, **AGENT), "call", [[ORDER, "a1", "", "Bash", "x" * SETTLED_SUBJECT]]),
    ([], e("PermissionDenied"), "call", [[ORDER, "", "", "", ""]]),
    ([], e("Stop"), "loop", [[ORDER, "", "*", "", ""]]),
    ([], e("SubagentStop", **AGENT), "loop", [[ORDER, "a1", "*", "", ""]]),
    ([], prompt(), "all", [[ORDER, "*", "*", "", ""]]),
    ([], prompt(**AGENT), "all", [[ORDER, "a1", "*", "", ""]]),
    ([], RESULT, "dialog", [[ORDER, "", "", "elic", "*"]]),
    ([[1, "", "t1", "Bash", "x"], [2, "a1", "*", "", ""]], e("Stop"), "loop",
     [[2, "a1", "*", "", ""], [ORDER, "", "*", "", ""]]),
    ([[1, "", "t1", "Bash", "x"], [2, "a1", "*", "", ""]], prompt(), "all", [[ORDER, "*", "*", "", ""]]),
    ([[AFTER, "", "t1", "Bash", "x"]], e("Stop"), "loop", [[AFTER, "", "t1", "Bash", "x"], [ORDER, "", "*", "", ""]]),
    ([[1, "", "t1", "Bash", "x"]], prompt(**AGENT), "all", [[1, "", "t1", "Bash", "x"], [ORDER, "a1", "*", "", ""]]),
]  # fmt: skip
NOT_REMEMBERED: list[tuple[Event, str]] = [
    (tool("PreToolUse"), "guess"), (prompt(), ""), (notification("elicitation_complete", "done"), "dialog"),
]  # fmt: skip


@pytest.mark.parametrize(("settled", "event", "how", "after"), REMEMBERED)
def test_what_an_event_settles_is_remembered(settled: list[Any], event: Event, how: str, after: list[Any]) -> None:
    assert settled_by(event, how, settled=settled)[0]["settled"] == after


@pytest.mark.parametrize(("event", "how"), NOT_REMEMBERED)
def test_what_settles_nothing_certain_is_not_remembered(event: Event, how: str) -> None:
    before = [[1, "a1", "t1", "Bash", "x"]]
    assert settled_by(event, how, settled=before)[0]["settled"] == before


def test_only_the_latest_settlements_are_remembered() -> None:
    before = [[n, "a1", f"t{n}", "Bash", "x"] for n in range(MOST_SETTLED)]
    after = settled_by(e("Stop"), "loop", settled=before)[0]["settled"]
    assert after == [*before[1:], [ORDER, "", "*", "", ""]]


OVERTAKEN: list[tuple[list[Any], Event]] = [
    ([AFTER, "", "t1", "Bash", "make test"], tool("PreToolUse", use="t1")),
    ([BEFORE, "", "t1", "", ""], tool("PreToolUse", use="t1")),
    ([AFTER, "", "t1", "Bash", "make test"], tool("PermissionRequest")),
    ([AFTER, "", "", "Bash", "make test"], tool("PreToolUse", use="t1")),
    ([AFTER, "", "t1", "Bash", "x" * SETTLED_SUBJECT], tool("PermissionRequest", what="x" * 99)),
    ([AFTER, "", "*", "", ""], tool("PreToolUse", use="t1")),
    ([AFTER, "*", "*", "", ""], tool("PreToolUse", **AGENT)),
    ([AFTER, "a1", "*", "", ""], tool("PreToolUse", **AGENT)),
    ([AFTER, "", "", "elic", "*"], e("Elicitation", mcp_server_name="elic", message="Name?")),
]
NOT_OVERTAKEN: list[tuple[list[Any], Event]] = [
    ([BEFORE, "", "*", "", ""], tool("PreToolUse", use="t1")),
    ([ORDER, "", "*", "", ""], tool("PreToolUse", use="t1")),
    ([ORDER + ANOTHER_BOOT, "", "*", "", ""], tool("PreToolUse", use="t1")),
    ([AFTER, "a1", "*", "", ""], tool("PreToolUse")),
    ([AFTER, "", "*", "", ""], tool("PreToolUse", **AGENT)),
    ([AFTER, "", "t1", "Bash", "make test"], tool("PreToolUse", use="t2")),
    ([AFTER, "", "t1", "Bash", "make test"], tool("PermissionRequest", what="ls")),
    ([AFTER, "", "t1", "Bash", "make test"], tool("PermissionRequest", "Shell", "make test")),
    ([AFTER, "", "", "elic", "*"], e("Elicitation", mcp_server_name="other", message="Name?")),
    ([BEFORE, "", "", "Bash", "make test"], tool("PermissionRequest")),
]


@pytest.mark.parametrize(("settled", "event"), OVERTAKEN)
def test_an_event_whose_call_is_settled_already_is_overtaken(settled: list[Any], event: Event) -> None:
    assert settled_by(event, "", settled=[[1, "a9", "t9", "", ""], settled])[1]


@pytest.mark.parametrize(("settled", "event"), NOT_OVERTAKEN)
def test_an_event_of_another_call_scope_or_time_is_not_overtaken(settled: list[Any], event: Event) -> None:
    assert not settled_by(event, "", settled=[settled])[1]


def test_a_settlement_names_the_five_values_that_a_record_holds() -> None:
    one = Settlement(1, "a1", "t1", "Bash", "ls")
    assert (one.order, one.scope, one.use, one.tool, one.subject) == (1, "a1", "t1", "Bash", "ls")


def test_settlements_are_written_as_older_versions_read_them() -> None:
    run = settled_by(tool("PostToolUse", use="t1"), "call", settled=[[1, "a1", "*", "", ""]])[0]
    assert decode(encode(run["settled"])) == [[1, "a1", "*", "", ""], [ORDER, "", "t1", "Bash", "make test"]]


def test_a_settlement_of_a_newer_version_may_have_more_values() -> None:
    assert settled_by(tool("PreToolUse"), "", settled=[[AFTER, "", "*", "", "", "more"]])[1]


# What begins


def begun(event: Event, *calls: Any) -> Any:
    run = cast("Record", {"calls": copy.deepcopy(list(calls))})
    begin(run, line(event, ORDER))
    return run["calls"]


NEW = call(use="t1", order=ORDER)
BEGINS: list[tuple[list[Any], Event]] = [
    ([], tool("PreToolUse", use="t1")),
    ([call(use="t2")], tool("PreToolUse", use="t1")),
    ([call(of="a1")], tool("PreToolUse", use="t1")),
    ([call(subject="ls")], tool("PreToolUse", use="t1")),
    ([call("Read")], tool("PreToolUse", use="t1")),
]
RUNS_ALREADY: list[tuple[list[Any], Event]] = [
    ([call(use="t1")], tool("PreToolUse", use="t1")),
    ([call()], tool("PreToolUse", use="t1")),
    ([call(use="t1")], tool("PreToolUse")),
]


@pytest.mark.parametrize(("calls", "event"), BEGINS)
def test_a_call_begins(calls: list[Any], event: Event) -> None:
    assert begun(event, *calls) == [*calls, NEW]


@pytest.mark.parametrize(("calls", "event"), RUNS_ALREADY)
def test_a_call_that_runs_already_does_not_begin_again(calls: list[Any], event: Event) -> None:
    assert begun(event, *calls) == calls


def test_a_call_without_an_id_begins_without_one() -> None:
    assert begun(tool("PreToolUse")) == [call(order=ORDER)]


def test_only_the_latest_calls_are_kept() -> None:
    calls = [call(use=f"u{n}") for n in range(MOST_CALLS)]
    assert begun(tool("PreToolUse", use="t1"), *calls) == [*calls[1:], NEW]


# What is asked


def after_asking(event: Event, kind: str, late: bool = False, **run: Any) -> Any:
    new: Any = {"pending": [], "calls": [], **copy.deepcopy(run)}
    ask(new, line(event, ORDER), kind, late)
    return new["pending"]


def new(kind: str, tool_name: str = "Bash", subject: str = "make test", **more: Any) -> Any:
    return {**asked(kind, tool_name, subject, order=ORDER, **more), "at": AT}


NEEDS = notification("permission_prompt")
UNATTENDED = {"attended": False, "entrypoint": "sdk-cli"}
ASKS: list[tuple[dict[str, Any], Event, str, list[Any]]] = [
    ({}, tool("PermissionRequest"), "permission", [new("permission")]),
    ({}, tool("PermissionRequest", **AGENT), "permission", [new("permission", of="a1")]),
    ({"calls": [call(use="t1")]}, tool("PermissionRequest"), "permission", [new("permission", use="t1")]),
    ({"calls": [call(use="t1")]}, tool("PreToolUse", use="t2"), "question", [new("question", use="t2")]),
    ({"calls": [call(use="t1", of="a1")]}, tool("PermissionRequest"), "permission", [new("permission")]),
    ({"pending": [DIALOG]}, tool("PermissionRequest"), "permission", [DIALOG, new("permission")]),
    ({"pending": [asked(use="t1")]}, tool("PreToolUse", use="t2"), "plan", [asked(use="t1"), new("plan", use="t2")]),
    ({"pending": [asked(), asked(subject="ls")]}, tool("PreToolUse", use="t2"), "permission",
     [asked(use="t2"), asked(subject="ls")]),
    ({}, NEEDS, "permission?", [new("permission", "", "Claude needs your permission")]),
    ({}, notification("permission_prompt", "approve the plan"), "permission?", [new("plan", "", "approve the plan")]),
    ({}, e("Notification"), "permission?", [new("permission", "", "")]),
    ({}, notification("agent_needs_input", "m" * 400), "input?", [new("input", "", "m" * 300)]),
    ({}, e("Elicitation", mcp_server_name="s" * 200, message="?"), "input", [new("input", "s" * 100, "?")]),
    ({"where": {"attended": True}}, NEEDS, "input?", [new("input", "", "Claude needs your permission")]),
    ({"where": {**UNATTENDED, "entrypoint": "cli"}}, tool("PermissionRequest"), "permission", [new("permission")]),
]  # fmt: skip
ASKS_NOTHING: list[tuple[dict[str, Any], Event, str, bool]] = [
    ({}, tool("PreToolUse"), "", False),
    ({"where": UNATTENDED}, tool("PermissionRequest"), "permission", False),
    ({"where": {"attended": False}}, tool("PermissionRequest"), "permission", False),
    ({"pending": [DIALOG]}, NEEDS, "permission?", False),
    ({}, NEEDS, "permission?", True),
    ({"pending": [asked(use="t1")]}, tool("PermissionRequest"), "permission", False),
    ({"pending": [asked(use="t1")]}, tool("PreToolUse", use="t1"), "permission", False),
]


@pytest.mark.parametrize(("run", "event", "kind", "pending"), ASKS)
def test_an_event_that_asks(run: dict[str, Any], event: Event, kind: str, pending: list[Any]) -> None:
    assert after_asking(event, kind, **run) == pending


@pytest.mark.parametrize(("run", "event", "kind", "late"), ASKS_NOTHING)
def test_an_event_that_asks_nothing(run: dict[str, Any], event: Event, kind: str, late: bool) -> None:
    assert after_asking(event, kind, late, **run) == run.get("pending", [])


def test_a_request_that_comes_late_is_asked_all_the_same() -> None:
    assert after_asking(tool("PermissionRequest"), "permission", late=True) == [new("permission")]


def test_only_the_latest_requests_are_kept() -> None:
    before = [asked(subject=f"{n}") for n in range(MOST_REQUESTS)]
    assert after_asking(tool("PermissionRequest"), "permission", pending=before) == [*before[1:], new("permission")]


def answered_at(event: Event, how: str, *waits: Any, **run: Any) -> float | None:
    """When the person was there after the EVENT, which settles those that wait."""
    after, _ = settled_by(event, how, pending=list(waits), **run)
    return after.get("person_at")


ASKED = asked() | {"at": AT - 100}
WANTS_NAME = asked("input", "elic", "Name?") | {"at": AT - 100}
RESULT = e("ElicitationResult", mcp_server_name="elic")
ANSWERS: dict[str, tuple[Event, str, Any, float]] = {
    "a command that was approved and then ran": (tool("PostToolUse", duration_ms=40_000), "call", ASKED, AT - 40),
    "a command that failed": (tool("PostToolUseFailure", duration_ms=40_000), "call", ASKED, AT - 40),
    "no sooner than a person answers": (tool("PostToolUse", duration_ms=99_500), "call", ASKED, AT - 99.5),
    "a duration that cannot be": (tool("PostToolUse", duration_ms=-40_000), "call", ASKED, AT),
    "a dialog": (RESULT, "dialog", WANTS_NAME, AT),
}
ANSWERS_NOTHING: dict[str, tuple[Event, str, Any]] = {
    "a hook was faster": (tool("PostToolUse", duration_ms=99_501), "call", ASKED),
    "nobody knows how long the command ran": (tool("PostToolUse"), "call", ASKED),
    "another command": (tool("PostToolUse", what="make", duration_ms=40_000), "call", ASKED),
    "a command that a new prompt overtook": (prompt(), "all", ASKED),
    "the dialog of another server": (RESULT, "dialog", WANTS_NAME | {"tool": "other"}),
}


@pytest.mark.parametrize(("event", "how", "waits", "at"), ANSWERS.values(), ids=ANSWERS)
def test_an_event_that_says_when_the_person_answered(event: Event, how: str, waits: Any, at: float) -> None:
    assert answered_at(event, how, waits) == at
    assert answered_at(event, how, waits, person_at=at - 1) == at
    assert answered_at(event, how, waits, person_at=at + 1) == at + 1


@pytest.mark.parametrize(("event", "how", "waits"), ANSWERS_NOTHING.values(), ids=ANSWERS_NOTHING)
def test_an_event_that_does_not_say_when_the_person_answered(event: Event, how: str, waits: Any) -> None:
    assert answered_at(event, how, waits) is None


# Laws

USES = st.sampled_from(["", "t1", "t2"])
PARTS = st.builds(call, st.sampled_from(["", "Bash", "Read"]), st.sampled_from("xy"), USES, st.sampled_from(["", "a1"]))
EVENTS = st.builds(
    lambda use, what, of: tool("PostToolUse", what=what, use=use, **of),
    USES, st.sampled_from("xy"), st.sampled_from([{}, AGENT]),
)  # fmt: skip
HOW = st.sampled_from(["", "call", "loop", "all", "dialog", "guess"])


@given(st.lists(PARTS, max_size=6), EVENTS, HOW)
def test_settling_adds_no_request_and_settling_again_removes_at_most_a_twin(
    parts: list[Any], event: Event, how: str
) -> None:
    pending = [{**part, "kind": "permission", "at": 1.0} for part in parts]
    once, _ = settled_by(event, how, pending=pending, calls=parts)
    assert all(one in pending for one in once["pending"])
    assert all(one in parts for one in once["calls"])
    twice, _ = settled_by(event, how, **{name: list(value) for name, value in once.items()})
    assert len(once["pending"]) - len(twice["pending"]) <= (1 if how == "call" else 0)


@given(st.lists(PARTS, max_size=6), EVENTS)
def test_settling_all_leaves_only_newer_requests(parts: list[Any], event: Event) -> None:
    run, _ = settled_by(prompt(), "all", pending=[{**part, "kind": "input", "at": 1.0} for part in parts], calls=parts)
    assert (run["pending"], run["calls"]) == ([], [])
    late: Line = line(event, BEFORE)
    assert settle(cast("Record", run), late, "")


def test_a_call_that_was_refused_with_words_and_is_made_again_asks_again() -> None:
    """No hook says that the first one was refused."""
    once = (tool("PreToolUse", use="t1"), tool("PermissionRequest"))
    again = (tool("PreToolUse", use="t2"), tool("PermissionRequest"), tool("PermissionRequest"))
    assert [request["use"] for request in recorded(prompt(), *once, *again)["pending"]] == ["t1", "t2"]


def test_a_request_that_overtook_its_call_gets_the_id_of_the_call() -> None:
    """So that the result in the transcript settles it, which is all that tells of a refusal with words."""
    began, call, request, other = lines([prompt(), tool("PreToolUse", use="t1"), tool("PermissionRequest"), e("Setup")])
    late = folded([began, request, call])["pending"]
    assert [one["use"] for one in late] == ["t1"]

    later_call = line(tool("PreToolUse", use="t2"), other["order"])
    assert [one["use"] for one in folded([began, request, later_call])["pending"]] == [""]
    another = line(tool("PreToolUse", what="ls", use="t3"), call["order"])
    assert [one["use"] for one in folded([began, request, another])["pending"]] == [""]
    assert [one["use"] for one in folded([began, call, request, call])["pending"]] == ["t1"]
