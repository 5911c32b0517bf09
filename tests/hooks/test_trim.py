"""Test that a journal line holds what happened, and neither contents nor secrets."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deskbell_hooks.codec import encode
from deskbell_hooks.trim import FACTS, trim
from tests.hooks.said import e, tool

SECRET = "hunter2-Zq9"
BODY = "the contents of a file " * 40


def call(name: str, given: Any, **more: Any) -> dict[str, Any]:
    return e("PostToolUse", tool_name=name, tool_input=given, **more)


SUBJECTS: list[tuple[str, Any, str]] = [
    ("Bash", {"command": "make test", "description": "Run the tests"}, "make test"),
    ("Bash", {"description": "Run the tests"}, "Run the tests"),
    ("Edit", {"file_path": "/a/b.py", "old_string": "x", "new_string": "y"}, "/a/b.py"),
    ("NotebookEdit", {"notebook_path": "/a.ipynb"}, "/a.ipynb"),
    ("Grep", {"path": "/src", "pattern": "TODO"}, "TODO"),
    ("WebFetch", {"url": "https://example.org", "prompt": "sum up"}, "https://example.org"),
    ("WebSearch", {"query": "weather"}, "weather"),
    ("Agent", {"description": "look round", "prompt": "long"}, "look round"),
    ("Agent", {"subagent_type": "Explore", "prompt": "long"}, "Explore"),
    ("AskUserQuestion", {"questions": [{"question": "Which?"}, {"question": "And?"}]}, "Which?"),
    ("AskUserQuestion", {"questions": []}, ""),
    ("AskUserQuestion", {"questions": "no list"}, ""),
    ("ExitPlanMode", {"plan": "\n# A plan\n1. step"}, "A plan"),
    ("ExitPlanMode", {}, ""),
    ("mcp__x__y", {"amount": 3, "to": "Ada"}, "Ada"),
    ("mcp__x__y", {"password": SECRET, "user": "Ada"}, "Ada"),
    ("mcp__x__y", {"apiKey": SECRET}, ""),
    ("TodoWrite", {"todos": []}, ""),
    ("Bash", None, ""),
    ("Bash", {"command": ["not", "text"]}, ""),
    ("Bash", {"command": "x" * 400}, "x" * 299 + "…"),
    ("Bash", {"command": f"cat > a <<'EOF'\n{BODY}\nEOF\nmake"}, "cat > a <<'EOF' …\nmake"),
    ("Bash", {"command": f"cat <<-EOF >> a\n{BODY}\n\tEOF"}, "cat <<-EOF >> a …"),
    ("Bash", {"command": f"sudo tee a << END\n{BODY}"}, "sudo tee a << END …"),
    ("Bash", {"command": "cat > a <<"}, "cat > a <<"),
    ("Bash", {"command": "python3 - <<EOF\nprint(1)\nEOF"}, "python3 - <<EOF\nprint(1)\nEOF"),
    ("Bash", {"command": "cat <<EOF\na\nEOF"}, "cat <<EOF\na\nEOF"),
    ("Bash", {"command": "cat > a <<< b\nc"}, "cat > a <<< b\nc"),
    ("Write", {"command": "cat > a <<EOF\nb", "file_path": "/a"}, "/a"),
]


@pytest.mark.parametrize(("name", "given", "subject"), SUBJECTS)
def test_the_subject_of_a_call(name: str, given: Any, subject: str) -> None:
    assert trim("PreToolUse", e("PreToolUse", tool_name=name, tool_input=given))["subject"] == subject


def test_a_line_holds_no_contents_of_files_and_no_output() -> None:
    events = [
        call("Write", {"file_path": "/a", "content": BODY}, tool_response={"content": BODY}),
        call("Edit", {"file_path": "/a", "old_string": BODY, "new_string": BODY}, tool_response={"patch": [BODY]}),
        call("Read", {"file_path": "/a"}, tool_response={"file": {"content": BODY}}),
        call("Bash", {"command": f"cat > /a <<EOF\n{BODY}\nEOF"}, tool_response={"stdout": BODY}),
        call("Bash", {"command": "cat /a"}, tool_response={"stdout": BODY, "stderr": BODY}),
        e("PostToolBatch", tool_calls=[{"tool_input": {"content": BODY}, "tool_response": BODY}]),
        e("PostCompact", trigger="auto", compact_summary=BODY),
        e("PreCompact", trigger="auto", custom_instructions=BODY),
        e("ElicitationResult", mcp_server_name="x", action="accept", content={"text": BODY}),
        e("MessageDisplay", delta=BODY),
    ]
    for event in events:
        assert b"contents" not in encode(trim(event["hook_event_name"], event))


def test_a_line_holds_sizes_and_durations() -> None:
    event = call("Write", {"file_path": "/a", "content": "12345"}, duration_ms=7, tool_response=["ab"])
    line = trim("PostToolUse", event)
    assert (line["input_size"], line["output_size"], line["ms"]) == (7, 2, 7)


def test_the_size_of_a_deeply_nested_value_is_known() -> None:
    deep: Any = "ab"
    for _ in range(100_000):
        deep = [deep]
    assert trim("PostToolUse", call("X", {}, tool_response=deep))["output_size"] == 2


KEPT: list[tuple[dict[str, Any], str, object]] = [
    (e("SessionStart", source="resume", model="opus"), "facts", {"source": "resume", "model": "opus"}),
    (e("SessionEnd", reason="clear"), "facts", {"reason": "clear"}),
    (e("Stop", stop_hook_active=False), "facts", {"stop_hook_active": False}),
    (e("CwdChanged", old_cwd="/a", new_cwd="/b"), "facts", {"old_cwd": "/a", "new_cwd": "/b"}),
    (e("Stop", background_tasks=[{"id": "b1", "command": "x"}]), "tasks", [{"id": "b1"}]),
    (e("Stop", permission_mode="plan"), "mode", "plan"),
    (tool("PostToolUseFailure", error="Exit code 3"), "error", "Exit code 3"),
    (tool("PostToolUseFailure", error="e" * 3_000), "error", "e" * 1_999 + "…"),
    (tool("PostToolUseFailure", is_interrupt=True), "interrupt", True),
    (tool("PreToolUse", use="t1", agent_id="a1", agent_type="Plan"), "agent", "a1"),
    (e("Hereafter", mood="new", count=3, list=[1], password=SECRET), "facts", {"mood": "new", "count": 3}),
]


@pytest.mark.parametrize(("event", "field", "value"), KEPT)
def test_a_field_that_is_kept(event: dict[str, Any], field: str, value: object) -> None:
    assert dict(trim(event["hook_event_name"], event))[field] == value


LEFT_OUT: list[tuple[dict[str, Any], str]] = [
    (e("Stop", background_tasks="none"), "tasks"),
    (e("Stop", permission_mode=5), "mode"),
    (tool("PostToolUse", is_interrupt="yes"), "interrupt"),
    (tool("PostToolUse", duration_ms=True), "ms"),
    (tool("PostToolUse", duration_ms="long"), "ms"),
    (tool("PostToolUse", error={"code": 1}), "error"),
    (tool("PostToolUse", tool_response={"error": ""}), "error"),
    (e("PostToolUse", tool_name=7, tool_input={}), "tool"),
    (call("Glob", {"file_path": "/a"}), "file"),
    (call("Write", {"file_path": 5}), "file"),
    (e("Stop", agent_id=""), "agent"),
    (e("SessionStart", model={"id": "opus"}), "facts"),
]


@pytest.mark.parametrize(("event", "field"), LEFT_OUT)
def test_a_field_that_is_left_out(event: dict[str, Any], field: str) -> None:
    assert field not in trim(event["hook_event_name"], event)


def tagged(text: str) -> str:
    """The text of a long paste, as Claude Code hands it to hooks."""
    return f'\n\n<pasted_content id="e2b7">\n{text}\n</pasted_content id="e2b7">\n'


@pytest.mark.parametrize(
    ("event", "field", "value"),
    [
        (e("UserPromptSubmit", prompt=f"read:{tagged('a log')}"), "prompt", "read:\na log"),
        (e("UserPromptSubmit", prompt=tagged("x" * 10_000)), "prompt", "x" * 10_000),
        (e("UserPromptSubmit", prompt="go", session_title=tagged("Named")), "session_title", "Named"),
        (e("SessionStart", session_title=tagged("Named")), "session_title", "Named"),
        (e("UserPromptExpansion", command_args=tagged("a log")), "command_args", "a log"),
    ],
)
def test_a_text_that_was_pasted_is_kept_without_its_tags(event: dict[str, Any], field: str, value: str) -> None:
    assert trim(event["hook_event_name"], event)["facts"][field] == value


@pytest.mark.parametrize(
    ("event", "field"),
    [
        (e("Stop", last_assistant_message=tagged("The tags")), "last_assistant_message"),
        (e("UserPromptSubmit", prompt=tagged("<task-notification>done</task-notification>")), "prompt"),
        (e("UserPromptSubmit", prompt=f"<task-notification>{tagged('x')}</task-notification>"), "prompt"),
    ],
    ids=["an answer", "a report that a person pasted", "a report"],
)
def test_tags_that_stay(event: dict[str, Any], field: str) -> None:
    assert trim(event["hook_event_name"], event)["facts"][field] == event[field]


SAID_IN: list[dict[str, Any]] = [
    e("UserPromptSubmit", prompt=f"my password is {SECRET}"),
    tool("PreToolUse", what=f"PGPASSWORD={SECRET} psql"),
    tool("PostToolUseFailure", error=f"fatal: https://me:{SECRET}@example.org not found"),
    e("StopFailure", error="x", last_assistant_message=f"Authorization: Bearer {SECRET}"),
    e("Stop", last_assistant_message=f"token={SECRET}", background_tasks=[{"description": f"token={SECRET}"}]),
    e("Notification", message=f"api_key: {SECRET}"),
    e("Elicitation", message=f"password: {SECRET}", url=f"https://u:{SECRET}@x"),
    e("UserPromptExpansion", command_name="deploy", command_args=f"--token {SECRET}"),
    e("Hereafter", text=f"token={SECRET}", secret=SECRET),
    call("mcp__vault__put", {"secret": SECRET}),
]


@pytest.mark.parametrize("event", SAID_IN)
def test_a_line_holds_no_secret_from_any_field(event: dict[str, Any]) -> None:
    assert SECRET.encode() not in encode(trim(event["hook_event_name"], event))


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=30),
    lambda children: st.lists(children, max_size=4) | st.dictionaries(st.text(max_size=8), children, max_size=4),
    max_leaves=12,
)
FIELDS = st.sampled_from([
    *sorted({name for names in FACTS.values() for name in names}),
    *("cwd", "permission_mode", "agent_id", "agent_type", "tool_name", "tool_input", "tool_use_id", "tool_response"),
    *("duration_ms", "is_interrupt", "background_tasks", "error"),
])  # fmt: skip


@given(st.sampled_from([*FACTS, "Hereafter"]), st.dictionaries(FIELDS, VALUES, max_size=8))
def test_a_field_of_any_type_gives_a_line(name: str, fields: dict[str, Any]) -> None:
    assert len(encode(trim(name, e(name, **fields)))) < 60_000


def test_a_line_is_bounded_for_any_event() -> None:
    huge = "\U0001f600" * 1_000_000
    for name in [*FACTS, "Hereafter"]:
        fields: dict[str, Any] = dict.fromkeys((*FACTS.get(name, ()), "cwd", "agent_id", "tool_name", huge), huge)
        fields |= {"tool_input": {"file_path": huge}, "error": huge, "background_tasks": [{"description": huge}] * 99}
        assert 1_000 < len(encode(trim(name, e(name, **fields)))) < 80_000
