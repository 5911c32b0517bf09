"""Test the way from bytes on stdin to a record: what is refused, what is bounded, and what time an event gets."""

import errno
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deskbell_hooks.codec import decode, encode
from deskbell_hooks.notes import MOST_TOOLS
from deskbell_hooks.place import HANDLES
from deskbell_hooks.record import LARGEST, bounded, is_safe_id, record_event
from deskbell_hooks.requests import MOST_CALLS, MOST_REQUESTS, MOST_SETTLED
from deskbell_hooks.runs import MOST_OTHERS
from deskbell_hooks.work import MOST_ENDED, MOST_RUNNING, MOST_TASKS
from tests.faults.injector import failing
from tests.hooks import recorder
from tests.hooks.environment import set_variable
from tests.hooks.pythons import by_every_python
from tests.hooks.said import SESSION, e, prompt, recorded

SAFE = [SESSION, "a", "A-1_b", "x" * 128]
UNSAFE = [
    *("", ".", "..", "../x", "a/b", "a\\b", "/etc/passwd", "a.b", "a b", "a\x00b", "a\nb", "x" * 129),
    *("CON", "nul", "com1", "LPT9", "aux", "C:", "a:b", "~", "$HOME", "*", "é", "１", "-", "--", "_"),
]


@pytest.mark.parametrize("session", SAFE)
def test_a_session_id_that_is_a_plain_name_is_accepted(session: str, tmp_path: Path) -> None:
    record_event(str(tmp_path), encode(e("Stop", session_id=session)))
    assert recorder.read(tmp_path, session)["session_id"] == session


@pytest.mark.parametrize("session", UNSAFE)
def test_a_session_id_that_could_leave_the_folder_or_name_a_device_is_refused(session: str, tmp_path: Path) -> None:
    assert not is_safe_id(session)
    record_event(str(tmp_path), encode(e("Stop", session_id=session)))
    assert list(tmp_path.iterdir()) == []


NO_EVENT: list[Any] = [
    *([], {}, None, 5, "text", {"session_id": SESSION}, {"hook_event_name": "Stop"}),
    *(e("Stop", session_id=value) for value in (None, 5, [SESSION], {"id": SESSION}, True)),
    *(e(name) for name in ("",)),
    *({"session_id": SESSION, "hook_event_name": value} for value in (None, 5, ["Stop"], {})),
]


@pytest.mark.parametrize("value", NO_EVENT)
def test_what_is_not_an_event_creates_nothing(value: Any, tmp_path: Path) -> None:
    record_event(str(tmp_path), encode(value))
    assert list(tmp_path.iterdir()) == []


@by_every_python
def test_an_event_has_the_time_at_which_its_hook_was_started(tmp_path: Path) -> None:
    before = time.time()
    recorder.run(tmp_path, e("Stop"))
    recorder.run(tmp_path, e("Stop"))
    first, second = recorder.journal(tmp_path, SESSION)
    assert before - 1 <= first["at"] <= second["at"] <= time.time()
    assert first["order"] <= second["order"]


def test_a_long_event_name_is_cut(tmp_path: Path) -> None:
    record_event(str(tmp_path), encode(e("X" * 5_000)))
    assert recorder.read(tmp_path, SESSION)["last_event"] == "X" * 80


def test_a_deleted_record_is_made_again_from_the_journal(tmp_path: Path) -> None:
    for event in (prompt("hello"), e("PreToolUse", tool_name="Bash", tool_input={"command": "ls"}), e("Stop")):
        record_event(str(tmp_path), encode(event))
    whole = recorder.read(tmp_path, SESSION)
    (tmp_path / "sessions" / f"{SESSION}.json").unlink()
    record_event(str(tmp_path), encode(e("Hereafter")))
    again = recorder.read(tmp_path, SESSION)
    changed = {name for name in again if dict(again)[name] != dict(whole).get(name)}
    assert changed <= {"counters", "journal", "last_event", "last_at", "order", "turn_at"}
    assert again["counters"]["events"] == 4


# At most 16 KB

CHARACTERS = st.sampled_from(["x", "é", "\U0001f600", "\x01", '"', "\\", "\u2028"])


