"""Make other sessions for the tests of the statusline: records, registry entries, and the board of the tray."""

import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from deskbell_hooks.client import process_start
from deskbell_hooks.codec import encode
from deskbell_hooks.fold import fold
from deskbell_hooks.schema import Event, Line, Record
from tests.hooks.said import lines, prompt, tool

BEGAN = 1_795_000_000.0
OWN = "0aa00000-0000-4000-8000-000000000000"
GONE = 2**22 + 7
"""A process number that Linux gives to nobody."""


def session(number: int) -> str:
    return f"0bb00000-0000-4000-8000-{number:012d}"


def start_of(pid: int) -> int | None:
    return process_start(pid)


@dataclass(frozen=True)
class Neighbours:
    """The folders of a machine. Every client is the process of the tests, unless a PID is given."""

    state: Path
    account: Path

    def record(
        self, session_id: str, *events: Event, pid: int | None = None, folder: str = "proj", **more: Any
    ) -> None:
        """Write the record that EVENTS make."""
        pid = os.getpid() if pid is None else pid
        client = {"pid": pid, "start": start_of(pid)}
        known: Record | None = None
        for one in lines(events or (prompt(),)):
            line: Line = {**one, "client": client, "where": {**client, "host": "h"}, "cwd": f"/home/user/{folder}"}  # type: ignore[typeddict-item]  # as a journal holds it
            known = fold(known, line, session_id)
        assert known is not None
        self.write(session_id, encode({**known, "journal": 9, **more}))

    def write(self, session_id: str, data: bytes) -> None:
        path = self.state / "sessions" / f"{session_id}.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)

    def entry(self, session_id: str, status: str, pid: int | None = None, **more: Any) -> Path:
        """Write the client's own entry in Claude Code's registry."""
        pid = os.getpid() if pid is None else pid
        found = {"pid": pid, "sessionId": session_id, "cwd": "/home/user/shop", "status": status, "kind": "interactive"}
        found |= {"procStart": str(start_of(pid) or 1), "entrypoint": "cli", "statusUpdatedAt": BEGAN * 1000}
        path = self.account / "sessions" / f"{pid}.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps({**found, **more}))
        return path

    def board(self, now: float, **more: Any) -> None:
        """Write the board as a running tray would write it at NOW."""
        path = self.state / "statusline" / "board.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        pid = os.getpid()
        value = {"v": 1, "at": now, "pid": pid, "start": start_of(pid), "blocked": [], "your_turn": [], **more}
        path.write_text(json.dumps(value))

    @property
    def env(self) -> dict[str, str]:
        return {"CLAUDE_CONFIG_DIR": str(self.account), "HOME": str(self.account)}


def asks(command: str = "npm publish") -> list[Event]:
    return [prompt(), tool("PreToolUse", what=command, use="t1"), tool("PermissionRequest", what=command)]
