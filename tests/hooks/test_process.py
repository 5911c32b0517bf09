"""Test recorder processes: hostile input, hundreds at once, killed at any moment. DESKBELL_THOROUGH=1 runs all."""

import os
import random
import stat
import subprocess
import sys
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from deskbell_hooks.record import DEBUG, LARGEST, is_safe_id
from deskbell_hooks.schema import Event
from tests.hooks import recorder
from tests.hooks.conftest import THOROUGH
from tests.hooks.hostile import payloads
from tests.hooks.pythons import by_every_python
from tests.hooks.said import SESSION, e, prompt, tool

pytestmark = by_every_python
posix = pytest.mark.skipif(sys.platform == "win32", reason="signals are POSIX")

HOSTILE = 2_000 if THOROUGH else 300
AT_ONCE = 200
SESSIONS, EACH = (54, 20) if THOROUGH else (18, 10)
KILLS = 1_000 if THOROUGH else 200


@pytest.mark.long
@pytest.mark.timeout(1_200)
def test_hostile_input_is_silent_and_damages_no_record(tmp_path: Path) -> None:
    state = tmp_path / "state"
    recorder.run(state, prompt("the good one"))
    first = recorder.read(state, SESSION)
    with ThreadPoolExecutor(4) as pool:
        for _ in pool.map(lambda data: recorder.run(state, data), payloads(SESSION, recorder.share(HOSTILE))):
            pass
    recorder.run(state, e("SessionEnd", reason="other"))
    assert {path.name for path in tmp_path.iterdir()} == {"state"}
    assert {path.name for path in state.iterdir()} == {"sessions", "events"}
    for path in state.rglob("*.json*"):
        assert is_safe_id(path.name.partition(".")[0])
        assert stat.S_IMODE(path.stat().st_mode) == 0o600 or sys.platform == "win32"
        assert path.parent.name == "events" or path.stat().st_size <= LARGEST
    record = recorder.read(state, SESSION)
    assert (record["v"], record["started"], record["status"]) == (1, first["started"], "ended")
    assert_every_line_is_counted(state, SESSION)
    assert record["counters"]["events"] > recorder.share(HOSTILE) / 4


def assert_every_line_is_counted(state: Path, session: str) -> None:
    lines, counters = recorder.journal(state, session), recorder.read(state, session)["counters"]
    over = [line for line in lines if line["event"] in ("PostToolUse", "PostToolUseFailure")]
    tools = Counter(line.get("tool", "?")[:60] for line in over)
    assert counters["events"] == len(lines)
    assert counters["notifications"] == sum(line["event"] == "Notification" for line in lines)
    assert len(tools) > 40 or Counter(counters["tools"]) == tools


def story(n: int) -> Event:
    """Return one of many events; its number is in its working directory."""
    kinds: list[Event] = [
        prompt(f"prompt {n}"),
        tool("PreToolUse", "Bash", f"make {n}", f"t{n}"),
        tool("PostToolUse", "Bash", f"make {n}", f"t{n}"),
        tool("PostToolUseFailure", "Read", f"file {n}", f"t{n}", error="no such file"),
        e("Notification", notification_type="auth_success", message=f"note {n}"),
        e("SubagentStart", agent_id=f"a{n}", agent_type="Explore"),
    ]
    return {**kinds[n % len(kinds)], "cwd": f"/n/{n}"}


def numbers(state: Path, session: str) -> list[int]:
    return sorted(int(line["cwd"].rpartition("/")[2]) for line in recorder.journal(state, session))


@pytest.mark.long
@pytest.mark.timeout(600)
def test_two_hundred_recorders_of_one_session_record_every_event_once(tmp_path: Path) -> None:
    recorder.run_all(tmp_path, (story(n) for n in range(AT_ONCE)))
    assert numbers(tmp_path, SESSION) == list(range(AT_ONCE))
    assert_every_line_is_counted(tmp_path, SESSION)
    counters = recorder.read(tmp_path, SESSION)["counters"]
    assert counters["prompts"] == len(range(0, AT_ONCE, 6))
    assert counters["errors"] == len(range(3, AT_ONCE, 6))


@pytest.mark.long
@pytest.mark.timeout(900)
def test_sessions_recorded_at_the_same_time_stay_apart(tmp_path: Path) -> None:
    ids = [f"session-{n}" for n in range(SESSIONS)]
    recorder.run_all(tmp_path, ({**story(n), "session_id": name} for n in range(EACH) for name in ids))
    for name in ids:
        assert numbers(tmp_path, name) == list(range(EACH))
        assert_every_line_is_counted(tmp_path, name)
    assert len(list((tmp_path / "sessions").iterdir())) == SESSIONS


