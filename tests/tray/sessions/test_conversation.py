"""Test what the lines of a transcript say of the conversation."""

import json
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deskbell.sessions.conversation import (
    LONGEST_LINE,
    MOST_PROMPTS,
    MOST_RESULTS,
    MOST_TURNS,
    Conversation,
    Tail,
)
from tests.tray.sessions.transcript_lines import answered, asked, line

BEGIN = datetime(2026, 11, 18, 10, tzinfo=UTC).timestamp()


def tail(*lines: bytes) -> Tail:
    conversation = Conversation()
    for one in lines:
        conversation.take(one)
    return conversation.tail()


def test_a_turn_that_a_hook_ended_is_finished_but_a_warning_ends_nothing() -> None:
    refused = line("system", 2, subtype="informational", preventContinuation=True)
    warned = line("system", 2, subtype="informational", preventContinuation=False)

    going_on = answered("so far", 1, stop="tool_use")
    blocked = line(
        "system",
        2,
        subtype="informational",
        preventContinuation=True,
        content="UserPromptSubmit operation blocked by hook",
    )
    assert tail(asked("go", 1), going_on, refused).finished_at
    assert tail(asked("go", 1), refused).refused_at
    assert not tail(asked("go", 1), refused).in_turn
    assert tail(asked("go", 0), answered("done", 1), blocked).refused_at
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


CUT = "[Request interrupted by user]"
OPEN, CLOSE = '<pasted_content id="e2b7">', '</pasted_content id="e2b7">'


def at(second: float) -> float:
    """The time of a line of that second."""
    return BEGIN + second


def moment(second: float) -> dict[str, str]:
    """The field that dates a line to the millisecond."""
    return {"timestamp": datetime.fromtimestamp(at(second), UTC).isoformat()}


def prompt(words: str, second: float) -> bytes:
    return asked(words, **moment(second))


def queue(operation: str, second: float, **more: str) -> bytes:
    return line("queue-operation", operation=operation, **moment(second), **more)


def result(use: str, second: float = 0, said: object = "done") -> bytes:
    content = [{"type": "tool_result", "tool_use_id": use, "content": said}]
    return line("user", message={"role": "user", "content": content}, **moment(second))


def called(use: str, second: float) -> bytes:
    content = [{"type": "tool_use", "id": use, "name": "Bash", "input": {}}]
    return line("assistant", message={"content": content, "stop_reason": "tool_use"}, **moment(second))


QUEUED = (prompt("go", 1), called("u1", 2), queue("enqueue", 5, content="second"))


def test_an_interrupt_in_a_tool_that_lets_a_queued_prompt_begin_does_not_count() -> None:
    found = tail(*QUEUED, queue("dequeue", 9), prompt("second", 9.1), result("u1", 9.12), prompt(CUT, 9.125))

    assert found.interrupted_at is None
    assert found.prompts == (at(1), at(5))  # it was typed at 5 s
    assert found.in_turn


def test_an_interrupt_in_an_answer_that_lets_a_queued_prompt_begin_does_not_count() -> None:
    """The line of the prompt comes last."""
    lines = (*QUEUED, queue("dequeue", 9), answered("Well", stop=None), prompt(CUT, 9.02), prompt("second", 9.1))

    assert [tail(*lines[:end]).interrupted_at for end in range(len(lines) + 1)] == [None] * (len(lines) + 1)
    assert tail(*lines).prompts == (at(1), at(5))


def test_an_interrupt_that_is_written_before_the_prompt_leaves_the_queue_does_not_count() -> None:
    assert tail(*QUEUED, prompt(CUT, 9)).interrupted_at is None
    assert tail(*QUEUED, prompt(CUT, 9), queue("dequeue", 9.01)).interrupted_at is None


@pytest.mark.parametrize(
    "operations",
    [
        [],
        [queue("remove", 6, content="second")],  # the turn took it up
        [queue("enqueue", 6, content="third"), queue("popAll", 7)],  # the person took them back
        [queue("remove", 6), queue("remove", 7)],
        [queue("something-new", 7)],
        [queue("dequeue", 6), prompt("second", 6.1)],
        [prompt("typed in a new client", 6)],  # what was queued in the old one is lost
    ],
)
def test_an_interrupt_while_no_prompt_is_queued(operations: list[bytes]) -> None:
    before = QUEUED if operations else QUEUED[:2]
    assert tail(*before, *operations, called("u2", 8), prompt(CUT, 9)).interrupted_at == at(9)


