"""Test that a lock holds against other processes while the file is open and the process lives."""

import errno
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from deskbell.files.lock import lock, lock_file, one_at_a_time
from tests.faults.injector import failing

HOLDER = """import sys, time
from pathlib import Path
from deskbell.files.lock import lock, lock_file
with Path(sys.argv[1]).open("ab") as file:
    print(lock(file), flush=True)
    sys.stdin.readline()
"""


def holder(path: Path) -> subprocess.Popen[str]:
    process = subprocess.Popen(
        [sys.executable, "-c", f"import sys; sys.path[:0] = {sys.path!r}\n{HOLDER}", str(path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout
    assert process.stdout.readline() == "True\n"
    return process


def test_a_free_lock_is_taken_at_once(tmp_path: Path) -> None:
    with (tmp_path / "lock").open("ab") as file:
        assert lock(file)


def test_a_lock_that_another_process_holds_is_not_taken_before_the_patience_is_over(tmp_path: Path) -> None:
    with holder(tmp_path / "lock") as process, (tmp_path / "lock").open("ab") as file:
        start = time.monotonic()
        assert not lock(file)
        assert not lock(file, 0.1)
        assert time.monotonic() - start >= 0.1
        process.communicate("\n")
        assert lock(file)


def test_a_lock_is_taken_as_soon_as_the_other_process_ends(tmp_path: Path) -> None:
    with holder(tmp_path / "lock") as process, (tmp_path / "lock").open("ab") as file:
        process.send_signal(signal.SIGTERM)
        assert lock(file, 60.0)


def test_a_closed_file_frees_its_lock(tmp_path: Path) -> None:
    with (tmp_path / "lock").open("ab") as file:
        assert lock(file)
    with (tmp_path / "lock").open("ab") as again:
        assert lock(again)


@pytest.mark.skipif("sys.platform == 'win32'", reason="Windows locks bytes of a file")
def test_an_error_of_the_file_itself_is_raised(tmp_path: Path) -> None:
    fd = os.open(tmp_path / "lock", os.O_CREAT | os.O_RDWR)
    file = os.fdopen(fd, "r+b", closefd=False)
    os.close(fd)
    with pytest.raises(OSError, match="Bad file descriptor"):
        lock(file)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes")
def test_a_pipe_is_not_waited_for_and_is_no_lock(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "lock")
    with pytest.raises(OSError, match="it is not a file"):
        lock_file(tmp_path / "lock")


def test_a_lock_file_is_created_once_and_keeps_what_it_holds(tmp_path: Path) -> None:
    with lock_file(tmp_path / "lock") as file:
        file.write(b"7\n")
    with lock_file(tmp_path / "lock") as file:
        assert file.read() == b"7\n"
    assert os.name == "nt" or (tmp_path / "lock").stat().st_mode & 0o777 == 0o600


@pytest.mark.skipif("sys.platform == 'win32'", reason="modes and links are POSIX's")
def test_a_lock_is_no_link_and_does_not_narrow_a_file_with_another_name(tmp_path: Path) -> None:
    (tmp_path / "precious").write_bytes(b"theirs")
    (tmp_path / "precious").chmod(0o644)
    (tmp_path / "link").symlink_to("precious")
    with pytest.raises(OSError, match="it is a link"):
        lock_file(tmp_path / "link")
    (tmp_path / "lock").hardlink_to(tmp_path / "precious")
    with lock_file(tmp_path / "lock") as file:
        assert lock(file)
    assert (tmp_path / "precious").stat().st_mode & 0o777 == 0o644


@pytest.mark.skipif(sys.platform != "linux", reason="counts descriptors below /proc")
@pytest.mark.parametrize("call", ["os.fstat", "io.open"])
def test_a_lock_file_that_cannot_be_looked_at_leaves_no_descriptor(tmp_path: Path, call: str) -> None:
    before = len(os.listdir("/proc/self/fd"))
    with failing(call, errno.EIO), pytest.raises(OSError, match="Input/output error"):
        lock_file(tmp_path / "lock")
    assert len(os.listdir("/proc/self/fd")) == before


def test_one_at_a_time_frees_its_lock_and_holds_nobody_up_for_ever(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    with one_at_a_time(path, 0.05):
        with lock_file(path) as file:
            assert not lock(file)
        with one_at_a_time(path, 0.05):
            pass  # the holder hangs
    with lock_file(path) as file:
        assert lock(file)


def test_without_a_place_for_a_lock_there_is_none(tmp_path: Path) -> None:
    with one_at_a_time(tmp_path / "missing" / "lock", 0.05):
        assert list(tmp_path.iterdir()) == []
