"""Test journals and records on a real disk: private, never a link, never half written, never blocking the hook."""

import errno
import json
import os
import re
import shutil
import signal
import stat
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from deskbell_hooks.files import LARGEST_COPY, LARGEST_READ, Journal, make_folder, open_private, read_file, replace_file
from deskbell_hooks.record import record_event
from tests.faults.injector import failing
from tests.hooks import recorder
from tests.hooks.conftest import THOROUGH
from tests.hooks.pythons import by_every_python
from tests.hooks.said import SESSION, e, prompt

if sys.platform == "win32":
    pytest.skip("modes, links, locks and signals as POSIX has them", allow_module_level=True)

import resource  # not on Windows

NOBODY = 65534

linux = pytest.mark.skipif(sys.platform != "linux", reason="looks in /proc for open files")


@pytest.fixture
def state(tmp_path: Path) -> Path:
    return tmp_path / "state"


def say(state: Path, name: str = "Stop", **fields: Any) -> None:
    record_event(str(state), recorder.said(e(name, **fields)))


def mode(path: Path) -> int:
    return stat.S_IMODE(path.lstat().st_mode)


def record_of(state: Path) -> Path:
    return state / "sessions" / f"{SESSION}.json"


def journal_of(state: Path) -> Path:
    return state / "events" / f"{SESSION}.jsonl"


def counted(state: Path) -> int:
    return recorder.read(state, SESSION)["counters"]["events"]


# Private


@pytest.mark.parametrize("umask", [0o000, 0o022, 0o077])
def test_files_and_folders_are_private_with_any_umask(state: Path, umask: int) -> None:
    old = os.umask(umask)
    try:
        say(state)
    finally:
        os.umask(old)
    assert [mode(path) for path in (record_of(state), journal_of(state))] == [0o600, 0o600]
    assert [mode(path) for path in (state, state / "sessions", state / "events")] == [0o700, 0o700, 0o700]


def test_permissions_that_are_too_wide_are_narrowed(state: Path) -> None:
    say(state)
    for path, wide in ((record_of(state), 0o644), (journal_of(state), 0o666), (state / "sessions", 0o755)):
        path.chmod(wide)
    say(state)
    assert [mode(path) for path in (record_of(state), journal_of(state), state / "sessions")] == [0o600, 0o600, 0o700]


# Links and other things that are not files


@by_every_python
@pytest.mark.parametrize("place", ["sessions/{}.json", "sessions/{}.json.tmp", "events/{}.jsonl"])
def test_a_link_instead_of_a_file_is_not_followed(state: Path, tmp_path: Path, place: str) -> None:
    (state / "sessions").mkdir(parents=True)
    (state / "events").mkdir()
    target = tmp_path / "precious"
    target.write_text("precious")
    link = state / place.format(SESSION)
    link.symlink_to(target)
    recorder.run(state, e("Stop"))
    assert target.read_text() == "precious"
    assert mode(target) == mode(tmp_path / "precious")
    assert not record_of(state).is_symlink() or place == "sessions/{}.json"


@by_every_python
@pytest.mark.parametrize("place", ["sessions/{}.json", "sessions/{}.json.tmp", "events/{}.jsonl"])
@pytest.mark.parametrize("make", [os.mkfifo, lambda path: path.symlink_to("nowhere")], ids=["a pipe", "a link"])
def test_what_is_no_file_costs_no_event(state: Path, place: str, make: Callable[[Path], None]) -> None:
    (state / "sessions").mkdir(parents=True)
    (state / "events").mkdir()
    make(state / place.format(SESSION))
    for _ in range(2):
        recorder.run(state, e("Stop"))
    assert (counted(state), len(recorder.journal(state, SESSION))) == (2, 2)
    assert sorted(path.name for path in state.rglob("*.*")) == [f"{SESSION}.json", f"{SESSION}.jsonl"]


def test_a_folder_instead_of_a_journal_stays(state: Path) -> None:
    journal_of(state).mkdir(parents=True)
    with pytest.raises(IsADirectoryError):
        say(state)


