"""Test damaged records, journal lines, payloads and process numbers, in processes that start as in Claude Code.

Under pytest the json package is loaded, and then the accelerator behind it raises other errors than in the hook. So every
test runs in this process, where coverage counts the lines of the recorder, and in processes of every Python.
"""

import json
import os
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import nullcontext, suppress
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from deskbell_hooks.record import DEBUG, LARGEST, record_event
from tests.hooks import recorder
from tests.hooks.environment import set_variable
from tests.hooks.pythons import PYTHONS, by_every_python
from tests.hooks.said import SESSION, e, prompt, tool

HUGE = 9_999_999_999
TOO_LONG_FOR_A_FLOAT = 10**400
HALF_JSON = [
    *(b'{"a": "unterm', b"{bad", b'{"half": ', b'{"a" 1}', b"[1 2]", b"[1,]", b'"\\x"', b'"\\u12"', b'{"a":1', b"{,}"),
    *(b"{", b"[", b"nul", b"-", b"'a'", b"\x00", b"\xff\xfe", b"[" * 100_000, b'{"a":' * 100_000, b'["\\ud8'),
]


Run = Callable[..., None]
CLIENT = {"CLAUDE_PID": str(os.getpid())}


@pytest.fixture(params=["in this process", *PYTHONS])
def run(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[Run]:
    """Record one event: (state, event or bytes, environment)."""
    if request.param == "in this process":
        yield partial(run_here, monkeypatch)
    else:
        with recorder.started_by(request.param):
            yield recorder.run


def run_here(monkeypatch: pytest.MonkeyPatch, state: Path, data: Any, env: dict[str, str]) -> None:
    for name in ("CLAUDE_PID", "CLAUDECODE", "CLAUDE_CONFIG_DIR"):
        set_variable(monkeypatch, name, env.get(name, ""))
    with suppress(ValueError) if isinstance(data, bytes) else nullcontext():
        record_event(str(state), data if isinstance(data, bytes) else recorder.said(data))


@pytest.fixture
def state(tmp_path: Path, run: Run) -> Path:
    """A state folder with a session of three events."""
    for event in (e("SessionStart", cwd="/a"), prompt("hello"), tool("PreToolUse")):
        run(tmp_path, event, CLIENT)
    return tmp_path


def record_file(state: Path) -> Path:
    return state / "sessions" / f"{SESSION}.json"


def journal_file(state: Path) -> Path:
    return state / "events" / f"{SESSION}.jsonl"


def append(state: Path, line: bytes) -> None:
    with journal_file(state).open("ab") as file:
        file.write(line + b"\n")


def counts(state: Path) -> tuple[int, int]:
    """The lines of the journal that are events, and the events that the record has counted."""
    found = [json.loads(text) for text in recorder.whole_lines(state, SESSION)]
    return sum(isinstance(one, dict) and "event" in one for one in found), recorder.read(state, SESSION)["counters"][
        "events"
    ]


@pytest.mark.long
@pytest.mark.parametrize("damage", [b"", *HALF_JSON], ids=lambda data: repr(data[:12]))
def test_a_record_that_is_no_json_is_made_again_from_the_journal(state: Path, run: Run, damage: bytes) -> None:
    record_file(state).write_bytes(damage)
    run(state, e("Stop"), CLIENT)
    assert counts(state) == (4, 4)
    assert recorder.read(state, SESSION)["prompt"] == "hello"


@pytest.mark.long
@pytest.mark.parametrize("damage", HALF_JSON, ids=lambda data: repr(data[:12]))
def test_a_journal_line_that_is_no_json_costs_no_other_line(state: Path, run: Run, damage: bytes) -> None:
    append(state, damage)
    run(state, e("Stop"), CLIENT)
    assert recorder.read(state, SESSION)["counters"]["events"] == 4
    record_file(state).unlink()
    run(state, e("Notification"), CLIENT)
    assert recorder.read(state, SESSION)["counters"]["events"] == 5


@pytest.mark.long
@pytest.mark.parametrize("data", HALF_JSON, ids=lambda data: repr(data[:12]))
def test_a_payload_that_is_no_json_is_dropped_in_silence(state: Path, run: Run, data: bytes) -> None:
    run(state, data, CLIENT)
    assert counts(state) == (3, 3)


# Knowledge that is wrong: the event must reach the journal

PROCESSES: list[dict[str, Any]] = [
    *({"pid": pid, "start": 5} for pid in (HUGE, -1, 0, 2**31, 2**63, 10**30, True, None, "x", "\0", 1.5, [], {})),
    *({"pid": 1, "start": start} for start in (10**30, -1, True, "x" * 100_000, 1.5, [[]], {})),
    *({}, {"pid": 1}, {"start": 1}),
]


@pytest.mark.long
@pytest.mark.parametrize("where", PROCESSES, ids=lambda where: repr(where)[:40])
@pytest.mark.parametrize("place", ["front", "others"])
def test_a_client_that_cannot_be_does_not_keep_events_from_the_journal(
    state: Path, run: Run, where: dict[str, Any], place: str
) -> None:
    record: dict[str, Any] = dict(recorder.read(state, SESSION))
    if place == "front":
        record["where"] = where
    else:
        record["others"] = [{"where": where, "turn": "working", "status": "working"}]
    record_file(state).write_text(json.dumps(record))
    for _ in range(2):
        run(state, e("Stop"), CLIENT)
    assert counts(state) == (5, 5)
    assert journal_file(state).stat().st_size < 20_000


@pytest.mark.parametrize("pid", [str(HUGE), str(2**31), "0", "00", "-1", "9" * 30])
def test_a_process_number_that_no_process_has_names_no_client(tmp_path: Path, run: Run, pid: str) -> None:
    for _ in range(4):
        run(tmp_path, e("Stop"), {"CLAUDE_PID": pid})
    assert counts(tmp_path) == (4, 4)
    assert not any("client" in line for line in recorder.journal(tmp_path, SESSION))


@pytest.mark.skipif(sys.platform == "win32", reason="Windows looks up no processes")
def test_a_journal_of_an_older_version_may_name_a_client_that_cannot_be(state: Path, run: Run) -> None:
    client = {"pid": HUGE, "start": None}
    line = {"v": 1, "event": "Stop", "order": 1, "at": 1.0, "client": client, "where": {**client, "handles": {}}}
    append(state, json.dumps(line).encode())
    for _ in range(2):
        run(state, e("Stop"), CLIENT)
    assert counts(state) == (6, 6)


# Lines and records that are JSON, but not what a recorder writes

VALUES: list[Any] = [None, True, 5, -7, TOO_LONG_FOR_A_FLOAT, 1e300, "x", [], [5], [[]], {}, {"x": 1}]


def damaged_lines() -> Iterator[dict[str, Any]]:
    whole = {"v": 1, "event": "PostToolUse", "order": 5, "at": 1.0, "tool": "Bash", "subject": "x", "use": "u",
             "facts": {}, "tasks": [], "client": {"pid": 1, "start": 1}, "gone": [], "cwd": "/x", "agent": "a",
             "agent_type": "b", "mode": "c", "error": "d", "file_kind": "new", "where": {"pid": 1, "start": 1}}  # fmt: skip
    for name in whole:
        for value in VALUES:
            yield {**whole, name: value}
    for field in ("order", "at"):
        yield {name: value for name, value in whole.items() if name != field}


@pytest.mark.long
@pytest.mark.timeout(600)
def test_a_journal_line_with_any_wrong_value_stops_neither_the_record_nor_its_rebuilding(
    tmp_path: Path, run: Run
) -> None:
    lines = list(damaged_lines())
    for n, line in enumerate(lines[:: len(lines) // recorder.share(len(lines))]):
        session = f"s{n}"
        journal = tmp_path / "events" / f"{session}.jsonl"
        for n_event in range(2):
            if n_event:
                with journal.open("a", encoding="utf-8") as file:
                    file.write(json.dumps(line) + "\n")
            run(tmp_path, {**prompt(f"number {n_event}"), "session_id": session}, {})
        assert recorder.read(tmp_path, session)["prompt"] == "number 1", line
        (tmp_path / "sessions" / f"{session}.json").unlink()
        run(tmp_path, {**prompt("number 2"), "session_id": session}, {})
        assert recorder.read(tmp_path, session)["prompt"] == "number 2", line


POISON: list[dict[str, Any]] = [
    {"event": "UserPromptSubmit", "order": 1, "at": "noon"},
    {"event": "UserPromptSubmit", "order": 1, "at": TOO_LONG_FOR_A_FLOAT},
    {"event": "UserPromptSubmit", "order": "first", "at": 1.0},
    {"event": "PermissionRequest", "order": [], "at": 1.0, "tool": "Bash"},
    {"event": "SubagentStart", "order": {}, "at": None, "agent": "a1", "agent_type": "x"},
    {"event": "PermissionRequest", "order": 1, "at": 1.0, "tool": ["Bash"], "subject": {}, "use": 5},
    {"event": "Stop", "order": 1, "at": 1.0, "tasks": [{"id": ["x"], "type": 5}]},
    {"event": "SubagentStart", "order": 1, "at": 1.0, "agent": ["a1"], "agent_type": {}},
    {"event": "PostToolUse", "order": 1, "at": 1.0, "tool": {"a": 1}},
]


@pytest.mark.long
@pytest.mark.parametrize("poison", POISON, ids=lambda line: json.dumps(line)[:60])
def test_no_journal_line_makes_the_lines_after_it_unreadable(state: Path, run: Run, poison: dict[str, Any]) -> None:
    append(state, json.dumps(poison).encode())
    for event in (tool("PermissionRequest"), tool("PostToolUse"), e("Stop"), prompt("after it")):
        run(state, event, CLIENT)
    assert (recorder.read(state, SESSION)["prompt"], recorder.read(state, SESSION)["status"]) == ("after it", "working")
    record_file(state).unlink()
    run(state, e("Stop"), CLIENT)
    assert recorder.read(state, SESSION)["status"] == "idle"


def test_a_journal_line_that_makes_the_record_unwritable_is_left_behind(state: Path, run: Run) -> None:
    line = {"v": 1, "event": "Stop", "order": 10**12, "at": 1.0, "where": ["x" * 50] * 1_000}
    append(state, json.dumps(line).encode())
    for n in range(2):
        run(state, prompt(f"after it {n}"), {})
        assert recorder.read(state, SESSION)["prompt"] == f"after it {n}"


FULL = {"x" * 20: "y" * 300}
"""Enough of these and a record no longer fits: then it is also shortened, which reads every part of it."""
LARGE: list[dict[str, Any]] = [
    {"counters": {"tools": {"a": "x", "b": 1}, "events": 3}},
    {"agents": [5]},
    {"agents": [{}]},
    {"calls": 5, "others": 5},
    {"where": [], "others": [None]},
    {"turn_started": TOO_LONG_FOR_A_FLOAT},
    {"deep": json.loads("[" * 900 + "]" * 900)},
    {"k" * 60_000: 1},
    {"numbers": list(range(9_000))},
]


@pytest.mark.parametrize("damage", LARGE, ids=lambda part: str(part)[:40])
def test_a_damaged_record_that_is_too_large_is_made_again_from_the_journal(
    state: Path, run: Run, damage: dict[str, Any]
) -> None:
    whole = dict(recorder.read(state, SESSION))
    record_file(state).write_text(json.dumps({**whole, "junk": [FULL] * 100, **damage}))
    for event in (e("Stop"), prompt("after it")):
        run(state, event, CLIENT)
    record = recorder.read(state, SESSION)
    assert (record["prompt"], record["status"], counts(state)[0]) == ("after it", "working", 5)
    assert record_file(state).stat().st_size <= LARGEST


@pytest.mark.parametrize("offset", [-7, True, 10**30, 1.5])
def test_an_offset_that_cannot_be_counts_no_line_twice(state: Path, run: Run, offset: object) -> None:
    whole = dict(recorder.read(state, SESSION))
    record_file(state).write_text(json.dumps({**whole, "journal": offset}))
    run(state, e("Stop"), CLIENT)
    assert counts(state) == (4, 4)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows fills the file")
def test_a_record_of_gigabytes_is_not_read(state: Path, run: Run) -> None:
    with record_file(state).open("r+b") as file:
        file.truncate(50 * 2**30)
    run(state, e("Stop"), CLIENT)
    assert counts(state) == (4, 4)


# A folder of the hook that is damaged, or that is being deleted while a client still starts it

DAMAGED: dict[str, bytes | None] = {
    "missing": None,
    "no text": b"\0",
    "half": b"def redact(",
    "of another version": b"x = 1\n",
    "raises": b"1 / 0\n",
}
LAZY = ("redact", "named", "place", "work", "shrink")
"""The modules that are imported only for some events."""
SECRET = "ghp_" + "a1B2c3D4e5" * 4


@pytest.mark.long
@by_every_python
@pytest.mark.parametrize("module", LAZY)
@pytest.mark.parametrize("damage", DAMAGED.values(), ids=DAMAGED)
def test_every_event_reaches_the_journal_where_a_module_is_damaged(
    tmp_path: Path, module: str, damage: bytes | None
) -> None:
    code = tmp_path / "deskbell_hooks"
    shutil.copytree(recorder.MAIN.parent, code, ignore=shutil.ignore_patterns("__pycache__"))
    if damage is None:
        (code / f"{module}.py").unlink()
    else:
        (code / f"{module}.py").write_bytes(damage)
    events = [
        prompt(f"the password is hunter2secret, the token {SECRET}"),
        tool("PreToolUse", "Bash", f"export API_TOKEN={SECRET}", "t1"),
        e("SomethingNew", api_token=SECRET, password="hunter2secret"),
        e("SubagentStop", agent_id="a1", background_tasks=[{"id": "b", "description": f"token={SECRET}"}]),
    ]
    with recorder.from_folder(code):
        for event in events:
            recorder.run(tmp_path / "state", event, CLIENT)
    lines = recorder.journal(tmp_path / "state", SESSION)
    assert [line["event"] for line in lines] == [event["hook_event_name"] for event in events]
    assert [line["client"]["pid"] for line in lines] == [os.getpid()] * 4
    assert lines[0]["where"]["pid"] == os.getpid()
    assert (lines[1]["tool"], lines[1]["use"], lines[3]["agent"]) == ("Bash", "t1", "a1")
    assert SECRET not in str(lines)
    assert "hunter2secret" not in str(lines)


def test_a_developer_is_shown_what_is_otherwise_made_up_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run_here(monkeypatch, tmp_path, e("Stop"), CLIENT)
    record = recorder.read(tmp_path, SESSION)
    record_file(tmp_path).write_text(json.dumps({**record, "others": [None]}))
    set_variable(monkeypatch, DEBUG, "1")
    with pytest.raises(AttributeError):
        run_here(monkeypatch, tmp_path, e("Stop"), CLIENT)
    set_variable(monkeypatch, DEBUG, "")
    run_here(monkeypatch, tmp_path, e("Stop"), CLIENT)
    assert counts(tmp_path) == (2, 2)


def test_a_file_or_a_link_instead_of_the_folder_of_records_costs_no_line(tmp_path: Path, run: Run) -> None:
    (tmp_path / "elsewhere").mkdir()
    sessions = tmp_path / "state" / "sessions"
    sessions.parent.mkdir()
    for n, make in enumerate((sessions.touch, partial(sessions.symlink_to, tmp_path / "elsewhere"))):
        make()
        with suppress(NotADirectoryError):
            run(tmp_path / "state", e("Stop"), CLIENT)
        assert len(recorder.journal(tmp_path / "state", SESSION)) == n + 1
        sessions.unlink()
    assert list((tmp_path / "elsewhere").iterdir()) == []
    run(tmp_path / "state", e("Stop"), CLIENT)
    assert counts(tmp_path / "state") == (3, 3)
