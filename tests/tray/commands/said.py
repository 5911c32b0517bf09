"""Run a command as a person types it, and return what it prints."""

import json
import subprocess
import sys
import time

import pytest

from deskbell.__main__ import main
from deskbell.home import claude_dir, home
from deskbell_hooks.client import process_start
from deskbell_hooks.record import record_event

Out = pytest.CaptureFixture[str]


def said(out: Out, *words: str, code: int = 0) -> str:
    """Standard output; standard error where the command is to fail with CODE."""
    out.readouterr()
    assert main(words) == code
    shown = out.readouterr()
    assert "Traceback" not in shown.err
    return shown.err if code else shown.out


def recorded(session_id: str, project: str = "", title: str = "") -> None:
    """A session that was recorded and has ended."""
    home().sessions.mkdir(parents=True, exist_ok=True)
    record = {"v": 1, "session_id": session_id, "journal": 0, "project": project, "title": title}
    (home().sessions / f"{session_id}.json").write_text(json.dumps(record))


def ended(session_id: str, ago: float) -> None:
    """A session that said goodbye so many seconds AGO."""
    home().sessions.mkdir(parents=True, exist_ok=True)
    at = time.time() - ago
    record = {"v": 1, "session_id": session_id, "journal": 0, "status": "ended", "turn": "ended", "since": at}
    more = {"last_at": at, "where": {"pid": 7, "start": 1}}
    (home().sessions / f"{session_id}.json").write_text(json.dumps(record | more))


def running(session_id: str, folder: str, pid: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """A session of the process PID, in the project that FOLDER is named after."""
    monkeypatch.setenv("CLAUDE_PID", str(pid))
    monkeypatch.setenv("CLAUDE_CODE_SESSION_ATTENDED", "1")
    event = {"hook_event_name": "UserPromptSubmit", "session_id": session_id, "cwd": folder, "prompt": "go"}
    home().state.mkdir(parents=True, exist_ok=True)
    record_event(str(home().state), json.dumps(event).encode())


def registered(session_id: str, pid: int) -> None:
    """What the client PID says of itself, if another client of its session has reported last."""
    (claude_dir() / "sessions").mkdir(parents=True, exist_ok=True)
    entry = {
        "pid": pid,
        "sessionId": session_id,
        "procStart": str(process_start(pid)),
        "status": "busy",
        "cwd": "/tmp/web",
    }
    (claude_dir() / "sessions" / f"{pid}.json").write_text(json.dumps(entry))


def crashed(session_id: str, cwd: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Record a client that worked a minute ago and was killed."""
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as client:
        running(session_id, cwd, client.pid, monkeypatch)
        client.kill()
    file = home().sessions / f"{session_id}.json"
    record = json.loads(file.read_bytes())
    file.write_text(json.dumps({**record, **{name: record[name] - 60 for name in ("since", "last_at", "turn_at")}}))
