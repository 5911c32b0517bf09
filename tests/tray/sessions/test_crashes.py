"""Test what is noted of crashes: when a process died, and until when its person still has to see it."""

import json
import multiprocessing
import os
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deskbell.errors import Problem
from deskbell.session import STATUSES, Session
from deskbell.sessions.crashes import (
    AWAY,
    DAY,
    LARGEST,
    LONGEST,
    MOST,
    OLDEST,
    OPENED_FOR,
    SEEN_FOR,
    Crash,
    CrashFile,
    client_of,
    dismissed,
    followed,
    is_kept,
    kept_until,
    left_behind,
    seen,
)
from tests.limits import no_descriptors
from tests.tray.making import NOON, session

CRASHED = session(status="crashed", kind="interactive", since=NOON - 5, kept_until=NOON - 5 + DAY)
CLIENT = client_of(CRASHED)
NEWER = ("newer", 8, 1)
NOTED = Crash(NOON - 5, NOON - 5 + DAY, name="Ship it")


@pytest.mark.parametrize("status", STATUSES)
@pytest.mark.parametrize("kind", ["interactive", "background", "print", None])
@pytest.mark.parametrize("hidden", [True, False])
def test_only_the_crash_of_a_session_that_had_a_terminal_is_kept(status: str, kind: str | None, hidden: bool) -> None:
    one = session(status=status, kind=kind, hidden=hidden)
    assert is_kept(one) == ((status, kind, hidden) == ("crashed", "interactive", False))


@pytest.mark.parametrize(
    ("booted", "until"),
    [
        (None, NOON + DAY),
        (NOON - 60, NOON + DAY),
        (NOON, NOON + DAY),
        (NOON + 2.5 * DAY, NOON + 3.5 * DAY),  # off over the weekend
        (NOON + AWAY - 1, NOON + AWAY - 1 + DAY),
        (NOON + AWAY, NOON + DAY),
    ],
)
def test_a_day_begins_with_the_death_or_with_the_start_of_the_machine_after_it(
    booted: float | None, until: float
) -> None:
    assert kept_until(NOON, booted) == until


CHANGES: dict[str, tuple[dict[object, Crash], list[Session], dict[object, Crash]]] = {
    "a new crash": ({}, [session(session_id="w"), CRASHED], {CLIENT: NOTED}),
    "its session runs again": (
        {CLIENT: NOTED},
        [session(session_id="a1", pid=7)],
        {CLIENT: NOTED._replace(until=NOON)},
    ),
    "its session was resumed in another terminal": (
        {CLIENT: NOTED},
        [session(pid=7, began=NOON - 4)],
        {CLIENT: NOTED._replace(until=NOON)},
    ),
    "too old": ({CLIENT: Crash(NOON - OLDEST - DAY, NOON - 5), NEWER: NOTED}, [], {NEWER: NOTED}),
}
NOOPS: dict[str, tuple[dict[object, Crash], list[Session]]] = {
    "nothing": ({}, []),
    "a clock that is a year ahead": ({CLIENT: Crash(NOON - 365 * DAY, NOON - 364 * DAY)}, []),
    "a session that works": ({}, [session()]),
    "a session that ended": ({}, [session(status="ended")]),
    "a crash that nobody has to see": ({}, [replace(CRASHED, kept_until=None)]),
    "a crash that is known": ({CLIENT: Crash(NOON - 9, NOON + 9)}, [CRASHED]),
    "a crash that is not on the board": ({CLIENT: NOTED}, [session(session_id="w")]),
    "a crash beside the same one": ({CLIENT: NOTED}, [CRASHED, session(status="ended", pid=7)]),
    "its session runs in another terminal, as it did before": (
        {CLIENT: NOTED},
        [session(pid=7, began=NOON - 6), session(pid=8, began=NOON - 5)],
    ),
    "a resumed one that was seen": ({CLIENT: Crash(NOON - 9, NOON - 1)}, [session(pid=7)]),
}


@pytest.mark.parametrize(("known", "sessions", "after"), CHANGES.values(), ids=CHANGES)
def test_a_look_that_changes_what_is_noted(known: dict, sessions: list[Session], after: dict) -> None:  # type: ignore[type-arg]
    assert followed(known, sessions, NOON) == after
    assert followed(after, sessions, NOON) == after


