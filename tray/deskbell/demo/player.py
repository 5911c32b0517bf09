"""Play an afternoon, so that a newcomer sees Deskbell at work without Claude Code.

Everything but the sessions is real: the hooks are installed into a private Claude folder, and started with events on
stdin. A session is a process that waits, and the files that a client would write.
"""

import json
import os
import subprocess
import sys
import time
import uuid
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from deskbell.demo.scenes import Event, Moment, RegistryState
from deskbell.demo.transcript import Transcript, agent_of
from deskbell.home import claude_dir, environment, home
from deskbell.settings.install import install
from deskbell.settings.setup import setup
from deskbell.settings.targets import user_targets
from deskbell_hooks.client import process_start

VERSION = "2.1.326"
WAITS = ["cmd", "/q", "/d"] if sys.platform == "win32" else ["cat"]
"""The process of a session. It ends when its stdin closes, and so with the demo, however that ends."""

ANSWERS = {"hook_event_name": "Stop"}
"""Turns the event of a subagent's end into the end of a turn, as the subagent's own transcript has it."""


def private(root: Path) -> Mapping[str, str]:
    """Return an environment that keeps Deskbell and Claude Code below ROOT, with a `claude` that prints its version."""
    programs = root / "bin"
    programs.mkdir(parents=True)
    if sys.platform == "win32":
        (programs / "claude.cmd").write_text(f"@echo {VERSION} (Claude Code)\n")
    else:
        (programs / "claude").write_text(f"#!/bin/sh\necho '{VERSION} (Claude Code)'\n")
        (programs / "claude").chmod(0o755)
    return {
        **environment(os.environ),
        "DESKBELL_HOME": str(root / "deskbell"),
        "CLAUDE_CONFIG_DIR": str(root / "claude"),
        "PATH": os.pathsep.join([str(programs), os.environ.get("PATH", "")]),
    }


def play(
    moments: Iterable[Moment], speed: float, show: Callable[[Moment], None], wait: Callable[[float], bool]
) -> bool:
    """Show every moment at its time, SPEED minutes in one. Return True at the end, or False once WAIT returns False."""
    begun = time.monotonic()
    for moment in moments:
        if not wait(max(0.0, begun + moment.at * 60 / speed - time.monotonic())):
            return False
        show(moment)
    return True


@contextmanager
def stage(root: Path, branches: Mapping[str, str], clock: Callable[[], float] = time.time) -> Iterator["Stage"]:
    """Install the hooks and yield a Stage. The environment must be that of `private`. CLOCK dates what is written."""
    install(user_targets([]), setup(home()))
    opened = Stage(root / "work", branches, clock)
    try:
        yield opened
    finally:
        opened.close()


class Stage:
    """The sessions that are being played, each in the folder of its project."""

    def __init__(self, work: Path, branches: Mapping[str, str], clock: Callable[[], float] = time.time) -> None:
        self._clock = clock
        self._branches = branches
        self._handlers: dict[str, Any] = json.loads((claude_dir() / "settings.json").read_bytes())["hooks"]
        self._folders = {who: _project(work / who, branch) for who, branch in branches.items()}
        self._sessions: dict[str, PlayedSession] = {}

    def show(self, moment: Moment) -> None:
        if moment.who not in self._sessions:
            folder, branch = self._folders[moment.who], self._branches[moment.who]
            self._sessions[moment.who] = PlayedSession(folder, branch, self._clock)
        session = self._sessions[moment.who]
        if moment.interrupts:
            session.note_interrupt()
        if moment.client:
            session.write(moment.client)
        for event in moment.events:
            session.note(event)
            self._fire(session, event)
        if moment.leaves:
            self._sessions.pop(moment.who).leave(killed=moment.leaves == "killed")

    def close(self) -> None:
        for session in self._sessions.values():
            session.leave(killed=False)

    def _fire(self, session: "PlayedSession", event: Event) -> None:
        stdin = json.dumps(session.common | event).encode()
        for group in self._handlers.get(event["hook_event_name"], ()):
            for handler in group["hooks"]:
                command = [handler["command"], *handler["args"]] if "args" in handler else handler["command"]
                subprocess.run(  # the command that the installer has just registered
                    command,
                    shell="args" not in handler,
                    input=stdin,
                    env=session.environment,
                    cwd=session.cwd,
                    check=False,
                )


class PlayedSession:
    """A process in place of a client, and the registry file and the transcripts that the client would write."""

    def __init__(self, cwd: Path, branch: str, clock: Callable[[], float]) -> None:
        self.cwd = cwd
        self._clock = clock
        self._id = str(uuid.uuid4())
        self._started = clock()
        self._process = subprocess.Popen(WAITS, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)
        self._file = claude_dir() / "sessions" / f"{self._process.pid}.json"
        self._file.parent.mkdir(parents=True, exist_ok=True)
        self._branch = branch
        self._path = claude_dir() / "projects" / self.cwd.name / f"{self._id}.jsonl"
        self._transcript = Transcript(self._id, branch)

    def note(self, event: Event) -> None:
        """Write EVENT into the transcript, as the client does before it runs the hooks."""
        if agent := agent_of(event):
            path, answer = self._path.with_suffix("") / "subagents" / f"agent-{agent}.jsonl", {**event, **ANSWERS}
            _append(path, Transcript(self._id, self._branch, agent).lines(answer, self._clock()))
        else:
            _append(self._path, self._transcript.lines(event, self._clock()))

    def note_interrupt(self) -> None:
        _append(self._path, self._transcript.interrupted(self._clock()))

    @property
    def common(self) -> Event:
        place = {"session_id": self._id, "transcript_path": str(self._path), "cwd": str(self.cwd)}
        return {**place, "permission_mode": "default"}

    @property
    def environment(self) -> Mapping[str, str]:
        client = {
            "CLAUDE_PID": str(self._process.pid),
            "CLAUDE_CODE_ENTRYPOINT": "cli",
            "CLAUDE_CODE_SESSION_ATTENDED": "1",
        }
        return {**os.environ, **client}

    def write(self, client: RegistryState) -> None:
        now = round(self._clock() * 1000)
        entry = {
            "pid": self._process.pid,
            "sessionId": self._id,
            "cwd": str(self.cwd),
            "startedAt": round(self._started * 1000),
            "procStart": str(process_start(self._process.pid) or ""),
            "version": VERSION,
            "kind": "interactive",
            "entrypoint": "cli",
            "status": client.status,
            "updatedAt": now,
            "statusUpdatedAt": now,
        } | ({"waitingFor": client.waiting_for} if client.waiting_for else {})
        temporary = self._file.with_suffix(".tmp")
        temporary.write_text(json.dumps(entry))
        temporary.replace(self._file)

    def leave(self, killed: bool) -> None:
        if killed:
            self._process.kill()
        else:
            self._file.unlink(missing_ok=True)
        self._process.communicate()


def _append(path: Path, lines: Iterable[bytes]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("ab") as file:
        file.write(b"".join(lines))


def _project(folder: Path, branch: str) -> Path:
    (folder / ".git").mkdir(parents=True)
    (folder / ".git" / "HEAD").write_text(f"ref: refs/heads/{branch}\n")
    return folder
