"""Test the words for each event."""

import json

import pytest

from deskbell.history.journal import parsed
from deskbell.history.phrases import SILENT, WORDS, Phrase, phrase, words
from tests.tray.journals import line, tool
from tests.tray.making import NOON


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (line("UserPromptSubmit", prompt="Ship it"), "Ship it"),
        (line("UserPromptSubmit", prompt="<task-notification>x"), "a background task reports"),
        (tool("Bash"), "Bash: make (2.0 s)"),
        (tool("Read", file="/b.py"), "Read: /b.py (2.0 s)"),
        (line("PreToolUse", tool_name="Bash", tool_input={"command": "make"}), "Bash: make"),
        (line("PostToolUse", tool_name="Glob", duration_ms=1000), "Glob (1.0 s)"),
        (line("PostToolUse", tool_name="Glob", duration_ms=999), "Glob"),
        (tool("Bash", event="PostToolUseFailure", error="Exit code 2"), "Bash: make (2.0 s): Exit code 2"),
        (line("PostToolUseFailure", tool_name="Bash"), "Bash: failed"),
        (line("PostToolUseFailure"), "?: failed"),
        (line("Notification", message="Look", notification_type="x"), "Look"),
        (line("Notification", notification_type="x"), "x"),
        (line("Notification"), ""),
        (line("StopFailure", error="rate_limit", error_details="later"), "later"),
        (line("SubagentStart", agent_id="a", agent_type="Explore"), "Explore"),
        (line("SubagentStop", agent_id="a"), "a"),
        (line("SubagentStop"), ""),
        (line("SessionStart", source="startup"), "startup"),
        (b'{"event":"FromTheFuture","at":1,"facts":{"a":1,"b":"c"}}', "1 c"),
        (b'{"event":"FromTheFuture","at":1,"tool":"New"}', "New"),
        (b'{"event":"FromTheFuture","at":1}', ""),
    ],
)
def test_an_event_in_words(data: bytes, text: str) -> None:
    read = parsed(data)
    assert read is not None
    assert words(read) == text


def test_a_phrase_has_the_time_the_event_and_the_subagent() -> None:
    read = parsed(tool("Bash", 5, agent_id="a1", agent_type="Explore"))
    assert read is not None
    assert phrase(read) == Phrase(NOON + 5, "PostToolUse", "Bash: make (2.0 s)", "a1")


def test_every_event_with_words_of_its_own_is_put_into_words_without_its_fields() -> None:
    for event in WORDS:
        read = parsed(json.dumps({"event": event, "at": 1}).encode())
        assert read is not None
        assert isinstance(words(read), str)
    assert not SILENT & WORDS.keys()
