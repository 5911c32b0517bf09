"""Test that the stamp of a file stays equal until the file is written or replaced."""

from pathlib import Path

from deskbell.files.stamp import stamp


def test_an_untouched_file_keeps_its_stamp(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"text")

    assert stamp(path) == stamp(path)


def test_a_written_a_replaced_and_a_removed_file_have_other_stamps(tmp_path: Path) -> None:
    path, beside = tmp_path / "file", tmp_path / "beside"
    path.write_bytes(b"text")
    first = stamp(path)
    path.write_bytes(b"longer text")
    second = stamp(path)
    beside.write_bytes(b"longer text")
    beside.replace(path)
    third = stamp(path)
    path.unlink()

    assert len({first, second, third, stamp(path)}) == 4


def test_a_file_that_does_not_exist_or_cannot_be_reached_has_no_stamp(tmp_path: Path) -> None:
    (tmp_path / "file").touch()

    assert stamp(tmp_path / "nothing") is None
    assert stamp(tmp_path / "file" / "below") is None
