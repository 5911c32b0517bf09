"""Test the file that says which notifications are on the screen."""

import asyncio
import json
import os
import stat
import sys
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest

from deskbell.desktop.notify.remembered import LARGEST, MOST, Entry, Remembered
from deskbell.notices.notice import Request
from deskbell.program.boundary import Boundary

LIFE = "bus-of-today :1.7"
ASKED = Request("api-id", 414, "api", "permission", 1_750_000_000.25, (1_000, "a1"))
API = Entry(slot="api-id:414", number=7, about=(ASKED,))
OWN = Entry(slot="settings", number=9)
GOOD = {"version": 1, "life": LIFE, "shown": [API._asdict(), OWN._asdict()]}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "state" / "screen.json"


def lived(story: Callable[[Boundary], Coroutine[Any, Any, None]]) -> None:
    async def within() -> None:
        boundary = Boundary()
        await story(boundary)
        await boundary.stopped()
        assert boundary.broken == {}

    asyncio.run(within())


def noted(file: Path, *shown: Entry, life: str = LIFE) -> None:
    """Note SHOWN in one run that is killed later."""

    async def run(boundary: Boundary) -> None:
        remembered = Remembered(boundary, file)
        remembered.left(life)
        remembered.note(life, shown)
        remembered.save()

    lived(run)


def left(file: Path, life: str = LIFE) -> tuple[Entry, ...]:
    """What the next run finds."""
    return Remembered(Boundary(), file).left(life)


def test_the_next_run_finds_what_was_on_the_screen(file: Path) -> None:
    noted(file, API, OWN)
    assert left(file) == (API, OWN)


@pytest.mark.parametrize("life", ["", "bus-of-today :1.8", "bus-of-yesterday :1.7"])
def test_the_numbers_of_another_life_of_the_daemon_are_never_used(file: Path, life: str) -> None:
    noted(file, API)
    assert left(file, life) == ()


def test_one_run_remembers_without_a_file() -> None:
    async def run(boundary: Boundary) -> None:
        remembered = Remembered(boundary)
        assert remembered.left(LIFE) == ()
        remembered.note(LIFE, [API])
        remembered.note("", [])
        assert (remembered.left(LIFE), remembered.left("bus-of-today :1.8")) == ((API,), ())

    lived(run)


def test_the_file_follows_by_itself_and_ends_with_what_came_last(file: Path) -> None:
    async def run(boundary: Boundary) -> None:
        remembered = Remembered(boundary, file)
        for number in range(1, 40):
            remembered.note(LIFE, [Entry(slot="api", number=number)])
            await asyncio.sleep(0)
        async with asyncio.timeout(10):
            while left(file) != (Entry(slot="api", number=39),):
                await asyncio.sleep(0.005)

    lived(run)


def test_a_run_that_shows_nothing_writes_no_file(file: Path) -> None:
    noted(file)
    assert not file.parent.exists()


def test_an_empty_screen_is_written_over_a_full_one(file: Path) -> None:
    noted(file, API)
    noted(file)
    assert (left(file), json.loads(file.read_text())["shown"]) == ((), [])


@pytest.mark.skipif(sys.platform == "win32", reason="no modes")
def test_the_file_is_private_and_nothing_else_stays_beside_it(file: Path) -> None:
    noted(file, API)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert os.listdir(file.parent) == [file.name]


def test_the_file_is_bounded(file: Path) -> None:
    long = tuple(ASKED._replace(project="x" * 1000, session_id=f"{n}") for n in range(MOST + 50))
    noted(file, *(Entry(slot=f"s{n}", number=n + 1, about=long if n == MOST else ()) for n in range(MOST + 50)))
    found = left(file)
    assert (len(found), found[0].slot, found[-1].slot) == (MOST, "s50", f"s{MOST + 49}")
    assert max(len(entry.about) for entry in found) == MOST
    assert file.stat().st_size < LARGEST / 10


def test_hostile_names_are_kept_as_far_as_text_can(file: Path) -> None:
    noted(
        file,
        API._replace(about=(ASKED._replace(project="\udcff\x1b[31m\u202eweb", session_id="\udcff"),)),
    )
    ((asked,),) = [entry.about for entry in left(file)]
    assert (asked.session_id, "\x1b" in asked.project, "\u202e" in asked.project) == ("?", False, False)


def changed(**fields: object) -> str:
    return json.dumps({**GOOD, **fields})


def shown(**fields: object) -> str:
    return changed(shown=[{**API._asdict(), **fields}])


DAMAGED = {
    "empty": "",
    "torn": json.dumps(GOOD)[:-9],
    "not JSON": "\x00\xff nonsense",
    "another value": "[]",
    "of another version": changed(version=2),
    "no list": changed(shown=7),
    "a number that is none": shown(number="seven"),
    "a number that D-Bus cannot carry": shown(number=1 << 32),
    "the number of nothing": shown(number=0),
    "a status that is none": shown(about=[["api-id", 414, "api", "dancing", 1.0, None]]),
    "a request cut short": shown(about=[["api-id", 414]]),
    "nested too deep": "[" * 100_000,
}


@pytest.mark.parametrize("text", DAMAGED.values(), ids=DAMAGED)
def test_a_file_that_is_not_understood_is_one_sentence_in_the_log(
    file: Path, text: str, caplog: pytest.LogCaptureFixture
) -> None:
    file.parent.mkdir()
    file.write_text(text)
    remembered = Remembered(Boundary(), file)
    assert [remembered.left(LIFE) for _ in range(3)] == [()] * 3
    assert [record.message for record in caplog.records] == [
        f"{file} cannot be used (it is damaged, or of another version): "
        "notifications of an earlier run may stay on the screen"
    ]


def test_what_a_later_version_adds_is_ignored(file: Path) -> None:
    file.parent.mkdir()
    file.write_text(json.dumps({**GOOD, "colour": "red"}))
    assert left(file) == (API, OWN)


def test_a_file_that_is_too_large_is_one_sentence_in_the_log(file: Path, caplog: pytest.LogCaptureFixture) -> None:
    file.parent.mkdir()
    file.write_text(" " * LARGEST + json.dumps(GOOD))
    assert left(file) == ()
    (record,) = caplog.records
    assert "cannot be used (it is larger than 1000 kB)" in record.message


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes")
def test_a_named_pipe_is_not_waited_for(file: Path) -> None:
    file.parent.mkdir()
    os.mkfifo(file)
    assert left(file) == ()


def test_a_file_that_cannot_be_written_is_one_sentence_in_the_log_and_no_problem(
    file: Path, caplog: pytest.LogCaptureFixture
) -> None:
    file.parent.write_text("a file where the folder should be")

    async def run(boundary: Boundary) -> None:
        remembered = Remembered(boundary, file)
        for number in range(1, 6):
            remembered.note(LIFE, [Entry(slot="api", number=number)])
            remembered.save()
        assert len(remembered.left(LIFE)) == 1, "this run still knows"

    lived(run)
    (record,) = [record for record in caplog.records if "cannot be written" in record.message]
    assert record.message.startswith(f"{file} cannot be written (")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes")
def test_a_file_that_is_out_of_date_and_cannot_be_written_is_removed(file: Path) -> None:
    """What it says would be adopted by the next run without a ring."""
    noted(file, API)

    async def run(boundary: Boundary) -> None:
        remembered = Remembered(boundary, file)
        assert remembered.left(LIFE) == (API,)
        file.unlink()
        os.mkfifo(file)  # a named pipe is not replaced
        remembered.note(LIFE, [])
        remembered.save()

    lived(run)
    assert not file.exists()
