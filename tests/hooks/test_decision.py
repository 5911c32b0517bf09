"""Test which decisions may be printed: those of the vocabulary, and not one mutation of them."""

import copy
import json
import os
from collections.abc import Iterator
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deskbell_hooks.decision import is_allowed, same
from tests.hooks.program import ACCEPT_EDITS, ALLOW, ANSWERS, BASH, DENY, PLAN, QUESTION, QUESTIONS, SUGGESTIONS, output

MANY = 30_000 if os.environ.get("DESKBELL_THOROUGH") else 500
RULES = SUGGESTIONS[1:3]
SESSION_MODE, _, _, OF_USER, DIRECTORIES = SUGGESTIONS
ANSWERED = output(behavior="allow", updatedInput={"questions": QUESTIONS, "answers": ANSWERS})
APPROVED = output(behavior="allow", updatedInput=PLAN["tool_input"])
EDITS = output(behavior="allow", updatedInput=PLAN["tool_input"], updatedPermissions=ACCEPT_EDITS)
STOPPED = output(behavior="deny", interrupt=True)

ALLOWED: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "allow": (BASH, ALLOW),
    "allow, of a tool of a server": (BASH | {"tool_name": "mcp__a__b"}, ALLOW),
    "a suggested rule": (BASH, output(behavior="allow", updatedPermissions=RULES[:1])),
    "all suggested rules": (BASH, output(behavior="allow", updatedPermissions=RULES)),
    "the answers": (QUESTION, ANSWERED),
    "answers in other words": (
        QUESTION,
        output(behavior="allow", updatedInput={"questions": QUESTIONS, "answers": {**ANSWERS, "Which colour?": "Any"}}),
    ),
    "the plan": (PLAN, APPROVED),
    "the plan, with edits accepted": (PLAN, EDITS),
    **{f"deny {event['tool_name']}": (event, DENY) for event in (BASH, QUESTION, PLAN)},
    "deny without a word": (BASH, output(behavior="deny")),
    "deny and stop": (PLAN, STOPPED),
    "deny and stop with a word": (QUESTION, output(behavior="deny", message="", interrupt=True)),
}


def answering(answers: Any, questions: Any = QUESTIONS, **more: Any) -> dict[str, Any]:
    return output(behavior="allow", updatedInput={"questions": questions, "answers": answers, **more})


def granting(*updates: Any) -> dict[str, Any]:
    return output(behavior="allow", updatedPermissions=list(updates))