def test_a_link_instead_of_a_journal_is_replaced_by_a_journal(state: Path) -> None:
    say(state)
    journal_of(state).rename(journal_of(state).with_name("elsewhere"))
    journal_of(state).symlink_to("elsewhere")
    say(state)
    assert (counted(state), len(recorder.journal(state, SESSION))) == (2, 1)


def test_a_link_instead_of_a_record_is_replaced_by_the_record(state: Path, tmp_path: Path) -> None:
    say(state)
    elsewhere = tmp_path / "elsewhere.json"
    record_of(state).rename(elsewhere)
    record_of(state).symlink_to(elsewhere)
    say(state)
    assert not record_of(state).is_symlink()
    assert counted(state) == 2


@by_every_python
@pytest.mark.parametrize("folder", ["sessions", "events"])
def test_a_link_instead_of_a_folder_is_not_followed(state: Path, tmp_path: Path, folder: str) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    state.mkdir()
    (state / folder).symlink_to(elsewhere)
    recorder.run(state, e("Stop"))
    assert list(elsewhere.iterdir()) == []


@by_every_python
@pytest.mark.parametrize("place", ["sessions/{}.json", "sessions/{}.json.tmp", "events/{}.jsonl"])
@pytest.mark.parametrize("make", [os.mkfifo, os.mkdir])
def test_a_pipe_or_a_folder_instead_of_a_file_does_not_block_the_hook(state: Path, place: str, make: Any) -> None:
    (state / "sessions").mkdir(parents=True)
    (state / "events").mkdir()
    make(state / place.format(SESSION))
    recorder.run(state, e("Stop"))


# Files that have another name, too


@by_every_python
@pytest.mark.parametrize("place", ["sessions/{}.json.tmp", "events/{}.jsonl", "events/{}.jsonl.tmp"])
def test_a_file_with_another_name_stays_as_it_is_and_the_event_is_recorded(
    state: Path, tmp_path: Path, place: str
) -> None:
    recorder.run(state, prompt("before"))
    theirs = tmp_path / "precious"
    theirs.write_text('{"precious": true}\n')
    theirs.chmod(0o644)
    ours = state / place.format(SESSION)
    ours.unlink(missing_ok=True)
    ours.hardlink_to(theirs)
    recorder.run(state, e("Stop"))
    assert (theirs.read_text(), mode(theirs)) == ('{"precious": true}\n', 0o644)
    assert (counted(state), recorder.journal(state, SESSION)[-1]["event"]) == (2, "Stop")
    assert {mode(path) for path in (record_of(state), journal_of(state))} == {0o600}
    assert journal_of(state).stat().st_nlink == 1


@by_every_python
def test_a_backup_of_links_loses_no_event_and_gets_none(state: Path, tmp_path: Path) -> None:
    recorder.run(state, prompt("before"))
    shutil.copytree(state, tmp_path / "backup", copy_function=os.link)
    before = {path: path.read_bytes() for path in (tmp_path / "backup").rglob("*.json*")}
    recorder.run(state, e("Stop"))
    assert {path: path.read_bytes() for path in before} == before
    assert (counted(state), len(recorder.journal(state, SESSION))) == (2, 2)
    assert sorted(path.name for path in state.rglob("*.tmp")) == []


def linked(path: Path) -> Path:
    """Give PATH another name and return it."""
    other = path.with_name("another name")
    other.hardlink_to(path)
    return other


def test_a_record_with_another_name_is_read_and_keeps_its_mode(state: Path) -> None:
    say(state)
    record_of(state).chmod(0o644)
    other = linked(record_of(state))
    assert b"counters" in read_file(str(record_of(state)))
    assert mode(other) == 0o644


def test_the_copy_of_a_journal_keeps_its_time(state: Path) -> None:
    """By its time the tray decides what is old."""
    say(state)
    os.utime(journal_of(state), (5, 7))
    linked(journal_of(state))
    with Journal(str(journal_of(state))) as journal:
        assert journal.locked
    assert (journal_of(state).stat().st_mtime, journal_of(state).stat().st_nlink) == (7, 1)


def test_where_there_is_no_room_for_a_copy_the_event_is_appended_all_the_same(state: Path) -> None:
    for _ in range(3):
        say(state)
    (state / "events" / f"{SESSION}.jsonl.tmp").mkdir()  # no file can have the name
    other = linked(journal_of(state))
    say(state)
    assert len(recorder.journal(state, SESSION)) == len(other.read_text().splitlines()) == 4


