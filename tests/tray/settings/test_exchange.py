"""Test that two files change places in one step, and that a name that is taken is not taken over."""

import errno
import os
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from deskbell.errors import Problem
from deskbell.settings.exchange import compare_and_replace, create, exchange
from deskbell.settings.settings_file import Swap
from tests.faults.calls import Fault, calls_of_program
from tests.faults.injector import Injector, failing

posix = pytest.mark.skipif("sys.platform == 'win32'", reason="modes and limits are POSIX's")

# Replaces argv[2] by argv[1] in a process whose files may become no longer than 3 bytes.
LIMITED = """import resource, sys
sys.dont_write_bytecode = True
from pathlib import Path
from deskbell.settings.exchange import compare_and_replace
resource.setrlimit(resource.RLIMIT_FSIZE, (3, 3))
compare_and_replace(Path(sys.argv[1]), Path(sys.argv[2]), None)
"""

both = pytest.mark.parametrize("swap", [exchange, compare_and_replace])


@pytest.fixture
def pair(tmp_path: Path) -> tuple[Path, Path]:
    one, other = tmp_path / "one", tmp_path / "other"
    one.write_bytes(b"1")
    other.write_bytes(b"2")
    return one, other


@pytest.fixture
def open_umask() -> Iterator[None]:
    before = os.umask(0)
    yield
    os.umask(before)


@both
def test_two_files_change_places(pair: tuple[Path, Path], swap: Swap) -> None:
    one, other = pair

    assert swap(one, other, b"2")
    assert (one.read_bytes(), other.read_bytes()) == (b"2", b"1")


@both
def test_a_file_is_not_exchanged_with_one_that_does_not_exist(tmp_path: Path, swap: Swap) -> None:
    one = tmp_path / "one"
    one.write_bytes(b"1")

    assert not swap(one, tmp_path / "other", None)
    assert one.read_bytes() == b"1"


@both
def test_a_folder_that_does_not_exist_is_no_error(tmp_path: Path, swap: Swap) -> None:
    assert not swap(tmp_path / "gone" / "one", tmp_path / "gone" / "other", None)


def test_without_an_exchange_a_file_that_differs_is_left_alone(pair: tuple[Path, Path]) -> None:
    one, other = pair

    assert not compare_and_replace(one, other, b"expected")
    assert (one.read_bytes(), other.read_bytes()) == (b"1", b"2")


@posix
@pytest.mark.usefixtures("open_umask")
def test_without_an_exchange_the_former_text_is_private_too(pair: tuple[Path, Path]) -> None:
    one, other = pair

    assert compare_and_replace(one, other, None)

    assert stat.S_IMODE(one.stat().st_mode) == 0o600
    assert sorted(os.listdir(one.parent)) == ["one", "other"]


@posix
def test_without_an_exchange_a_full_disk_leaves_both_files_as_they_are(pair: tuple[Path, Path]) -> None:
    one, other = pair
    other.write_bytes(b"longer than three bytes")

    done = subprocess.run(
        [sys.executable, "-c", LIMITED, one, other],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        check=False,
    )

    assert "File too large" in done.stderr
    assert (one.read_bytes(), other.read_bytes()) == (b"1", b"longer than three bytes")
    assert sorted(os.listdir(one.parent)) == ["one", "other"]


@posix
def test_without_an_exchange_a_change_that_cannot_be_completed_is_undone(pair: tuple[Path, Path]) -> None:
    one, other = pair

    with failing("os.replace", errno.EIO, 1), pytest.raises(OSError, match="Input/output error"):
        compare_and_replace(one, other, b"2")

    assert other.read_bytes() == b"2"
    assert os.listdir(other.parent) == ["other"]


@posix
def test_without_an_exchange_a_change_that_cannot_be_undone_either_says_where_the_former_text_is(
    pair: tuple[Path, Path],
) -> None:
    one, other = pair
    fails = Injector(Fault("os.replace", 1, errno.EIO, lasting=True))

    with fails.installed(calls_of_program()), pytest.raises(Problem, match=r"was changed, but .* What it held") as told:
        compare_and_replace(one, other, b"2")

    assert other.read_bytes() == b"1"
    assert Path(told.value.step.split()[-1].rstrip(".")).read_bytes() == b"2"


def test_a_folder_cannot_be_replaced_by_a_file(pair: tuple[Path, Path]) -> None:
    one, other = pair
    other.unlink()
    other.mkdir()

    with pytest.raises(OSError, match="it is a folder"):
        compare_and_replace(one, other, None)

    assert one.read_bytes() == b"1"


def test_a_name_that_is_taken_is_not_taken_over(pair: tuple[Path, Path]) -> None:
    one, other = pair

    assert not create(one, other)
    assert other.read_bytes() == b"2"
    other.unlink()
    assert create(one, other)
    assert (other.read_bytes(), one.exists()) == (b"1", False)