def hostile(char: str, agents: int, tools: int, tasks: int, requests: int, settled: int, others: int) -> dict[str, Any]:
    """Return a record in which every text and every list is as long as the fold lets it become."""

    def text(length: int) -> str:
        return char * length

    call = {"use": text(100), "tool": text(200), "subject": text(300), "agent": text(100), "order": 10**12}
    asked = {**call, "kind": "permission", "at": 1e9}
    agent = {"id": text(100), "type": text(80), "started": 1e9, "ended": 1e9, "order": 10**12}
    ended = min(agents, MOST_ENDED)
    run = {
        "where": {
            "pid": 1,
            "start": 2,
            "tty": text(200),
            "host": text(100),
            "ssh": text(200),
            "wsl": text(200),
            "container": text(100),
            "entrypoint": text(200),
            "handles": {name: text(200) for name in HANDLES},
        },
        "turn": "working",
        "status": "working",
        "detail": text(510),
        "doing": text(20),
        "mode": text(40),
        "error": text(300),
        "compacting": False,
        "order": 1,
        "since": 1e9,
        "turn_started": 1e9,
        "last_event": text(80),
        "calls": [call] * min(MOST_CALLS, requests * 2),
        "pending": [asked] * requests,
        "settled": [[10**12, text(100), text(100), text(200), text(80)]] * settled,
        "agents": [{**agent, "status": "done"}] * ended + [{**agent, "status": "running"}] * (agents - ended),
        "tasks": [{"id": text(100), "type": text(40), "description": text(80)}] * tasks,
    }
    return {
        **run,
        "v": 1,
        "session_id": "s" * 128,
        "title": text(120),
        "prompt": text(500),
        "project": text(100),
        **{name: text(512) for name in ("cwd", "start_cwd", "transcript", "config_dir")},
        "model": text(100),
        "last_message": text(300),
        "started": 1e9,
        "turns": 9,
        "journal": 10**9,
        "last_error": {"at": 1e9, "kind": text(160), "message": text(500)},
        "counters": {"tools": {f"{n}{text(58)}": 10**9 for n in range(tools)}, "events": 10**9},
        "others": [run] * others,
    }


def up_to(most: int) -> st.SearchStrategy[int]:
    return st.integers(0, most)


@given(
    st.builds(
        hostile, CHARACTERS, up_to(MOST_RUNNING + MOST_ENDED), up_to(MOST_TOOLS + 1), up_to(MOST_TASKS),
        up_to(MOST_REQUESTS), up_to(MOST_SETTLED), up_to(MOST_OTHERS),
    )
)  # fmt: skip
def test_a_record_never_exceeds_its_bound(record: Any) -> None:
    data = bounded(record)
    again = decode(data)
    assert len(data) <= LARGEST
    assert (again["session_id"], again["status"], again["journal"]) == (record["session_id"], "working", 10**9)
    assert len(again["pending"]) == len(record["pending"])
    assert again.get("transcript", record["transcript"]) == record["transcript"]


def test_a_small_record_is_not_shortened() -> None:
    record = recorded(prompt("hello"))
    assert bounded(record) == encode(record)


@pytest.mark.parametrize("char", ["x", "\U0001f600", "\x01"])
def test_events_with_the_longest_texts_fit_into_a_record(tmp_path: Path, char: str) -> None:
    long = char * 20_000
    for n in range(60):
        name = ("PermissionRequest", "PreToolUse", "PostToolUseFailure", "SubagentStart", "UserPromptSubmit")[n % 5]
        agent = {"agent_id": f"{n}{long}", "agent_type": long} if n % 3 else {}
        fields = {"cwd": long, "error": long, "prompt": long, **agent}
        more = {"tool_name": f"{n}{long}", "tool_input": {"command": long}, "tool_use_id": f"{n}{long}"}
        record_event(str(tmp_path), encode(e(name, transcript_path=long, permission_mode=long, **fields, **more)))
        assert (tmp_path / "sessions" / f"{SESSION}.json").stat().st_size <= LARGEST
    record = recorder.read(tmp_path, SESSION)
    assert (record["counters"]["events"], record["turns"]) == (60, 12)


