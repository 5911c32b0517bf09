"""The Windows branches of the recorder, run on POSIX with an `nt` and an `msvcrt` that list their calls."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.hooks import recorder
from tests.hooks.said import SESSION, e

if sys.platform == "win32":
    pytest.skip("on Windows the whole suite runs these branches", allow_module_level=True)

HOOKS = str(recorder.MAIN.parent.parent)
PROGRAM = str(Path(__file__).with_name("as_windows.py"))
LOCK, UNLOCK, BEHIND = 2, 0, 2**40


def ran(state: Path, refusals: int = 0, locked: str = "free") -> dict[str, Any]:
    event = json.dumps(e("SessionStart", source="startup", cwd="C:\\Users\\me\\proj"))
    command = [sys.executable, PROGRAM, HOOKS, str(state), event, str(refusals), locked]
    done = subprocess.run(command, capture_output=True, check=True, timeout=60)
    return dict(json.loads(done.stdout))


def test_the_lock_is_one_byte_far_behind_the_content_and_is_released(tmp_path: Path) -> None:
    locks = [call[1:] for call in ran(tmp_path)["calls"] if call[0] == "locking"]
    assert locks == [[LOCK, BEHIND, 1], [UNLOCK, BEHIND, 1]]
    assert recorder.read(tmp_path, SESSION)["status"] == "idle"
    assert len(recorder.journal(tmp_path, SESSION)) == 1


def test_the_environment_of_windows_describes_the_place(tmp_path: Path) -> None:
    ran(tmp_path)
    record = recorder.read(tmp_path, SESSION)
    assert (record["where"]["pid"], record["where"]["host"], record["project"]) == (1234, "BOX", "proj")
    assert record["where"]["handles"] == {"WT_SESSION": "{1-2}"}


def test_a_record_that_is_being_read_is_replaced_once_the_reader_is_done(tmp_path: Path) -> None:
    assert [call for call in ran(tmp_path, refusals=3)["calls"] if call[0] == "replace"] == [["replace"]] * 4
    assert recorder.read(tmp_path, SESSION)["counters"]["events"] == 1


def test_after_two_seconds_an_event_is_appended_without_the_lock(tmp_path: Path) -> None:
    found = ran(tmp_path, locked="locked")
    assert found["seconds"] >= 2
    assert UNLOCK not in [call[1] for call in found["calls"]]
    assert len(recorder.journal(tmp_path, SESSION)) == 1
    assert not (tmp_path / "sessions" / f"{SESSION}.json").exists()