def test_a_journal_that_is_too_long_to_copy_begins_anew(state: Path) -> None:
    say(state)
    os.truncate(journal_of(state), LARGEST_COPY + 1)
    other = linked(journal_of(state))
    say(state)
    assert (counted(state), len(recorder.journal(state, SESSION))) == (2, 1)
    assert other.stat().st_size == LARGEST_COPY + 1


@by_every_python
@linux
@pytest.mark.parametrize("backed_up", ["before", "meanwhile"])
def test_recorders_that_wait_for_a_journal_with_another_name_all_write_to_its_copy(
    state: Path, held: "subprocess.Popen[bytes]", backed_up: str
) -> None:
    if backed_up == "before":
        other = linked(journal_of(state))
    waiting = [recorder.start(state) for _ in range(4)]
    for process in waiting:
        recorder.give(process, recorder.said(e("Stop")))
        _wait_until_open(process.pid, journal_of(state))
    if backed_up == "meanwhile":
        other = linked(journal_of(state))
    before = other.read_bytes()
    assert held.stdin
    held.stdin.close()
    for process in waiting:
        recorder.finish(process)
    assert other.read_bytes() == before
    assert (counted(state), len(recorder.journal(state, SESSION))) == (5, 5)


# Disks that are full or cannot be written


def test_missing_folders_are_created_with_their_parents(tmp_path: Path) -> None:
    state = tmp_path / "a" / "b" / "c"
    say(state)
    assert [mode(path) for path in (tmp_path / "a", tmp_path / "a" / "b", state)] == [0o700, 0o700, 0o700]


@by_every_python
def test_a_backslash_in_a_folder_is_a_letter_like_any_other(tmp_path: Path) -> None:
    code = tmp_path / "a\\b" / "deskbell_hooks"
    shutil.copytree(recorder.MAIN.parent, code, ignore=shutil.ignore_patterns("__pycache__"))
    state = tmp_path / "c\\d" / "e\\f" / "state"
    command = [*recorder.COMMAND[:3], "-B", str(code / "__main__.py"), "record", str(state)]
    event = recorder.said(e("Stop"))
    done = subprocess.run(command, input=event, capture_output=True, check=False, env=recorder.BARE_ENV)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert counted(state) == 1
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a\\b", "c\\d"]


@by_every_python
def test_a_file_instead_of_the_folder_is_left_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "state").write_text("a file")
    recorder.run(tmp_path / "state", e("Stop"))
    assert (tmp_path / "state").read_text() == "a file"


@by_every_python
@pytest.mark.parametrize("path", ["/proc/deskbell", "/dev/null/x", "/" + "x" * 5000, ""])
def test_a_state_folder_that_cannot_be_created_is_silent(path: str) -> None:
    event = recorder.said(e("Stop"))
    process = subprocess.run([*recorder.COMMAND, path], input=event, capture_output=True, check=False)
    assert (process.returncode, process.stdout, process.stderr) == (0, b"", b"")
    assert not Path("/sessions").exists()


@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")
def test_in_a_read_only_folder_nothing_changes(state: Path) -> None:
    say(state)
    before = record_of(state).read_bytes(), journal_of(state).read_bytes()
    folders = (state / "sessions", state / "events")
    for path in (*folders, record_of(state), journal_of(state)):
        path.chmod(mode(path) & 0o500)
    try:
        _unprivileged(state, lambda: say(state))
    finally:
        for path in folders:
            path.chmod(0o700)
    assert (record_of(state).read_bytes(), journal_of(state).read_bytes()) == before


def _unprivileged(state: Path, deed: Callable[[], None]) -> None:
    """Run DEED in another process; as the user nobody if we are root, because no mode restricts root."""
    child = os.fork()
    if child:
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 13
        return
    try:
        if not os.getuid():
            for path in (state, *state.rglob("*")):
                os.chown(path, NOBODY, NOBODY)
            for parent in list(state.parents)[:-1]:
                parent.chmod(parent.stat().st_mode | 0o011)
            os.setgid(NOBODY)
            os.setuid(NOBODY)
        deed()
    except PermissionError:
        os._exit(13)
    finally:
        os._exit(1)


