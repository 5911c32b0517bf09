"""Test `deskbell show`: what a person reads, and what a program reads."""

import json
import os
import random
import re
import sys
import time
from pathlib import Path

import pytest

from deskbell.__main__ import main
from deskbell.commands._world import world
from deskbell.home import home
from deskbell.sessions.crashes import CrashFile
from deskbell.sessions.transcript import STEP
from deskbell_hooks.codec import encode
from deskbell_hooks.record import record_event
from tests.tray.answers.desk_server import program, said
from tests.tray.commands.said import crashed, running
from tests.tray.commands.test_requests import REQUEST
from tests.tray.journals import STORY, line
from tests.tray.making import NOON
from tests.tray.sessions.transcript_lines import answered


@pytest.fixture
def recorded() -> Path:
    home().sessions.mkdir(parents=True)
    home().events.mkdir()
    (home().events / "a1b2c3d4.jsonl").write_bytes(b"".join(one + b"\n" for one in STORY))
    record = {"v": 1, "session_id": "a1b2c3d4", "title": "Ship it", "project": "api", "journal": 0, "last_at": NOON}
    (home().sessions / "a1b2c3d4.json").write_bytes(encode(record))
    return home().events


@pytest.mark.parametrize("said", ["a1", "Ship", "api"])
def test_a_program_reads_one_json_object(recorded: Path, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", said, "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert (shown["version"], shown["session_id"], shown["sessions"]) == (1, "a1b2c3d4", [])
    past = shown["history"]
    assert past["active"] is False
    assert past["prompts"] == [{"at": NOON + 1, "text": "Ship it"}]
    assert past["tools"]["Edit"] == {"count": 1, "failed": 0, "seconds": 2.0}
    assert past["files"] == {"new": [], "edited": ["/home/person/api/main.py"], "read": []}
    assert past["agents"] == [{"id": "g1", "type": "Explore", "started": NOON + 3, "completed": NOON + 65}]
    assert past["errors"][0]["context"] == {"subject": "make", "agent": "g1", "cwd": "/home/person/api"}
    assert past["counts"] == {"prompts": 1, "errors": 1, "notifications": 1, "agents": 1}


def test_a_person_reads_the_page(recorded: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", "a1b2"]) == 0
    assert capsys.readouterr().out.startswith("· Ship it")


def test_a_thousand_garbage_lines_and_files_disturb_nothing(recorded: Path, capsys: pytest.CaptureFixture[str]) -> None:
    garbage = random.Random(1)
    noise = b"".join(garbage.randbytes(garbage.randrange(200)).replace(b"\n", b"") + b"\n" for _ in range(1000))
    with (recorded / "a1b2c3d4.jsonl").open("ab") as file:
        file.write(noise + line("Stop", 99) + b"\n")
    for n in range(1000):
        (recorded / f"garbage {n}").write_bytes(noise[:n])
    assert main(["show", "api", "--json"]) == 0
    output = capsys.readouterr()
    past = json.loads(output.out)["history"]
    assert (past["updated"], past["counts"]["prompts"]) == (NOON + 99, 1)
    assert past["unreadable"] >= 990
    assert output.err.count("are not journals") == 1


def test_what_a_running_session_spent_is_read_from_its_whole_transcript(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("CLAUDE_PID", str(os.getpid()))
    monkeypatch.setenv("CLAUDE_CODE_SESSION_ATTENDED", "1")
    transcript = tmp_path / "t.jsonl"
    transcript.write_bytes(answered("a", number=1) + b"\n" + b"x" * (STEP + 1000))
    event = {"session_id": "s-1", "hook_event_name": "UserPromptSubmit", "prompt": "go", "cwd": "/p/api"}
    record_event(str(home().state), json.dumps({**event, "transcript_path": str(transcript)}).encode())
    assert main(["show", "s-1", "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert [one["output_tokens"] for one in shown["sessions"]] == [5]
    assert shown["history"]["active"] is True


def test_a_crash_is_told_with_its_resume_command_also_after_it_was_seen(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    crashed("s-1", "/p/api", monkeypatch)
    for _ in range(2):
        assert main(["show", "api"]) == 0
        words = capsys.readouterr().out
        assert re.search(r"now +crashed at \d\d:\d\d", words)
        assert re.search(r"resume +cd /p/api && (\S+ )?claude --resume s-1", words)
        CrashFile(home().state).dismiss(world().read(time.time()), time.time())


def test_a_crash_in_a_folder_whose_name_acts_on_a_terminal_says_so_in_place_of_its_command(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    crashed("s-1", "/p/api\x1b[2J", monkeypatch)
    assert main(["show", "s-1"]) == 0
    words = " ".join(capsys.readouterr().out.split())
    assert "resume The name of the folder of api has characters that act on a terminal." in words
    assert "run `claude --resume s-1`." in words


def test_a_running_session_has_no_resume_command(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    crashed("s-1", "/p/api", monkeypatch)
    running("s-2", "/p/api", os.getpid(), monkeypatch)
    assert main(["show", "api"]) == 0
    words = capsys.readouterr().out
    assert "s-2" in words
    assert "resume" not in words


def test_the_secrets_of_an_older_version_are_left_out(recorded: Path, capsys: pytest.CaptureFixture[str]) -> None:
    said = "export API_TOKEN=hunter2secret99"
    lines = []
    for at, name in enumerate(("UserPromptSubmit", "Notification", "StopFailure")):
        facts = {"prompt": said, "message": said, "error": "failed", "error_details": said, "session_title": said}
        lines.append(encode(json.loads(line(name, at)) | {"facts": facts, "cwd": "/srv/API_TOKEN=kept99"}))
    (recorded / "a1b2c3d4.jsonl").write_bytes(b"".join(one + b"\n" for one in lines))
    assert main(["show", "a1", "--json"]) == 0
    shown = capsys.readouterr().out
    past = json.loads(shown)["history"]
    assert "hunter2" not in shown
    assert past["prompts"][0]["text"] == "export API_TOKEN=[redacted]"
    assert past["cwd"] == "/srv/API_TOKEN=kept99"


@pytest.mark.skipif(sys.platform == "win32", reason="a named pipe takes its place")
@pytest.mark.parametrize(("command", "allows"), [("npm test", True), ("echo 👍🏽", False)])
def test_what_a_session_asks_stands_above_all_else_with_its_answers(
    command: str, allows: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    running("s-1", "/p/api", os.getpid(), monkeypatch)
    event = {"session_id": "s-1", "hook_event_name": "PermissionRequest", "tool_name": "Bash", "cwd": "/p/api"}
    record_event(str(home().state), json.dumps({**event, "tool_input": {"command": command}}).encode())
    request = REQUEST | {"session_id": "s-1", "pid": os.getpid(), "whole": [command, "timeout: 9"]}
    with program(home().state, lambda _: said(requests=[request])):
        assert main(["show", "s-1"]) == 0
    shown = [line.rstrip() for line in capsys.readouterr().out.split("\n")]
    drawn = command.replace("🏽", "")
    assert shown[:4] == [" wants to run a command:", f"▎  {drawn}", "▎  timeout: 9", ""]
    assert ("  allow          Allow" in shown) is allows
    assert shown.index("Session") > next(
        at for at, line in enumerate(shown) if "Answer it with `deskbell answer" in line
    )
