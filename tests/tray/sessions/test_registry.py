"""Test the entries of Claude Code's own registry, whose format is not documented."""

import json
import os
import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deskbell.sessions.folder import Problems
from deskbell.sessions.registry import Registry, entry_of, has_registry

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


def test_an_entry_with_every_field_is_read() -> None:
    entry = entry_of(json.dumps(WHOLE).encode(), 12, "/c")

    assert entry is not None
    assert (entry.session_id, entry.pid_start, entry.status, entry.waiting_for) == (
        "abc",
        4711,
        "waiting",
        "permission prompt",
    )
    assert (entry.status_since, entry.started, entry.name) == (1_700_000_001.5, 1_700_000_000.123, None)


@pytest.mark.parametrize(
    ("fields", "found"),
    [
        ({"pidDomain": "linux:1a:pid:[2]", "updatedAt": 5000}, ("1a", "pid:[2]", False, False, 5.0)),
        ({"pidDomain": "linux::pid:[2]"}, ("", "pid:[2]", False, False, 0.0)),
        ({"spare": True, "bridgeSessionId": "b1"}, ("", "", True, True, 0.0)),
        ({"pidDomain": 7, "spare": "yes", "bridgeSessionId": ""}, ("", "", False, False, 0.0)),
        ({"pidDomain": "darwin:1a", "spare": False, "bridgeSessionId": None}, ("", "", False, False, 0.0)),
    ],
)
def test_whose_client_and_whose_number_it_is(fields: dict[str, object], found: tuple[object, ...]) -> None:
    entry = entry_of(json.dumps({**WHOLE, **fields}).encode(), 12, "/c")

    assert entry is not None
    assert (entry.machine, entry.pids, entry.spare, entry.remote_control, entry.updated) == found


def test_only_a_name_that_the_person_gave_is_read() -> None:
    entry = entry_of(json.dumps({**WHOLE, "name": "mine", "nameSource": "user"}).encode(), 12, "/c")

    assert entry is not None
    assert entry.name == "mine"


def test_a_name_has_no_tags_of_a_paste() -> None:
    name = '<pasted_content id="e2b7">\nmine\n</pasted_content id="e2b7">'
    entry = entry_of(json.dumps({**WHOLE, "name": name, "nameSource": "user"}).encode(), 12, "/c")

    assert entry is not None
    assert entry.name == "mine"


@pytest.mark.parametrize("change", [{"status": "dancing"}, {"status": 7}, {"status": None}])
def test_an_unknown_status_is_none(change: dict[str, object]) -> None:
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
def test_json_that_is_not_an_entry_of_this_process_is_left_out(content: str) -> None:
    assert entry_of(content.encode(), 12, "/c") is None


@pytest.mark.uncounted
@given(st.dictionaries(st.sampled_from([*WHOLE, "new"]), VALUES))
def test_any_field_may_hold_anything(fields: dict[str, object]) -> None:
    entry = entry_of(json.dumps({**fields, "sessionId": "abc", "pid": 12}).encode(), 12, "/c")

    assert entry is not None
    assert entry.session_id == "abc"


def test_the_registries_of_several_accounts_are_read(tmp_path: Path) -> None:
    write(tmp_path / "a", "12.json", WHOLE)
    write(tmp_path / "b", "13.json", {**WHOLE, "pid": 13, "sessionId": "def"})
    entries = Registry().read([tmp_path / "a", tmp_path / "b", tmp_path / "a"], Problems())

    assert {(entry.pid, Path(entry.config_dir).name) for entry in entries} == {(12, "a"), (13, "b")}


def test_the_key_files_are_never_opened(tmp_path: Path) -> None:
    write(tmp_path, "12.json", WHOLE)
    write(tmp_path, "12.key", "secret")
    write(tmp_path, "key.json", "secret")
    write(tmp_path, "12.json.key", "secret")
    reported: list[str] = []
    entries = Registry().read([tmp_path], Problems(reported.append))

    assert [entry.pid for entry in entries] == [12]
    assert reported == []


def test_a_thousand_bad_files_do_not_affect_a_good_one(tmp_path: Path) -> None:
    random.seed(2)
    write(tmp_path, "12.json", WHOLE)
    for n in range(1000):
        (tmp_path / "sessions" / f"{1000 + n}.json").write_bytes(random.randbytes(random.randrange(200)))
        os.utime(tmp_path / "sessions" / f"{1000 + n}.json", (1e9, 1e9))
    reported: list[str] = []
    registry, problems = Registry(), Problems(reported.append)

    assert (
        [e.pid for e in registry.read([tmp_path], problems)]
        == [e.pid for e in registry.read([tmp_path], problems)]
        == [12]
    )
    assert len(reported) == len(set(reported)) == 1000


@pytest.mark.parametrize("data", [b"", b"{", b"[" * 100_000, b"[" * 201 + b"]" * 201, b"\xff"])
def test_what_is_not_json_or_nested_too_deep_is_refused_with_the_reason(data: bytes) -> None:
    with pytest.raises(ValueError, match=r"^is not JSON"):
        entry_of(data, 12, "/c")


@pytest.mark.parametrize("number", [10**400, -1, 0, 1e300, float("inf"), float("nan"), True, "1"])
def test_a_number_that_cannot_be_a_time_is_none(number: object) -> None:
    fields = {**WHOLE, "statusUpdatedAt": number, "startedAt": number, "procStart": 10**400}
    entry = entry_of(json.dumps(fields).encode(), 12, "/c")

    assert entry is not None
    assert (entry.status_since, entry.started, entry.pid_start) == (0.0, None, None)


def test_the_time_of_the_last_update_stands_in_for_that_of_the_status() -> None:
    fields = {**WHOLE, "statusUpdatedAt": None, "updatedAt": 1_700_000_002_000}
    entry = entry_of(json.dumps(fields).encode(), 12, "/c")

    assert entry is not None
    assert entry.status_since == 1_700_000_002.0


def test_a_file_that_is_nested_too_deep_does_not_affect_the_others(tmp_path: Path) -> None:
    write(tmp_path, "12.json", WHOLE)
    write(tmp_path, "13.json", "[" * 100_000)
    reported: list[str] = []
    registry, problems = Registry(), Problems(reported.append)

    assert [[entry.pid for entry in registry.read([tmp_path], problems)] for _ in range(2)] == [[12], [12]]
    assert len(reported) == 1


def test_an_account_has_a_registry_where_its_folder_is(tmp_path: Path) -> None:
    assert not has_registry(tmp_path)
    assert not has_registry("/a\0b")
    (tmp_path / "sessions").mkdir()
    assert has_registry(tmp_path)
    assert has_registry(str(tmp_path))