@by_every_python
def test_after_a_full_disk_recording_goes_on_and_no_line_is_lost(state: Path) -> None:
    """A process with a limit on the size of files gets the errors of a full disk."""
    for _ in range(3):
        say(state, last_assistant_message="x" * 300)
    size = journal_of(state).stat().st_size

    def full() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (size + 40, size + 40))

    recorder.run(state, e("Stop", last_assistant_message="y" * 300), preexec_fn=full)
    assert size < journal_of(state).stat().st_size <= size + 40
    assert counted(state) in (3, 4)
    say(state)
    assert len(recorder.whole_lines(state, SESSION)) == 4
    assert counted(state) == 5
    assert recorder.read(state, SESSION)["journal"] == journal_of(state).stat().st_size


@by_every_python
def test_if_nothing_can_be_written_the_old_record_stays(state: Path) -> None:
    say(state)
    before = record_of(state).read_bytes()

    def full() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))

    recorder.run(state, e("Stop"), preexec_fn=full)
    assert record_of(state).read_bytes() == before
    assert not record_of(state).with_name(record_of(state).name + ".tmp").exists()


# Torn lines, damage, locks


def test_half_a_line_of_a_killed_writer_is_ended_and_passed_over(state: Path) -> None:
    say(state)
    with journal_of(state).open("ab") as file:
        file.write(b'{"v":1,"event":"Sto')
    say(state)
    assert len(recorder.whole_lines(state, SESSION)) == 2
    assert counted(state) == 2


def test_a_line_that_was_not_folded_is_folded_by_the_next_recorder(state: Path) -> None:
    say(state)
    line = recorder.journal(state, SESSION)[0]
    with journal_of(state).open("a") as file:
        file.write(json.dumps({**line, "event": "StopFailure", "facts": {"error": "rate_limit"}}) + "\n")
    say(state, "Notification", message="x")
    assert counted(state) == 3
    assert recorder.read(state, SESSION)["counters"]["errors"] == 1


DAMAGE: list[bytes] = [
    *(b"", b"\x00" * 500, b"{", b"[]", b"null", b'"x"', b"[" * 100_000, b"\xff\xfe"),
    b'{"v":1}',
    b'{"v":1,"session_id":"other","journal":0}',
]


@pytest.mark.parametrize("damage", DAMAGE)
def test_a_record_that_cannot_be_read_is_made_again_from_the_journal(state: Path, damage: bytes) -> None:
    for name in ("UserPromptSubmit", "Stop", "Notification"):
        say(state, name, prompt="hello")
    record_of(state).write_bytes(damage)
    say(state)
    record = recorder.read(state, SESSION)
    assert (record["counters"]["events"], record["prompt"], record["status"]) == (4, "hello", "idle")


@pytest.mark.long
@by_every_python
@pytest.mark.parametrize("value", [None, 5, "x", [5], {"x": 1}, [[]], True, 1e300, -7])
def test_damage_to_one_field_does_not_stop_the_recording(state: Path, value: object) -> None:
    say(state, "SessionStart", cwd="/a")
    say(state, "UserPromptSubmit", prompt="hello")
    whole = recorder.read(state, SESSION)
    for n, field in enumerate(whole):
        record_of(state).write_text(json.dumps({**whole, field: value}))
        env = {"CLAUDE_PID": str(os.getpid())}
        recorder.run(state, e("PreToolUse", tool_name="Bash", tool_input={"command": "x"}), env)
        assert len(recorder.whole_lines(state, SESSION)) == n + 3, field
        assert recorder.read(state, SESSION)["session_id"] == SESSION


FOREIGN = [b"5", b"{}", b'{"event":"Stop"}', b'{"event":"Stop","order":"x","at":[]}', b"[" * 99_999]


@pytest.mark.parametrize("line", FOREIGN)
def test_a_foreign_line_in_the_journal_costs_no_other_line(state: Path, line: bytes) -> None:
    say(state)
    say(state)
    with journal_of(state).open("ab") as file:
        file.write(line + b"\n")
    say(state)
    assert counted(state) == 3
    record_of(state).unlink()
    say(state)
    assert counted(state) == 4


