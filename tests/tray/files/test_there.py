"""Test what is told of paths that exist, that do not, and that cannot be examined."""

import errno
from pathlib import Path

import pytest

from deskbell.files.there import ending_in, exists, is_folder
from tests.faults.injector import failing


def test_a_file_and_a_folder_are_told_apart(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert (exists(tmp_path), is_folder(tmp_path)) == (True, True)
    assert (exists(tmp_path / "file"), is_folder(tmp_path / "file")) == (True, False)


@pytest.mark.parametrize("name", ["none", "file/below", "a" * 300, "a\0b", "a\udc80/\ud800", "circle"], ids=ascii)
@pytest.mark.parametrize("unknown", [True, False])
def test_nothing_is_where_no_file_can_be(tmp_path: Path, name: str, unknown: bool) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "circle").symlink_to("circle")
    assert not exists(tmp_path / name, unknown)
    assert not is_folder(tmp_path / name, unknown)


@pytest.mark.parametrize("error", [errno.EACCES, errno.EIO, errno.ESTALE])
@pytest.mark.parametrize("unknown", [True, False])
def test_what_cannot_be_found_out_is_what_the_caller_says(tmp_path: Path, error: int, unknown: bool) -> None:
    with failing("os.stat", error):
        assert exists(tmp_path, unknown) is unknown
    with failing("os.stat", error):
        assert is_folder(tmp_path, unknown) is unknown


def test_the_names_in_a_folder_come_in_their_order(tmp_path: Path) -> None:
    for name in ("b.json", "a.json", "c.txt"):
        (tmp_path / name).touch()
    assert ending_in(tmp_path, ".json") == [tmp_path / "a.json", tmp_path / "b.json"]


def test_a_folder_that_cannot_be_listed_has_no_names(tmp_path: Path) -> None:
    assert ending_in(tmp_path / "none", ".json") == []
    assert ending_in(tmp_path / "a\0b", ".json") == []
    with failing("os.listdir", errno.EACCES):
        assert ending_in(tmp_path, ".json") == []
