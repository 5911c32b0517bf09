"""What does the end of a transcript say, however it grows, shrinks or is spoiled?"""

import json
import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deskbell.sessions.conversation import Conversation
from deskbell.sessions.transcript import NEAREST, STEP, Tail, Transcripts

FOLDER = Path(__file__).parents[2] / "fixtures" / "transcripts"
EMPTY = Tail()


def read(name: str) -> Tail:
    return Transcripts().read(str(FOLDER / f"{name}.jsonl"))


def line(kind: str, second: int = 0, **more: Any) -> bytes:
    stamp = f"2026-11-18T10:00:{second:02}.000Z"
    return json.dumps({"type": kind, "timestamp": stamp, "gitBranch": "main", **more}, separators=(",", ":")).encode()


def said(words: str, second: int = 0, **more: Any) -> bytes:
    return line("user", second, message={"role": "user", "content": words}, **more)


def answered(words: str, second: int = 0, number: int = 0, stop: str | None = "end_turn", **more: Any) -> bytes:
    usage = {"input_tokens": 10, "cache_read_input_tokens": 90, "output_tokens": 5}
    content = [{"type": "text", "text": words}]
    model = more.pop("model", "claude-opus-5-5")
    message = {"id": f"m{number}", "model": model, "content": content, "stop_reason": stop, "usage": usage}
    return line("assistant", second, message=message, requestId=f"r{number}", **more)


def tail(*lines: bytes) -> Tail:
    conversation = Conversation()
    for one in lines:
        conversation.take(one)
    return conversation.tail()


def test_a_plain_turn_tells_everything() -> None:
    assert replace(read("plain"), at=None, finished_at=None) == Tail(
        branch="feature/x",
        model="claude-opus-5-5",
        context_tokens=2000,
        context_percent=0.2,
        output_tokens=40,
        cost_usd=0.00576,
        last_line="Third line.",
    )


def test_a_turn_that_a_hook_ended_is_finished_and_a_warning_alone_ends_nothing() -> None:
    refused = line("system", 2, subtype="informational", preventContinuation=True)
    warned = line("system", 2, subtype="informational", preventContinuation=False)

    assert tail(said("go", 1), refused).finished_at
    assert not tail(said("go", 1), warned).finished_at


@pytest.mark.parametrize(
    ("name", "interrupted", "finished"),
    [
        ("plain", False, True),
        ("escape_in_tool", True, False),
        ("escape_in_answer", True, False),
        ("denied", True, False),
        ("escape_then_plain", False, True),
        ("escape_before_answer", False, False),  # the client writes nothing then
        ("api_error", False, False),
        ("model_command", False, True),
        ("compacted", False, True),
        ("subagent", False, True),
    ],
)
def test_how_a_turn_of_the_real_client_ended(name: str, interrupted: bool, finished: bool) -> None:
    found = read(name)
    assert (found.interrupted, found.finished_at is not None) == (interrupted, finished)


def test_what_else_the_real_client_wrote() -> None:
    assert read("tasks").todo == (1, 2)
    assert read("renamed").title == "My own title"
    assert read("compacted").context_tokens == 2811
    assert read("api_error").error == "API Error: 400 bad request for the test"
    assert read("subagent").output_tokens == 120
    assert read("of_a_subagent") == replace(EMPTY, output_tokens=0, cost_usd=0.0)


