"""Is every session known that was ever recorded, whatever else lies in the folders?"""

import os
from pathlib import Path

from deskbell.history.past import past
from deskbell.sessions.find import Past
from deskbell_hooks.codec import encode
from tests.tray.journals import line


def test_among_a_thousand_garbage_files_those_recorded_are_found_and_the_garbage_is_told_once(tmp_path: Path) -> None:
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
    told: list[str] = []
    assert sorted(past(sessions, events, told.append)) == [
        Past("a1", "api", "Ship it", 5.0),
        Past("b2", "", "", 7.0),
        Past("strange", "", "", 0.0),
    ]
    assert told == [f"{events}: 1000 things (garbage 0, …) are no journals and are left as found."]


def test_where_nothing_was_recorded_there_is_nothing(tmp_path: Path) -> None:
    assert list(past(tmp_path / "sessions", tmp_path / "events", lambda sentence: None)) == []
