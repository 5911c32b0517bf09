"""Test which folders are on another machine, by the mount points above them."""

import sys
from pathlib import Path

import psutil
import pytest

from deskbell.desktop.mounts import is_remote, listed, mounts

MOUNTS = [("/", "ext4"), ("/home", "nfs4"), ("/home/me/disk", "ext4"), ("/mnt/c", "9p"), ("/Volumes/x", "smbfs")]


@pytest.mark.parametrize(
    ("path", "remote"),
    [
        ("/var/lib", False),
        ("/home/me/.claude", True),
        ("/home/me/disk/state", False),
        ("/homeless", False),
        ("/mnt/c/Users", True),
        ("/Volumes/x/home", True),
    ],
)
@pytest.mark.skipif(sys.platform == "win32", reason="paths as on Unix")
def test_what_lies_on_another_machine_is_looked_at(path: str, remote: bool) -> None:
    assert is_remote(Path(path), MOUNTS) == remote
    assert is_remote(Path(path), MOUNTS[::-1]) == remote


@pytest.mark.skipif(sys.platform == "win32", reason="paths as on Unix")
def test_the_mount_points_of_this_machine_are_known() -> None:
    assert "/" in dict(mounts())


def test_a_mount_point_is_read_with_the_spaces_that_the_table_escapes() -> None:
    table = b"/dev/sda1 / ext4 rw 0 0\nhost:/x /mnt/my\\040disk\\134 nfs4 rw 0 0\n\nbroken\n"
    assert listed(table) == [("/", "ext4"), ("/mnt/my disk\\", "nfs4")]


@pytest.mark.skipif(sys.platform == "win32", reason="paths as on Unix")
def test_a_row_ends_with_its_line_and_with_no_other_character() -> None:
    assert listed(b"/dev/sda1 /mnt/a\rb ext4 rw 0 0\n") == [("/mnt/a\rb", "ext4")]


@pytest.mark.skipif(sys.platform != "linux", reason="the table of Linux")
def test_the_mount_points_are_those_that_psutil_knows() -> None:
    assert set(mounts()) == {(part.mountpoint, part.fstype) for part in psutil.disk_partitions(all=True)}
