"""Test that a disk that is full at any step of the recorder, and a kill there, leave no half file and none too many."""

import errno
import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.hooks import recorder
from tests.hooks.pythons import by_every_python
from tests.hooks.said import SESSION, e, prompt
from tests.small_disk import Disk, small_disk

pytestmark = [pytest.mark.skipif(sys.platform == "win32", reason="fails calls of POSIX"), by_every_python]

# Runs the recorder argv[2:]. The call named argv[1] fails for the temporary file of the record, or kills the process.
FAILING = """
import posix, runpy, sys, types
step, how, *sys.argv = sys.argv[1:]
fake = types.ModuleType("posix")
fake.__dict__.update(vars(posix))
temporary = set()

def failing(name, call):
    def run(*given, **named):
        known = [one for one in given if one in temporary or str(one).endswith(".tmp")]
        if known and name == step and how == "killed":
            posix.kill(posix.getpid(), 9)
        if known and name == step:
            if name == "close":
                call(*given)  # as on a network drive: the file is closed, and what was written is lost
            raise OSError(int(how), "fails")
        done = call(*given, **named)
        if name == "open" and known:
            temporary.add(done)
        return done
    return run

for name in ("open", "write", "close", "replace"):
    setattr(fake, name, failing(name, getattr(posix, name)))
sys.modules["posix"] = fake
runpy.run_path(sys.argv[0], run_name="__main__")
"""
STEPS = ("open", "write", "close", "replace")


def fails(state: Path, step: str, how: str) -> int:
    """Record an event with a recorder that fails, and return its exit code."""
    command = [recorder.COMMAND[0], "-I", "-S", "-c", FAILING, step, how, *recorder.COMMAND[3:], str(state)]
    done = subprocess.run(
        command, input=recorder.said(prompt("in vain")), capture_output=True, check=False, env=recorder.BARE_ENV
    )
    assert (done.stdout, done.stderr) == (b"", b"")
    return done.returncode


def record_files(state: Path) -> list[str]:
    return sorted(path.name for path in (state / "sessions").iterdir())


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT, errno.EROFS])
def test_a_disk_that_is_full_at_any_step_keeps_the_old_record_and_no_other_file(
    tmp_path: Path, step: str, number: int
) -> None:
    recorder.run(tmp_path, prompt("before"))
    assert fails(tmp_path, step, str(number)) == 0
    assert recorder.read(tmp_path, SESSION)["prompt"] == "before"
    assert record_files(tmp_path) == [f"{SESSION}.json"]
    recorder.run(tmp_path, e("Stop"))  # the journal had room: nothing is lost
    assert recorder.read(tmp_path, SESSION)["prompt"] == "in vain"


@pytest.mark.parametrize("step", STEPS)
def test_a_recorder_that_is_killed_at_any_step_leaves_one_file_that_the_next_one_takes(
    tmp_path: Path, step: str
) -> None:
    recorder.run(tmp_path, prompt("before"))
    assert fails(tmp_path, step, "killed") == -signal.SIGKILL
    assert recorder.read(tmp_path, SESSION)["prompt"] == "before"
    assert set(record_files(tmp_path)) <= {f"{SESSION}.json", f"{SESSION}.json.tmp"}
    recorder.run(tmp_path, e("Stop"))
    assert recorder.read(tmp_path, SESSION)["prompt"] == "in vain"
    assert record_files(tmp_path) == [f"{SESSION}.json"]


def test_on_a_disk_that_is_full_whole_records_stay_and_recording_goes_on_once_there_is_room(tmp_path: Path) -> None:
    with small_disk(tmp_path / "disk") as disk:
        state = disk.path / "state"
        recorder.run(state, prompt("before"))
        disk.fill()
        for name in (SESSION, "another"):  # the second one is new: it cannot even begin
            recorder.run(state, {**prompt("x" * 9_000), "session_id": name})
        assert not [name for name in disk.files() if name.endswith(".tmp")]
        assert recorder.read(state, SESSION)["prompt"] in ("before", "x" * len(recorder.read(state, SESSION)["prompt"]))
        disk.free()
        for name in (SESSION, "another"):
            recorder.run(state, {**prompt("after"), "session_id": name})
            assert recorder.read(state, name)["prompt"] == "after"
            assert all(json.loads(text) for text in recorder.whole_lines(state, name))


@pytest.mark.parametrize("spoil", [Disk.take_inodes, Disk.read_only])
def test_where_no_file_can_be_created_a_recorder_is_silent_and_changes_no_record(tmp_path: Path, spoil: object) -> None:
    assert callable(spoil)
    with small_disk(tmp_path / "disk") as disk:
        state = disk.path / "state"
        recorder.run(state, prompt("before"))
        spoil(disk)
        for name in (SESSION, "another"):
            recorder.run(state, {**prompt("in vain"), "session_id": name})
        assert recorder.read(state, SESSION)["prompt"] == "before"
        assert record_files(state) == [f"{SESSION}.json"]
