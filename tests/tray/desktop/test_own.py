"""Test which sockets and terminals belong to the person who runs this."""

import os
import pty
import sys
from pathlib import Path

import pytest

from deskbell.desktop.own import is_mine, is_my_terminal

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="owners and pseudo-terminals")


def test_files_of_others_and_missing_ones_are_not_mine(tmp_path: Path) -> None:
    file = tmp_path / "socket"
    assert not is_mine(file)
    file.touch()
    assert is_mine(file)
    if os.getuid() == 0:
        os.chown(file, 12345, 12345)
    assert is_mine(file) == (os.getuid() != 0)
    assert not is_mine("a\0b")


def test_only_a_pseudo_terminal_of_mine_is_written_to(tmp_path: Path) -> None:
    ours, its = pty.openpty()
    path = os.ttyname(its)
    assert is_my_terminal(path)
    if os.getuid() == 0:
        os.chown(path, 12345, -1)
        assert not is_my_terminal(path)
    link = tmp_path / "pts"
    link.symlink_to(path)
    for other in (str(link), str(tmp_path), "/dev/pts/../null", "/dev/null", "/dev/pts/999999", "/dev/pts/a\0b"):
        assert not is_my_terminal(other)
    os.close(ours)
    os.close(its)
