"""Test that small files are written whole or not at all, private, and without leaving others behind."""

import errno
import os
import stat
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from deskbell.files.write import append_private, create_private, make_private, write_changed, write_private
from tests.faults.injector import failing

posix = pytest.mark.skipif("sys.platform == 'win32'", reason="modes and links are POSIX's")

# Writes argv[2] bytes to argv[1], in a process whose files may become no longer than argv[3] bytes.
LIMITED = """import resource, sys
sys.dont_write_bytecode = True
from pathlib import Path
from deskbell.files.write import write_private
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[3]),) * 2)
try:
    write_private(Path(sys.argv[1]), b"s" * int(sys.argv[2]))
except OSError as error:
    print(error.filename, error.strerror)
"""


@pytest.fixture
def open_umask() -> Iterator[None]:
    """A umask that forbids nothing."""
    before = os.umask(0)
    yield
    os.umask(before)


@pytest.fixture
def closed_umask() -> Iterator[None]:
    """A umask that forbids even the owner to write."""
    before = os.umask(0o377)
    yield
    os.umask(before)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def append(path: Path, data: bytes) -> None:
    append_private(path, data, 1_000, kept=1)


def names(folder: Path) -> list[str]:
    return sorted(os.listdir(folder))


def test_a_file_is_created_and_replaced(tmp_path: Path) -> None:
    path = tmp_path / "file"
    for content in (b"one", b"", b"x" * 1_000_000):
        write_private(path, content)
        assert path.read_bytes() == content
    assert names(tmp_path) == ["file"]


@posix
@pytest.mark.usefixtures("open_umask")
def test_under_an_open_umask_the_file_and_every_new_folder_are_private(tmp_path: Path) -> None:
    path = tmp_path / "a" / "b" / "c" / "file"

    write_private(path, b"secret")

    assert mode(path) == 0o600
    assert [mode(folder) for folder in path.parents[:3]] == [0o700] * 3


@posix
@pytest.mark.usefixtures("closed_umask")
def test_under_a_closed_umask_the_owner_can_still_use_the_file_and_its_folders(tmp_path: Path) -> None:
    path = tmp_path / "a" / "b" / "file"

    write_private(path, b"mine")

    assert mode(path) == 0o600
    assert [mode(folder) for folder in path.parents[:2]] == [0o700] * 2


@posix
def test_a_folder_that_exists_keeps_its_mode(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)

    write_private(tmp_path / "file", b"")

    assert mode(tmp_path) == 0o755


