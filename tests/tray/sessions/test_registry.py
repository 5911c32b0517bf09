"""Claude Code's own session files, which nobody documented."""

import json
import os
import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deskbell.sessions.folder import Problems
from deskbell.sessions.registry import Registry, entry_of

WHOLE = {
    "pid": 12,
    "sessionId": "abc",
    "cwd": "/p",
    "startedAt": 1_700_000_000_123,
    "procStart": "4711",
    "version": "2.1.326",
    "kind": "interactive",
    "entrypoint": "cli",
    "name": "p-e8",
    "nameSource": "derived",
    "status": "waiting",
    "waitingFor": "permission prompt",
    "statusUpdatedAt": 1_700_000_001_500,
}

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)


def write(config_dir: Path, name: str, content: object) -> None:
    folder = config_dir / "sessions"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    os.utime(folder / name, (1e9, 1e9))


def test_a_whole_entry() -> None:
    entry = entry_of(json.dumps(WHOLE).encode(), 12, "/c")

    assert entry is not None
    assert (entry.session_id, entry.pid_start, entry.status, entry.waiting_for) == (
        "abc",
        4711,
        "waiting",
        "permission prompt",
    )
    assert (entry.status_since, entry.started, entry.name) == (1_700_000_001.5, 1_700_000_000.123, None)


def test_only_a_name_that_the_person_gave_is_a_name() -> None:
    entry = entry_of(json.dumps({**WHOLE, "name": "mine", "nameSource": "user"}).encode(), 12, "/c")

    assert entry is not None
    assert entry.name == "mine"


@pytest.mark.parametrize("change", [{"status": "dancing"}, {"status": 7}, {"status": None}])
def test_a_status_that_is_not_known_is_none(change: dict[str, object]) -> None:
    entry = entry_of(json.dumps({**WHOLE, **change}).encode(), 12, "/c")

    assert entry is not None
    assert entry.status is None


@pytest.mark.parametrize(
    "content",
    [
        "[]",
        "null",
        "{}",
        '{"sessionId": 3}',
        '{"sessionId": ""}',
        '{"sessionId":"a","pid":99}',
        '{"sessionId":"../../x"}',
    ],
)
def test_what_is_no_session_of_this_process_is_passed_over(content: str) -> None:
    assert entry_of(content.encode(), 12, "/c") is None


@given(st.dictionaries(st.sampled_from([*WHOLE, "new"]), VALUES))
def test_any_field_may_be_anything(fields: dict[str, object]) -> None:
    entry = entry_of(json.dumps({**fields, "sessionId": "abc", "pid": 12}).encode(), 12, "/c")

    assert entry is not None
    assert entry.session_id == "abc"


def test_several_accounts_are_read_side_by_side(tmp_path: Path) -> None:
    write(tmp_path / "a", "12.json", WHOLE)
    write(tmp_path / "b", "13.json", {**WHOLE, "pid": 13, "sessionId": "def"})
    entries = Registry().read([tmp_path / "a", tmp_path / "b", tmp_path / "a"], Problems())

    assert {(entry.pid, Path(entry.config_dir).name) for entry in entries} == {(12, "a"), (13, "b")}


def test_the_key_files_are_never_opened(tmp_path: Path) -> None:
    write(tmp_path, "12.json", WHOLE)
    write(tmp_path, "12.key", "secret")
    write(tmp_path, "key.json", "secret")
    write(tmp_path, "12.json.key", "secret")
    told: list[str] = []
    entries = Registry().read([tmp_path], Problems(told.append))

    assert [entry.pid for entry in entries] == [12]
    assert told == []


def test_a_thousand_files_of_garbage_disturb_nothing(tmp_path: Path) -> None:
    random.seed(2)
    write(tmp_path, "12.json", WHOLE)
    for n in range(1000):
        (tmp_path / "sessions" / f"{1000 + n}.json").write_bytes(random.randbytes(random.randrange(200)))
        os.utime(tmp_path / "sessions" / f"{1000 + n}.json", (1e9, 1e9))
    told: list[str] = []
    registry, problems = Registry(), Problems(told.append)

    assert (
        [e.pid for e in registry.read([tmp_path], problems)]
        == [e.pid for e in registry.read([tmp_path], problems)]
        == [12]
    )
    assert len(told) == len(set(told)) == 1000
