"""Test that old sessions are removed and long journals cut, and that no event written meanwhile is lost."""

import asyncio
import contextlib
import json
import os
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deskbell.history.journal import Reader, parsed
from deskbell.history.prune import DAY, LEFT_BEHIND, SETTLING, Keep, _replaced, believable, daily, prune
from deskbell.home import Home
from deskbell_hooks.codec import encode
from deskbell_hooks.files import Journal
from deskbell_hooks.record import read_record
from tests.small_disk import small_disk
from tests.tray.journals import line
from tests.tray.making import NOON
from tests.waiting import wait

RECORDER = Path(__file__).parents[3] / "hooks" / "deskbell_hooks" / "__main__.py"


@pytest.fixture
def home(tmp_path: Path) -> Home:
    made = Home(tmp_path / "state", tmp_path / "data", tmp_path / "config")
    made.sessions.mkdir(parents=True)
    made.events.mkdir()
    return made


def session(home: Home, name: str, age_days: float, size: int = 0) -> None:
    """Write the files of a session whose last event is so many days before noon."""
    journal, record = home.events / f"{name}.jsonl", home.sessions / f"{name}.json"
    journal.write_bytes(line("Stop") + b"\n" + b" " * size + b"\n")
    record.write_bytes(encode({"v": 1, "session_id": name, "journal": journal.stat().st_size}))
    for path in (journal, record):
        os.utime(path, (NOON - age_days * DAY,) * 2)


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


def test_old_sessions_are_removed_and_the_others_stay(home: Home) -> None:
    session(home, "old", 31)
    session(home, "young", 29)
    session(home, "open", 99)
    done = prune(home, Keep(), {"open"}, NOON)
    assert (done.removed, done.failed) == (["old"], [])
    assert names(home.events) == {"young.jsonl", "open.jsonl"}
    assert names(home.sessions) == {"young.json", "open.json"}


def test_beyond_the_total_size_the_oldest_are_removed(home: Home) -> None:
    for age in (1, 2, 3, 4):
        session(home, f"s{age}", age, size=1000)
    assert prune(home, Keep(total=2500), {"s4"}, NOON).removed == ["s3", "s2"]


def test_a_record_without_a_journal_is_removed_too(home: Home) -> None:
    session(home, "old", 31)
    (home.events / "old.jsonl").unlink()
    assert prune(home, Keep(), (), NOON).removed == ["old"]
    assert names(home.events) | names(home.sessions) == set()


def test_a_dry_run_changes_nothing_and_reports_the_same(home: Home) -> None:
    session(home, "old", 31)
    session(home, "long", 1, size=5000)
    left_behind(home, LEFT_BEHIND + 1)
    before = {path: path.read_bytes() for path in home.state.rglob("*") if path.is_file()}
    done = prune(home, Keep(journal=1000), (), NOON, dry=True)
    assert (done.removed, done.cut, done.temporary) == (["old"], ["long"], 1)
    assert {path: path.read_bytes() for path in home.state.rglob("*") if path.is_file()} == before
    real = prune(home, Keep(journal=1000), (), NOON)
    assert (real.removed, real.cut, real.temporary) == (done.removed, done.cut, done.temporary)


def left_behind(home: Home, age: float) -> Path:
    path = home.sessions / "x.json.tmp"
    path.write_bytes(b"{")
    os.utime(path, (NOON - age,) * 2)
    return path


def test_an_abandoned_temporary_file_is_removed_after_an_hour(home: Home) -> None:
    path = left_behind(home, LEFT_BEHIND - 1)
    assert prune(home, Keep(), (), NOON).temporary == 0
    path = left_behind(home, LEFT_BEHIND + 1)
    assert prune(home, Keep(), (), NOON).temporary == 1
    assert not path.exists()


def test_a_temporary_file_of_the_program_is_removed_wherever_it_writes_and_nothing_else(home: Home) -> None:
    ours, others = f".{'0f' * 8}.tmp", ("notes.tmp", ".0f.tmp", f"{'0f' * 8}.tmp", f".{'0f' * 8}.tmp.txt")
    folders = (home.state, home.config, home.state / "outbox", home.pages)
    for folder in folders:
        folder.mkdir(parents=True, exist_ok=True)
        for name in (ours, *others):
            (folder / name).write_bytes(b"x")
            os.utime(folder / name, (NOON - LEFT_BEHIND - 1,) * 2)
    assert prune(home, Keep(), (), NOON).temporary == len(folders)
    for folder in folders:
        assert not (folder / ours).exists()
        assert all((folder / name).exists() for name in others)


