"""Test what may be chosen for each request, and what a choice leads to."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deskbell.answers.request import Request
from deskbell.answers.risk.kind import Risk, careful, jump
from deskbell.answers.steps import (
    LONGEST,
    NO_SUCH_CHOICE,
    NOTHING_YET,
    Answer,
    Progress,
    Refusal,
    asking,
    pressed,
)
from deskbell_hooks.decision import is_allowed
from tests.tray.answers.making import COLOURS, SIZES, alike, asks, plans, request, rules

RISKY, FORBIDDEN = careful("deletes files"), jump("writes into .git")
RULE = {"type": "addRules", "destination": "session", "rules": [{"toolName": "Bash", "ruleContent": "npm *"}]}
CUT = RULE | {"rules": [{"toolName": "Bash", "ruleContent": "x" * 200}]}
LONG = request(tool_input={"command": "x" * 999})
HIDES = request(tool_input={"command": "l\u200bs"})
UNSENT = request("ExitPlanMode", {})


def ids(one: Request, *, text: bool = False, **how: Any) -> list[str]:
    """The choices of ONE that need no words, or all of them."""
    progress = how.pop("progress", NOTHING_YET)
    found = asking(one, progress, rules(one, **how)).choices
    return [choice.id for choice in found if text or not choice.takes_text]


CHOICES: dict[str, tuple[list[str], list[str]]] = {
    "what reads": (ids(request()), ["allow", "deny", "stop"]),
    "what is dangerous": (ids(request(), risk=RISKY), ["allow", "deny", "stop"]),
    "what may not be allowed from here": (ids(request(), risk=FORBIDDEN), ["deny", "stop"]),
    "what is long, for each surface to say whether it fits": (ids(LONG), ["allow", "deny", "stop"]),
    "what cannot be shown whole": (ids(HIDES), ["deny", "stop"]),
    "what reads, away": (ids(request(), away=True), ["allow", "deny", "stop"]),
    "what is dangerous, away": (ids(request(), risk=RISKY, away=True), ["deny", "stop"]),
    "suggested rules, unless they are wanted": (ids(request(permission_suggestions=[RULE])), ["allow", "deny", "stop"]),
    "suggested rules": (
        ids(request(permission_suggestions=[RULE]), lasting=True),
        ["allow", "rule:0", "deny", "stop"],
    ),
    "suggested rules, away": (
        ids(request(permission_suggestions=[RULE]), lasting=True, away=True),
        ["allow", "deny", "stop"],
    ),
    "a question": (ids(asks()), ["option:0", "option:1"]),
    "a question for several": (ids(asks(SIZES)), ["option:0", "option:1", "option:2"]),
    "a question for several, once one is chosen": (
        ids(asks(SIZES), progress=Progress(picked=("M",))),
        ["option:0", "option:1", "option:2", "next"],
    ),
    "a question, away": (ids(asks(), away=True), ["option:0", "option:1"]),
    "a question for several, away": (ids(asks(SIZES), away=True), []),
    "several questions, away": (ids(asks(COLOURS, SIZES), away=True), []),
    "what was confirmed halfway here, away": (
        ids(request(), risk=RISKY, progress=Progress(sure="allow"), away=True),
        ["deny", "stop"],
    ),
    "a rule that was confirmed halfway here, away": (
        ids(request(permission_suggestions=[RULE]), lasting=True, progress=Progress(sure="rule:0"), away=True),
        ["allow", "deny", "stop"],
    ),
    "suggested rules that are not shown whole": (
        ids(request(permission_suggestions=[CUT, RULE]), lasting=True),
        ["allow", "rule:1", "deny", "stop"],
    ),
    "a rule that denies": (
        ids(request(permission_suggestions=[RULE | {"behavior": "deny"}]), lasting=True),
        ["allow", "deny", "stop"],
    ),
    "what was confirmed halfway and may not be allowed since": (
        ids(request(), risk=FORBIDDEN, progress=Progress(sure="allow")),
        ["deny", "stop"],
    ),
    "options that look alike": (ids(asks(alike("Blue", "Blue\u200b"))), []),
    "options that differ at the end": (ids(asks(alike("x" * 60 + "a", "x" * 60 + "b"))), ["option:0", "option:1"]),
    "an option that hides something": (ids(asks(alike("Blue", "Red\u202e"))), []),
    "an option that is drawn as nothing": (ids(asks(alike("Blue", "\u3164"))), []),
    "options that make up another": (ids(asks(alike("A", "B", "A, B") | {"multiSelect": True})), []),
    "options of which one is taken": (ids(asks(alike("A", "B", "A, B"))), ["option:0", "option:1", "option:2"]),
    "a plan that the client does not send along": (
        ids(UNSENT),
        ["keep"],
    ),
    "a plan": (ids(plans()), ["approve", "approve-edits", "keep"]),
    "a plan, away": (ids(plans(), away=True), ["keep"]),
    "words for a permission": (ids(request(), text=True), ["allow", "deny", "say", "stop"]),
    "words for a question": (ids(asks(), text=True), ["option:0", "option:1", "say"]),
    "words for a plan": (ids(plans(), text=True), ["approve", "approve-edits", "keep", "say"]),
}


@pytest.mark.parametrize(("found", "wanted"), CHOICES.values(), ids=CHOICES)
def test_only_these_can_be_chosen(found: list[str], wanted: list[str]) -> None:
    assert found == wanted


def decided(one: Request, *choices: str, text: str | None = None, **how: Any) -> Any:
    """What the client is told after CHOICES, one after the other; a sentence if one of them is refused."""
    progress: Progress = NOTHING_YET
    held = rules(one, **how)
    for choice in choices:
        step = pressed(one, progress, choice, text, held)
        if isinstance(step, Refusal):
            return step.why
        if isinstance(step, Answer):
            assert is_allowed(one.event, step.output)
            return step.output["hookSpecificOutput"]["decision"]
        progress = step
    return progress


GIVEN = plans().tool_input
EDITS = [{"type": "setMode", "mode": "acceptEdits", "destination": "session"}]
TWO = asks(COLOURS, SIZES)
DECISIONS: dict[str, tuple[Any, Any]] = {
    "allow what reads": (decided(request(), "allow"), {"behavior": "allow"}),
    "allow what is dangerous asks again": (decided(request(), "allow", risk=RISKY), Progress(sure="allow")),
    "allow it twice": (decided(request(), "allow", "allow-sure", risk=RISKY), {"behavior": "allow"}),
    "a lasting rule asks again": (
        decided(request(permission_suggestions=[RULE]), "rule:0", lasting=True),
        Progress(sure="rule:0"),
    ),
    "a lasting rule": (
        decided(request(permission_suggestions=[RULE]), "rule:0", "allow-sure", lasting=True),
        {"behavior": "allow", "updatedPermissions": [RULE]},
    ),
    "stop": (decided(request(), "stop"), {"behavior": "deny", "interrupt": True}),
    "deny with words": (decided(request(), "deny", text="Not now"), {"behavior": "deny", "message": "Not now"}),
    "words": (decided(request(), "say", text=" Not now "), {"behavior": "deny", "message": "Not now"}),
    "no words": (decided(request(), "say", text=" "), "There is no text to send."),
    "too many words": (
        decided(request(), "say", text="x" * (LONGEST + 1)),
        f"The text is longer than {LONGEST} characters.",
    ),
    "an option": (
        decided(asks(), "option:1"),
        {"behavior": "allow", "updatedInput": {"questions": [COLOURS], "answers": {"Which colour?": "Red"}}},
    ),
    "own words for a question": (
        decided(asks(), "say", text="Green"),
        {"behavior": "allow", "updatedInput": {"questions": [COLOURS], "answers": {"Which colour?": "Green"}}},
    ),
    "the first of two questions sends nothing": (
        decided(TWO, "option:0"),
        Progress(answers=(("Which colour?", "Blue"),)),
    ),
    "both questions": (
        decided(TWO, "option:0", "option:2", "option:0", "next"),
        {
            "behavior": "allow",
            "updatedInput": {
                "questions": [COLOURS, SIZES],
                "answers": {"Which colour?": "Blue", "Which sizes?": "S, L"},
            },
        },
    ),
    "an option that is chosen and taken back": (
        decided(asks(SIZES), "option:0", "option:1", "option:0"),
        Progress(picked=("M",)),
    ),
    "a plan": (decided(plans(), "approve"), {"behavior": "allow", "updatedInput": GIVEN}),
    "a plan, edits accepted": (
        decided(plans(), "approve-edits"),
        {"behavior": "allow", "updatedInput": GIVEN, "updatedPermissions": EDITS},
    ),
    "a plan with words": (decided(plans(), "say", text="Smaller"), {"behavior": "deny", "message": "Smaller"}),
    "keep planning with words": (decided(plans(), "keep", text="Smaller"), {"behavior": "deny", "message": "Smaller"}),
}


@pytest.mark.parametrize(("found", "wanted"), DECISIONS.values(), ids=DECISIONS)
def test_a_choice_leads_to_this(found: Any, wanted: Any) -> None:
    assert found == wanted


@pytest.mark.parametrize(("one", "choice"), [(request(), "deny"), (plans(), "keep")])
def test_a_denial_without_words_says_who_denied(one: Request, choice: str) -> None:
    decision = decided(one, choice)
    assert decision["behavior"] == "deny"
    assert "The user" in decision["message"]


NOT_OFFERED: dict[str, tuple[Request, str, Risk | None]] = {
    "allow of what may not be allowed": (request(), "allow", FORBIDDEN),
    "allow of what cannot be shown": (HIDES, "allow", None),
    "approve of a plan that was not sent": (UNSENT, "approve", None),
    "a second step without the first": (request(), "allow-sure", RISKY),
    "a rule that nobody suggested": (request(), "rule:0", None),
    "an option of a permission": (request(), "option:0", None),
    "a third option of two": (asks(), "option:2", None),
    "done before anything is chosen": (asks(SIZES), "next", None),
    "allow of a question": (asks(), "allow", None),
    "allow of a plan": (plans(), "allow", None),
    "nothing": (request(), "", None),
}


@pytest.mark.parametrize(("one", "choice", "risk"), NOT_OFFERED.values(), ids=NOT_OFFERED)
def test_what_is_not_offered_cannot_be_chosen(one: Request, choice: str, risk: Risk | None) -> None:
    held = rules(one, risk) if risk else rules(one)
    assert pressed(one, NOTHING_YET, choice, None, held) == NO_SUCH_CHOICE


WHY: dict[str, tuple[str, str]] = {
    "nothing is odd": (asking(request(), NOTHING_YET, rules(request())).why_not, ""),
    "it asks again": (
        asking(request(), NOTHING_YET, rules(request(), RISKY)).why_not,
        "Allow asks again, because it deletes files.",
    ),
    "it asks now": (
        asking(request(), Progress(sure="allow"), rules(request(), RISKY)).why_not,
        "Sure? It deletes files.",
    ),
    "only there": (
        asking(request(), NOTHING_YET, rules(request(), FORBIDDEN)).why_not,
        "Allow it in the terminal only, because it writes into .git.",
    ),
    "long": (asking(LONG, NOTHING_YET, rules(LONG)).why_not, ""),
    "not to be seen": (
        asking(HIDES, NOTHING_YET, rules(HIDES)).why_not,
        "Allow it in the terminal only: it holds characters that a screen does not show as they are.",
    ),
    "not to be seen, and no longer to be allowed": (
        asking(HIDES, Progress(sure="allow"), rules(HIDES)).why_not,
        "Allow it in the terminal only: it holds characters that a screen does not show as they are.",
    ),
    "a plan that was not sent": (
        asking(UNSENT, NOTHING_YET, rules(UNSENT)).why_not,
        "Approve it in the terminal only: Claude Code did not send the plan along.",
    ),
    "a plan": (asking(plans(), NOTHING_YET, rules(plans())).why_not, ""),
    "away": (
        asking(request(), NOTHING_YET, rules(request(), RISKY, away=True)).why_not,
        "Allow it at this machine only, because it deletes files.",
    ),
    "a plan, away": (
        asking(plans(), NOTHING_YET, rules(plans(), away=True)).why_not,
        "Plans are approved at this machine only.",
    ),
    "options that look alike": (
        asking(one := asks(alike("A", "B", "A, B") | {"multiSelect": True}), NOTHING_YET, rules(one)).why_not,
        "Choose in the terminal: two options look alike.",
    ),
    "questions that look alike": (
        asking(one := asks(COLOURS, COLOURS | {"question": "Which\u2009colour?"}), NOTHING_YET, rules(one)).why_not,
        "Choose in the terminal: two questions look alike.",
    ),
    "an option that hides something": (
        asking(one := asks(alike("Blue", "Blue\u200b")), NOTHING_YET, rules(one)).why_not,
        "Choose in the terminal: it holds characters that a screen does not show as they are.",
    ),
    "several questions": (asking(TWO, NOTHING_YET, rules(TWO)).why_not, ""),
    "several questions, away": (
        asking(TWO, NOTHING_YET, rules(TWO, away=True)).why_not,
        "Several answers are given at this machine only.",
    ),
    "one question, away": (asking(asks(), NOTHING_YET, rules(asks(), away=True)).why_not, ""),
    "confirmed halfway here, away": (
        asking(request(), Progress(sure="allow"), rules(request(), RISKY, away=True)).why_not,
        "Allow it at this machine only, because it deletes files.",
    ),
    "a rule": (
        asking(
            one := request(permission_suggestions=[RULE]), Progress(sure="rule:0"), rules(one, lasting=True)
        ).why_not,
        "Sure? Allow, and always in this session: Bash(npm *).",
    ),
}


@pytest.mark.parametrize(("found", "wanted"), WHY.values(), ids=WHY)
def test_it_says_why_a_choice_is_missing(found: str, wanted: str) -> None:
    assert found == wanted


def test_what_is_asked_is_named_as_in_a_session() -> None:
    found = [
        asking(one, NOTHING_YET, rules(one)).detail
        for one in (request(), asks(), plans(), request("mcp__db__drop", {"x": 1}))
    ]
    assert found == ["Bash: npm test", "Which colour?", "Plan approval", "mcp__db__drop"]


def test_somebody_who_is_away_is_shown_less() -> None:
    here = asking(request(), NOTHING_YET, rules(request(), RISKY))
    assert here.away == asking(request(), NOTHING_YET, rules(request(), RISKY, away=True))
    assert here.away is not None
    assert here.away.away is None


def test_all_that_is_asked_goes_with_it() -> None:
    found = [asking(one, NOTHING_YET, rules(one)).whole for one in (LONG, plans(), asks(), HIDES, UNSENT)]
    assert found == [("x" * 999,), ("1. Look", "2. Leap"), ("Which colour?", "• Blue", "• Red"), (), ()]


def test_the_choices_that_allow_are_named() -> None:
    found = [asking(one, progress, rules(one, RISKY)).choices for one, progress in STEPS_THAT_ALLOW]
    allows = [[one.id for one in choices if one.allows] for choices in found]
    assert allows == [
        ["allow"],
        ["allow-sure"],
        ["approve", "approve-edits"],
        ["option:0", "option:1", "option:2", "next"],
    ]


STEPS_THAT_ALLOW = [
    (request(), NOTHING_YET),
    (request(), Progress(sure="allow")),
    (plans(), NOTHING_YET),
    (asks(SIZES), Progress(picked=("M",))),
]


def test_the_next_question_follows_the_first() -> None:
    after = asking(TWO, Progress(answers=(("Which colour?", "Blue"),)), rules(TWO))
    assert (after.detail, len(after.choices)) == ("Which sizes?", 4)


def test_nothing_is_left_to_choose_once_every_question_is_answered() -> None:
    done = Progress(answers=(("Which colour?", "Blue"),))
    assert asking(asks(), done, rules(asks())).detail == ""
    assert pressed(asks(), done, "say", "Red", rules(asks())) == NO_SUCH_CHOICE
    assert pressed(asks(), done, "option:0", None, rules(asks())) == NO_SUCH_CHOICE


REQUESTS = [request(), LONG, HIDES, request("Edit", {"file_path": "/a"}), asks(), TWO, plans(), UNSENT]
RISKS = st.sampled_from([careful("it deletes"), jump("it writes"), Risk("plain", "")])


@given(
    st.sampled_from(REQUESTS),
    RISKS,
    st.booleans(),
    st.booleans(),
    st.lists(
        st.sampled_from(
            [
                "allow",
                "allow-sure",
                "deny",
                "stop",
                "say",
                "rule:0",
                "next",
                "approve",
                "approve-edits",
                "keep",
                "option:0",
                "option:1",
            ]
        ),
        max_size=6,
    ),
    st.text(max_size=5),
)
def test_no_order_of_choices_leads_to_what_may_not_be(
    one: Request, risk: Risk, away: bool, lasting: bool, choices: list[str], text: str
) -> None:
    held = rules(one, risk, lasting=lasting, away=away)
    progress, allowed = NOTHING_YET, 0
    for choice in choices:
        step = pressed(one, progress, choice, text, held)
        if isinstance(step, Progress):
            progress, allowed = step, allowed + (choice == "allow")
        elif isinstance(step, Answer):
            assert is_allowed(one.event, step.output)
            if step.allows and one.kind == "permission":
                assert held.shown.lines
                assert risk.verdict != "jump"
                assert risk.verdict == "plain" or (allowed and not away)
            if one.kind == "plan" and step.allows:
                assert held.shown.lines
                assert not away
            return


@given(
    st.sampled_from([request(), request(permission_suggestions=[RULE]), LONG, TWO, plans()]),
    st.sampled_from([careful("it deletes"), jump("it writes")]),
    st.lists(
        st.tuples(st.sampled_from(["allow", "allow-sure", "rule:0", "approve", "next", "option:0"]), st.booleans()),
        max_size=6,
    ),
)
def test_who_is_away_allows_nothing_dangerous_whatever_was_chosen_here_before(
    one: Request, risk: Risk, choices: list[tuple[str, bool]]
) -> None:
    progress = NOTHING_YET
    for choice, away in choices:
        step = pressed(one, progress, choice, None, rules(one, risk, lasting=True, away=away))
        assert not (away and isinstance(step, Answer) and step.allows)
        if isinstance(step, Answer):
            return
        progress = step if isinstance(step, Progress) else progress