@posix
def test_a_file_that_others_could_read_becomes_private(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.touch()
    path.chmod(0o644)

    write_private(path, b"secret")

    assert mode(path) == 0o600


@posix
@pytest.mark.usefixtures("open_umask")
def test_a_file_can_have_another_mode(tmp_path: Path) -> None:
    write_private(tmp_path / "file", b"", mode=0o644)

    assert mode(tmp_path / "file") == 0o644


@posix
@pytest.mark.parametrize("existing", [True, False], ids=["to a file", "to a file that does not exist yet"])
def test_a_link_stays_a_link_and_its_target_changes(tmp_path: Path, existing: bool) -> None:
    dotfiles, config = tmp_path / "dotfiles", tmp_path / "config"
    dotfiles.mkdir()
    config.mkdir()
    if existing:
        (dotfiles / "config.toml").write_bytes(b"old")
    (config / "config.toml").symlink_to("../dotfiles/config.toml")

    write_private(config / "config.toml", b"new", follow=True)

    assert os.readlink(config / "config.toml") == "../dotfiles/config.toml"
    assert (dotfiles / "config.toml").read_bytes() == b"new"
    assert (names(config), names(dotfiles)) == (["config.toml"], ["config.toml"])


@posix
def test_a_circle_of_links_is_refused_and_stays(tmp_path: Path) -> None:
    (tmp_path / "a").symlink_to("b")
    (tmp_path / "b").symlink_to("a")

    with pytest.raises(OSError, match="symbolic links"):
        write_private(tmp_path / "a", b"new", follow=True)

    assert (tmp_path / "a").is_symlink()


@posix
@pytest.mark.parametrize("write", [write_private, write_changed])
@pytest.mark.parametrize("target", ["precious", "nothing", "link"])
def test_a_link_in_the_place_of_a_file_is_replaced_and_its_target_is_not_touched(
    tmp_path: Path, write: Callable[[Path, bytes], object], target: str
) -> None:
    (tmp_path / "precious").write_bytes(b"new")  # the same content: also then the link must go
    before = (tmp_path / "precious").stat()
    (tmp_path / "link").symlink_to(target)
    write(tmp_path / "link", b"new")
    assert ((tmp_path / "link").read_bytes(), (tmp_path / "link").is_symlink()) == (b"new", False)
    assert ((tmp_path / "precious").stat(), names(tmp_path)) == (before, ["link", "precious"])


@posix
@pytest.mark.parametrize("write", [write_private, append])
def test_a_file_with_another_name_is_left_to_that_name(tmp_path: Path, write: Callable[[Path, bytes], object]) -> None:
    (tmp_path / "backup").write_bytes(b"old")
    (tmp_path / "backup").chmod(0o644)
    (tmp_path / "file").hardlink_to(tmp_path / "backup")
    write(tmp_path / "file", b" new")
    assert (tmp_path / "file").read_bytes().endswith(b" new")
    assert (mode(tmp_path / "file"), names(tmp_path)) == (0o600, ["backup", "file"])
    assert ((tmp_path / "backup").read_bytes(), mode(tmp_path / "backup")) == (b"old", 0o644)


# Logs


@posix
@pytest.mark.usefixtures("open_umask")
def test_a_log_grows_line_by_line_and_is_private(tmp_path: Path) -> None:
    path = tmp_path / "state" / "log"
    for line in (b"one\n", b"two\n"):
        append(path, line)
    assert (path.read_bytes(), mode(path), mode(path.parent)) == (b"one\ntwo\n", 0o600, 0o700)
    path.chmod(0o666)
    append(path, b"three\n")
    assert mode(path) == 0o600


def test_before_a_log_becomes_too_large_a_new_one_is_begun_and_the_oldest_goes(tmp_path: Path) -> None:
    for number in range(10):
        append_private(tmp_path / "log", b"line %d\n" % number, 14, kept=2)
    texts = [(tmp_path / name).read_bytes() for name in ("log.2", "log.1", "log")]
    assert texts == [b"line %d\nline %d\n" % (number, number + 1) for number in (4, 6, 8)]
    assert names(tmp_path) == ["log", "log.1", "log.2"]


def test_a_log_that_cannot_be_put_aside_is_written_on(tmp_path: Path) -> None:
    (tmp_path / "log.1" / "full").mkdir(parents=True)
    for line in (b"one\n", b"two\n"):
        append_private(tmp_path / "log", line, 4, kept=1)
    assert (tmp_path / "log").read_bytes() == b"one\ntwo\n"


@posix
def test_a_link_in_the_place_of_a_log_goes(tmp_path: Path) -> None:
    (tmp_path / "precious").write_bytes(b"theirs")
    (tmp_path / "log").symlink_to("precious")
    append(tmp_path / "log", b"ours\n")
    assert ((tmp_path / "log").read_bytes(), (tmp_path / "precious").read_bytes()) == (b"ours\n", b"theirs")
    assert not (tmp_path / "log").is_symlink()


@posix
@pytest.mark.parametrize("make", [os.mkfifo, os.mkdir], ids=["a named pipe", "a folder"])
def test_what_is_no_file_is_no_log(tmp_path: Path, make: Callable[[Path], None]) -> None:
    make(tmp_path / "log")
    before = len(os.listdir("/dev/fd"))
    with pytest.raises(OSError, match="log"):
        append_private(tmp_path / "log", b"ours\n", 1_000_000, kept=1)
    assert len(os.listdir("/dev/fd")) == before


@pytest.mark.skipif("sys.platform != 'linux'", reason="no /proc")
def test_a_folder_that_cannot_be_created_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        make_private(Path("/proc/self/deskbell/state"))


def refused(path: Path, content: bytes = b"secret") -> OSError:
    with pytest.raises(OSError, match=r".") as raised:
        write_private(path, content)
    return raised.value


def test_a_folder_in_the_place_of_the_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").mkdir()

    error = refused(tmp_path / "file")

    assert error.filename == str(tmp_path / "file")
    assert names(tmp_path) == ["file"]


def test_a_file_in_the_place_of_a_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "folder").write_bytes(b"mine")

    assert isinstance(refused(tmp_path / "folder" / "file"), NotADirectoryError)
    assert isinstance(refused(tmp_path / "folder" / "deeper" / "file"), NotADirectoryError)
    assert (tmp_path / "folder").read_bytes() == b"mine"
    assert names(tmp_path) == ["folder"]


def test_a_name_that_the_disk_cannot_hold_is_refused(tmp_path: Path) -> None:
    refused(tmp_path / ("n" * 300))

    assert names(tmp_path) == []


def test_the_longest_name_that_the_disk_can_hold_is_written(tmp_path: Path) -> None:
    write_private(tmp_path / ("n" * 255), b"text")

    assert names(tmp_path) == ["n" * 255]


@posix
@pytest.mark.parametrize("limit", [0, 1, 4096, 99_999])
def test_a_full_disk_leaves_the_old_file_and_no_other(tmp_path: Path, limit: int) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"")

    done = subprocess.run(
        [sys.executable, "-c", LIMITED, path, "100000", str(limit)],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        check=True,
    )

    assert done.stdout.startswith(f"{path} File too large")
    assert path.read_bytes() == b""
    assert names(tmp_path) == ["file"]


