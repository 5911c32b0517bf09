"""Test what is read of one line of a transcript, whatever it holds."""

from typing import Any

import pytest

from deskbell.sessions.lines import (
    blocks,
    is_by_client,
    is_echo,
    is_refused,
    is_refused_prompt,
    is_sent_on,
    parsed,
    part,
    result_of,
    text,
    time_of,
    words_of,
)

HALF_AN_HOUR = 1_800


@pytest.mark.parametrize("line", [b"", b"[]", b'"text"', b"{", b"\xff", b"[" * 100_000, b"7" * 5_000])
def test_a_line_that_is_no_object_is_none(line: bytes) -> None:
    assert parsed(line) is None


def test_a_line_that_is_an_object() -> None:
    assert parsed(b'{"type":"user"}') == {"type": "user"}


@pytest.mark.parametrize(
    ("value", "found"), [("words", "words"), ("", None), (5, None), (None, None), (["words"], None)]
)
def test_a_text(value: object, found: str | None) -> None:
    assert text(value) == found


@pytest.mark.parametrize("value", [None, [], "x", {}, {"message": "x"}, {"message": None}])
def test_a_part_that_is_missing_is_empty(value: object) -> None:
    assert part(value, "message") == {}


@pytest.mark.parametrize(
    ("content", "found"),
    [
        ("words", [{"type": "text", "text": "words"}]),
        ([{"type": "text"}, "x", None], [{"type": "text"}]),
        (None, []),
        (5, []),
    ],
)
def test_the_blocks_of_a_line(content: object, found: list[Any]) -> None:
    assert blocks({"message": {"content": content}}) == found


@pytest.mark.parametrize("stamp", [None, 5, "", "yesterday", "2026-11-18T99:00:00Z", "0001-01-01T00:00:00+23:59"])
def test_a_time_that_cannot_be_read_is_none(stamp: object) -> None:
    assert time_of({"timestamp": stamp}) is None
    assert time_of({}) is None


def test_a_time_counts_seconds_in_every_zone() -> None:
    stamps = ("1970-01-01T00:30:00.000Z", "1970-01-01T01:30:00+01:00")
    assert {time_of({"timestamp": stamp}) for stamp in stamps} == {HALF_AN_HOUR}


@pytest.mark.parametrize(
    ("block", "words"),
    [
        ({"type": "text", "text": "go"}, ["go"]),
        ({"type": "tool_result", "content": "out"}, ["out"]),
        ({"type": "tool_result", "content": [{"text": "out"}]}, []),
        ({"type": "text"}, []),
    ],
)
def test_the_words_of_a_block(block: dict[str, Any], words: list[str]) -> None:
    assert words_of(block) == words


def test_a_result_names_its_call() -> None:
    assert result_of({"type": "tool_result", "tool_use_id": "u1"}) == "u1"
    assert result_of({"type": "text", "tool_use_id": "u1"}) is None


@pytest.mark.parametrize(
    ("line", "texts", "echo"),
    [
        ({}, ["go"], False),
        ({}, [], False),
        ({"isMeta": True}, ["go"], True),
        ({"isCompactSummary": True}, ["go"], True),
        ({}, [" <command-name>/model"], True),
        ({}, ["<bash-input>ls"], True),
        ({}, ["<bash-completion> is not closed"], False),
    ],
)
def test_what_the_client_echoes_is_no_prompt(line: dict[str, Any], texts: list[str], echo: bool) -> None:
    assert is_echo(line, texts) is echo