def test_an_interrupt_while_one_of_two_prompts_is_still_queued() -> None:
    two = (*QUEUED, queue("enqueue", 6, content="third"))

    assert tail(*two, queue("remove", 7), prompt(CUT, 9)).interrupted_at is None
    assert (
        tail(*two, queue("dequeue", 7), prompt("second", 7.1), called("u2", 8), prompt(CUT, 9)).interrupted_at is None
    )
    assert tail(*two, queue("remove", 7), queue("remove", 7), prompt(CUT, 9)).interrupted_at == at(9)


def test_a_prompt_that_was_removed_more_often_than_queued_leaves_the_next_one_queued() -> None:
    assert tail(queue("remove", 1), queue("enqueue", 2, content="x"), prompt(CUT, 3)).interrupted_at is None


@pytest.mark.parametrize(("after", "taken_up"), [(0.025, True), (0.4375, True), (0.5, False), (20.0, False)])
def test_an_interrupt_soon_after_its_prompt_let_it_begin(after: float, taken_up: bool) -> None:
    cut = tail(prompt("go", 1), prompt(CUT, 1 + after)).interrupted_at
    assert cut == (None if taken_up else at(1 + after))


def test_an_interrupt_soon_after_a_prompt_that_is_being_answered_is_one() -> None:
    assert tail(prompt("go", 1), answered("W", stop=None, **moment(1.1)), prompt(CUT, 1.2)).interrupted_at == at(1.2)


def test_an_interrupt_without_a_time_has_that_of_the_line_before() -> None:
    assert tail(line("user", message={"content": CUT}, timestamp=None)).interrupted_at is None
    assert tail(called("u1", 2), line("user", message={"content": CUT}, timestamp=None)).interrupted_at == at(2)


def test_the_times_of_the_newest_prompts() -> None:
    found = tail(*[prompt(f"prompt {second}", second) for second in range(MOST_PROMPTS + 1)])
    assert found.prompts == tuple(at(second) for second in range(1, MOST_PROMPTS + 1))


def test_the_newest_prompt_of_the_person_in_words_without_secrets() -> None:
    task = "<task-notification><task-id>b1</task-id></task-notification>"
    found = tail(prompt(" use password=hunter2-Zq9 ", 3), asked(task, 5), asked("<bash-input>ls</bash-input>", 6))
    assert (found.prompt, found.prompted, len(found.prompts)) == ("use password=[redacted]", at(3), 2)
    assert (tail().prompt, tail().prompted) == ("", None)


def test_a_prompt_that_begins_with_a_tag_is_one_of_the_person() -> None:
    found = tail(prompt("before", 1), prompt("<div> is not closed", 3))
    assert (found.prompt, found.prompted, found.turns[-1].prompt) == ("<div> is not closed", at(3), found.prompt)


@pytest.mark.parametrize("said", ["a log", "<html>", "<task-notification>x</task-notification>", f"{'x' * 490}"])
def test_a_paste_is_a_prompt_of_the_person_without_its_tags(said: str) -> None:
    found = tail(prompt("before", 1), prompt(f"\n\n{OPEN}\n{said}\n{CLOSE}\n", 3))
    assert (found.prompt, found.prompted, found.turns[-1].prompt) == (said, at(3), said)


def test_a_paste_that_was_queued_was_typed_when_it_was_queued() -> None:
    found = tail(queue("enqueue", 5, content=f"{OPEN}\na log\n{CLOSE}"), prompt(f"\n\n{OPEN}\na log\n{CLOSE}\n", 7))
    assert (found.prompt, found.prompts) == ("a log", (at(5),))


def test_a_title_has_no_tags_of_a_paste() -> None:
    assert tail(line("custom-title", customTitle=f"Fix:\n\n{OPEN}\na log\n{CLOSE}")).title == "Fix:\na log"


def test_the_words_of_an_assistant_and_a_title_are_without_secrets() -> None:
    secret = "password=hunter2-Zq9"
    found = tail(line("summary", summary=f"use {secret}"), answered(f"Done.\n{'x' * 285} {secret}"))
    assert found.title == "use password=[redacted]"
    assert found.last_line is not None
    assert "hunter2" not in found.last_line
    assert len(found.last_line) <= LONGEST_LINE


