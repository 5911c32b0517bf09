"""Test what the subagents of a session have spent: files that grow, come, go, are damaged, and many of them."""

import os
import shutil
from pathlib import Path

import pytest

from deskbell.sessions.subagents import AT_REST, EVERY, MOST_FILES, Subagents, folder_of
from deskbell.sessions.transcript import Transcripts
from tests.limits import no_descriptors
from tests.tray.sessions.transcript_lines import answered

FIXTURES = Path(__file__).parents[2] / "fixtures" / "transcripts"
MIB = 1024 * 1024
ONE = answered("a", number=1, isSidechain=True) + b"\n"
"""An answer of five tokens."""


class Place:
    def __init__(self, root: Path) -> None:
        self.transcript = root / "s-1.jsonl"
        self.folder = Path(folder_of(str(self.transcript)))
        self.folder.mkdir(parents=True)
        self.subagents = Subagents(str(self.transcript))
        self.now = 0.0

    def write(self, name: str, content: bytes = ONE) -> Path:
        path = self.folder / name
        with path.open("ab") as file:
            file.write(content)
        return path

    def tokens(self, step: int = MIB) -> int:
        self.now += EVERY
        self.subagents.advance(self.now, step)
        return self.subagents.whole.tokens


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)


def test_a_subagent_of_the_real_client_is_counted(place: Place) -> None:
    shutil.copy(FIXTURES / "of_a_subagent.jsonl", place.folder / "agent-ad01fd5b0688f0103.jsonl")
    assert place.tokens() == 80
    assert place.subagents.whole.dollars
    assert [day.tokens for day in place.subagents.days] == [80]


def test_each_subagent_is_counted_as_it_grows(place: Place) -> None:
    place.write("agent-a.jsonl")
    assert place.tokens() == 5
    place.write("agent-b.jsonl")
    assert place.tokens() == 10
    place.write("agent-a.jsonl", answered("b", number=2, isSidechain=True) + b"\n")
    assert place.tokens() == 15
    assert place.tokens() == 15


def test_a_file_at_rest_is_counted_from_its_beginning_if_it_grows_again(place: Place) -> None:
    place.write("agent-a.jsonl")
    assert place.tokens() == 5
    place.now += AT_REST
    assert place.tokens() == 5
    place.write("agent-a.jsonl", answered("b", number=2) + b"\n")
    assert place.tokens() == 10


def test_an_old_file_is_counted_once_and_again_if_it_grows(place: Place) -> None:
    path = place.write("agent-a.jsonl")
    os.utime(path, (1e9, 1e9))
    assert place.tokens() == place.tokens() == 5
    place.write("agent-a.jsonl", answered("b", number=2) + b"\n")
    assert place.tokens() == 10


def test_a_file_that_is_replaced_is_counted_anew(place: Place) -> None:
    path = place.write("agent-a.jsonl", ONE + answered("b", number=2) + b"\n")
    assert place.tokens() == 10
    beside = place.folder / "new"
    beside.write_bytes(ONE)
    beside.replace(path)
    assert place.tokens() == 5


def test_what_was_spent_stays_though_a_file_is_deleted(place: Place) -> None:
    path = place.write("agent-a.jsonl")
    assert place.tokens() == 5
    path.unlink()
    assert place.tokens() == 5


def test_one_look_reads_no_more_than_its_step_and_the_next_ones_the_rest(place: Place) -> None:
    for number in range(4):
        place.write(f"agent-{number}.jsonl")
    found = []
    for _ in range(9):
        found.append(place.tokens(step=len(ONE)))
        if place.subagents.are_counted:
            break
    assert found[0] < found[-1] == 20
    assert found == sorted(found)


def test_a_transcript_larger_than_a_step_is_read_in_several(place: Place) -> None:
    place.write("agent-a.jsonl", b"".join(answered("x" * 300, number=number) + b"\n" for number in range(50)))
    found = [place.tokens(step=4096) for _ in range(30)]
    assert found[0] < found[-1] == 250
    assert place.subagents.are_counted


def test_a_folder_is_looked_at_every_few_seconds(place: Place) -> None:
    assert place.subagents.is_due(0.0)
    place.tokens()
    assert not place.subagents.is_due(place.now + EVERY - 1)
    assert place.subagents.is_due(place.now + EVERY)


NO_SUBAGENTS = ["agent-a.txt", "other.jsonl", "agent-folder.jsonl/x", "agent-pipe.jsonl", "agent-link.jsonl"]


@pytest.mark.skipif(os.name == "nt", reason="named pipes and links of POSIX")
@pytest.mark.parametrize("name", NO_SUBAGENTS)
def test_what_is_no_transcript_of_a_subagent_is_passed_over(place: Place, name: str, tmp_path: Path) -> None:
    path = place.folder / name
    path.parent.mkdir(exist_ok=True)
    (tmp_path / "elsewhere").write_bytes(ONE)
    if "pipe" in name:
        os.mkfifo(path)
    elif "link" in name:
        path.symlink_to(tmp_path / "elsewhere")
    else:
        path.write_bytes(ONE)
    assert place.tokens() == 0
    assert place.subagents.are_counted


@pytest.mark.parametrize("content", [b"", b"\x00" * 5000 + b"\n", b"nonsense\n", b"[" * 5000 + b"\n"])
def test_a_damaged_transcript_costs_itself_alone(place: Place, content: bytes) -> None:
    place.write("agent-a.jsonl", content)
    place.write("agent-b.jsonl")
    assert place.tokens() == 5


def test_without_a_folder_nothing_was_spent(tmp_path: Path) -> None:
    for transcript in (str(tmp_path / "s-1.jsonl"), "/nowhere/\x00.jsonl"):
        subagents = Subagents(transcript)
        subagents.advance(0.0, MIB)
        assert (subagents.whole.tokens, subagents.are_counted) == (0, True)


@pytest.mark.long
def test_only_so_many_are_counted(place: Place) -> None:
    for number in range(MOST_FILES + 5):
        (place.folder / f"agent-{number}.jsonl").write_bytes(ONE)
    assert place.tokens(step=8 * MIB) == 5 * MOST_FILES
    assert place.subagents.are_counted


@pytest.mark.skipif(os.name == "nt", reason="descriptors of POSIX")
def test_without_descriptors_it_is_counted_later(place: Place) -> None:
    place.write("agent-a.jsonl")
    with no_descriptors():
        assert place.tokens() == 0
    assert place.tokens() == 5


def test_the_tail_of_a_session_has_what_its_subagents_spent(place: Place) -> None:
    place.transcript.write_bytes(answered("main", number=9) + b"\n")
    place.write("agent-a.jsonl")
    transcripts = Transcripts(clock=lambda: place.now)
    first = transcripts.read(str(place.transcript))
    assert (first.output_tokens, first.last_line) == (10, "main")
    assert [day.tokens for day in first.spent] == [10]
    assert transcripts.read(str(place.transcript)) is first
    place.write("agent-b.jsonl")
    assert transcripts.read(str(place.transcript)) is first
    place.now += EVERY
    assert transcripts.read(str(place.transcript)).output_tokens == 15