# Writes to argv[1]; the call of the system that is named argv[2] fails as on a full disk.
FAILING = """import errno, os, sys
from pathlib import Path
from deskbell.files.write import write_private
def fail(name, call):
    def failing(*given, **named):
        if name == "close":
            call(*given)
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    return failing
setattr(os, sys.argv[2], fail(sys.argv[2], getattr(os, sys.argv[2])))
try:
    write_private(Path(sys.argv[1]), b"new")
except OSError as error:
    print(error.filename, error.strerror)
"""


@posix
@pytest.mark.parametrize("step", ["open", "fchmod", "write", "fsync", "close", "replace"])
def test_a_disk_that_is_full_at_any_step_leaves_the_old_file_and_no_other(tmp_path: Path, step: str) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"old")
    program = ["-B", "-c", FAILING, path, step]
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run([sys.executable, *program], env=env, capture_output=True, text=True, check=True)
    assert done.stdout == f"{path} No space left on device\n"
    assert path.read_bytes() == b"old"
    assert names(tmp_path) == ["file"]


@posix
def test_writers_at_the_same_time_do_not_meet(tmp_path: Path) -> None:
    """A temporary name of the process alone is shared by its threads."""
    path = tmp_path / "file"
    texts = [bytes([number]) * 20_000 for number in range(8)]
    wrong: list[object] = []

    def write(text: bytes) -> None:
        for _ in range(20):
            try:
                write_private(path, text)
                if (found := path.read_bytes()) not in texts:
                    wrong.append(found)
            except OSError as error:
                wrong.append(error)

    threads = [threading.Thread(target=write, args=(text,)) for text in texts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert wrong == []
    assert names(tmp_path) == ["file"]


@posix
@pytest.mark.usefixtures("open_umask")
def test_a_new_private_file_needs_a_free_name(tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    victim.write_bytes(b"theirs")
    (tmp_path / "link").symlink_to(victim)

    for name in ("victim", "link"):
        with pytest.raises(FileExistsError):
            create_private(tmp_path / name, b"ours")
    create_private(tmp_path / "new", b"ours")

    assert victim.read_bytes() == b"theirs"
    assert ((tmp_path / "new").read_bytes(), mode(tmp_path / "new")) == (b"ours", 0o600)


def test_a_file_that_has_the_content_already_is_not_written(tmp_path: Path) -> None:
    path = tmp_path / "folder" / "file"
    assert write_changed(path, b"text")
    before = path.stat()

    assert not write_changed(path, b"text")
    assert (path.stat().st_ino, path.stat().st_mtime_ns) == (before.st_ino, before.st_mtime_ns)
    assert write_changed(path, b"other")
    assert path.read_bytes() == b"other"


def test_a_folder_in_the_place_of_a_file_to_be_compared_is_refused(tmp_path: Path) -> None:
    with pytest.raises(OSError, match=r"."):
        write_changed(tmp_path, b"text")


@posix
def test_a_private_folder_can_be_made_twice_but_not_over_a_file_or_a_broken_link(tmp_path: Path) -> None:
    make_private(tmp_path / "a" / "b")
    make_private(tmp_path / "a" / "b")
    assert (tmp_path / "a" / "b").is_dir()

    (tmp_path / "file").touch()
    (tmp_path / "link").symlink_to("nowhere")
    for name in ("file", "link"):
        with pytest.raises(NotADirectoryError, match=name):
            make_private(tmp_path / name)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes")
def test_a_pipe_is_not_replaced_and_neither_is_one_behind_a_link(tmp_path: Path) -> None:
    """This does not try a device: if the rule is broken, root would lose it."""
    pipe, link = tmp_path / "pipe", tmp_path / "link"
    os.mkfifo(pipe)
    link.symlink_to(pipe)
    before = pipe.lstat()
    for write in (write_changed, write_private):
        for path, follow in ((pipe, False), (link, True)):
            with pytest.raises(OSError, match="it is a device, a named pipe or a socket"):
                write(path, b"new", follow=follow)
    assert pipe.lstat().st_ino == before.st_ino


def test_what_is_longer_than_the_new_content_has_changed(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"longer than that")
    assert write_changed(tmp_path / "file", b"longer") is True
    assert (tmp_path / "file").read_bytes() == b"longer"


@pytest.mark.skipif(sys.platform != "linux", reason="counts descriptors below /proc")
@pytest.mark.parametrize("number", [0, 1])
def test_a_log_that_cannot_be_looked_at_leaves_no_descriptor(tmp_path: Path, number: int) -> None:
    before = len(os.listdir("/proc/self/fd"))
    with failing("os.fstat", errno.EIO, number), pytest.raises(OSError, match="Input/output error"):
        append_private(tmp_path / "log", b"line", 100, 1)
    assert len(os.listdir("/proc/self/fd")) == before