TWICE = [QUESTIONS[0], QUESTIONS[0]]
REFUSED: dict[str, tuple[Any, Any]] = {
    "nothing": (BASH, None),
    "a list": (BASH, [ALLOW]),
    "another wrapping": (BASH, ALLOW["hookSpecificOutput"]),
    "the old form": (BASH, {"decision": "approve"}),
    "a key beside": (BASH, {**ALLOW, "continue": False}),
    "a key within": (BASH, {"hookSpecificOutput": {**ALLOW["hookSpecificOutput"], "additionalContext": "x"}}),
    "another event": (BASH, {"hookSpecificOutput": {**ALLOW["hookSpecificOutput"], "hookEventName": "PreToolUse"}}),
    "no decision": (BASH, {"hookSpecificOutput": {"hookEventName": "PermissionRequest"}}),
    "a decision that is a word": (
        BASH,
        {"hookSpecificOutput": {"hookEventName": "PermissionRequest", "decision": "x"}},
    ),
    "an event that asks for nothing": (BASH | {"hook_event_name": "PreToolUse"}, ALLOW),
    "an event without a tool": ({**BASH, "tool_name": None}, ALLOW),
    "an event that is a list": ([BASH], ALLOW),
    "maybe": (BASH, output(behavior="maybe")),
    "no behaviour": (BASH, output(message="x")),
    "allow with a message": (BASH, output(behavior="allow", message="x")),
    "allow with an interruption": (BASH, output(behavior="allow", interrupt=True)),
    "deny with a number for a message": (BASH, output(behavior="deny", message=1)),
    "deny with no message": (BASH, output(behavior="deny", message=None)),
    "deny without an interruption": (BASH, output(behavior="deny", interrupt=False)),
    "deny with 1 for an interruption": (BASH, output(behavior="deny", interrupt=1)),
    "deny with other input": (BASH, output(behavior="deny", updatedInput={})),
    "other input": (BASH, output(behavior="allow", updatedInput={"command": "rm -rf /"})),
    "the same input": (BASH, output(behavior="allow", updatedInput=BASH["tool_input"])),
    "no permissions": (BASH, granting()),
    "permissions that are no list": (BASH, output(behavior="allow", updatedPermissions={"0": RULES[0]})),
    "a suggested mode": (BASH, granting(SESSION_MODE)),
    "a suggested folder": (BASH, granting(DIRECTORIES)),
    "a suggested rule for the account": (BASH, granting(OF_USER)),
    "a rule and a mode": (BASH, granting(RULES[0], SESSION_MODE)),
    "a rule that nobody suggested": (BASH, granting({**RULES[0], "rules": [{"toolName": "Bash"}]})),
    "a rule with another destination": (BASH, granting({**RULES[0], "destination": "localSettings"})),
    "a rule that is a word": (BASH, granting("addRules")),
    "a rule without a suggestion": ({**BASH, "permission_suggestions": None}, granting(RULES[0])),
    "a rule with other input": (BASH, output(behavior="allow", updatedPermissions=RULES, updatedInput={})),
    "bypass": (BASH, granting({"type": "setMode", "mode": "bypassPermissions", "destination": "session"})),
    "a question: allow": (QUESTION, ALLOW),
    "a question: a rule": (QUESTION | {"permission_suggestions": SUGGESTIONS}, granting(RULES[0])),
    "a question: no answers": (QUESTION, answering({})),
    "a question: one of two": (QUESTION, answering({"Which colour?": "Blue"})),
    "a question: a third": (QUESTION, answering({**ANSWERS, "What else?": "x"})),
    "a question: another text": (QUESTION, answering({"Which colour": "Blue", "Which sizes?": "S"})),
    "a question: an empty answer": (QUESTION, answering({**ANSWERS, "Which colour?": " "})),
    "a question: a list": (QUESTION, answering({**ANSWERS, "Which sizes?": ["S", "L"]})),
    "a question: answers that are a list": (QUESTION, answering(["Blue", "S"])),
    "a question: other questions": (QUESTION, answering(ANSWERS, QUESTIONS[::-1])),
    "a question: a number of another kind": (QUESTION, answering(ANSWERS, [QUESTIONS[0], {**QUESTIONS[1], "n": 1.0}])),
    "a question: true for 1": (QUESTION, answering(ANSWERS, [QUESTIONS[0], {**QUESTIONS[1], "n": True}])),
    "a question: more input": (QUESTION, answering(ANSWERS, more=None)),
    "a question: more in the decision": (
        QUESTION,
        output(behavior="allow", updatedInput={"questions": QUESTIONS, "answers": ANSWERS}, updatedPermissions=RULES),
    ),
    "a question: none asked": (QUESTION | {"tool_input": {"questions": []}}, answering({}, [])),
    "a question: no list of them": (QUESTION | {"tool_input": {"questions": {}}}, answering({}, {})),
    "a question: no input": (QUESTION | {"tool_input": None}, answering({}, [])),
    "a question: one without a text": (QUESTION | {"tool_input": {"questions": [1]}}, answering({}, [1])),
    "a question: the same one twice": (
        QUESTION | {"tool_input": {"questions": TWICE}},
        answering({"Which colour?": "Blue"}, TWICE),
    ),
    "a plan: not sent along": (PLAN | {"tool_input": {}}, output(behavior="allow", updatedInput={})),
    "a plan: nothing but blanks": (
        PLAN | {"tool_input": {"plan": " \n"}},
        output(behavior="allow", updatedInput={"plan": " \n"}),
    ),
    "a plan: allow": (PLAN, ALLOW),
    "a plan: edited": (PLAN, output(behavior="allow", updatedInput={**PLAN["tool_input"], "plan": "2."})),
    "a plan: emptied": (PLAN, output(behavior="allow", updatedInput={})),
    "a plan: no input": (PLAN | {"tool_input": None}, output(behavior="allow", updatedInput=None)),
    "a plan: another mode": (
        PLAN,
        output(
            behavior="allow", updatedInput=PLAN["tool_input"], updatedPermissions=[{**ACCEPT_EDITS[0], "mode": "auto"}]
        ),
    ),
    "a plan: no change of the mode": (
        PLAN,
        output(behavior="allow", updatedInput=PLAN["tool_input"], updatedPermissions=[]),
    ),
    "a plan: kept for all sessions": (
        PLAN,
        output(
            behavior="allow",
            updatedInput=PLAN["tool_input"],
            updatedPermissions=[{**ACCEPT_EDITS[0], "destination": "userSettings"}],
        ),
    ),
    "a plan: a message": (PLAN, output(behavior="allow", updatedInput=PLAN["tool_input"], message="x")),
    "a plan: edits accepted, and a message": (
        PLAN,
        output(behavior="allow", updatedInput=PLAN["tool_input"], updatedPermissions=ACCEPT_EDITS, message="x"),
    ),
}