def test_the_message_of_an_error_is_without_secrets() -> None:
    assert (
        tail(answered("401: token=hunter2-Zq9 is wrong", isApiErrorMessage=True)).error
        == "401: token=[redacted] is wrong"
    )


def test_a_prompt_that_was_queued_was_typed_when_it_was_queued() -> None:
    found = tail(queue("enqueue", 5, content="go"), queue("dequeue", 7), prompt("go", 7))
    assert (found.prompt, found.prompted) == ("go", at(5))


@pytest.mark.parametrize(
    "no_prompt",
    [
        result("u1", 5),
        asked("<system-reminder>x</system-reminder>", 5, isMeta=True),
        asked("a summary", 5, isCompactSummary=True),
        asked("  <command-name>/model</command-name>", 5),
        asked("<bash-input>ls</bash-input>", 5),
        asked("<bash-stdout>a.txt</bash-stdout><bash-stderr></bash-stderr>", 5),
        asked("in a subagent", 5, isSidechain=True),
        asked(CUT, 5),
        line("user", message={"content": "x"}, timestamp="?"),
        queue("enqueue", 5, content="x"),
    ],
)
def test_a_line_that_is_no_prompt(no_prompt: bytes) -> None:
    assert tail(no_prompt).prompts == ()


@pytest.mark.parametrize(
    "unknown",
    [
        queue("dequeue", 5, content="go"),
        queue("enqueue", 5),
        queue("enqueue", 5, content="other words"),
        line("queue-operation", operation="enqueue", content="go", timestamp="?"),
    ],
)
def test_a_prompt_that_was_not_queued_was_typed_when_it_was_written(unknown: bytes) -> None:
    assert tail(unknown, prompt("go", 9)).prompts == (at(9),)


def test_the_same_words_queued_once_are_the_later_prompts_no_more() -> None:
    assert tail(queue("enqueue", 5, content="go"), prompt("go", 9), prompt("go", 20)).prompts == (at(5), at(20))


def test_only_the_newest_queued_prompts_are_remembered() -> None:
    many = [queue("enqueue", number, content=f"{number}") for number in range(MOST_PROMPTS + 1)]
    assert tail(*many, prompt("0", 20), prompt("1", 21)).prompts == (at(20), at(1))


def test_the_calls_that_have_a_result() -> None:
    assert tail(called("u1", 1), called("u2", 1), result("u1", 2)).results == {"u1"}
    assert tail(result("", 1), line("user", message={"content": [{"type": "tool_result"}]})).results == frozenset()
    assert tail(line("user", message={"content": [{"type": "text", "tool_use_id": "u1"}]})).results == frozenset()


def test_the_newest_results_are_remembered() -> None:
    found = tail(*[result(f"u{number}") for number in range(MOST_RESULTS + 1)])
    assert found.results == {f"u{number}" for number in range(1, MOST_RESULTS + 1)}


def test_a_compaction_is_an_end_after_which_nothing_is_left_of_the_turn_before() -> None:
    boundary = line("system", subtype="compact_boundary", compactMetadata={"postTokens": 900}, **moment(9))
    cut = (prompt("go", 1), prompt(CUT, 5), boundary)
    failed = (prompt("go", 1), answered("Overloaded", isApiErrorMessage=True, model="<synthetic>"), boundary)

    for found in (tail(*cut), tail(*failed)):
        assert (found.interrupted_at, found.error, found.finished_at) == (None, None, at(9))
        assert (found.context_tokens, found.in_turn) == (900, False)


@pytest.mark.parametrize(
    ("lines", "in_turn"),
    [
        ([], False),
        ([answered("Hello.")], False),
        ([prompt("go", 1)], True),
        ([prompt("go", 1), called("u1", 2)], True),
        ([prompt("go", 1), called("u1", 2), result("u1", 3)], True),
        ([prompt("go", 1), answered("Done.")], False),
        ([prompt("go", 1), answered("Overloaded", isApiErrorMessage=True, model="<synthetic>")], False),
        ([prompt("go", 1), prompt(CUT, 9)], False),
        ([prompt("go", 1), line("system", subtype="turn_duration")], False),
        ([prompt("go", 1), answered("Done."), prompt("on", 20)], True),
    ],
)
def test_a_turn_lasts_from_its_prompt_to_its_answer_interrupt_or_error(lines: list[bytes], in_turn: bool) -> None:
    assert tail(*lines).in_turn is in_turn


