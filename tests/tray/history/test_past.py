"""Test that every recorded session is listed, whatever else is in the folders."""

import os
from pathlib import Path

import pytest

from deskbell.history.past import foreign, past
from deskbell.sessions.find import Past
from deskbell_hooks.codec import encode
from tests.tray.journals import line


@pytest.mark.long
def test_recorded_sessions_are_found_among_a_thousand_garbage_files_which_are_reported_once(tmp_path: Path) -> None:
    sessions, events = tmp_path / "sessions", tmp_path / "events"
    sessions.mkdir()
    events.mkdir()
    for n in range(1000):
        (sessions / f"{n}.json").write_bytes(b"\xff{" * n)
        (events / f"garbage {n}").write_bytes(b"\x00")
    record = {"v": 1, "session_id": "a1", "title": "Ship it", "project": "api", "last_at": 5.0, "journal": 0}
    (sessions / "a1.json").write_bytes(encode(record))
    (sessions / "strange.json").write_bytes(
        encode({"v": 1, "session_id": "strange", "title": 7, "last_at": "x", "journal": 0})
    )
    (events / "a1.jsonl").write_bytes(line("Stop"))
    (events / "b2.jsonl").write_bytes(line("Stop"))
    os.utime(events / "b2.jsonl", (7.0, 7.0))
    reported: list[str] = []
    assert sorted(past(sessions, events, reported.append)) == [
        Past("a1", "api", "Ship it", 5.0),
        Past("b2", "", "", 7.0),
        Past("strange", "", "", 0.0),
    ]
    assert reported == [f"{events}: 1000 entries are not journals (garbage 0, …). Deskbell ignores them."]


def test_without_folders_no_session_was_recorded(tmp_path: Path) -> None:
    assert list(past(tmp_path / "sessions", tmp_path / "events", lambda sentence: None)) == []


def test_one_thing_that_is_not_a_journal_is_named(tmp_path: Path) -> None:
    assert foreign(tmp_path, ["x"]) == f"{tmp_path}: x is not a journal. Deskbell ignores it."
