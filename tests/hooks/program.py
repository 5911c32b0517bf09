"""Play the program for an asker: listen on its socket, take a request, and answer it. Not for Windows."""

import json
import os
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.hooks import recorder
from tests.hooks.said import e, tool
from tests.waiting import PATIENCE

ATTENDED = {"CLAUDE_CODE_SESSION_ATTENDED": "1", "CLAUDE_PID": str(os.getpid())}
SUGGESTIONS: list[dict[str, Any]] = [
    {"type": "setMode", "mode": "acceptEdits", "destination": "session"},
    {
        "type": "addRules",
        "rules": [{"toolName": "Bash", "ruleContent": "make *"}],
        "behavior": "allow",
        "destination": "session",
    },
    {"type": "addRules", "rules": [{"toolName": "Read"}], "behavior": "allow", "destination": "localSettings"},
    {"type": "addRules", "rules": [{"toolName": "Read"}], "behavior": "allow", "destination": "userSettings"},
    {"type": "addDirectories", "directories": ["/tmp"], "destination": "session"},
]
BASH = tool("PermissionRequest", permission_suggestions=SUGGESTIONS)
QUESTIONS = [
    {"question": "Which colour?", "header": "Colour", "options": [{"label": "Red"}, {"label": "Blue"}]},
    {"question": "Which sizes?", "multiSelect": True, "options": [{"label": "S"}, {"label": "L"}], "n": 1, "x": 1.5},
]
QUESTION = e("PermissionRequest", tool_name="AskUserQuestion", tool_input={"questions": QUESTIONS, "more": None})
PLAN = e("PermissionRequest", tool_name="ExitPlanMode", tool_input={"plan": "1. Do it", "deep": [1, {"a": True}]})
ACCEPT_EDITS = [{"type": "setMode", "mode": "acceptEdits", "destination": "session"}]


def output(**decision: Any) -> dict[str, Any]:
    return {"hookSpecificOutput": {"hookEventName": "PermissionRequest", "decision": decision}}


ANSWERS = {"Which colour?": "Blue", "Which sizes?": "S, L"}
ALLOW, DENY = output(behavior="allow"), output(behavior="deny", message="Not now")


def as_line(value: object) -> bytes:
    return json.dumps(value, separators=(",", ":")).encode() + b"\n"


def start(
    state: Path, event: Mapping[str, Any] | bytes, env: Mapping[str, str] = ATTENDED, **how: Any
) -> "subprocess.Popen[bytes]":
    """Start an asker as Claude Code does, and give it the event."""
    command = [*recorder.COMMAND[:-1], "ask", str(state)]
    streams = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    process = subprocess.Popen(command, env={**recorder.BARE_ENV, **env}, **{**streams, **how})
    recorder.give(process, event if isinstance(event, bytes) else json.dumps(event).encode())
    return process


def ended(process: "subprocess.Popen[bytes]") -> bytes:
    """Return what the asker has printed. It must exit with 0, without an error."""
    out, err = process.communicate(timeout=recorder.PATIENCE)
    assert (process.returncode, err) == (0, b"")
    return out or b""


def fields(pid: int) -> dict[str, str]:
    """Return what /proc says of the process."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return {name: text.strip() for name, _, text in (line.partition(":") for line in lines)}


@contextmanager
def listening(state: Path, backlog: int = 8) -> Iterator[socket.socket]:
    assert sys.platform != "win32", "the program listens at a pipe there"
    folder = state / "answers"
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(folder / "socket"))
        server.listen(backlog)
        server.settimeout(PATIENCE)
        yield server
    (folder / "socket").unlink(missing_ok=True)


def accepted(server: socket.socket) -> tuple[socket.socket, dict[str, Any]]:
    """Take the next request. The caller closes the connection."""
    client, _ = server.accept()
    client.settimeout(PATIENCE)
    data = b""
    while not data.endswith(b"\n"):
        part = client.recv(65536)
        assert part, "the asker has left"
        data += part
    return client, json.loads(data)


def answered(state: Path, event: Mapping[str, Any], answer: bytes, **how: Any) -> bytes:
    """Return what an asker prints if the program sends ANSWER and closes the connection."""
    with listening(state) as server:
        process = start(state, event, **how)
        client, _ = accepted(server)
        with client:
            try:
                client.sendall(answer)
            except OSError:  # the asker has closed the connection
                assert len(answer) > 1024 * 1024
        return ended(process)
