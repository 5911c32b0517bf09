"""Snooze and mutes: kept in a file, over when their time is over."""

from datetime import datetime
from pathlib import Path

import pytest

from deskbell.errors import Problem
from deskbell.notices.quiet import Quiet, read, until, write
from tests.tray.story import NOON, session


def test_it_is_read_back_as_it_was_written(tmp_path: Path) -> None:
    quiet = (
        Quiet().snoozed(NOON).with_mute("sessions", "a", NOON).with_mute("projects", "x*").with_mute("statuses", "idle")
    )
    write(tmp_path / "state", quiet)
    assert read(tmp_path / "state") == quiet


def test_where_it_cannot_be_written_a_sentence_says_so(tmp_path: Path) -> None:
    (tmp_path / "state").write_text("a file where the folder was")
    with pytest.raises(Problem, match=r"quiet\.json cannot be written: File exists"):
        write(tmp_path / "state", Quiet())


@pytest.mark.parametrize("content", [b"", b"[]", b"{", b'{"snoozed_until": "late"}', b"\xff"])
def test_a_broken_file_is_no_quiet(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "quiet.json").write_bytes(content)
    assert read(tmp_path) == Quiet()


def test_a_newer_file_is_read_for_what_is_known(tmp_path: Path) -> None:
    (tmp_path / "quiet.json").write_text('{"version": 9, "snoozed_until": 5.0, "moods": {}}')
    assert read(tmp_path).snoozed_until == 5.0


def test_a_mute_that_is_taken_back_is_gone() -> None:
    assert Quiet().with_mute("sessions", "api-id").without_mute("sessions", "api-id") == Quiet()


def test_a_project_is_muted_by_its_name_or_its_folder() -> None:
    of = session("api", cwd="/home/me/clients/api")
    assert Quiet().with_mute("projects", "*/clients/*").muted(of, NOON)
    assert Quiet().with_mute("projects", "api").muted(of, NOON)
    assert not Quiet().with_mute("projects", "ap").muted(of, NOON)


UNTIL = {
    "30 min": ("2026-03-03 14:00", "2026-03-03 14:30"),
    "1 h": ("2026-03-03 14:00", "2026-03-03 15:00"),
    "tomorrow": ("2026-03-03 14:00", "2026-03-04 08:00"),
}


@pytest.mark.parametrize(("words", "at", "then"), [(w, *t) for w, t in UNTIL.items()], ids=UNTIL)
def test_how_long_a_snooze_is(words: str, at: str, then: str) -> None:
    now = datetime.fromisoformat(at).timestamp()
    assert until(words, now) == datetime.fromisoformat(then).timestamp()  # type: ignore[arg-type]  # a word of the table


def test_tomorrow_said_in_the_small_hours_is_this_morning() -> None:
    now = datetime.fromisoformat("2026-03-03 02:00").timestamp()
    assert until("tomorrow", now) == datetime.fromisoformat("2026-03-03 08:00").timestamp()
