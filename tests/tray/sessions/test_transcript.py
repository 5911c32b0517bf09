"""Test transcripts that grow, shrink, are replaced or hold lines that cannot be read."""

import errno
import os
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deskbell.sessions.conversation import Conversation
from deskbell.sessions.folder import Problems
from deskbell.sessions.transcript import MOST_FILES, NEAREST, STEP, Tail, Transcripts
from tests.faults.injector import failing
from tests.limits import no_descriptors
from tests.tray.sessions.transcript_lines import answered, asked, line

FOLDER = Path(__file__).parents[2] / "fixtures" / "transcripts"
EMPTY = Tail()


def read(name: str) -> Tail:
    return Transcripts().read(str(FOLDER / f"{name}.jsonl"))


def test_a_plain_turn_of_the_real_client() -> None:
    tail = read("plain")
    assert [one.tokens for one in tail.spent] == [40]
    assert replace(tail, at=None, finished_at=None, prompts=(), prompted=None, turns=(), spent=()) == Tail(
        branch="feature/x",
        prompt="SCENARIO:plain go",
        model="claude-opus-5-5",
        context_tokens=2000,
        context_percent=0.2,
        output_tokens=40,
        cost_usd=0.00576,
        last_line="Third line.",
    )


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
    assert (found.interrupted_at is not None, found.finished_at is not None) == (interrupted, finished)


def test_tasks_titles_errors_and_compactions_of_the_real_client() -> None:
    assert read("tasks").todo == (1, 2)
    assert read("renamed").title == "My own title"
    assert read("compacted").context_tokens == 2811
    assert read("api_error").error == "API Error: 400 bad request for the test"
    assert read("subagent").output_tokens == 120
    assert read("of_a_subagent") == replace(EMPTY, output_tokens=0, cost_usd=0.0)


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
def test_the_output_tokens_and_the_cost(tmp_path: Path, lines: list[bytes], output: int, dollars: float | None) -> None:
    path = tmp_path / "t.jsonl"
    path.write_bytes(b"".join(one + b"\n" for one in lines))
    found = Transcripts().read(str(path))
    assert (found.output_tokens, found.cost_usd) == (output, dollars)


