"""Test how unsent messages are kept on disk."""

import errno
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from deskbell.notices.channels import Message
from deskbell.notices.channels.letters import MOST, Letter, Letters
from tests.faults.injector import failing

LISTED = "os.listdir" if sys.version_info < (3, 13) else "os.scandir"
LETTER = Letter("phone", "slot", Message("api", "body é", "idle", "normal", 1.0), attempts=2, due=3.0, reported=True)


def test_a_letter_is_read_back_as_it_was_written(tmp_path: Path) -> None:
    letters = Letters(tmp_path / "outbox")
    letters.write(letters.new_file(1.0), LETTER)
    assert [letter for _, letter in letters.read(letters.files())] == [LETTER]


def test_letters_are_listed_with_the_oldest_first(tmp_path: Path) -> None:
    letters = Letters(tmp_path)
    for due in (2.0, 1.0, 3.0):
        letters.write(letters.new_file(due), replace(LETTER, due=due))
    assert [letter.due for _, letter in letters.read(letters.files())] == [1.0, 2.0, 3.0]


def test_a_letter_of_an_older_version_is_read(tmp_path: Path) -> None:
    message = '{"title": "a", "body": "b", "status": "idle", "urgency": "low", "at": 1.0}'
    (tmp_path / "1.json").write_text(f'{{"channel": "phone", "slot": "s", "message": {message}, "new": 1}}')
    ((_, letter),) = Letters(tmp_path).read(Letters(tmp_path).files())
    assert (letter.attempts, letter.due, letter.reported) == (0, 0.0, False)


def test_a_file_that_has_gone_is_skipped(tmp_path: Path) -> None:
    assert list(Letters(tmp_path).read([tmp_path / "1.json"])) == []
    Letters(tmp_path).remove(tmp_path / "1.json")


def test_a_folder_that_does_not_exist_is_empty(tmp_path: Path) -> None:
    assert Letters(tmp_path / "outbox").files() == []


def test_trouble_with_the_disk_is_logged_when_it_begins(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    folder = tmp_path / "outbox"
    letters = Letters(folder)
    for _ in range(2):
        folder.write_text("a file where the folder should be")
        letters.write(letters.new_file(1.0), LETTER)
        letters.write(letters.new_file(1.0), LETTER)
        folder.unlink()
        letters.write(letters.new_file(1.0), LETTER)
        for file in letters.files():
            letters.remove(file)
        folder.rmdir()
    assert [record.message for record in caplog.records] == [
        f"{folder}: Not a directory; unsent messages are lost when Deskbell ends"
    ] * 2


def test_of_too_many_letters_the_newest_are_listed_and_the_others_are_removed(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    for number in range(MOST + 2):
        (tmp_path / f"{number:05}.json").write_text("{}")
    files = Letters(tmp_path).files()
    assert (len(files), files[0].name) == (MOST, "00002.json")
    assert sorted(tmp_path.iterdir()) == files
    assert "the oldest 2 are given up" in caplog.text


def test_a_letter_that_could_not_be_removed_is_removed_later(tmp_path: Path) -> None:
    letters = Letters(tmp_path)
    file = letters.new_file(1.0)
    letters.write(file, LETTER)
    with failing("os.unlink", errno.EIO):
        letters.remove(file)
    assert letters.files() == [file]
    letters.tidy()
    assert letters.files() == []


def test_a_folder_that_cannot_be_listed_is_said_and_keeps_its_letters(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    letters = Letters(tmp_path)
    letters.write(letters.new_file(1.0), LETTER)
    with failing(LISTED, errno.EACCES):
        assert letters.files() == []
    assert caplog.messages == [f"{tmp_path} cannot be listed (Permission denied); the next run tries again"]
    assert len(letters.files()) == 1


def test_letters_of_the_same_moment_are_in_the_order_in_which_they_were_written(tmp_path: Path) -> None:
    letters = Letters(tmp_path)
    files = [letters.new_file(1.0) for _ in range(2000)]
    assert files == sorted(files)
