"""Does what is old go, does what is new stay, and is no event lost to it that is written meanwhile?"""

import asyncio
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

from deskbell.__main__ import main
from deskbell.history.journal import Reader, parsed
from deskbell.history.prune import DAY, LEFT_BEHIND, SETTLING, Keep, daily, prune
from deskbell.home import Home
from deskbell.home import home as deskbell_home
from deskbell_hooks.codec import encode
from deskbell_hooks.files import Journal
from deskbell_hooks.record import read_record
from tests.client.waiting import wait
from tests.tray.journals import line
from tests.tray.making import NOON

RECORDER = Path(__file__).parents[3] / "hooks" / "deskbell_hooks" / "__main__.py"


@pytest.fixture
def home(tmp_path: Path) -> Home:
    made = Home(tmp_path / "state", tmp_path / "data", tmp_path / "config")
    made.sessions.mkdir(parents=True)
    made.events.mkdir()
    return made


def session(home: Home, name: str, age_days: float, size: int = 0) -> None:
    """One that was last heard of so many days before noon."""
    journal, record = home.events / f"{name}.jsonl", home.sessions / f"{name}.json"
    journal.write_bytes(line("Stop") + b"\n" + b" " * size + b"\n")
    record.write_bytes(encode({"v": 1, "session_id": name, "journal": journal.stat().st_size}))
    for path in (journal, record):
        os.utime(path, (NOON - age_days * DAY,) * 2)


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


def test_what_is_old_goes_and_the_rest_stays(home: Home) -> None:
    session(home, "old", 31)
    session(home, "young", 29)
    session(home, "open", 99)
    done = prune(home, Keep(), {"open"}, NOON)
    assert (done.removed, done.failed) == (["old"], [])
    assert names(home.events) == {"young.jsonl", "open.jsonl"}
    assert names(home.sessions) == {"young.json", "open.json"}


def test_beyond_the_total_the_oldest_go(home: Home) -> None:
    for age in (1, 2, 3, 4):
        session(home, f"s{age}", age, size=1000)
    assert prune(home, Keep(total=2500), {"s4"}, NOON).removed == ["s3", "s2"]


def test_a_record_without_a_journal_goes_as_well(home: Home) -> None:
    session(home, "old", 31)
    (home.events / "old.jsonl").unlink()
    assert prune(home, Keep(), (), NOON).removed == ["old"]
    assert names(home.events) | names(home.sessions) == set()


def test_nothing_is_touched_by_saying_what_would_go(home: Home) -> None:
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


def test_what_a_killed_recorder_left_behind_goes_when_nobody_can_be_writing_it(home: Home) -> None:
    path = left_behind(home, LEFT_BEHIND - 1)
    assert prune(home, Keep(), (), NOON).temporary == 0
    path = left_behind(home, LEFT_BEHIND + 1)
    assert prune(home, Keep(), (), NOON).temporary == 1
    assert not path.exists()


def test_a_thousand_things_that_are_not_ours_stay(home: Home) -> None:
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
def test_of_a_long_journal_the_newest_whole_lines_stay_and_the_record_still_fits(sizes: list[int], limit: int) -> None:
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


def test_the_command_says_what_would_go_and_then_what_went(capsys: pytest.CaptureFixture[str]) -> None:
    places = deskbell_home()
    places.sessions.mkdir(parents=True)
    places.events.mkdir()
    assert main(["prune"]) == 0
    assert capsys.readouterr().out == "Nothing is old or large enough to go.\n"
    session(places, "old", 40, size=1_100_000)
    session(places, "older", 50)
    for path in places.state.rglob("old*"):
        os.utime(path, (DAY, DAY))  # long ago by any clock
    assert main(["prune", "--dry-run"]) == 0
    assert capsys.readouterr().out == "2 sessions: 1.0 MB would be freed.\n"
    assert main(["prune", "--days", "1"]) == 0
    assert capsys.readouterr().out == "2 sessions: 1.0 MB freed.\n"
    assert names(places.events) | names(places.sessions) == set()


def test_it_is_done_once_a_day_but_not_at_the_start() -> None:
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


@pytest.mark.skipif(sys.platform != "linux", reason="which files a process has open is looked up in /proc")
def test_a_recorder_that_waits_for_a_journal_that_is_removed_begins_a_new_one(home: Home) -> None:
    session(home, "s", 31)
    path = home.events / "s.jsonl"
    with Journal(str(path)):
        waiting = recorder(home, hook_event_name="SessionStart")
        wait(lambda: str(path) in files_of(waiting.pid), "a recorder that waits")
        path.unlink()
    assert waiting.wait(30) == 0
    assert [read["event"] for one in Reader(path) if (read := parsed(one))] == ["SessionStart"]


def files_of(pid: int) -> set[str]:
    try:
        return {os.readlink(entry.path) for entry in os.scandir(f"/proc/{pid}/fd")}
    except OSError:
        return set()


HOLDER = """
import sys
from deskbell_hooks.files import Journal
with Journal(sys.argv[1]) as journal:
    print("held", flush=True)
    sys.stdin.readline()
    journal.append(b"more")
"""


@pytest.mark.skipif(sys.platform != "linux", reason="which files a process has open is looked up in /proc")
def test_a_session_that_is_gone_on_with_while_its_lock_is_waited_for_stays(home: Home) -> None:
    session(home, "s", 31)
    path = home.events / "s.jsonl"
    hooks = {**os.environ, "PYTHONPATH": str(RECORDER.parents[1])}
    script = [sys.executable, "-c", HOLDER, str(path)]
    with subprocess.Popen(script, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=hooks) as holder:
        assert holder.stdin is not None
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"held\n"
        stdin = holder.stdin

        def let_go_once_waited_for() -> None:
            wait(lambda: str(path) in files_of(os.getpid()), "somebody who waits")
            stdin.close()

        helper = threading.Thread(target=let_go_once_waited_for)
        helper.start()
        done = prune(home, Keep(), (), NOON)
        helper.join()
    assert (done.removed, path.read_bytes().endswith(b"more\n")) == ([], True)