@pytest.mark.parametrize(("known", "sessions"), NOOPS.values(), ids=NOOPS)
def test_a_look_that_changes_nothing(known: dict, sessions: list[Session]) -> None:  # type: ignore[type-arg]
    assert followed(known, sessions, NOON) == known


def test_only_the_newest_crashes_are_noted() -> None:
    many = {(f"s{n}", n, n): Crash(NOON - n, NOON + DAY) for n in range(MOST + 9)}
    after = followed(many, [], NOON)
    assert len(after) == MOST
    assert ("s0", 0, 0) in after
    assert (f"s{MOST}", MOST, MOST) not in after


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (DAY, SEEN_FOR),  # seen for the first time
        (SEEN_FOR + 1, SEEN_FOR),
        (SEEN_FOR, SEEN_FOR),
        (OPENED_FOR + 1, OPENED_FOR + 1),  # seen before
        (OPENED_FOR - 1, OPENED_FOR),  # about to leave: not under the pointer of the one who opens the menu
        (1, OPENED_FOR),
    ],
)
def test_a_crash_that_was_seen_stays_for_a_while(before: float, after: float) -> None:
    assert seen({CLIENT: Crash(NOON - 5, NOON + before)}, [CRASHED], NOON) == {CLIENT: Crash(NOON - 5, NOON + after)}


def test_a_crash_that_was_not_noted_yet_can_be_seen_and_dismissed() -> None:
    assert seen({}, [CRASHED], NOON) == {CLIENT: NOTED._replace(until=NOON + SEEN_FOR)}
    assert dismissed({}, [CRASHED], NOON) == {CLIENT: NOTED._replace(until=NOON)}


def test_what_is_no_crash_is_neither_seen_nor_dismissed() -> None:
    others = [session(), session(status="ended"), replace(CRASHED, kept_until=None)]
    assert seen({CLIENT: NOTED}, others, NOON) == dismissed({CLIENT: NOTED}, others, NOON) == {CLIENT: NOTED}


def test_a_client_that_cannot_be_asked_about_is_dismissed_until_it_is_heard_again() -> None:
    lost = session(status="permission", lost=True, heard=NOON - 5)
    assert dismissed({}, [lost, session()], NOON) == {client_of(lost): Crash(NOON - 5, NOON)}
    assert seen({}, [lost], NOON) == {}


@given(st.lists(st.tuples(st.floats(0, 3 * DAY), st.sampled_from(["look", "open", "dismiss"]))))
def test_a_crash_that_was_dismissed_never_comes_back(deeds: list[tuple[float, str]]) -> None:
    known, now, gone = {CLIENT: NOTED}, NOON, False
    for after, deed in deeds:
        now += after
        on_board = [replace(CRASHED, kept_until=known[CLIENT].until)] if known and now < known[CLIENT].until else []
        assert not (gone and on_board)
        change = {"look": followed, "open": seen, "dismiss": dismissed}[deed]
        known = change(known, on_board, now)
        gone = gone or deed == "dismiss"


def test_what_is_noted_is_read_by_every_look(tmp_path: Path) -> None:
    writer, reader = CrashFile(tmp_path / "state"), CrashFile(tmp_path / "state")
    assert reader.known() == {}
    writer.follow([CRASHED], NOON)
    assert reader.known() == writer.known() == {CLIENT: NOTED}
    writer.see([CRASHED], NOON)
    assert reader.known() == {CLIENT: NOTED._replace(until=NOON + SEEN_FOR)}
    reader.dismiss([CRASHED], NOON)
    assert writer.known() == {CLIENT: NOTED._replace(until=NOON)}


def test_a_look_that_finds_nothing_new_writes_nothing(tmp_path: Path) -> None:
    file = CrashFile(tmp_path / "state")
    file.follow([session()], NOON)
    assert list(tmp_path.iterdir()) == []
    file.follow([CRASHED], NOON)
    before = (tmp_path / "state" / "crashes.json").stat()
    file.follow([CRASHED], NOON + 1)
    assert (tmp_path / "state" / "crashes.json").stat() == before
    assert before.st_mode & 0o777 == 0o600


def note(state: Path, first: int) -> None:
    for n in range(first, first + 25):
        CrashFile(state).follow([replace(CRASHED, session_id=f"s{n}")], NOON)


