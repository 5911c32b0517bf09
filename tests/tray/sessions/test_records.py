"""Which files are records of sessions, and which changes of them are seen."""

import json
import time
from pathlib import Path

import pytest

from deskbell.sessions.folder import Problems
from deskbell.sessions.records import Records


def put(folder: Path, **fields: object) -> None:
    """In place, so that the file keeps its number, as one may that was replaced twice."""
    record = {"v": 1, "session_id": "a", "status": "idle", "turn": "idle", "since": 1.0, "last_at": 1.0, **fields}
    (folder / "a.json").write_text(json.dumps(record))


def test_a_session_that_ended_and_was_resumed_between_two_looks_is_seen(tmp_path: Path) -> None:
    records, now = Records(tmp_path), time.time()
    put(tmp_path, status="ended", turn="ended", last_at=now)
    records.read(Problems())
    put(tmp_path, status="permission", turn="working", last_at=now + 1)
    assert [record["status"] for record in records.read(Problems())] == ["permission"]


@pytest.mark.parametrize("field", ["since", "last_at"])
@pytest.mark.parametrize("number", [float("inf"), float("nan"), -1e18, 1e14])
def test_a_number_that_is_no_time_makes_no_record(tmp_path: Path, field: str, number: float) -> None:
    put(tmp_path, **{field: number})
    assert Records(tmp_path).read(Problems()) == []


def test_a_time_of_today_makes_one(tmp_path: Path) -> None:
    put(tmp_path, since=time.time(), last_at=time.time())
    assert len(Records(tmp_path).read(Problems())) == 1