@pytest.mark.parametrize(
    "said",
    [
        "<task-notification>\n<task-id>b1</task-id>",
        "\n<task-notification>x</task-notification>",
        "<command-name>/model</command-name>",
        "<command-message>review</command-message>\n<command-name>/review</command-name>",
        "<command-args>all</command-args>",
        "<local-command-caveat>x",
        "<local-command-stdout>x",
        "<local-command-stderr>x",
        "<bash-input>ls</bash-input>",
        "<bash-stdout></bash-stdout><bash-stderr>x</bash-stderr>",
        "<bash-stderr>x</bash-stderr>",
        "<system-reminder>\nThe user named this session",
        '<teammate-message teammate_id="lead">',
        '<agent-message from="a">',
        '<cross-session-message from="uds:x">',
        '<\\cross-session-message from="uds:x">',
        '<channel source="desk">',
        "<ide_opened_file>The user opened the file a.py in the IDE.</ide_opened_file>",
        "<ide_selection>The user selected the lines 1 to 9</ide_selection>",
    ],
)
def test_what_begins_with_a_tag_of_the_client_is_by_the_client(said: str) -> None:
    assert is_by_client({}, said)
    assert is_by_client({"origin": {"kind": "human"}, "promptSource": "typed"}, said)


@pytest.mark.parametrize(
    "said",
    [
        "",
        "go",
        "<",
        "<div> is not closed",
        "  <html>\n<body>",
        "<!-- what is this? -->",
        "<3 thanks",
        "<T> is unknown here",
        "<<EOF",
        "<command> is missing in the usage",
        "<command-name",
        "<task-notifications> is my own element",
        "<bash-completion> is not closed",
        "<channel> has no title in the feed",
        "<channel name='a'> has no title in the feed",
        "<system> is not closed",
        "</task-notification> was seen",
        "what is <task-notification>?",
        '<pasted_content id="e2b7">\n<task-notification>\n</pasted_content id="e2b7">',
        "<\\pasted_content> is printed",
    ],
)
def test_what_begins_otherwise_is_by_the_person(said: str) -> None:
    assert not is_by_client({}, said)
    assert not is_by_client({"origin": {"kind": "human"}, "promptSource": "typed"}, said)


def test_a_hook_that_ends_a_turn_says_so() -> None:
    assert is_refused({"preventContinuation": True})
    assert not is_refused({"preventContinuation": "yes"})


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ({"preventContinuation": True, "content": "UserPromptSubmit operation blocked by hook:\nnot so"}, True),
        ({"preventContinuation": True, "content": "Operation stopped by hook: halt"}, False),
        ({"preventContinuation": False, "content": "UserPromptSubmit operation blocked by hook:\nnot so"}, False),
        ({"preventContinuation": True}, False),
        ({"preventContinuation": True, "content": ["UserPromptSubmit operation blocked by hook"]}, False),
    ],
)
def test_a_prompt_that_a_hook_refused(line: dict[str, object], found: bool) -> None:
    assert is_refused_prompt(line) is found


CONTINUED = {"isMeta": True, "origin": {"kind": "auto-continuation"}}
SCHEDULED = {"isMeta": True, "promptSource": "system", "turnOrigin": "scheduled"}


@pytest.mark.parametrize(
    "line", [CONTINUED, SCHEDULED, {"origin": {"kind": "task-notification"}}, {"origin": {"kind": "peer"}}]
)
def test_a_prompt_with_another_source_than_the_person_is_a_prompt_of_the_client(line: dict[str, object]) -> None:
    assert is_by_client(line, "go on")
    assert not is_echo(line, ["go on"])


@pytest.mark.parametrize(
    "line", [{}, {"promptSource": "sdk"}, {"origin": {"kind": "voice-call"}}, {"origin": {"kind": 7}}, {"origin": "x"}]
)
def test_a_prompt_without_another_source_is_the_persons(line: dict[str, object]) -> None:
    assert not is_by_client(line, "go on")


def test_what_a_stop_hook_says_is_a_part_of_the_turn_and_other_remarks_are_not() -> None:
    assert not is_echo({"isMeta": True}, ["Stop hook feedback:\nmore"])
    assert is_echo({"isMeta": True}, ["The fork runs as its own separate session"])
    assert is_echo({"isMeta": True}, [])
    assert is_sent_on(["Stop hook feedback:\nmore"])
    assert not is_sent_on([])