@pytest.mark.parametrize(
    "after",
    [
        said("<command-name>/model</command-name>"),
        said("<local-command-stdout>Set model</local-command-stdout>"),
        said("<system-reminder>x</system-reminder>", isMeta=True),
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
def test_what_leaves_an_interrupt_as_it_is(after: bytes) -> None:
    assert tail(said("[Request interrupted by user]", 3), after).interrupted_at is not None


@pytest.mark.parametrize("after", [said("go on"), answered("Here."), answered("", stop=None)])
def test_what_ends_an_interrupt(after: bytes) -> None:
    assert tail(said("[Request interrupted by user for tool use]"), after).interrupted_at is None


def test_an_interrupt_that_older_clients_put_into_the_result_of_the_tool() -> None:
    content = [{"type": "tool_result", "tool_use_id": "t", "content": "[Request interrupted by user for tool use]"}]
    assert tail(line("user", message={"content": content})).interrupted


def test_the_title_of_the_person_is_before_that_of_the_machine() -> None:
    machine, person = b'{"type":"ai-title","aiTitle":"Machine"}', b'{"type":"custom-title","customTitle":"Mine"}'
    assert tail(machine).title == "Machine"
    assert tail(person, machine).title == "Mine"


def test_the_list_of_older_clients() -> None:
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
def test_how_full_the_context_is(model: str, asked: str | None, tokens: int, percent: float | None) -> None:
    usage = {"input_tokens": 1, "cache_read_input_tokens": tokens - 1}
    found = tail(line("assistant", message={"model": model, "usage": usage}, requestedModel=asked))
    assert (found.context_tokens, found.context_percent) == (tokens, percent)


@pytest.mark.parametrize(
    ("lines", "output", "dollars"),
    [
        ([], 0, 0.0),
        ([answered("a", number=1), answered("b", number=1)], 5, 0.000158),  # one answer in two lines
        ([answered("a", number=1), answered("b", number=2)], 10, 0.000316),
        ([answered("a", number=1), answered("b", number=2, isSidechain=True)], 5, 0.000158),
        ([answered("a", number=1, model="another")], 5, None),
        ([answered("a", number=1, costUSD=0.5)], 5, 0.5),
    ],
)
def test_what_was_spent(tmp_path: Path, lines: list[bytes], output: int, dollars: float | None) -> None:
    path = tmp_path / "t.jsonl"
    path.write_bytes(b"".join(one + b"\n" for one in lines))
    found = Transcripts().read(str(path))
    assert (found.output_tokens, found.cost_usd) == (output, dollars)


def test_only_what_was_appended_is_read(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    path.write_bytes(said("one") + b"\n" + answered("first", number=1) + b"\n")
    transcripts = Transcripts()
    first = transcripts.read(str(path))
    assert transcripts.read(str(path)) is first
    with path.open("ab") as file:
        file.write(answered("second", number=2)[:50])
    assert transcripts.read(str(path)) is first
    with path.open("ab") as file:
        file.write(answered("second", number=2)[50:] + b"\n")
    second = transcripts.read(str(path))
    assert (second.last_line, second.output_tokens) == ("second", 10)


@pytest.mark.parametrize("how", ["truncated", "replaced", "rewritten"])
def test_another_file_under_the_same_name_is_read_anew(tmp_path: Path, how: str) -> None:
    path, other = tmp_path / "t.jsonl", tmp_path / "other"
    path.write_bytes(answered("old", number=1) + b"\n" + answered("old", number=2) + b"\n")
    transcripts = Transcripts()
    assert transcripts.read(str(path)).last_line == "old"
    new = answered("new", number=1) + b"\n"
    if how == "replaced":
        other.write_bytes(new * 9)
        os.replace(other, path)
    else:
        path.write_bytes(new * (1 if how == "truncated" else 9))
    found = transcripts.read(str(path))
    assert (found.last_line, found.output_tokens) == ("new", 5)


def test_a_large_file_tells_its_end_at_once_and_its_sum_little_by_little(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    count = 3 * STEP // 1000
    filler = "x" * 1000
    with path.open("wb") as file:
        for n in range(count):
            file.write(answered(f"{filler}\nline {n}", number=n) + b"\n")
    transcripts = Transcripts()
    first = transcripts.read(str(path))
    assert (first.last_line, first.output_tokens) == (f"line {count - 1}", None)
    looks = 1
    while (found := transcripts.read(str(path))).output_tokens is None:
        looks += 1
        assert looks < 10
    assert found.output_tokens == 5 * count
    assert Transcripts().read_whole(str(path)) == found


def test_a_huge_line_is_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    path.write_bytes(answered("before", number=1) + b"\n" + said("x" * 3 * STEP) + b"\n")
    transcripts = Transcripts()
    transcripts.read(str(path))
    with path.open("ab") as file:
        file.write(answered("after", number=2) + b"\n")
    for _ in range(10):
        found = transcripts.read(str(path))
    assert (found.last_line, found.output_tokens) == ("after", 10)


def test_what_is_no_file_says_nothing(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    (tmp_path / "folder").mkdir()
    transcripts = Transcripts()
    for name in ("missing", "pipe", "loop", "folder", "nul\0"):
        assert transcripts.read(str(tmp_path / name)) == EMPTY


def test_a_file_that_goes_away_says_nothing_any_more(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    path.write_bytes(answered("here") + b"\n")
    transcripts = Transcripts()
    assert transcripts.read(str(path)) != EMPTY
    path.unlink()
    assert transcripts.read(str(path)) == EMPTY


VALUES = (None, True, -1, 1.5, float("inf"), "", "x", "2026-11-18T10:00:00Z", [], [[]], [None], [{}], {})
FIELDS = ("message", "timestamp", "gitBranch", "isSidechain", "toolUseResult", "requestedModel", "subtype", "isMeta")
INNER = ("role", "content", "usage", "model", "stop_reason", "id", "task", "input", "name", "todos", "text")
inner = st.dictionaries(st.sampled_from(INNER), st.sampled_from(VALUES), max_size=3)
outer = st.dictionaries(st.sampled_from(FIELDS), st.sampled_from(VALUES) | inner, max_size=3)
kinds = st.sampled_from(["user", "assistant", "system", "custom-title"]).map(lambda kind: {"type": kind})
strange = st.tuples(kinds, outer).map(lambda both: both[0] | both[1])


@given(st.lists(strange.map(json.dumps).map(str.encode) | st.binary(max_size=200), max_size=6))
def test_whatever_stands_in_a_file_a_later_turn_is_understood(lines: list[bytes]) -> None:
    found = tail(*lines, said("x", 1), answered("Well.", 2))
    assert (found.last_line, found.model, found.finished_at is not None) == ("Well.", "claude-opus-5-5", True)


@given(st.lists(st.sampled_from(["said", "answered", "broken", "stopped"]), max_size=12), st.data())
def test_it_does_not_matter_in_which_pieces_a_file_grows(kinds: list[str], data: st.DataObject) -> None:
    made = {
        "said": said("go"),
        "answered": answered("Well.", number=1),
        "broken": b'{"type":"assistant"',
        "stopped": said("[Request interrupted by user]"),
    }
    whole = b"".join(made[kind] + b"\n" for kind in kinds)
    path = Path(os.environ["DESKBELL_HOME"] + "-t.jsonl")
    path.unlink(missing_ok=True)
    transcripts = Transcripts()
    cuts = sorted(data.draw(st.lists(st.integers(0, len(whole)), max_size=4)))
    for start, end in zip([0, *cuts], [*cuts, len(whole)], strict=True):
        with path.open("ab") as file:
            file.write(whole[start:end])
        found = transcripts.read(str(path))
    assert found == Transcripts().read(str(path))
    assert len(whole) < NEAREST