def test_only_appended_lines_are_read(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    path.write_bytes(asked("one") + b"\n" + answered("first", number=1) + b"\n")
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
def test_another_file_with_the_same_name_is_read_from_its_beginning(tmp_path: Path, how: str) -> None:
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


def test_the_end_of_a_large_file_is_read_at_once_and_its_sum_step_by_step(tmp_path: Path) -> None:
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


def test_a_huge_line_is_left_out(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    path.write_bytes(answered("before", number=1) + b"\n" + asked("x" * 3 * STEP) + b"\n")
    transcripts = Transcripts()
    transcripts.read(str(path))
    with path.open("ab") as file:
        file.write(answered("after", number=2) + b"\n")
    for _ in range(10):
        found = transcripts.read(str(path))
    assert (found.last_line, found.output_tokens) == ("after", 10)


def test_what_is_not_a_file_says_nothing(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    (tmp_path / "folder").mkdir()
    transcripts = Transcripts()
    for name in ("missing", "pipe", "loop", "folder", "nul\0"):
        assert transcripts.read(str(tmp_path / name)) == EMPTY


def test_a_file_that_was_removed_says_nothing(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    path.write_bytes(answered("here") + b"\n")
    transcripts = Transcripts()
    assert transcripts.read(str(path)) != EMPTY
    path.unlink()
    assert transcripts.read(str(path)) == EMPTY


@given(st.lists(st.sampled_from(["said", "answered", "broken", "stopped"]), max_size=12), st.data())
def test_the_result_does_not_depend_on_the_pieces_in_which_a_file_grows(kinds: list[str], data: st.DataObject) -> None:
    made = {
        "said": asked("go"),
        "answered": answered("Well.", number=1),
        "broken": b'{"type":"assistant"',
        "stopped": asked("[Request interrupted by user]"),
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


@pytest.mark.parametrize(
    "size", [NEAREST - 1, NEAREST, NEAREST + 1, STEP - 1, STEP, STEP + 1, STEP + NEAREST // 2, 2 * STEP]
)
@pytest.mark.parametrize("before", [b"", answered("before", number=1) + b"\n"])
def test_the_whole_transcript_is_read_even_if_its_last_line_has_no_end(
    tmp_path: Path, before: bytes, size: int
) -> None:
    path = tmp_path / "t.jsonl"
    path.write_bytes(before + b"x" * size)
    transcripts = Transcripts()
    found = transcripts.read_whole(str(path))
    assert found.output_tokens == (5 if before else 0)
    assert transcripts.read(str(path)) is found
    with path.open("ab") as file:
        file.write(b"\n" + answered("after", number=2) + b"\n")
    found = transcripts.read_whole(str(path))
    assert (found.last_line, found.output_tokens) == ("after", 10 if before else 5)


def test_an_empty_transcript_is_read_whole(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    path.write_bytes(b"")
    assert Transcripts().read_whole(str(path)) == replace(EMPTY, output_tokens=0, cost_usd=0.0)


def test_a_line_longer_than_a_step_is_left_out(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    path.write_bytes(answered("a", number=1) + b"\n" + b"x" * 5000 + b"\n" + answered("b", number=2) + b"\n")
    assert Transcripts(step=1000).read_whole(str(path)).output_tokens == 10


HUGE = 10**400


@pytest.mark.parametrize(
    "usage",
    [
        {"input_tokens": HUGE},
        {"output_tokens": HUGE},
        {"cache_read_input_tokens": HUGE},
        {"cache_creation_input_tokens": HUGE},
        {"cache_creation": {"ephemeral_1h_input_tokens": HUGE}},
    ],
)
def test_a_count_of_400_digits_costs_that_count_alone(tmp_path: Path, usage: dict[str, object]) -> None:
    path = tmp_path / "t.jsonl"
    message = {"id": "m0", "model": "claude-opus-5-5", "content": [], "usage": usage}
    compacted = line("system", subtype="compact_boundary", compactMetadata={"postTokens": HUGE})
    lines = [line("assistant", message=message), compacted, answered("after", number=2)]
    path.write_bytes(b"".join(one + b"\n" for one in lines))
    found = Transcripts().read_whole(str(path))
    assert (found.last_line, found.context_tokens, found.output_tokens) == ("after", 100, 5)
    assert found.cost_usd is not None


class Fragile(Conversation):
    def take(self, line: bytes) -> None:
        if b"fragile" in line:
            raise RuntimeError("broken")
        super().take(line)


def test_a_line_that_cannot_be_read_is_reported_once_and_the_others_are_read(tmp_path: Path) -> None:
    reported: list[str] = []
    transcripts = Transcripts(problems=Problems(reported.append), conversation=Fragile)
    path = tmp_path / "t.jsonl"
    path.write_bytes(answered("a", number=1) + b"\n" + answered("fragile", number=2) + b"\n")
    first = transcripts.read(str(path))
    with path.open("ab") as file:
        file.write(answered("fragile", number=3) + b"\n" + answered("b", number=4) + b"\n")
    second = transcripts.read(str(path))
    assert [(found.last_line, found.output_tokens) for found in (first, second)] == [("a", 10), ("b", 20)]
    assert reported == [
        f"{path} has a line that cannot be read (RuntimeError: broken). Deskbell goes on without it.",
    ]


def test_of_many_transcripts_the_ones_read_last_are_remembered(tmp_path: Path) -> None:
    transcripts = Transcripts()
    paths = [tmp_path / f"{n}.jsonl" for n in range(MOST_FILES + 1)]
    for path in paths:
        path.write_bytes(answered("here") + b"\n")
    first = [transcripts.read(str(path)) for path in paths]
    assert transcripts.read(str(paths[-1])) is first[-1]
    assert transcripts.read(str(paths[0])) is not first[0]


@pytest.mark.skipif(sys.platform == "win32", reason="has no such limit")
def test_a_transcript_that_cannot_be_opened_for_the_moment_says_what_it_said(tmp_path: Path) -> None:
    transcripts, path = Transcripts(), tmp_path / "t.jsonl"
    path.write_bytes(answered("one", number=1) + b"\n")
    before = transcripts.read(str(path))
    with path.open("ab") as file:
        file.write(answered("two", number=2) + b"\n")
    with no_descriptors():
        assert transcripts.read(str(path)) is before
        assert Transcripts().read(str(path)) == EMPTY
    assert transcripts.read(str(path)).last_line == "two"


def test_a_line_that_cannot_be_read_is_reported_again_in_another_file_of_the_same_name(tmp_path: Path) -> None:
    reported: list[str] = []
    transcripts = Transcripts(problems=Problems(reported.append), conversation=Fragile)
    path = tmp_path / "t.jsonl"
    for number in range(2):
        new = tmp_path / "new"
        new.write_bytes(answered("fragile" * (number + 1), number=1) + b"\n")
        new.replace(path)
        transcripts.read(str(path))
    assert len(reported) == 2


@pytest.mark.parametrize("call", ["os.stat", "os.open", "os.lseek", "os.read"])
def test_a_transcript_that_cannot_be_read_any_more_keeps_its_state_and_is_reported(tmp_path: Path, call: str) -> None:
    path, told = tmp_path / "s.jsonl", list[str]()
    path.write_bytes(asked("one") + b"\n")
    transcripts = Transcripts(problems=Problems(told.append))
    before = transcripts.read(str(path))
    with path.open("ab") as file:
        file.write(answered("two", 1) + b"\n")
    with failing(call, errno.EIO):
        assert transcripts.read(str(path)) == before
    assert told == [f"transcript {path} cannot be read (Input/output error). Deskbell goes on without it."]
    assert transcripts.read(str(path)) == Transcripts().read(str(path)) != before


def test_a_transcript_that_is_not_read_any_more_is_forgotten(tmp_path: Path) -> None:
    readings = Transcripts()
    shown, over = tmp_path / "shown.jsonl", tmp_path / "over.jsonl"
    for path in (shown, over):
        path.write_bytes(asked("go") + b"\n")
    before = {path: readings.read(str(path)) for path in (shown, over)}
    for _ in range(2):
        readings.tidy()
        readings.read(str(shown))
    readings.tidy()
    assert readings.read(str(shown)) is before[shown]
    assert readings.read(str(over)) is not before[over], "it is read anew"
    assert readings.read(str(over)) == before[over]