def test_an_own_line_of_yesterday_is_removed_and_nothing_else_of_the_statusline(home: Home) -> None:
    home.statusline.mkdir(parents=True)
    ages = {
        "own-old": DAY + 1,
        "own-new": DAY - 1,
        "settings.json": DAY + 1,
        "board.json": DAY + 1,
        "own-x.tmp": LEFT_BEHIND + 1,
        "board.json.tmp": LEFT_BEHIND + 1,
        "notes": DAY + 1,
    }
    for name, age in ages.items():
        (home.statusline / name).write_text("x")
        os.utime(home.statusline / name, (NOON - age,) * 2)
    assert prune(home, Keep(), (), NOON).temporary == 3
    assert {path.name for path in home.statusline.iterdir()} == {"own-new", "settings.json", "board.json", "notes"}


def test_a_page_that_was_opened_yesterday_is_removed_and_nothing_else_in_its_folder(home: Home) -> None:
    home.pages.mkdir(parents=True)
    ages = {"old.html": DAY + 1, "new.html": DAY - 1, "old.txt": DAY + 1}
    for name, age in ages.items():
        (home.pages / name).write_text("x")
        os.utime(home.pages / name, (NOON - age,) * 2)
    assert prune(home, Keep(), (), NOON).temporary == 1
    assert {path.name for path in home.pages.iterdir()} == {"new.html", "old.txt"}


@pytest.mark.skipif(sys.platform == "win32", reason="there the journal is cut in place")
def test_a_journal_that_cannot_be_cut_for_want_of_room_stays_and_leaves_no_other_file(home: Home) -> None:
    with small_disk(home.state) as disk:
        for folder in (home.events, home.sessions):
            folder.mkdir()
        session(home, "long", 1)
        (home.events / "long.jsonl").write_bytes((line("Stop") + b"\n") * 2_000)
        before = (home.events / "long.jsonl").read_bytes()
        disk.fill()
        done = prune(home, Keep(journal=50_000), (), NOON)
        assert [failed.rpartition(": ")[2] for failed in done.failed] == ["No space left on device"]
        assert (home.events / "long.jsonl").read_bytes() == before
        assert names(home.events) == {"long.jsonl"}


class TooMuch(bytes):
    """Content for which no memory is left."""

    def removesuffix(self, suffix: object, /) -> bytes:
        raise MemoryError


@pytest.mark.skipif("sys.platform == 'win32'", reason="an open file is not replaced there")
def test_no_error_leaves_the_new_file_of_a_journal_behind(home: Home) -> None:
    session(home, "long", 1)
    before = (home.events / "long.jsonl").read_bytes()
    with (
        Journal(str(home.events / "long.jsonl")) as journal,
        pytest.raises(MemoryError),
        _replaced(journal, TooMuch(b"x")),
    ):
        pass
    assert (names(home.events), (home.events / "long.jsonl").read_bytes()) == ({"long.jsonl"}, before)


def test_a_thousand_files_of_others_stay(home: Home) -> None:
    for n in range(500):
        (home.events / f"mine{n}.jsonl").write_bytes(b"\x00 my own notes\n")
        (home.sessions / f"mine{n}.json").write_bytes(b"[]")
    (home.events / "folder.jsonl").mkdir()
    for path in home.state.rglob("mine*"):
        os.utime(path, (NOON - 99 * DAY,) * 2)
    session(home, "old", 31)
    done = prune(home, Keep(), (), NOON)
    assert (done.removed, done.failed) == (["old"], [])
    assert len(names(home.events)) + len(names(home.sessions)) == 1001


@given(st.lists(st.integers(0, 300), min_size=1, max_size=40), st.integers(200, 4000))
def test_a_cut_journal_keeps_its_newest_whole_lines_and_the_record_still_fits(sizes: list[int], limit: int) -> None:
    root = Path(os.environ["DESKBELL_HOME"])
    home = Home(root, root, root)
    home.sessions.mkdir(parents=True, exist_ok=True)
    home.events.mkdir(exist_ok=True)
    lines = [line("UserPromptSubmit", n, prompt="x" * size) for n, size in enumerate(sizes)]
    journal = home.events / "s.jsonl"
    journal.write_bytes(b"".join(one + b"\n" for one in lines))
    unfolded = len(lines[-1]) + 1
    (home.sessions / "s.json").write_bytes(
        encode({"v": 1, "session_id": "s", "journal": journal.stat().st_size - unfolded})
    )
    done = prune(home, Keep(days=1e9, journal=limit), {"s"}, NOON)
    left = list(Reader(journal))
    assert left == lines[len(lines) - len(left) :]
    assert bool(done.cut) == (len(left) < len(lines))
    assert journal.stat().st_size <= limit
    record = read_record(str(home.sessions / "s.json"), "s")
    assert record is not None
    assert record["journal"] == max(0, journal.stat().st_size - unfolded)


def test_pruning_runs_once_a_day_but_not_at_the_start() -> None:
    happened: list[object] = []

    async def once() -> None:
        happened.append("pruned")

    async def rest(seconds: float) -> None:
        happened.append(seconds)
        if len(happened) > 4:
            raise asyncio.CancelledError

    with pytest.raises(asyncio.CancelledError):
        asyncio.run(daily(once, rest))
    assert happened == [SETTLING, "pruned", DAY, "pruned", DAY]