def test_writers_that_write_at_once_lose_nothing(tmp_path: Path) -> None:
    writers = [multiprocessing.Process(target=note, args=(tmp_path, first)) for first in (0, 25, 50)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    assert len(CrashFile(tmp_path).known()) == 75


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"nonsense",
        b"[]",
        b'{"crashes": [{}]}',
        b'{"crashes": [{"session_id": "s", "pid": 7, "start": 7, "died": -1, "until": 1}]}',
        b'{"crashes": [{"session_id": "s", "pid": 7, "start": 7, "died": 1e999, "until": 1}]}',
        b" " * (LARGEST + 1),
    ],
)
def test_a_damaged_file_knows_nothing_and_is_written_anew(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "crashes.json").write_bytes(content)
    file = CrashFile(tmp_path)
    assert file.known() == {}
    file.follow([CRASHED], NOON)
    assert file.known() == {CLIENT: NOTED}
    assert json.loads((tmp_path / "crashes.json").read_bytes())["version"] == 1


LONG = "/home/x/" + "a" * LONGEST


@pytest.mark.parametrize(("cwd", "noted"), [("/p/api", "/p/api"), (LONG[:LONGEST], LONG[:LONGEST]), (LONG, None)])
def test_what_the_registry_listed_of_a_crash_is_noted_as_long_as_it_is_to_be_seen(
    tmp_path: Path, cwd: str, noted: str | None
) -> None:
    crashed = replace(CRASHED, cwd=cwd, config_dir="/claude", started=NOON - 60, title="Fix it" * LONGEST)
    CrashFile(tmp_path).follow([crashed], NOON)
    known = CrashFile(tmp_path).known()
    (entry,) = left_behind(known, NOON)
    assert (entry.session_id, entry.pid, entry.pid_start) == CLIENT
    assert (entry.cwd, entry.config_dir, entry.started) == (noted, "/claude", NOON - 60)
    assert entry.name == ("Fix it" * LONGEST)[:LONGEST]
    assert left_behind(known, NOTED.until) == []


def test_what_is_noted_of_a_crash_holds_no_secret(tmp_path: Path) -> None:
    CrashFile(tmp_path).follow([replace(CRASHED, title="deploy with password=hunter2-Zq9")], NOON)
    assert "hunter2" not in (tmp_path / "crashes.json").read_text()


def test_a_crash_that_an_older_version_noted_can_be_read(tmp_path: Path) -> None:
    old = {"session_id": "s", "pid": 7, "start": 7, "died": NOON, "until": NOON + 9}
    nobody = {**old, "pid": None}
    (tmp_path / "crashes.json").write_text(json.dumps({"version": 1, "crashes": [old, nobody]}))
    known = CrashFile(tmp_path).known()
    assert set(known.values()) == {Crash(NOON, NOON + 9)}
    assert [(entry.pid, entry.cwd, entry.name) for entry in left_behind(known, NOON)] == [(7, None, None)]


def test_the_largest_number_of_crashes_can_be_read_again(tmp_path: Path) -> None:
    text = "\N{BELL}" * LONGEST
    most = replace(CRASHED, title=text, cwd=text, config_dir=text, started=NOON + 0.123456)
    many = [replace(most, session_id=f"{n:036}", pid=4_000_000 + n, pid_start=10**9 + n) for n in range(MOST)]
    file = CrashFile(tmp_path)
    file.follow(many, NOON)
    assert len(file.known()) == MOST


def test_a_file_that_cannot_be_written_is_said_to_the_person_who_clicks(tmp_path: Path) -> None:
    (tmp_path / "state").write_text("a file where the folder belongs")
    file = CrashFile(tmp_path / "state")
    with pytest.raises(Problem, match=r"cannot be written: Not a directory\. Free some space or make it writable"):
        file.dismiss([CRASHED], NOON)
    with pytest.raises(OSError, match="Not a directory"):
        file.follow([CRASHED], NOON)


@pytest.mark.skipif(sys.platform == "win32", reason="has no such limit")
def test_what_cannot_be_read_for_the_moment_is_neither_forgotten_nor_written_anew(tmp_path: Path) -> None:
    note(tmp_path, 0)
    file, held = CrashFile(tmp_path), (tmp_path / "crashes.json").read_bytes()
    before = file.known()
    assert before
    os.utime(tmp_path / "crashes.json", (1, 1))
    with no_descriptors():
        assert file.known() == before
        with pytest.raises(OSError, match="Too many open files"):
            file.follow([replace(CRASHED, session_id="new")], NOON)
    assert (tmp_path / "crashes.json").read_bytes() == held
