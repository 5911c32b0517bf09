"""Test which folders take files: not those on full or read-only disks, and not those that do not exist."""

import errno
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from deskbell.files.trial import existing, lacks_files, looks_writable, refusal
from tests.faults.calls import Fault, calls_of_program
from tests.faults.injector import Injector, failing
from tests.small_disk import Disk, small_disk


def test_a_folder_is_written_to_and_left_as_it_was(tmp_path: Path) -> None:
    assert refusal(tmp_path) is None
    assert looks_writable(tmp_path)
    assert os.listdir(tmp_path) == []


def test_a_folder_that_is_missing_is_tried_where_it_would_be_created(tmp_path: Path) -> None:
    assert existing(tmp_path / "a" / "b") == tmp_path
    assert refusal(tmp_path / "a" / "b") is None
    assert looks_writable(tmp_path / "a" / "b")
    assert os.listdir(tmp_path) == []


@pytest.mark.skipif("sys.platform == 'win32'", reason="Windows calls it a missing folder")
def test_a_file_in_the_place_of_a_folder_takes_no_files(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    error = refusal(tmp_path / "file" / "events")
    assert error
    assert error.errno == errno.ENOTDIR
    assert not looks_writable(tmp_path / "file" / "events")
    assert not lacks_files(tmp_path / "file" / "events")


DISKS: list[tuple[str, Callable[[Disk], None], int, bool]] = [
    ("full", Disk.fill, errno.ENOSPC, False),
    ("without inodes", Disk.take_inodes, errno.ENOSPC, True),
    ("read-only", Disk.read_only, errno.EROFS, False),
]


@pytest.mark.parametrize(("spoil", "number", "no_files"), [row[1:] for row in DISKS], ids=[row[0] for row in DISKS])
def test_a_spoilt_disk_is_noticed_and_keeps_no_file_of_the_trial(
    tmp_path: Path, spoil: Callable[[Disk], None], number: int, no_files: bool
) -> None:
    with small_disk(tmp_path / "disk", "2m") as disk:
        assert refusal(disk.path) is None
        assert looks_writable(disk.path)
        spoil(disk)
        before = disk.files()
        error = refusal(disk.path)
        assert error
        assert (error.errno, lacks_files(disk.path)) == (number, no_files)
        assert not looks_writable(disk.path)
        assert disk.files() == before


def test_on_a_disk_that_is_nearly_full_only_a_trial_can_tell(tmp_path: Path) -> None:
    with small_disk(tmp_path / "disk", "64k") as disk:
        assert not looks_writable(disk.path)
        assert refusal(disk.path) is None


@pytest.mark.skipif("sys.platform != 'linux'", reason="counts descriptors below /proc")
def test_a_trial_that_cannot_be_removed_is_an_error_and_leaves_no_descriptor(tmp_path: Path) -> None:
    before = len(os.listdir("/proc/self/fd"))
    with failing("os.unlink", errno.EPERM):
        error = refusal(tmp_path)
    assert error
    assert error.errno == errno.EPERM
    assert (len(os.listdir("/proc/self/fd")), os.listdir(tmp_path)) == (before, [])


@pytest.mark.skipif("sys.platform != 'linux'", reason="fails calls of Linux")
def test_where_files_cannot_be_removed_trials_leave_one_at_most(tmp_path: Path) -> None:
    for _ in range(3):
        injector = Injector(Fault("os.unlink", 1, errno.EPERM, lasting=True))
        with injector.installed(calls_of_program()):
            assert refusal(tmp_path)
    assert len(os.listdir(tmp_path)) == 1
    assert refusal(tmp_path) is None
    assert os.listdir(tmp_path) == []