@pytest.mark.parametrize(("event", "given"), ALLOWED.values(), ids=ALLOWED)
def test_a_decision_of_the_vocabulary_is_allowed(event: dict[str, Any], given: dict[str, Any]) -> None:
    assert is_allowed(event, given)


@pytest.mark.parametrize(("event", "given"), REFUSED.values(), ids=REFUSED)
def test_any_other_decision_is_refused(event: Any, given: Any) -> None:
    assert not is_allowed(event, given)


def test_a_decision_for_one_tool_is_none_for_another() -> None:
    """But for a denial, which every tool has."""
    events = {"Bash": BASH, "AskUserQuestion": QUESTION, "ExitPlanMode": PLAN}
    fits = {
        (name, number): is_allowed(event, given)
        for name, event in events.items()
        for number, given in enumerate((ALLOW, ANSWERED, APPROVED))
    }
    assert [key for key, fit in fits.items() if fit] == [("Bash", 0), ("AskUserQuestion", 1), ("ExitPlanMode", 2)]


# What may vary is put right before a mutated decision is compared with the forms that are allowed, all of them: the
# words of a message, and those of an answer.


def forms(event: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Every decision that may answer EVENT, without regard to free words."""
    for message in ({}, {"message": "words"}):
        for stop in ({}, {"interrupt": True}):
            yield output(behavior="deny", **message, **stop)
    if event is BASH:
        yield ALLOW
        for count in (1, 2):
            for some in combinations(RULES, count):
                yield granting(*some)
                yield granting(*some[::-1])
    if event is QUESTION:
        yield answering(dict.fromkeys(ANSWERS, "words"))
    if event is PLAN:
        yield APPROVED
        yield EDITS


def without_words(given: Any) -> Any:
    given = copy.deepcopy(given)
    try:
        decision = given["hookSpecificOutput"]["decision"]
        if decision["behavior"] == "deny" and isinstance(decision.get("message"), str):
            decision["message"] = "words"
        answers = decision["updatedInput"]["answers"]
        for text in answers:
            if isinstance(answers[text], str) and answers[text].strip():
                answers[text] = "words"
    except (KeyError, TypeError, AttributeError):
        pass
    return given


def as_text(value: Any) -> str:
    return json.dumps(value, sort_keys=True)


WORDS = [
    "behavior",
    "allow",
    "deny",
    "message",
    "interrupt",
    "updatedInput",
    "updatedPermissions",
    "answers",
    "questions",
]
WORDS += [
    "destination",
    "session",
    "userSettings",
    "setMode",
    "addRules",
    "acceptEdits",
    "auto",
    "hookEventName",
    "",
    " ",
]
leaves: st.SearchStrategy[Any] = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-1, 2),
    st.sampled_from([1.0, 1.5]),
    st.sampled_from(WORDS),
    st.text(max_size=3),
)
values = st.one_of(
    leaves,
    st.lists(leaves, max_size=2),
    st.dictionaries(st.sampled_from(WORDS), leaves, max_size=2),
    st.sampled_from([*SUGGESTIONS, *QUESTIONS, ANSWERS, PLAN["tool_input"], ALLOW, DENY]),
)


def places(value: Any) -> list[tuple[Any, Any]]:
    """Every container in VALUE with each of its keys."""
    keys = list(value) if isinstance(value, dict) else list(range(len(value))) if isinstance(value, list) else []
    return [(value, key) for key in keys] + [place for key in keys for place in places(value[key])]


@st.composite
def mutated(draw: st.DrawFn) -> tuple[dict[str, Any], Any]:
    event, good = draw(st.sampled_from([one for one in ALLOWED.values() if one[0] in (BASH, QUESTION, PLAN)]))
    event = next(one for one in (BASH, QUESTION, PLAN) if one == event)
    given = copy.deepcopy(good)
    for _ in range(draw(st.integers(1, 3))):
        if not (found := places(given)):
            break
        container, key = draw(st.sampled_from(found))
        how = draw(st.sampled_from(["replace", "remove", "add", "rename", "repeat"]))
        if how == "replace":
            container[key] = copy.deepcopy(draw(values))
        elif how == "remove":
            del container[key]
        elif isinstance(container, list):
            container.insert(key, copy.deepcopy(container[key] if how == "repeat" else draw(values)))
        elif how == "rename":
            container[draw(st.sampled_from(WORDS))] = container.pop(key)
        else:
            container[draw(st.sampled_from(WORDS))] = copy.deepcopy(draw(values))
    return event, given


@pytest.mark.uncounted
@pytest.mark.long
@settings(max_examples=MANY)
@given(mutated())
def test_a_mutation_is_refused_unless_it_is_one_of_the_forms(case: tuple[dict[str, Any], Any]) -> None:
    event, given = case
    fits = as_text(without_words(given)) in {as_text(one) for one in forms(event)}
    repeated = is_allowed(event, given) and not fits  # the same suggested rule twice is one rule
    if repeated:
        rules = given["hookSpecificOutput"]["decision"]["updatedPermissions"]
        assert all(rule in RULES for rule in rules)
        assert len(rules) > len({as_text(rule) for rule in rules})
    else:
        assert is_allowed(event, given) == fits


json_values = st.recursive(
    leaves, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3)
)


@pytest.mark.uncounted
@pytest.mark.long
@settings(max_examples=MANY)
@given(json_values, json_values)
def test_no_value_is_allowed_or_raises(event: Any, given: Any) -> None:
    assert not is_allowed(event, given)
    assert not is_allowed(BASH, given)


@given(json_values, json_values)
def test_two_values_are_the_same_if_they_are_written_alike(one: Any, other: Any) -> None:
    assert same(one, copy.deepcopy(one))
    assert same(one, other) == (as_text(one) == as_text(other))


def test_a_value_that_is_nested_deep_is_compared_all_the_same() -> None:
    deep: Any = []
    for _ in range(100_000):
        deep = [deep]
    event = PLAN | {"tool_input": {"plan": "1.", "more": deep}}
    assert is_allowed(event, output(behavior="allow", updatedInput={"plan": "1.", "more": deep}))
    assert not is_allowed(event, output(behavior="allow", updatedInput={"plan": "1.", "more": [deep]}))
    while deep:
        deep = deep.pop()  # Python would end them by recursion