HOLD = """
import os, sys
fd = os.open(sys.argv[1], os.O_RDWR)
os.lockf(fd, os.F_LOCK, 0)
print("held", flush=True)
sys.stdin.read()
"""


@pytest.fixture
def held(state: Path) -> "Iterator[subprocess.Popen[bytes]]":
    """Another process that holds the lock of the session until the test closes its stdin."""
    say(state)
    command = [sys.executable, "-S", "-c", HOLD, str(journal_of(state))]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout
        assert process.stdout.readline() == b"held\n"
        yield process
        process.kill()


@pytest.mark.long
@by_every_python
def test_after_two_seconds_an_event_is_appended_without_the_lock_and_folded_by_the_next(
    state: Path, held: "subprocess.Popen[bytes]"
) -> None:
    start = time.monotonic()
    recorder.run(state, prompt("while stuck"))
    assert time.monotonic() - start >= 2
    assert (len(recorder.whole_lines(state, SESSION)), counted(state)) == (2, 1)
    assert held.stdin
    held.stdin.close()
    held.wait(60)
    recorder.run(state, e("Notification", message="x"))
    record = recorder.read(state, SESSION)
    assert (record["counters"]["events"], record["prompt"], record["status"]) == (3, "while stuck", "working")


@pytest.mark.long
@by_every_python
def test_many_events_appended_without_the_lock_are_all_folded(state: Path, held: "subprocess.Popen[bytes]") -> None:
    recorder.run_all(state, [prompt(f"number {n}") for n in range(12)])
    assert (len(recorder.whole_lines(state, SESSION)), counted(state)) == (13, 1)
    held.kill()
    held.wait(60)
    recorder.run(state, e("Stop"))
    record = recorder.read(state, SESSION)
    assert (record["counters"]["events"], record["turns"]) == (14, 12)
    assert record["journal"] == journal_of(state).stat().st_size


@pytest.mark.long
@by_every_python
@pytest.mark.parametrize("release", [1.9, 2.0, 2.05, 2.1] if THOROUGH else [2.0])
def test_if_the_lock_is_released_at_the_last_moment_every_event_is_folded_once(
    state: Path, held: "subprocess.Popen[bytes]", release: float
) -> None:
    """Then some recorders have the lock and some do not, and all of them write."""
    timer = threading.Timer(release, held.kill)
    timer.start()
    recorder.run_all(state, [prompt(f"number {n}") for n in range(24)])
    timer.join()
    recorder.run(state, e("Stop"))
    record = recorder.read(state, SESSION)
    assert len(recorder.whole_lines(state, SESSION)) == 26
    assert (record["counters"]["events"], record["turns"]) == (26, 24)


@by_every_python
@linux
def test_a_journal_deleted_while_a_recorder_waits_for_it_is_created_again(
    state: Path, held: "subprocess.Popen[bytes]"
) -> None:
    waiting = recorder.start(state)
    recorder.give(waiting, recorder.said(prompt("after")))
    _wait_until_open(waiting.pid, journal_of(state))
    journal_of(state).unlink()
    assert held.stdin
    held.stdin.close()
    recorder.finish(waiting)
    assert [line["event"] for line in recorder.journal(state, SESSION)] == ["UserPromptSubmit"]
    assert recorder.read(state, SESSION)["prompt"] == "after"


@by_every_python
@linux
def test_a_keyboard_interrupt_is_silent(state: Path, held: "subprocess.Popen[bytes]") -> None:
    waiting = recorder.start(state)
    recorder.give(waiting, recorder.said(e("Stop")))
    _wait_until_open(waiting.pid, journal_of(state))
    waiting.send_signal(signal.SIGINT)
    recorder.finish(waiting)
    assert counted(state) == 1


def _wait_until_open(pid: int, path: Path) -> None:
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        if str(path) in _open_files(pid):
            return
        time.sleep(0.005)
    raise TimeoutError(path)


def _open_files(pid: int) -> Iterator[str]:
    for fd in os.listdir(f"/proc/{pid}/fd"):
        with suppress(OSError):  # closed since it was listed
            yield os.readlink(f"/proc/{pid}/fd/{fd}")