@pytest.mark.long
@posix
@pytest.mark.timeout(900)
def test_a_recorder_killed_at_any_moment_leaves_a_whole_record_and_no_lock(tmp_path: Path) -> None:
    recorder.run(tmp_path, prompt("the first"))
    span = _seconds_of_one(tmp_path)
    chance, sent = random.Random(7), 3
    for n in range(recorder.share(KILLS)):
        process = recorder.start(tmp_path)
        recorder.give(process, recorder.said(story(sent)))
        sent += 1
        _busy_wait(chance.uniform(0, span * 1.2))
        process.kill()
        process.communicate()
        record = recorder.read(tmp_path, SESSION)
        assert record["session_id"] == SESSION, n
    start = time.monotonic()
    recorder.run(tmp_path, e("Stop", cwd=f"/n/{sent}"))
    assert time.monotonic() - start < 2, "the recorder waited for a lock"
    assert_every_line_is_counted(tmp_path, SESSION)
    found = [line["cwd"] for line in recorder.journal(tmp_path, SESSION) if "cwd" in line]
    assert len(set(found)) == len(found) > 2
    torn = (tmp_path / "events" / f"{SESSION}.jsonl").read_bytes().splitlines()
    assert len(torn) - len(recorder.journal(tmp_path, SESSION)) <= KILLS


def _seconds_of_one(state: Path) -> float:
    start = time.monotonic()
    for n in (0, 1):
        recorder.run(state, story(n))
    return (time.monotonic() - start) / 2


def _busy_wait(seconds: float) -> None:
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        pass


def test_without_the_right_arguments_nothing_is_recorded_or_printed(tmp_path: Path) -> None:
    for arguments in ([], ["record"], ["dance", str(tmp_path)], ["record", str(tmp_path), "more"], ["record", ""]):
        for command in (recorder.COMMAND[:-1], [recorder.COMMAND[0], str(recorder.MAIN)]):
            given = recorder.said(e("Stop"))
            done = subprocess.run([*command, *arguments], input=given, capture_output=True, check=False)
            assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert list(tmp_path.iterdir()) == []


@posix
def test_closed_and_missing_streams_are_silent(tmp_path: Path) -> None:
    command = " ".join(f"'{part}'" for part in [*recorder.COMMAND, str(tmp_path)])
    for streams in ("<&-", ">&- 2>&-", "<&- >&- 2>&-", "</dev/null"):
        shell = ["/bin/sh", "-c", f"{command} {streams}"]
        done = subprocess.run(shell, input=recorder.said(e("Stop")), capture_output=True, check=False)
        assert (done.returncode, done.stdout, done.stderr) == (0, b"", b""), streams
    assert len(recorder.journal(tmp_path, SESSION)) == 1


FAILURES: list[tuple[str, bytes, bytes]] = [
    ("state", b'{"session_id": "unterm', b"ValueError: not JSON"),
    ("file", recorder.said(e("Stop")), b"NotADirectoryError: "),
    ("file/state", recorder.said(e("Stop")), b"NotADirectoryError: "),
]


@pytest.mark.parametrize(("state", "data", "error"), FAILURES)
def test_with_the_debug_variable_an_error_is_printed_and_fails(
    tmp_path: Path, state: str, data: bytes, error: bytes
) -> None:
    (tmp_path / "file").write_text("")
    process = recorder.start(tmp_path / state, {DEBUG: "1"})
    out, err = process.communicate(data, timeout=recorder.PATIENCE)
    assert (process.returncode, out) == (1, b"")
    assert err.startswith(b"Traceback ")
    assert error in err.splitlines()[-1]


@pytest.mark.parametrize(("state", "data", "error"), FAILURES)
@pytest.mark.parametrize("env", [{}, {DEBUG: ""}])
def test_without_the_debug_variable_the_same_error_is_silent(
    tmp_path: Path, state: str, data: bytes, error: bytes, env: dict[str, str]
) -> None:
    (tmp_path / "file").write_text("")
    recorder.run(tmp_path / state, data, env)


def test_with_the_debug_variable_an_event_is_recorded_as_ever(tmp_path: Path) -> None:
    recorder.run(tmp_path, e("Stop"), {DEBUG: "1"})
    assert recorder.read(tmp_path, SESSION)["status"] == "idle"


def test_only_the_hooks_know_the_debug_variable() -> None:
    """So no installer sets it."""
    root = Path(__file__).parent.parent.parent
    sources = [path for folder in ("hooks", "tray", "packaging") for path in (root / folder).rglob("*.py")]
    known = [path.name for path in sources if DEBUG in path.read_text(encoding="utf-8")]
    assert known == ["client.py"]


def test_the_variables_of_python_do_not_change_the_recorder(tmp_path: Path) -> None:
    noisy = {"PYTHONWARNINGS": "error", "PYTHONVERBOSE": "1", "PYTHONSTARTUP": "/x", "PYTHONPATH": str(tmp_path)}
    (tmp_path / "time.py").write_text("print('hijacked')")
    recorder.run(tmp_path / "state", e("Stop"), noisy, cwd=tmp_path)
    assert os.listdir(tmp_path / "state" / "sessions") == [f"{SESSION}.json"]
