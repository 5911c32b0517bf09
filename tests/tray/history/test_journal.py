"""Test that journals are found among other files and read whole while they grow, are cut and are replaced."""

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deskbell.history.journal import CHUNK, LONGEST, Reader, journals, parsed
from tests.tray.journals import line


def test_journals_are_found_among_a_thousand_other_things(tmp_path: Path) -> None:
    for n in range(1000):
        (tmp_path / f"garbage {n}").write_bytes(b"\x00")
    (tmp_path / "folder.jsonl").mkdir()
    (tmp_path / "link.jsonl").symlink_to(tmp_path / "garbage 1")
    os.mkfifo(tmp_path / "pipe.jsonl")
    (tmp_path / "a1.jsonl").write_bytes(line("Stop"))
    found = journals(tmp_path)
    assert found.paths == {"a1": tmp_path / "a1.jsonl"}
    assert len(found.foreign) == 1003


def test_a_missing_folder_has_no_journals(tmp_path: Path) -> None:
    assert journals(tmp_path / "missing") == ({}, [])


def test_a_line_is_read_once_it_is_complete(tmp_path: Path) -> None:
    path = tmp_path / "j.jsonl"
    path.write_bytes(b"one\ntw")
    reader = Reader(path)
    assert list(reader) == [b"one"]
    with path.open("ab") as file:
        file.write(b"o\nthree\n")
    assert list(reader) == [b"two", b"three"]
    assert list(reader) == []


@pytest.mark.parametrize(
    ("now", "new"),
    [
        (b"two\nthree\nfour\n", [b"three", b"four"]),  # cut
        (b"two\n", []),
        (b"another\njournal\n", [b"another", b"journal"]),
        (b"x" * CHUNK + b"\ntwo\nthree\n", [b"three"]),
        (b"", []),
    ],
)
def test_reading_goes_on_in_a_journal_that_was_cut_and_starts_again_in_another(
    tmp_path: Path, now: bytes, new: list[bytes]
) -> None:
    path, other = tmp_path / "j.jsonl", tmp_path / "other"
    path.write_bytes(b"one\ntwo\n")
    reader = Reader(path)
    reader.skip()
    other.write_bytes(now)
    other.replace(path)
    assert list(reader) == new


def test_an_endless_line_takes_little_memory_and_spoils_no_other(tmp_path: Path) -> None:
    path = tmp_path / "j.jsonl"
    path.write_bytes(b"x" * 5 * LONGEST + b"\n" + line("Stop") + b"\n")
    lines = list(Reader(path))
    assert [read and read["event"] for read in map(parsed, lines)] == [None, "Stop"]
    assert len(lines[0]) < 2 * LONGEST


def test_a_folder_and_a_missing_file_have_no_lines(tmp_path: Path) -> None:
    assert list(Reader(tmp_path)) == list(Reader(tmp_path / "missing")) == []


@given(st.lists(st.binary(max_size=30).map(lambda b: b.replace(b"\n", b"")), max_size=10), st.integers(1, 50))
def test_the_lines_do_not_depend_on_the_size_of_the_pieces(lines: list[bytes], chunk: int) -> None:
    path = Path(os.environ["DESKBELL_HOME"] + "-j.jsonl")
    path.write_bytes(b"".join(one + b"\n" for one in lines))
    assert list(Reader(path, chunk)) == lines