def test_after_the_journal_is_deleted_the_record_counts_on(state: Path) -> None:
    say(state)
    say(state)
    journal_of(state).unlink()
    say(state)
    say(state)
    assert (counted(state), len(recorder.whole_lines(state, SESSION))) == (4, 2)


# The calls themselves


def test_replacing_a_file_leaves_no_temporary_file(tmp_path: Path) -> None:
    path = tmp_path / "x"
    replace_file(str(path), b"one")
    replace_file(str(path), b"two")
    assert (read_file(str(path)), list(tmp_path.iterdir())) == (b"two", [path])


def test_the_temporary_file_of_a_killed_writer_is_overwritten(tmp_path: Path) -> None:
    (tmp_path / "x.tmp").write_bytes(b"half of something much longer")
    replace_file(str(tmp_path / "x"), b"two")
    assert read_file(str(tmp_path / "x")) == b"two"


def test_a_line_is_appended_at_the_end(tmp_path: Path) -> None:
    for line in (b"one", b"two"):
        with Journal(str(tmp_path / "j")) as journal:
            journal.append(line)
            assert journal.read_from(0).endswith(line + b"\n")
    assert (tmp_path / "j").read_bytes() == b"one\ntwo\n"


def test_a_file_instead_of_a_folder_raises_an_error(tmp_path: Path) -> None:
    (tmp_path / "f").write_text("")
    with pytest.raises(NotADirectoryError):
        make_folder(str(tmp_path / "f"))


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="no /proc to count descriptors in")
def test_no_descriptor_is_left_open(state: Path, tmp_path: Path) -> None:
    before = len(os.listdir("/proc/self/fd"))
    say(state)
    for bad in (tmp_path, tmp_path / "missing"):
        with pytest.raises(OSError, match=re.escape(str(bad))):
            open_private(str(bad), os.O_RDONLY)
    assert len(os.listdir("/proc/self/fd")) == before


def test_a_file_that_is_too_long_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.touch()
    os.truncate(path, LARGEST_READ)
    assert len(read_file(str(path))) == LARGEST_READ
    os.truncate(path, LARGEST_READ + 1)
    with pytest.raises(OSError, match=re.escape(str(path))):
        read_file(str(path))


def test_a_file_that_became_shorter_while_it_was_read_is_read_to_its_end(tmp_path: Path) -> None:
    with Journal(str(tmp_path / "j")) as journal:
        journal.append(b"one")
        os.truncate(tmp_path / "j", 2)
        assert journal.read_from(0) == b"on"


def test_a_folder_that_appears_while_it_is_created_is_used(tmp_path: Path) -> None:
    """The last part of this path exists as soon as its parent does."""
    make_folder(str(tmp_path / "new") + "/.")
    assert mode(tmp_path / "new") == 0o700


def test_a_link_to_nothing_instead_of_a_parent_raises_an_error(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "nothing")
    with pytest.raises(FileNotFoundError):
        make_folder(str(tmp_path / "link" / "x"))


@pytest.mark.parametrize("path", ["x", "y/x", "."])
def test_a_relative_folder_is_created_in_the_working_directory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    monkeypatch.chdir(tmp_path)
    make_folder(path)
    assert (tmp_path / path).is_dir()


def test_if_a_file_cannot_be_written_its_temporary_file_is_removed(tmp_path: Path) -> None:
    path = tmp_path / "x"
    replace_file(str(path), b"old")
    with without_room(2), pytest.raises(OSError, match="File too large"):
        replace_file(str(path), b"new content")
    assert (read_file(str(path)), list(tmp_path.iterdir())) == (b"old", [path])


def test_if_a_line_cannot_be_written_the_record_still_has_the_event(state: Path) -> None:
    for _ in range(8):
        say(state, last_assistant_message="x" * 300)
    size = journal_of(state).stat().st_size
    assert size > record_of(state).stat().st_size + 300
    with without_room(size):
        say(state, last_assistant_message="y" * 300)
    assert journal_of(state).stat().st_size == size
    assert (counted(state), len(recorder.whole_lines(state, SESSION))) == (9, 8)


