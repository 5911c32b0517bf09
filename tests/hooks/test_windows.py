"""Test the Windows branches of the recorder and of the statusline, run on POSIX with an `nt` and an `msvcrt` that list their calls."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.hooks import recorder
from tests.hooks.neighbours import Neighbours, session
from tests.hooks.program import ATTENDED, BASH, DENY, as_line
from tests.hooks.said import SESSION, e

if sys.platform == "win32":
    pytest.skip("on Windows the whole suite runs these branches", allow_module_level=True)

PROGRAM = str(Path(__file__).with_name("as_windows.py"))
LOCK, UNLOCK, BEHIND = 2, 0, 2**40
ENV = {"COMPUTERNAME": "BOX", "CLAUDE_PID": "1234", "WT_SESSION": "{1-2}", "Container": "x"}
START = e("SessionStart", source="startup", cwd="C:\\Users\\me\\proj")


def run(state: Path, data: bytes, streams: str = "", **options: Any) -> "subprocess.CompletedProcess[bytes]":
    given = json.dumps({"env": ENV, "lock": "free", "refusals": 0, "rival": "", "unreadable": False, **options})
    command = [sys.executable, PROGRAM, str(recorder.MAIN), str(state), given]
    if streams:
        command = ["/bin/sh", "-c", f'exec "$@" {streams}', "sh", *command]
    return subprocess.run(command, input=data, capture_output=True, timeout=60, check=False)


def ran(state: Path, **options: Any) -> dict[str, Any]:
    """Record one event; the recorder must exit with 0."""
    done = run(state, recorder.said(START), **options)
    found = dict(json.loads(done.stdout))
    assert (done.returncode, done.stderr, found["calls"][-1]) == (0, b"", ["_exit", 0])
    return found


def test_the_lock_is_one_byte_far_behind_the_content_and_is_released(tmp_path: Path) -> None:
    locks = [call[1:] for call in ran(tmp_path)["calls"] if call[0] == "locking"]
    assert locks == [[LOCK, BEHIND, 1], [UNLOCK, BEHIND, 1]]
    assert recorder.read(tmp_path, SESSION)["status"] == "new"
    assert len(recorder.journal(tmp_path, SESSION)) == 1


def test_the_environment_of_windows_describes_the_place(tmp_path: Path) -> None:
    ran(tmp_path)
    record = recorder.read(tmp_path, SESSION)
    assert (record["where"]["pid"], record["where"]["host"], record["project"]) == (1234, "BOX", "proj")
    assert record["where"]["handles"] == {"WT_SESSION": "{1-2}"}


def test_a_record_that_is_being_read_is_replaced_once_the_reader_is_done(tmp_path: Path) -> None:
    assert [call for call in ran(tmp_path, refusals=3)["calls"] if call[0] == "replace"] == [["replace"]] * 4
    assert recorder.read(tmp_path, SESSION)["counters"]["events"] == 1


@pytest.mark.long
def test_after_two_seconds_an_event_is_appended_without_the_lock(tmp_path: Path) -> None:
    found = ran(tmp_path, lock="held")
    assert found["seconds"] >= 2
    assert UNLOCK not in [call[1] for call in found["calls"] if call[0] == "locking"]
    assert len(recorder.journal(tmp_path, SESSION)) == 1
    assert not (tmp_path / "sessions" / f"{SESSION}.json").exists()


def test_a_journal_with_another_name_is_used_as_it_is(tmp_path: Path) -> None:
    """Windows cannot replace a file that is open."""
    ran(tmp_path)
    journal = tmp_path / "events" / f"{SESSION}.jsonl"
    (tmp_path / "backup").hardlink_to(journal)
    ran(tmp_path)
    assert (len(recorder.journal(tmp_path, SESSION)), journal.stat().st_nlink) == (2, 2)


@pytest.mark.long
def test_a_record_that_is_read_for_more_than_two_seconds_is_not_replaced(tmp_path: Path) -> None:
    found = ran(tmp_path, refusals=10**6)
    assert found["seconds"] >= 2
    assert len(recorder.journal(tmp_path, SESSION)) == 1
    assert not (tmp_path / "sessions" / f"{SESSION}.json").exists()


@pytest.mark.long
def test_a_lock_that_is_free_right_after_the_event_was_appended_is_used(tmp_path: Path) -> None:
    found = ran(tmp_path, lock="held until the journal grows")
    assert found["seconds"] >= 2
    assert [call[1] for call in found["calls"] if call[0] == "locking"][-2:] == [LOCK, UNLOCK]
    assert recorder.read(tmp_path, SESSION)["counters"]["events"] == 1


def test_on_a_file_system_without_locks_the_event_is_recorded_without(tmp_path: Path) -> None:
    assert ran(tmp_path, lock="unsupported")["seconds"] < 2
    assert recorder.read(tmp_path, SESSION)["counters"]["events"] == 1


def test_another_client_is_not_taken_for_gone(tmp_path: Path) -> None:
    ran(tmp_path)
    ran(tmp_path, env={**ENV, "CLAUDE_PID": "5678"})
    assert not any("gone" in line for line in recorder.journal(tmp_path, SESSION))


def test_without_its_variable_a_client_has_no_process_number(tmp_path: Path) -> None:
    ran(tmp_path, env={"CLAUDECODE": "1"})
    assert "client" not in recorder.journal(tmp_path, SESSION)[0]


@pytest.mark.parametrize(("debug", "code"), [({}, 0), ({"DESKBELL_HOOK_DEBUG": "1"}, 1)])
def test_an_error_is_silent_unless_the_debug_variable_is_set(tmp_path: Path, debug: dict[str, str], code: int) -> None:
    done = run(tmp_path, b"{", env={**ENV, **debug})
    assert (done.returncode, b"ValueError: not JSON" in done.stderr) == (code, bool(code))


def test_a_line_that_is_appended_while_the_record_is_replaced_is_folded_too(tmp_path: Path) -> None:
    rival = {"v": 1, "event": "UserPromptSubmit", "order": 10**12, "at": 1.0, "facts": {"prompt": "meanwhile"}}
    found = ran(tmp_path, rival=json.dumps(rival))
    assert [call for call in found["calls"] if call[0] == "replace"] == [["replace"]] * 2
    record = recorder.read(tmp_path, SESSION)
    assert (record["prompt"], record["counters"]["events"]) == ("meanwhile", 2)


def test_a_journal_that_cannot_be_read_back_leaves_no_record(tmp_path: Path) -> None:
    ran(tmp_path, unreadable=True)
    assert len(recorder.journal(tmp_path, SESSION)) == 1
    assert list((tmp_path / "sessions").iterdir()) == []


def test_a_statusline_shows_the_session_and_the_others_without_a_link(tmp_path: Path) -> None:
    """The own line is not run: Deskbell chains none there."""
    near = Neighbours(tmp_path / "state", tmp_path / ".claude")
    near.entry(session(1), "waiting", waitingFor="permission prompt", cwd="C:\\work\\shop")
    near.board(1.0)
    options = {"statusline": ["none", "first", "echo own", ""], "env": {"USERPROFILE": str(tmp_path)}}
    done = run(near.state, b'{"session_id": "s", "model": {"display_name": "Opus"}, "cwd": "C:\\\\work"}', **options)
    line, *calls = done.stdout.decode().splitlines()
    assert (done.returncode, done.stderr) == (0, b"")
    assert [part for part in ("● 1 blocked: shop wants your approval", "Opus", "work") if part not in line] == []
    assert "own" not in "".join(calls)
    assert "\x1b]8" not in line


def test_a_start_with_other_words_does_nothing(tmp_path: Path) -> None:
    done = run(tmp_path, b"{}", statusline=[])
    assert (done.returncode, json.loads(done.stdout)["calls"]) == (0, [])


# The asker

PIPE = "\\\\.\\pipe\\deskbell-" + "0123456789abcdef" * 2


def asked(state: Path, answer: str | None, name: str = PIPE, streams: str = "") -> tuple[bytes, list[Any]]:
    """Return what the asker prints, and its calls."""
    (state / "answers").mkdir(exist_ok=True)
    (state / "answers" / "pipe").write_text(name)
    done = run(state, recorder.said(BASH), streams, env=ATTENDED, ask=answer)
    assert (done.returncode, done.stderr) == (0, b"")
    said, _, calls = done.stdout.rpartition(b'{"calls"')
    return said, json.loads('{"calls"' + calls.decode())["calls"]


def test_the_asker_speaks_with_the_program_through_its_pipe(tmp_path: Path) -> None:
    said, calls = asked(tmp_path, as_line(DENY).decode())
    assert json.loads(said) == DENY
    assert calls[0] == ["open", PIPE]
    sent = json.loads("".join(text for call, text in calls[1:-1] if call == "write"))
    assert (sent["v"], sent["ask"]["event"], sent["ask"]["pid"]) == (1, BASH, os.getpid())
    assert calls[-1] == ["_exit", 0]


@pytest.mark.parametrize("answer", ["", "x", as_line(DENY).decode()[:-1], None])
def test_the_asker_is_silent_without_a_decision_from_the_pipe(answer: str | None, tmp_path: Path) -> None:
    said, calls = asked(tmp_path, answer)
    assert (said, calls[-1]) == (b"", ["_exit", 0])


NAMES = ["", "/tmp/x", PIPE[:-1], PIPE + "0", PIPE[:-1] + "g", "\\\\host\\pipe\\" + PIPE[9:], PIPE.upper()]


@pytest.mark.parametrize("name", NAMES)
def test_the_asker_opens_nothing_but_a_pipe_of_the_program(name: str, tmp_path: Path) -> None:
    assert asked(tmp_path, as_line(DENY).decode(), name) == (b"", [["_exit", 0]])


def test_the_asker_leaves_where_no_program_has_written_the_name_of_a_pipe(tmp_path: Path) -> None:
    done = run(tmp_path, recorder.said(BASH), env=ATTENDED, ask=None)
    assert (done.returncode, json.loads(done.stdout)["calls"]) == (0, [["_exit", 0]])


def test_the_asker_leaves_without_a_stdin(tmp_path: Path) -> None:
    done = run(tmp_path, b"", "<&-", env=ATTENDED, ask=None)
    assert (done.returncode, json.loads(done.stdout)["calls"]) == (0, [["_exit", 0]])
