"""What the lines of a transcript say of the conversation."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deskbell.sessions.conversation import Conversation, Tail
from tests.tray.sessions.transcript_lines import answered, asked, line


def tail(*lines: bytes) -> Tail:
    conversation = Conversation()
    for one in lines:
        conversation.take(one)
    return conversation.tail()


def test_a_turn_that_a_hook_ended_is_finished_but_a_warning_ends_nothing() -> None:
    refused = line("system", 2, subtype="informational", preventContinuation=True)
    warned = line("system", 2, subtype="informational", preventContinuation=False)

    assert tail(asked("go", 1), refused).finished_at
    assert not tail(asked("go", 1), warned).finished_at


@pytest.mark.parametrize(
    "after",
    [
        asked("<command-name>/model</command-name>"),
        asked("<local-command-stdout>Set model</local-command-stdout>"),
        asked("<system-reminder>x</system-reminder>", isMeta=True),
        answered("in a subagent", isSidechain=True),
        answered("No response requested.", model="<synthetic>"),
        line("attachment", attachment={"type": "date"}),
        b'{"type":"last-prompt","lastPrompt":"x"}',
        b'{"type":"user"',
        b"[" * 100_000,
        b"\xff\x00 garbage",
        b'"text"',
    ],
)
def test_a_line_that_leaves_an_interrupt_as_it_is(after: bytes) -> None:
    assert tail(asked("[Request interrupted by user]", 3), after).interrupted_at is not None


@pytest.mark.parametrize("after", [asked("go on"), answered("Here."), answered("", stop=None)])
def test_a_line_that_ends_an_interrupt(after: bytes) -> None:
    assert tail(asked("[Request interrupted by user for tool use]"), after).interrupted_at is None


def test_an_interrupt_in_the_result_of_a_tool_as_older_clients_write_it() -> None:
    content = [{"type": "tool_result", "tool_use_id": "t", "content": "[Request interrupted by user for tool use]"}]
    assert tail(line("user", message={"content": content})).interrupted_at


def test_the_title_of_the_person_is_preferred_to_that_of_the_machine() -> None:
    machine, person = b'{"type":"ai-title","aiTitle":"Machine"}', b'{"type":"custom-title","customTitle":"Mine"}'
    assert tail(machine).title == "Machine"
    assert tail(person, machine).title == "Mine"


def test_the_whole_list_of_tasks_that_older_clients_write() -> None:
    todos = [{"content": "a", "status": "completed"}, {"content": "b", "status": "pending"}, "?"]
    content = [{"type": "tool_use", "name": "TodoWrite", "input": {"todos": todos}}]
    assert tail(line("assistant", message={"content": content})).todo == (1, 2)


@pytest.mark.parametrize(
    ("model", "asked", "tokens", "percent"),
    [
        ("claude-opus-5-5", None, 100_000, 10.0),
        ("claude-sonnet-4-5-20250929", None, 100_000, 50.0),
        ("us.anthropic.claude-sonnet-4-5-20250929-v1:0", None, 100_000, 50.0),
        ("claude-sonnet-4-6", "claude-sonnet-4-6[1m]", 100_000, 10.0),
        ("claude-sonnet-4-6", None, 500_000, 50.0),  # it could not be more than 200,000 otherwise
        ("claude-opus-5-5", "opus", 100_000, 10.0),
        ("some-other-model", None, 100_000, None),
    ],
)
def test_the_context_in_tokens_and_percent(model: str, asked: str | None, tokens: int, percent: float | None) -> None:
    usage = {"input_tokens": 1, "cache_read_input_tokens": tokens - 1}
    found = tail(line("assistant", message={"model": model, "usage": usage}, requestedModel=asked))
    assert (found.context_tokens, found.context_percent) == (tokens, percent)


VALUES = (None, True, -1, 1.5, float("inf"), "", "x", "2026-11-18T10:00:00Z", [], [[]], [None], [{}], {})
FIELDS = ("message", "timestamp", "gitBranch", "isSidechain", "toolUseResult", "requestedModel", "subtype", "isMeta")
INNER = ("role", "content", "usage", "model", "stop_reason", "id", "task", "input", "name", "todos", "text")
inner = st.dictionaries(st.sampled_from(INNER), st.sampled_from(VALUES), max_size=3)
outer = st.dictionaries(st.sampled_from(FIELDS), st.sampled_from(VALUES) | inner, max_size=3)
kinds = st.sampled_from(["user", "assistant", "system", "custom-title"]).map(lambda kind: {"type": kind})
strange = st.tuples(kinds, outer).map(lambda both: both[0] | both[1])


@given(st.lists(strange.map(json.dumps).map(str.encode) | st.binary(max_size=200), max_size=6))
def test_a_turn_after_any_lines_is_understood(lines: list[bytes]) -> None:
    found = tail(*lines, asked("x", 1), answered("Well.", 2))
    assert (found.last_line, found.model, found.finished_at is not None) == ("Well.", "claude-opus-5-5", True)
