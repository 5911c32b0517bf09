"""Test which messages of an asker are requests that can be answered."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deskbell.answers.request import Question, request_of
from tests.tray.answers.making import CODE, COLOURS, SIZES, message, request


def test_a_request_holds_what_the_client_said_to_the_letter() -> None:
    one = request(tool_input={"command": "ls\t-l", "odd": [1, None]})
    assert (one.code, one.session_id, one.pid, one.start, one.kind) == (CODE, "a1", 100, 1, "permission")
    assert one.tool_input == {"command": "ls\t-l", "odd": [1, None]}
    assert one.event == message(tool_input={"command": "ls\t-l", "odd": [1, None]})["ask"]["event"]


KINDS = {"Bash": "permission", "mcp__db__query": "permission", "ExitPlanMode": "plan"}


@pytest.mark.parametrize(("tool", "kind"), KINDS.items())
def test_the_tool_says_what_kind_of_request_it_is(tool: str, kind: str) -> None:
    assert request(tool, {}).kind == kind


def test_an_option_is_read_with_what_the_client_shows_beside_it() -> None:
    options = [
        {"label": "A", "description": "Quick"},
        {"label": "B", "description": "Slow", "preview": "+-+"},
        {"label": "C", "description": 7, "preview": " "},
    ]
    one = request("AskUserQuestion", {"questions": [{"question": "Which?", "options": options}]})
    assert one.questions[0].abouts == ("Quick", "Slow\n+-+", "")


def test_questions_are_read_with_their_options() -> None:
    one = request("AskUserQuestion", {"questions": [COLOURS, SIZES]})
    assert one.kind == "question"
    assert one.questions == (
        Question("Which colour?", ("Blue", "Red"), ("", "")),
        Question("Which sizes?", ("S", "M", "L"), ("", "", ""), several=True),
    )


def without(name: str) -> dict[str, Any]:
    found = message()
    del found["ask"]["event"][name]
    return found


def with_(**said: Any) -> dict[str, Any]:
    found = message()
    found["ask"] |= said
    return found


def questions(*given: Any) -> dict[str, Any]:
    return message("AskUserQuestion", {"questions": list(given)})


REFUSED: dict[str, object] = {
    "nothing": None,
    "a list": [],
    "another version": message() | {"v": 2},
    "no request": {"v": 1, "ask": None},
    "no event": with_(event=None),
    "another event": message(hook_event_name="PreToolUse"),
    "that of a subagent": message(agent_id="agent-1"),
    "no session": without("session_id"),
    "a session that is a path": message(session_id="../a"),
    "no process": with_(pid=None),
    "process zero": with_(pid=0),
    "true as a process": with_(pid=True),
    "a start in words": with_(start="yesterday"),
    "no time": with_(at=None),
    "an endless time": with_(at=1e300),
    "no tool": without("tool_name"),
    "a tool without a name": message(tool_name=""),
    "no input": without("tool_input"),
    "an input that is a list": message(tool_input=[]),  # type: ignore[arg-type]
    "questions that are text": message("AskUserQuestion", {"questions": "Which?"}),
    "no question": questions(),
    "a question without text": questions({"question": " ", "options": [{"label": "A"}]}),
    "a question without options": questions({"question": "Which?", "options": []}),
    "an option without a label": questions({"question": "Which?", "options": [{"label": "A"}, {}]}),
    "two options of one label": questions({"question": "Which?", "options": [{"label": "A"}, {"label": "A"}]}),
    "two questions of one text": questions(COLOURS, COLOURS),
    "one question of two that cannot be read": questions(COLOURS, "Which?"),
}


@pytest.mark.parametrize("said", REFUSED.values(), ids=REFUSED)
def test_what_is_no_answerable_request_is_none(said: object) -> None:
    assert request_of(said, CODE) is None


RULE = {"type": "addRules", "destination": "localSettings", "rules": [{"toolName": "Bash", "ruleContent": "ls *"}]}
NOT_OFFERED: dict[str, object] = {
    "a change of the mode": {"type": "setMode", "mode": "acceptEdits", "destination": "session"},
    "a folder": {"type": "addDirectories", "directories": ["/"], "destination": "session"},
    "a rule for every project": RULE | {"destination": "userSettings"},
    "words": "addRules",
}


@pytest.mark.parametrize("suggestion", NOT_OFFERED.values(), ids=NOT_OFFERED)
def test_only_rules_for_this_project_may_be_added(suggestion: object) -> None:
    assert request(permission_suggestions=[suggestion, RULE]).rules == (RULE,)


@pytest.mark.parametrize("suggestions", [None, "addRules", {}])
def test_suggestions_of_another_shape_are_none(suggestions: object) -> None:
    assert request(permission_suggestions=suggestions).rules == ()


VALUES: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)
PLACES = ("v", "ask", "order", "at", "pid", "start", "event", "session_id", "tool_name", "tool_input", "questions")


@given(st.sampled_from(PLACES), VALUES, st.sampled_from(["Bash", "AskUserQuestion"]))
def test_no_value_anywhere_raises(place: str, value: Any, tool: str) -> None:
    said = json.loads(json.dumps(message(tool, {"questions": [COLOURS]})))
    for level in (said, said["ask"], said["ask"]["event"], said["ask"]["event"]["tool_input"]):
        if place in level:
            level[place] = value
            break
    request_of(said, CODE)