@pytest.mark.parametrize(
    ("lines", "is_blank"),
    [
        ([], True),
        ([line("custom-title", customTitle="Mine")], True),
        ([prompt("<command-name>/clear</command-name>", 1)], True),
        ([line("system", subtype="local_command")], True),
        ([prompt("go", 1)], False),
        ([answered("Done.")], False),
        ([prompt("go", 1), prompt(CUT, 9)], False),
    ],
)
def test_a_transcript_is_blank_until_the_first_turn(lines: list[bytes], is_blank: bool) -> None:
    assert tail(*lines).is_blank is is_blank


@pytest.mark.parametrize("end", ["turn_duration", "informational"])
def test_the_end_of_an_interrupted_turn_is_no_answer(end: str) -> None:
    found = tail(prompt("go", 1), prompt(CUT, 9), line("system", subtype=end, preventContinuation=True))
    assert (found.interrupted_at, found.finished_at) == (at(9), None)


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


def test_each_turn_stands_by_itself_whatever_stands_between_its_lines() -> None:
    mine = asked("mine", promptId="mine", uuid="m1", **moment(1))
    called_by_mine = line("assistant", **moment(2), uuid="m2", parentUuid="m1", message={"stop_reason": "tool_use"})
    yours = asked("yours", promptId="yours", uuid="y1", parentUuid="m1", **moment(3))
    found = tail(mine, yours, called_by_mine, asked(CUT, promptId="yours", **moment(9)))

    assert [(turn.id, turn.prompt, turn.course.interrupted_at) for turn in found.turns] == [
        ("mine", "mine", None),
        ("yours", "yours", at(9)),
    ]
    assert found.interrupted_at == at(9)


def test_a_queued_prompt_names_the_prompt_in_whose_turn_it_was_typed() -> None:
    first = asked("go", promptId="first", uuid="a", **moment(1))
    begun = asked("second", promptId="second", uuid="b", parentUuid="a", **moment(9))
    other = asked("third", promptId="third", uuid="c", parentUuid="b", **moment(12))
    found = tail(first, queue("enqueue", 5, content="second"), queue("dequeue", 9), begun, other)

    assert [(turn.id, turn.queued_in) for turn in found.turns] == [("first", ""), ("second", "first"), ("third", "")]
    assert tail(*QUEUED, queue("dequeue", 9)).begins
    assert not found.begins


def test_only_the_newest_turns_are_remembered() -> None:
    found = tail(*(asked("go", promptId=f"p{number}", **moment(number)) for number in range(MOST_TURNS + 1)))
    assert [turn.id for turn in found.turns] == [f"p{number}" for number in range(1, MOST_TURNS + 1)]


def test_a_call_is_open_until_it_has_a_result_or_the_turn_is_cut() -> None:
    assert tail(asked("go"), called("u1", 1), called("u2", 1.1), result("u1", 2)).calls == {"u2"}
    over = tail(asked("go"), called("u1", 1), called("u2", 1.1), result("u1", 2), result("u2", 9), prompt(CUT, 9.01))
    assert (over.calls, over.cut) == (frozenset(), {"u2"})


def test_a_prompt_that_the_client_wrote_itself_begins_a_turn_and_is_not_the_persons() -> None:
    scheduled = asked("make the report", 9, isMeta=True, promptSource="system")
    found = tail(asked("go", 1), answered("done", 2), scheduled)
    assert (found.prompt, found.in_turn, found.finished_at) == ("go", True, None)
    assert found.own == (found.prompts[-1],)
    assert found.prompted == found.prompts[0]


def test_a_stop_hook_that_sends_the_turn_on_begins_no_prompt() -> None:
    sent_on = asked("Stop hook feedback:\nmore", 9, isMeta=True)
    found = tail(asked("go", 1), answered("done", 2), sent_on)
    assert found.sent_on_at == found.at
    assert tail(asked("go", 1), answered("done", 2)).sent_on_at is None
    assert (found.prompt, found.finished_at, found.in_turn, len(found.prompts)) == ("go", None, True, 1)
