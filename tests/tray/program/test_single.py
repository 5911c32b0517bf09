"""Test with real processes that one Deskbell runs for each person."""

import os
import stat
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from deskbell.errors import Problem
from deskbell.program.single import (
    FRESH,
    REQUEST,
    Claim,
    Other,
    ask_to_show,
    claim,
    is_asked_to_show,
    running,
)

HOLD = """
import sys
from pathlib import Path
from deskbell.program.single import claim
print(held := claim(Path(sys.argv[1])), flush=True)
input()
"""


@contextmanager
def another(path: Path) -> Iterator["subprocess.Popen[str]"]:
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-c", HOLD, str(path)]
    process = subprocess.Popen(command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    with process:
        assert process.stdout
        assert process.stdout.readline()
        try:
            yield process
        finally:
            process.kill()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "state" / "deskbell.lock"


def _claimed(path: Path) -> Claim:
    claimed = claim(path)
    assert isinstance(claimed, Claim)
    return claimed


def test_the_first_may_run(path: Path) -> None:
    first = _claimed(path)
    assert path.read_text() == f"{os.getpid()}\n"
    first.release()


def test_the_second_learns_who_runs(path: Path) -> None:
    with another(path) as process:
        assert claim(path) == Other(process.pid)


STARTS = """
import os, sys
from pathlib import Path
from deskbell.program.single import Claim, claim
begin, tell = os.pipe(), os.pipe()
children = []
for _ in range(200):
    if not (child := os.fork()):
        os.close(begin[1])
        os.read(begin[0], 1)  # returns for all of them at once, when nobody can write any more
        one = claim(Path(sys.argv[1]))
        os.write(tell[1], b"+" if isinstance(one, Claim) else b"-")
        sys.stdin.read()  # hold it until all have told
        os._exit(0)
    children.append(child)
os.close(begin[0])
os.close(begin[1])
told = b""
while len(told) < len(children):
    told += os.read(tell[0], 200)
print(told.count(b"+"), told.count(b"-"), flush=True)
sys.stdin.read()
for child in children:
    os.waitpid(child, 0)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="it forks")
def test_of_two_hundred_that_start_at_once_one_runs(path: Path) -> None:
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-c", STARTS, str(path)]
    with subprocess.Popen(command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as all_:
        assert all_.stdout
        assert all_.stdout.readline() == "1 199\n"
        all_.communicate("")
    assert all_.returncode == 0


def test_after_a_kill_the_next_may_run(path: Path) -> None:
    with another(path) as process:
        process.kill()
        process.wait()
        _claimed(path).release()


def test_after_release_the_next_may_run(path: Path) -> None:
    first = _claimed(path)
    first.release()
    with another(path) as process:
        assert claim(path) == Other(process.pid)


def test_a_program_started_meanwhile_does_not_hold_the_lock(path: Path) -> None:
    first = _claimed(path)
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as child:
        first.release()
        _claimed(path).release()
        child.communicate(b"\n")


@pytest.mark.parametrize("rubbish", [b"", b"no number", b"999999999999999999999999999999999999", b"\xff\x00"])
def test_what_an_older_one_left_in_the_file_does_not_matter(path: Path, rubbish: bytes) -> None:
    path.parent.mkdir()
    path.write_bytes(rubbish)
    _claimed(path).release()


@pytest.mark.skipif(sys.platform == "win32", reason="no such modes there")
def test_the_file_is_the_persons_own(path: Path) -> None:
    mine = _claimed(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    mine.release()


@pytest.mark.skipif(sys.platform == "win32", reason="no such modes there")
def test_every_folder_above_the_file_is_the_persons_own_under_any_umask(tmp_path: Path) -> None:
    umask = os.umask(0)
    try:
        _claimed(tmp_path / "one" / "two" / "deskbell.lock").release()
    finally:
        os.umask(umask)
    assert [stat.S_IMODE((tmp_path / name).stat().st_mode) for name in ("one", "one/two")] == [0o700, 0o700]


def test_where_nothing_can_be_written_the_next_step_is_named(tmp_path: Path) -> None:
    (tmp_path / "state").write_text("a file, not a folder")
    with pytest.raises(Problem, match="set DESKBELL_HOME to another folder"):
        claim(tmp_path / "state" / "deskbell.lock")


@pytest.mark.skipif(sys.platform == "win32", reason="links as POSIX has them")
def test_a_link_in_the_place_of_the_file_is_refused_and_its_target_stays(path: Path, tmp_path: Path) -> None:
    """If each of two starts put a file in the place of the link, both could run."""
    (tmp_path / "precious").write_text("theirs")
    path.parent.mkdir()
    path.symlink_to(tmp_path / "precious")
    with pytest.raises(Problem, match=r"Cannot open .*: it is a link\. Move it away, then try again\."):
        claim(path)
    assert (tmp_path / "precious").read_text() == "theirs"


def test_a_file_with_another_name_is_a_lock_and_is_not_written(path: Path, tmp_path: Path) -> None:
    (tmp_path / "backup").write_text("77\n")
    path.parent.mkdir()
    path.hardlink_to(tmp_path / "backup")
    with another(path):
        assert claim(path) == Other(None)
    assert (tmp_path / "backup").read_text() == "77\n"


def test_whether_one_runs_is_told_and_nothing_is_made_for_it(path: Path) -> None:
    assert running(path) is None
    assert not path.parent.exists()
    with another(path) as process:
        assert running(path) == Other(process.pid)
        process.kill()
        process.wait()
    assert running(path) is None


@pytest.mark.skipif(sys.platform == "win32", reason="links as POSIX has them")
def test_a_lock_that_cannot_be_looked_at_counts_as_free(path: Path, tmp_path: Path) -> None:
    (tmp_path / "other").write_text("")
    path.parent.mkdir()
    path.symlink_to(tmp_path / "other")
    assert running(path) is None


LOOKS = """
import sys, time
from pathlib import Path
from deskbell.files.lock import lock, lock_file
with lock_file(Path(sys.argv[1])) as file:
    print(lock(file), flush=True)
    input()
    time.sleep(0.05)
"""


def test_a_start_waits_for_a_command_that_only_looks(path: Path) -> None:
    _claimed(path).release()
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-c", LOOKS, str(path)]
    with subprocess.Popen(command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as looks:
        assert looks.stdout
        assert looks.stdin
        assert looks.stdout.readline() == "True\n"
        looks.stdin.write("\n")
        looks.stdin.flush()
        _claimed(path).release()


def test_a_request_is_taken_once(tmp_path: Path) -> None:
    now = time.time()
    assert not is_asked_to_show(tmp_path, now)
    assert not ask_to_show(tmp_path, patience=0.0)
    (tmp_path / REQUEST).write_text("{}")
    assert is_asked_to_show(tmp_path, now)
    assert not is_asked_to_show(tmp_path, now)


@pytest.mark.parametrize("ago", [FRESH + 5, -FRESH - 5], ids=["long ago", "from the future"])
def test_a_request_that_is_out_of_date_is_thrown_away(tmp_path: Path, ago: float) -> None:
    now = time.time()
    (tmp_path / REQUEST).write_text("{}")
    os.utime(tmp_path / REQUEST, (now - ago, now - ago))
    assert not is_asked_to_show(tmp_path, now)
    assert not (tmp_path / REQUEST).exists()


def test_what_a_request_holds_and_where_it_leads_does_not_matter(tmp_path: Path) -> None:
    (tmp_path / "precious").write_text("theirs")
    (tmp_path / REQUEST).symlink_to(tmp_path / "precious")
    assert is_asked_to_show(tmp_path, time.time())
    assert (tmp_path / "precious").read_text() == "theirs"


def test_a_folder_in_the_place_of_the_request_is_an_error_and_stays(tmp_path: Path) -> None:
    (tmp_path / REQUEST).mkdir()
    with pytest.raises(OSError, match=REQUEST):
        is_asked_to_show(tmp_path, time.time())
    assert (tmp_path / REQUEST).is_dir()


@pytest.mark.parametrize("place", ["gone", "a file"])
def test_without_a_state_folder_nobody_asks(tmp_path: Path, place: str) -> None:
    (tmp_path / "a file").write_text("")
    assert not is_asked_to_show(tmp_path / place, time.time())
