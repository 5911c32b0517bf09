"""Test that the statusline reads regular files alone, up to a size, and changes nothing about them."""

import os
import re
import sys
from pathlib import Path

import pytest

from deskbell_hooks.plainread import read


def test_a_file_is_read_up_to_its_bound(tmp_path: Path) -> None:
    path = tmp_path / "f"
    path.write_bytes(b"12345")
    path.chmod(0o644)
    assert read(str(path), 5) == b"12345"
    assert path.stat().st_mode & 0o777 == 0o644
    with pytest.raises(OSError, match="f"):
        read(str(path), 4)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no named pipes in folders, and no /proc")
def test_nothing_but_a_regular_file_is_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    names = ("", "pipe", "missing", "a\0b", "\ud800")
    for path in (*(tmp_path / name for name in names), Path("/dev/null")):
        with pytest.raises(OSError, match=re.escape(path.name)):
            read(str(path), 100)


@pytest.mark.skipif(sys.platform != "linux", reason="only /proc has files that are larger than they say")
def test_a_file_that_is_larger_than_it_says_is_refused() -> None:
    with pytest.raises(OSError, match="comm"):
        read("/proc/self/comm", 100)
