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


def result(content: Any = None, **said: Any) -> bytes:
    block = {"type": "tool_result", "content": "no", "is_error": True} | said
    return json.dumps({"type": "user", "message": {"content": [block] if content is None else content}}).encode()


def test_a_tool_that_has_failed_is_reported_unless_a_hook_decided() -> None:
    assert decision_in([result()]) == "failed"
    assert decision_in([result(), line(decision="deny")]) == "deny"
    assert decision_in([line(decision="deny"), result()]) == "deny"


NO_FAILURES: dict[str, bytes] = {
    "a tool that has done its work": result(is_error=False),
    "a result that does not say": result(is_error=None),
    "a block of text": result(type='"tool_result"'),
    "a prompt that names it": result('"tool_result"'),
    "a block that is text": result(['"tool_result"']),
    "half a line": result()[:-4],
    "a list": b'["tool_result"]',
    "a message that is text": b'{"message": "tool_result", "a": "tool_result"}',
}


@pytest.mark.parametrize("data", NO_FAILURES.values(), ids=NO_FAILURES)
def test_no_other_line_is_taken_for_a_failure(data: bytes) -> None:
    assert decision_in([data]) is None
