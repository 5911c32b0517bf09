"""Test which line of a transcript tells that a decision was taken."""

import json
from typing import Any

import pytest

from deskbell.answers.outcome import decision_in


def line(**said: Any) -> bytes:
    attachment = {"type": "hook_permission_decision", "decision": "allow", "hookEvent": "PermissionRequest"} | said
    return json.dumps({"type": "attachment", "attachment": attachment}).encode()


@pytest.mark.parametrize("decision", ["allow", "deny"])
def test_a_decision_is_found_among_other_lines(decision: str) -> None:
    assert decision_in([b"", b'{"type":"user"}', line(decision=decision), b"{}"]) == decision


NONE: dict[str, bytes] = {
    "the decision of another hook": line(hookEvent="PreToolUse"),
    "another decision": line(decision="ask"),
    "another attachment": line(type="prompt_snapshot", text='"hook_permission_decision"'),
    "half a line": line()[:-4],
    "a prompt that names it": json.dumps({"message": {"content": '"hook_permission_decision"'}}).encode(),
    "a list": b'["hook_permission_decision"]',
    "an attachment that is text": b'{"attachment": "hook_permission_decision"}',
}


@pytest.mark.parametrize("data", NONE.values(), ids=NONE)
def test_no_other_line_is_taken_for_one(data: bytes) -> None:
    assert decision_in([data]) is None
