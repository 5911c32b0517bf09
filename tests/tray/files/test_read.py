"""Test that a file is read whole, or refused at once in one clause that says what it is."""

import errno
import os
import socket
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deskbell.files.read import DEEPEST, Unfit, is_passing, json_value, opened, read, read_text

posix = pytest.mark.skipif(os.name == "nt", reason="needs a POSIX file system")


def linked(target: str) -> Callable[[Path], None]:
    return lambda path: path.symlink_to(target)


def bound(path: Path) -> None:
    before = Path.cwd()
    os.chdir(path.parent)  # the name of a socket may have 100 letters
    try:
        with socket.socket(socket.AF_UNIX) as made:
            made.bind(path.name)
    finally:
        os.chdir(before)


UNFIT: dict[str, tuple[Callable[[Path], object], str]] = {
    "a named pipe": (os.mkfifo, "it is a named pipe"),
    "a folder": (Path.mkdir, "it is a folder"),
    "a socket": (bound, "it is a socket, or a device that is missing"),
    "a device": (linked("/dev/zero"), "it is a device"),
    "a terminal": (linked("/dev/ptmx"), "it is a device"),
    "a circle of links": (linked("it"), "it is a circle of links"),
    "a file that is too large": (lambda path: path.write_bytes(b"x" * 5001), "it is larger than 5 kB"),
    "a file of many terabytes": (lambda path: os.truncate(_empty(path), 2**42), "it is larger than 5 kB"),
    "a file of the kernel": (linked("/proc/self/maps"), "it is larger than 5 kB"),
}


def _empty(path: Path) -> Path:
    path.touch()
    return path


@posix
@pytest.mark.parametrize(("make", "why"), UNFIT.values(), ids=UNFIT)
def test_what_is_no_file_to_read_is_refused_in_one_clause(
    tmp_path: Path, make: Callable[[Path], object], why: str
) -> None:
    make(tmp_path / "it")
    with pytest.raises(Unfit) as refused:
        read(tmp_path / "it", 5000)
    assert (refused.value.strerror, refused.value.filename) == (why, str(tmp_path / "it"))


@posix
@pytest.mark.parametrize("name", ["nul\0", "half of a pair \ud800"])
def test_a_name_that_no_file_can_have_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(Unfit, match="no file can have this name"):
        read(tmp_path / name, 9)


@posix
def test_a_link_is_followed_unless_the_caller_refuses(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"content")
    (tmp_path / "link").symlink_to("file")
    assert read(tmp_path / "link", 9) == b"content"
    with pytest.raises(Unfit, match="it is a link"):
        read(tmp_path / "link", 9, follow=False)


def test_a_missing_file_stays_a_missing_file(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        read(tmp_path / "missing", 9)


@given(st.binary(max_size=40), st.integers(0, 40))
def test_a_file_is_read_whole_or_refused(content: bytes, largest: int) -> None:
    path = Path(os.environ["DESKBELL_HOME"] + "-read")
    path.write_bytes(content)
    if len(content) <= largest:
        assert read(path, largest) == content
    else:
        with pytest.raises(Unfit):
            read(path, largest)


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="no /proc")
def test_a_file_that_names_no_size_is_read_whole() -> None:
    assert b"VmRSS" in read("/proc/self/status", 100_000)


def test_a_file_that_grows_and_shrinks_meanwhile_is_read_up_to_the_bound(tmp_path: Path) -> None:
    path, over = tmp_path / "file", threading.Event()
    path.touch()

    def grow_and_shrink() -> None:
        while not over.is_set():
            with path.open("ab") as file:
                for _ in range(50):
                    file.write(b"x" * 500)
                    file.flush()
            os.truncate(path, 0)

    writer = threading.Thread(target=grow_and_shrink)
    writer.start()
    longest, tries = 0, 0
    try:
        while tries < 2000 or (not longest and tries < 1_000_000):
            tries += 1
            try:
                longest = max(longest, len(read(path, 10_000)))
                assert longest <= 10_000
            except Unfit as refused:
                assert refused.strerror == "it is larger than 10 kB"  # noqa: PT017  # either may come
    finally:
        over.set()
        writer.join()
    assert longest > 0


def test_text_is_utf_8_with_lines_of_any_system(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes("grün\r\na\rb\n".encode())
    assert read_text(path, 20) == "grün\na\nb\n"
    path.write_bytes(b"gr\xfcn")
    with pytest.raises(Unfit, match=r"it is not UTF-8 text \(byte 2\)"):
        read_text(path, 9)


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="no /proc")
def test_nothing_stays_open(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    before = os.listdir("/proc/self/fd")
    for path in (tmp_path, tmp_path / "pipe", Path("/dev/zero"), Path(__file__)):
        with pytest.raises(Unfit):
            read(path, 9)
    with opened(__file__) as (fd, found):
        assert os.get_inheritable(fd) is False
        assert found.st_size > 9
    assert os.listdir("/proc/self/fd") == before


def test_json_may_be_wide_and_not_deep() -> None:
    assert json_value(b"[%s]" % b",".join([b"[{}]"] * 500)) == [[{}]] * 500
    assert json_value(b"[" * DEEPEST + b"]" * DEEPEST)
    for opening, closing in ((b"[", b"]"), (b'{"a":', b"}")):
        for depth in (DEEPEST + 1, 900, 100_000):
            with pytest.raises(ValueError, match="nested too deep"):
                json_value(opening * depth + (b"1" if opening != b"[" else b"") + closing * depth)


@pytest.mark.parametrize("number", [b"9" * 5000, b"1e400", b"-1e400", b"NaN", b"Infinity"])
def test_a_number_that_cannot_be_is_none(number: bytes) -> None:
    assert json_value(b'{"a":1,"b":%s}' % number) == {"a": 1, "b": None}


@pytest.mark.parametrize(
    ("error", "passes"),
    [
        (OSError(errno.EMFILE, ""), True),
        (PermissionError(errno.EACCES, ""), True),
        (OSError(errno.EIO, ""), True),
        (MemoryError(), True),
        (FileNotFoundError(errno.ENOENT, ""), False),
        (NotADirectoryError(errno.ENOTDIR, ""), False),
        (OSError(errno.ENAMETOOLONG, ""), False),
        (Unfit(errno.EFBIG, ""), False),
        (ValueError(), False),
        (RecursionError(), False),
    ],
    ids=repr,
)
def test_an_error_passes_if_another_attempt_may_succeed_on_the_same_file(error: Exception, passes: bool) -> None:
    assert is_passing(error) == passes
