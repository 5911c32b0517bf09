"""Test which files are records of sessions, and which of their changes are noticed."""

import json
import re
import time
from pathlib import Path

import pytest

from deskbell.sessions.folder import Problems
from deskbell.sessions.records import NEEDED, Records, record_of
from deskbell_hooks.schema import Record


def put(folder: Path, **fields: object) -> None:
    """Write in place, so that the file keeps its inode. A file that is replaced twice may keep its inode, too."""
    record = {"v": 1, "session_id": "a", "status": "idle", "turn": "idle", "since": 1.0, "last_at": 1.0, **fields}
    (folder / "a.json").write_text(json.dumps(record))


def test_a_session_that_ended_and_was_resumed_between_two_looks_is_read(tmp_path: Path) -> None:
    records, now = Records(tmp_path), time.time()
    put(tmp_path, status="ended", turn="ended", last_at=now)
    records.read(Problems())
    put(tmp_path, status="permission", turn="working", last_at=now + 1)
    assert [record["status"] for record in records.read(Problems())] == ["permission"]


@pytest.mark.parametrize("field", ["since", "last_at", "turn_at", "turn_started", "started"])
@pytest.mark.parametrize("number", [float("inf"), float("nan"), -1e18, 1e14])
def test_a_record_with_an_impossible_time_is_refused(tmp_path: Path, field: str, number: float) -> None:
    put(tmp_path, **{field: number})
    assert Records(tmp_path).read(Problems()) == []


def test_a_record_with_a_time_of_today_is_read(tmp_path: Path) -> None:
    put(tmp_path, since=time.time(), last_at=time.time())
    assert len(Records(tmp_path).read(Problems())) == 1


REQUEST = {"kind": "plan", "tool": "t", "subject": "s", "use": "u", "agent": "", "at": 1.0, "order": 1}


def parsed(**fields: object) -> Record:
    record = {"v": 1, "session_id": "a", "status": "idle", "turn": "idle", "since": 1.0, "last_at": 1.0, **fields}
    return record_of("a.json", json.dumps(record).encode())


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"session_id": "b"}, "holds the record of another session than its name says"),
        ({"status": 3}, "is not a record of a session (status: Input should be "),
        ({"where": {"pid": 0}}, "is not a record of a session (where.pid is not a process id)"),
        ({"where": {}}, "is not a record of a session (where.pid is not a process id)"),
        ({"zero": 1e300}, "is not a record of a session (a time is out of range)"),
        ({"steps": [[1.0, 1e300]]}, "is not a record of a session (a time is out of range)"),
        ({"steps": [[1.0]]}, "is not a record of a session (a time is out of range)"),
        ({"turn_at": -1.0}, "is not a record of a session (a time is out of range)"),
        ({"started": 10**400}, "is not a record of a session (a time is out of range)"),
        ({"last_turn_seconds": float("inf")}, "is not a record of a session (a time is out of range)"),
        ({"pending": [{**REQUEST, "at": float("nan")}]}, "is not a record of a session (a time is out of range)"),
        ({"agents": [{"ended": 1e300}]}, "is not a record of a session (a time is out of range)"),
    ],
)
def test_a_bad_record_is_refused_with_the_reason(fields: dict[str, object], why: str) -> None:
    with pytest.raises(ValueError, match=re.escape(why)):
        parsed(**fields)


@pytest.mark.parametrize("name", NEEDED)
def test_a_record_without_a_field_that_every_reader_needs_is_refused(name: str) -> None:
    record = {"session_id": "a", "status": "idle", "turn": "idle", "since": 1.0, "last_at": 1.0}
    del record[name]
    with pytest.raises(ValueError, match=f"{name} is missing"):
        record_of("a.json", json.dumps(record).encode())


@pytest.mark.parametrize("data", [b"", b"null", b"[]", b"{", b"[" * 50_000, b"\xff"])
def test_what_is_not_a_json_object_is_refused(data: bytes) -> None:
    with pytest.raises(ValueError, match="is not a record of a session"):
        record_of("a.json", data)


def test_fields_that_readers_rely_on_are_added() -> None:
    record = parsed(others=[{"status": "idle", "turn": "idle", "since": 1.0, "last_at": 1.0}], new_field=1)
    for run in (record, *record["others"]):
        assert (run["detail"], run["last_event"], run["pending"], run["calls"]) == ("", "", [], [])
        assert (run["agents"], run["tasks"]) == ([], [])


def test_what_has_no_id_is_left_out_and_the_rest_stays() -> None:
    other = {"status": "idle", "turn": "idle", "since": 1.0, "last_at": 1.0, "where": {"pid": 7, "start": 1}}
    record = parsed(
        others=[other, {}, {**other, "where": {"pid": -1}}, {**other, "turn_at": float("inf")}],
        agents=[{"id": "a", "status": "running"}, {"id": "b"}, {"status": "done"}],
        tasks=[{"id": "t", "type": "shell", "description": "d"}, {}],
    )
    assert [run["where"] for run in record["others"]] == [{"pid": 7, "start": 1}]
    assert record["agents"] == [{"id": "a", "status": "running"}]
    assert record["tasks"] == [
        {"id": "t", "type": "shell", "description": "d"},
        {"id": "", "type": "", "description": ""},
    ]


def test_the_texts_of_a_record_are_not_kept_after_it() -> None:
    """A cache would return the same object for the same text, and keep it while Deskbell runs."""
    assert parsed(prompt="a prompt of today")["prompt"] is not parsed(prompt="a prompt of today")["prompt"]


def test_a_session_that_ended_long_ago_is_known_when_it_is_asked_for(tmp_path: Path) -> None:
    put(tmp_path, status="ended", turn="ended", last_at=50.0, project="web")
    records = Records(tmp_path)
    assert len(records.read(Problems(), 40.0)) == 1
    assert records.read(Problems(), 60.0) == []
    found = records.of("a")
    assert found
    assert found["project"] == "web"
    assert records.of("a") is found
    assert records.of("../a") is None


def test_of_all_records_only_the_one_that_is_asked_for_is_read(tmp_path: Path) -> None:
    put(tmp_path)
    (tmp_path / "b.json").write_bytes(b"bad")
    assert [record["session_id"] for record in Records(tmp_path, "a").read(Problems(pytest.fail))] == ["a"]
    assert Records(tmp_path, "c").read(Problems(pytest.fail)) == []
