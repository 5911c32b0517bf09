"""Test that all that a request asks is shown exactly, or not at all, with the reason."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deskbell.answers.request import Request
from deskbell.answers.shown import (
    APART,
    HIDDEN,
    MOST,
    NO_PLAN,
    NOTHING,
    REDACTED,
    TOO_LONG,
    Shown,
    are_distinct,
    have_distinct_texts,
    of_question,
    whole,
)
from tests.tray.answers.making import alike, asks, request

SHOWN: dict[str, tuple[str, dict[str, Any], tuple[str, ...]]] = {
    "a command, without what the assistant says of it": (
        "Bash",
        {"command": "npm test", "description": "x"},
        ("npm test",),
    ),
    "a command of two lines": ("Bash", {"command": "cd web\nnpm test"}, ("cd web", "npm test")),
    "how it is to be run": (
        "Bash",
        {"command": "npm test", "run_in_background": True, "timeout": 9000},
        ("npm test", "run_in_background: true", "timeout: 9000"),
    ),
    "nothing of what is off": ("Bash", {"command": "ls", "run_in_background": False, "timeout": None}, ("ls",)),
    "a tab as spaces": ("Bash", {"command": "a\tb"}, ("a   b",)),
    "a page": ("WebFetch", {"url": "https://a.example", "prompt": "Sum up"}, ("https://a.example", "prompt: Sum up")),
    "an edit": (
        "Edit",
        {"file_path": "/a.py", "old_string": "x = 1", "new_string": "x = 2", "replace_all": True},
        ("/a.py", "- x = 1", "+ x = 2", "replace_all: true"),
    ),
    "a file": ("Write", {"file_path": "/a.py", "content": "a\nb"}, ("/a.py", "+ a", "+ b")),
    "a tool of a server": (
        "mcp__db__query",
        {"sql": "select 1", "limit": 3},
        ("mcp__db__query", "sql: select 1", "limit: 3"),
    ),
    "what is off or none, for a tool that nobody knows": (
        "mcp__db__drop",
        {"dry_run": False, "limit": 0, "where": None},
        ("mcp__db__drop", "dry_run: false", "limit: 0", "where: null"),
    ),
    "a number that is none": ("Bash", {"command": "ls", "timeout": 0}, ("ls", "timeout: 0")),
    "a text that imitates a further part": (
        "mcp__a__b",
        {"path": "x\ndry_run: true"},
        ("mcp__a__b", r'path: "x\ndry_run: true"'),
    ),
    "a path that imitates a change": (
        "Write",
        {"file_path": "/a\n+ x", "content": "y"},
        (r'"/a\n+ x"', "+ y"),
    ),
    "a name that imitates another part": ("mcp__a__b", {"x\ny: 1": 2}, ("mcp__a__b", r'"x\ny: 1": 2')),
    "a long command": ("Bash", {"command": "x" * MOST}, ("x" * MOST,)),
    "an edit of many lines": (
        "Edit",
        {"file_path": "/a", "old_string": "a\nb\nc", "new_string": "d\ne"},
        ("/a", "- a", "- b", "- c", "+ d", "+ e"),
    ),
    "a plan": ("ExitPlanMode", {"plan": "# Plan\n\n1. Look", "planFilePath": "/p.md"}, ("# Plan", "", "1. Look")),
    "a plan with what else it asks for": (
        "ExitPlanMode",
        {"plan": "1. Look", "allowedPrompts": [{"tool": "Bash", "prompt": "run anything"}]},
        ("1. Look", 'allowedPrompts: [{"tool": "Bash", "prompt": "run anything"}]'),
    ),
}


@pytest.mark.parametrize(("tool", "tool_input", "lines"), SHOWN.values(), ids=SHOWN)
def test_the_whole_input_is_shown(tool: str, tool_input: dict[str, Any], lines: tuple[str, ...]) -> None:
    assert whole(request(tool, tool_input)) == Shown(lines)


NOT_SHOWN: dict[str, tuple[str, dict[str, Any], str]] = {
    "a character too many": ("Bash", {"command": "x" * (MOST + 1)}, TOO_LONG),
    "an escape sequence": ("Bash", {"command": "ls \x1b[8m; rm -rf ."}, HIDDEN),
    "a carriage return": ("Bash", {"command": "rm -rf .\rls"}, HIDDEN),
    "text that runs backwards": ("Bash", {"command": "ls \u202e.fr- mr"}, HIDDEN),
    "an invisible letter": ("Bash", {"command": "l\u200bs"}, HIDDEN),
    "an invisible letter in the name of a tool": ("mcp__a__dr\u200bop", {"x": 1}, HIDDEN),
    "a secret": ("Bash", {"command": "curl -H 'Authorization: Bearer abcdefghijklmnop1234'"}, REDACTED),
    "a letter that is drawn as nothing": (
        "Edit",
        {"file_path": "/a", "old_string": "f(x)", "new_string": "f(x, \u3164)"},
        HIDDEN,
    ),
    "an identifier with a joiner": ("Edit", {"file_path": "/a", "old_string": "x", "new_string": "i\u200ds"}, HIDDEN),
    "a text in selectors of variants": ("Write", {"file_path": "/a", "content": "x\ufe01\ufe07\U000e0130"}, HIDDEN),
    "nothing": ("Bash", {"command": "  "}, NOTHING),
    "no input": ("mcp__db__drop", {}, NOTHING),
    "what is pushed out of sight": ("Bash", {"command": "ls" + " " * 40 + "; rm -rf ."}, APART),
    "a plan that was not sent": ("ExitPlanMode", {}, NO_PLAN),
    "an empty plan": ("ExitPlanMode", {"plan": " \n"}, NO_PLAN),
    "a plan that is no text": ("ExitPlanMode", {"plan": ["1. Look"]}, NO_PLAN),
    "a plan that hides something": ("ExitPlanMode", {"plan": "1. Look\u200b"}, HIDDEN),
}


@pytest.mark.parametrize(("tool", "tool_input", "why"), NOT_SHOWN.values(), ids=NOT_SHOWN)
def test_what_would_not_be_seen_as_it_is_is_not_shown(tool: str, tool_input: dict[str, Any], why: str) -> None:
    assert whole(request(tool, tool_input)) == Shown((), why)


@given(st.text(max_size=300))
def test_a_command_is_shown_to_the_letter_or_not_at_all(command: str) -> None:
    lines, why = whole(request(tool_input={"command": command}))
    assert bool(lines) != bool(why)
    assert lines == () or "\n".join(lines) == command.expandtabs(4)


def asked(one: Request) -> Shown:
    return of_question(one.questions[0])


def test_a_question_is_shown_with_what_the_client_says_of_its_options() -> None:
    options = [
        {"label": "Keep it"},
        {"label": "Drop it", "description": "No way back"},
        {"label": "Draw it", "description": "As here:", "preview": "+-+\n| |"},
        {"label": "Ask later", "description": " "},
    ]
    assert asked(asks({"question": "Drop it?\nNow?", "options": options})) == Shown(
        (
            "Drop it?",
            "Now?",
            "• Keep it",
            "• Drop it: No way back",
            "• Draw it: As here:",
            "  +-+",
            "  | |",
            "• Ask later",
        )
    )


def test_a_question_whose_options_would_not_be_seen_as_they_are_is_not_shown() -> None:
    hides = {"question": "Drop it?", "options": [{"label": "No"}, {"label": "Yes", "description": "Keeps it\u200b"}]}
    assert asked(asks(hides)) == Shown((), HIDDEN)
    assert asked(asks(alike("Blue", "Red\u202e"))) == Shown((), HIDDEN)


ALIKE = {
    "a letter with its accent, and the two apart": alike("Caf\u00e9", "Cafe\u0301"),
    "a letter of another width": alike("Yes", "\uff39es"),
    "a compatibility form": alike("No", "\u2116"),
    "a letter of another script": alike("Drop it", "Dr\u043ep it"),
    "a digit in place of a letter": alike("v1", "vl"),
    "two letters that look like one": alike("modern", "modem"),
    "another hyphen": alike("re-run", "re\u2013run"),
    "a dash": alike("re-run", "re\u2014run"),
    "another space": alike("Keep it", "Keep\u00a0it"),
    "a space too thin to be seen": alike("Keepit", "Keep\u200ait"),
    "a second space": alike("Keep it", "Keep  it"),
    "another quote": alike("Don't", "Don\u2019t"),
    "nothing to see": alike("Blue", "\u00ad"),
    "one that looks like another that is chosen": alike("Blue", "\u2713 Blue") | {"multiSelect": True},
    "options that make up another with another comma": alike("A", "B", "A\uff0cB") | {"multiSelect": True},
    "an option of two lines": alike("Blue", "Red\n• Blue"),
    "options that make up another": alike("A", "B", "A, B") | {"multiSelect": True},
}


@pytest.mark.parametrize("question", ALIKE.values(), ids=ALIKE)
def test_options_that_look_alike_are_told(question: dict[str, Any]) -> None:
    assert not are_distinct(asks(question).questions[0])


DISTINCT = {
    "one that holds others, of which one is taken": alike("A", "B", "A, B"),
    "one with the mark, of which one is taken": alike("Blue", "\u2713 Blue"),
    "words": alike("Blue", "Red"),
    "letters of another case": alike("Yes", "yes"),
    "an accent": alike("resume", "r\u00e9sum\u00e9"),
    "numbers": alike("10 min", "20 min"),
    "words of another script": alike("\u0414\u0430", "\u041d\u0435\u0442"),
    "characters of Chinese": alike("\u4fdd\u7559", "\u5220\u9664"),
    "emoji": alike("\U0001f44d", "\U0001f44e"),
    "the longer of two": alike("Yes", "Yes, always"),
    "several words": alike("Drop it", "Keep it") | {"multiSelect": True},
}


@pytest.mark.parametrize("question", DISTINCT.values(), ids=DISTINCT)
def test_other_options_are_distinct(question: dict[str, Any]) -> None:
    assert are_distinct(asks(question).questions[0])


def test_questions_that_look_alike_are_told() -> None:
    keep, alike_keep = {**alike("A", "B"), "question": "Keep it?"}, {**alike("A", "B"), "question": "Keep\u00a0it?"}
    assert not have_distinct_texts(asks(keep, alike_keep).questions)
    assert have_distinct_texts(asks(keep, alike("A", "B")).questions)