def test_a_record_that_cannot_be_shortened_enough_is_damaged() -> None:
    record: Any = {**recorded(prompt("hello")), **{f"unknown{n}": n for n in range(2_000)}}
    with pytest.raises(ValueError, match="too large"):
        bounded(record)


def test_the_first_line_of_a_client_has_its_transcript_and_configuration(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in (("CLAUDE_PID", str(os.getpid())), ("CLAUDE_CONFIG_DIR", "/c" * 600)):
        set_variable(monkeypatch, name, value)
    for _ in range(2):
        record_event(str(tmp_path), encode(e("Stop", transcript_path="/t" * 600)))
    first, second = recorder.journal(tmp_path, SESSION)
    assert (first["transcript"], first["config_dir"]) == ("/t" * 512, "/c" * 512)
    assert {"where", "transcript", "config_dir"} & set(second) == set()
    record = recorder.read(tmp_path, SESSION)
    assert (record["transcript"], record["config_dir"]) == ("/t" * 256, "/c" * 256)


def test_a_transcript_that_moves_is_followed_and_that_of_a_subagent_is_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    set_variable(monkeypatch, "CLAUDE_PID", str(os.getpid()))
    paths = ["/a.jsonl", "/a.jsonl", "/worktree/a.jsonl", "/agent.jsonl", 5]
    for path in paths:
        more = {"agent_id": "a1"} if path == "/agent.jsonl" else {}
        record_event(str(tmp_path), encode(e("PostToolUse", transcript_path=path, **more)))
    named = [line.get("transcript") for line in recorder.journal(tmp_path, SESSION)]
    assert named == ["/a.jsonl", None, "/worktree/a.jsonl", None, None]
    assert recorder.read(tmp_path, SESSION)["transcript"] == "/worktree/a.jsonl"


@pytest.mark.skipif(sys.platform == "win32", reason="Windows is not asked whether a process lives")
def test_the_first_line_of_a_client_names_those_that_have_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as other:
        set_variable(monkeypatch, "CLAUDE_PID", str(other.pid))
        record_event(str(tmp_path), encode(e("UserPromptSubmit", prompt="x")))
        other.kill()
    record_event(str(tmp_path), encode(e("Stop")))
    set_variable(monkeypatch, "CLAUDE_PID", str(os.getpid()))
    record_event(str(tmp_path), encode(e("Stop")))
    lines = recorder.journal(tmp_path, SESSION)
    assert lines[1]["client"] == lines[0]["client"]
    assert lines[2]["gone"] == [lines[0]["client"]]


@pytest.mark.skipif(sys.platform != "linux", reason="ticks since boot")
def test_an_event_whose_start_cannot_be_read_is_ordered_by_the_same_clock(tmp_path: Path) -> None:
    with failing("posix.open", errno.EMFILE):
        record_event(str(tmp_path), recorder.said(e("Stop")))
    (line,) = recorder.journal(tmp_path, SESSION)
    assert abs(line["order"] / 1000 - time.clock_gettime(time.CLOCK_BOOTTIME)) < 60


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has namespaces")
@pytest.mark.parametrize(
    ("place", "gone"),
    [
        ({}, True),
        ({"pids": "pid:[77]"}, False),
        ({"machine": "another"}, False),
        ({"pids": os.readlink("/proc/self/ns/pid") if sys.platform == "linux" else ""}, True),
    ],
)
def test_only_a_client_whose_number_is_of_this_machine_and_namespace_can_be_known_to_have_gone(
    place: dict[str, str], gone: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    dead = 2**22 + 1
    set_variable(monkeypatch, "CLAUDE_PID", str(os.getpid()))
    earlier = {**recorded(prompt("hello")), "where": {"pid": dead, "start": 1, **place}, "journal": 0}
    (tmp_path / "sessions").mkdir()
    (tmp_path / "sessions" / f"{SESSION}.json").write_bytes(encode(earlier))
    record_event(str(tmp_path), encode(e("SessionStart", source="resume")))
    (line,) = recorder.journal(tmp_path, SESSION)
    assert line.get("gone") == ([{"pid": dead, "start": 1}] if gone else None)
