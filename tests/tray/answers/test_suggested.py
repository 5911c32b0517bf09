"""Test that a lasting permission is named to the letter, or not at all."""

from typing import Any

import pytest

from deskbell.answers.suggested import ROOM, in_words

NPM = {"toolName": "Bash", "ruleContent": "npm *"}
NAMED: dict[str, tuple[dict[str, Any], str]] = {
    "one": ({"destination": "session", "rules": [NPM]}, "Allow, and always in this session: Bash(npm *)"),
    "two": ({"rules": [NPM, {"toolName": "Read"}]}, "Allow, and always in this project: Bash(npm *), Read"),
    "one that just fits": (
        {"rules": [{"toolName": "x" * ROOM}]},
        f"Allow, and always in this project: {'x' * ROOM}",
    ),
}


@pytest.mark.parametrize(("suggestion", "words"), NAMED.values(), ids=NAMED)
def test_every_rule_is_named(suggestion: dict[str, Any], words: str) -> None:
    assert in_words(suggestion) == words


UNNAMED: dict[str, Any] = {
    "one that is cut": [{"toolName": "Bash", "ruleContent": "x" * ROOM}],
    "one that hides something": [{"toolName": "Bash", "ruleContent": "npm\u202e *"}],
    "one that holds a secret": [
        {"toolName": "Bash", "ruleContent": "curl -H 'Authorization: Bearer abcdefghijklmnop1234'"}
    ],
    "one that is no rule, beside one that is": [NPM, "Bash"],
    "one that says more": [{**NPM, "directories": ["/"]}],
    "one of no tool": [{"ruleContent": "x"}],
    "one of an odd content": [{"toolName": "Bash", "ruleContent": ["rm *"]}],
    "none": [],
    "no list": "Bash",
}


@pytest.mark.parametrize("rules", UNNAMED.values(), ids=UNNAMED)
def test_what_cannot_be_named_to_the_letter_is_not_named(rules: Any) -> None:
    assert in_words({"destination": "session", "rules": rules}) == ""