def recorder(home: Home, **event: Any) -> "subprocess.Popen[bytes]":
    process = subprocess.Popen(
        [sys.executable, "-I", "-S", str(RECORDER), "record", str(home.state)], stdin=subprocess.PIPE
    )
    assert process.stdin is not None
    with process.stdin as stdin:
        stdin.write(json.dumps({"session_id": "s", "hook_event_name": "Stop", "cwd": "/x", **event}).encode())
    return process


def test_no_event_is_lost_or_counted_twice_while_a_journal_is_cut_again_and_again(home: Home) -> None:
    def record_some() -> None:
        for _ in range(12):
            recorder(home).wait(30)

    writers = [threading.Thread(target=record_some) for _ in range(4)]
    for writer in writers:
        writer.start()
    cuts = 0
    while any(writer.is_alive() for writer in writers):
        cuts += len(prune(home, Keep(days=1e9, journal=1000), {"s"}, time.time()).cut)
        writers[0].join(0.005)
    record = read_record(str(home.sessions / "s.json"), "s")
    assert record is not None
    assert (record["counters"]["events"], cuts > 3) == (48, True)
    assert all(parsed(one) for one in Reader(home.events / "s.jsonl"))


@pytest.mark.skipif(sys.platform != "linux", reason="needs /proc to see which files a process has open")
def test_a_recorder_that_waits_for_a_removed_journal_begins_a_new_one(home: Home) -> None:
    session(home, "s", 31)
    path = home.events / "s.jsonl"
    with Journal(str(path)):
        waiting = recorder(home, hook_event_name="SessionStart")
        wait(lambda: str(path) in files_of(waiting.pid), "the recorder to wait for the lock")
        path.unlink()
    assert waiting.wait(30) == 0
    assert [read["event"] for one in Reader(path) if (read := parsed(one))] == ["SessionStart"]


def files_of(pid: int) -> set[str]:
    """Return the files that a process has open, without those that it closes meanwhile."""
    found = set()
    with contextlib.suppress(OSError):
        for number in os.listdir(f"/proc/{pid}/fd"):
            with contextlib.suppress(OSError):
                found.add(os.readlink(f"/proc/{pid}/fd/{number}"))
    return found


@pytest.mark.skipif("sys.platform == 'win32'", reason="Windows cannot replace an open file")
@pytest.mark.parametrize("keep", [Keep(), Keep(days=1e9, journal=1000)], ids=["removed", "cut"])
def test_a_backup_of_links_is_left_as_it_is(home: Home, tmp_path: Path, keep: Keep) -> None:
    session(home, "s", 31)
    path = home.events / "s.jsonl"
    path.write_bytes(path.read_bytes() * 20)
    os.utime(path, (NOON - 31 * 86400,) * 2)
    (tmp_path / "backup").hardlink_to(path)
    before = (tmp_path / "backup").read_bytes()
    done = prune(home, keep, (), NOON)
    assert ([*done.removed, *done.cut], done.failed) == (["s"], [])
    assert (tmp_path / "backup").read_bytes() == before


HOLDER = """
import sys
from deskbell_hooks.files import Journal
with Journal(sys.argv[1]) as journal:
    print("held", flush=True)
    sys.stdin.readline()
    journal.append(b"more")
"""


@pytest.mark.skipif(sys.platform != "linux", reason="needs /proc to see which files a process has open")
def test_a_session_that_goes_on_while_pruning_waits_for_its_lock_stays(home: Home) -> None:
    session(home, "s", 31)
    path = home.events / "s.jsonl"
    hooks = {**os.environ, "PYTHONPATH": str(RECORDER.parents[1])}
    script = [sys.executable, "-c", HOLDER, str(path)]
    with subprocess.Popen(script, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=hooks) as holder:
        assert holder.stdin is not None
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"held\n"
        stdin = holder.stdin

        def release_once_prune_waits() -> None:
            wait(lambda: str(path) in files_of(os.getpid()), "prune to wait for the lock")
            stdin.close()

        helper = threading.Thread(target=release_once_prune_waits)
        helper.start()
        done = prune(home, Keep(), (), NOON)
        helper.join()
    assert (done.removed, path.read_bytes().endswith(b"more\n")) == ([], True)


def test_a_time_that_is_long_after_the_newest_session_is_not_believed(home: Home) -> None:
    assert believable(home, NOON) == NOON
    session(home, "old", 40)
    session(home, "young", 0.5)
    assert believable(home, NOON) == NOON
    ahead = believable(home, NOON + 365 * DAY)
    assert ahead == NOON + 0.5 * DAY
    assert prune(home, Keep(), (), ahead).removed == ["old"]