@contextmanager
def without_room(size: int) -> Iterator[None]:
    """Let no file of this process grow beyond SIZE bytes, as on a full disk."""
    handler, limits = signal.signal(signal.SIGXFSZ, signal.SIG_IGN), resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, limits[1]))
    compiles, sys.dont_write_bytecode = sys.dont_write_bytecode, True  # half a compiled module fails later imports
    try:
        yield
    finally:
        sys.dont_write_bytecode = compiles
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        signal.signal(signal.SIGXFSZ, handler)


@linux
def test_a_journal_deleted_while_this_process_waits_for_it_is_created_again(
    state: Path, held: "subprocess.Popen[bytes]"
) -> None:
    def delete() -> None:
        _wait_until_open(os.getpid(), journal_of(state))
        journal_of(state).unlink()
        assert held.stdin
        held.stdin.close()

    deleting = threading.Thread(target=delete)
    deleting.start()
    say(state, "UserPromptSubmit", prompt="after")
    deleting.join()
    assert [line["event"] for line in recorder.journal(state, SESSION)] == ["UserPromptSubmit"]


@linux
def test_an_event_is_recorded_once_the_lock_is_free(state: Path, held: "subprocess.Popen[bytes]") -> None:
    def release() -> None:
        _wait_until_open(os.getpid(), journal_of(state))
        assert held.stdin
        held.stdin.close()

    releasing = threading.Thread(target=release)
    releasing.start()
    say(state)
    releasing.join()
    assert (counted(state), len(recorder.journal(state, SESSION))) == (2, 2)


@linux
def test_a_journal_that_a_copy_replaces_while_this_process_waits_is_not_written(
    state: Path, tmp_path: Path, held: "subprocess.Popen[bytes]"
) -> None:
    backup, before = tmp_path / "backup", journal_of(state).read_bytes()

    def replace() -> None:
        _wait_until_open(os.getpid(), journal_of(state))
        backup.hardlink_to(journal_of(state))
        (tmp_path / "copy").write_bytes(before)
        (tmp_path / "copy").replace(journal_of(state))
        assert held.stdin
        held.stdin.close()

    replacing = threading.Thread(target=replace)
    replacing.start()
    say(state)
    replacing.join()
    assert backup.read_bytes() == before
    assert (counted(state), len(recorder.journal(state, SESSION))) == (2, 2)


def test_a_copy_that_finds_no_room_leaves_nothing_behind_and_the_record_still_has_the_event(state: Path) -> None:
    for _ in range(8):
        say(state, last_assistant_message="x" * 300)
    other, before = linked(journal_of(state)), journal_of(state).read_bytes()
    assert len(before) > record_of(state).stat().st_size + 300
    with without_room(len(before) - 1):
        say(state, last_assistant_message="y" * 300)
    assert (other.read_bytes(), counted(state)) == (before, 9)
    assert sorted(path.name for path in state.rglob("*.tmp")) == []


@pytest.mark.long
def test_without_the_lock_an_event_is_only_appended(state: Path, held: "subprocess.Popen[bytes]") -> None:
    say(state)
    assert (len(recorder.whole_lines(state, SESSION)), counted(state)) == (2, 1)


@linux
@pytest.mark.parametrize(("call", "number"), [("posix.fstat", 4), ("posix.lseek", 1), ("posix.read", 1)])
def test_a_line_that_was_written_counts_once_whatever_fails_around_it(state: Path, call: str, number: int) -> None:
    say(state)
    with failing(call, errno.EIO, number):
        say(state)
    say(state)
    assert (len(recorder.journal(state, SESSION)), counted(state)) == (3, 3)


@linux
@pytest.mark.parametrize(("call", "number"), [("posix.close", 0), ("posix.fstat", 2)])
def test_a_copy_of_the_journal_is_used_whatever_the_close_of_the_old_one_says(
    state: Path, call: str, number: int
) -> None:
    say(state)
    os.link(state / "events" / f"{SESSION}.jsonl", state / "backup")
    with failing(call, errno.EIO, number):
        say(state)
    say(state)
    assert (len(recorder.journal(state, SESSION)), counted(state)) == (3, 3)
