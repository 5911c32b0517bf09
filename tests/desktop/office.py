"""Play a day of an office whose people all use Claude Code: real processes and files, only the clock is ahead.

Each client is a process that sleeps. What the hooks would write of it is written through their own code, so its record
is the fold of its journal; beside them are its entry in the registry and its transcript, as the client writes them.
"""

import json
import os
import random
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from deskbell.home import Home
from deskbell_hooks.client import process_start
from deskbell_hooks.codec import encode
from deskbell_hooks.files import Journal, make_folder, replace_file
from deskbell_hooks.fold import fold
from deskbell_hooks.record import bounded
from deskbell_hooks.schema import Record
from deskbell_hooks.trim import trim

ALIVE = 20
PROJECTS = 7


class Office:
    """CLAUDE is Claude Code's folder, EVERY the seconds between two steps."""

    def __init__(self, home: Home, claude: Path, every: float) -> None:
        self.home, self.claude, self.every = home, claude, every
        self.now = self.opened = time.time()
        self.chance = random.Random(1)
        self.clients: list[Client] = []
        self.came = self.crashed = self.asked = 0
        for folder in ("events", "sessions"):
            make_folder(str(home.state / folder))
        (claude / "sessions").mkdir(parents=True)

    @property
    def hour(self) -> float:
        return (self.now - self.opened) / 3600

    def step(self) -> None:
        """Let time pass, and one client do something."""
        self.now += self.every
        if len(self.clients) < ALIVE:
            self.came += 1
            self.clients.append(Client(self, self.came))
            return
        one = self.chance.choice(self.clients)
        one.step()
        if one.over:
            self.clients.remove(one)

    def close(self) -> None:
        for one in self.clients:
            one.kill()


@contextmanager
def office(home: Home, claude: Path, every: float) -> Iterator[Office]:
    one = Office(home, claude, every)
    try:
        yield one
    finally:
        one.close()


class Client:
    def __init__(self, office: Office, number: int) -> None:
        self._office = office
        self._process = subprocess.Popen(["sleep", "infinity"])
        self._start = process_start(self._process.pid)
        self._id = f"{number:08x}-office"
        self._cwd = f"/home/x/p{number % PROJECTS}"
        self._record: Record | None = None
        self._calls = 0
        self._wait = ""
        """For what it waits: "", "prompt", or the tool that needs approval."""
        self.over = False
        projects = office.claude / "projects" / self._cwd.replace("/", "-")
        projects.mkdir(parents=True, exist_ok=True)
        self._transcript = projects / f"{self._id}.jsonl"
        self._hook("SessionStart", source="startup", model="claude-opus-5-5")
        self._rest()

    def step(self) -> None:
        luck = self._office.chance.random()
        if luck < 0.04:
            self._crash()
        elif self._wait == "prompt":
            self._leave() if luck < 0.5 else self._prompted()
        elif self._wait:
            self._refused() if luck < 0.3 else self._approved()
        elif luck < 0.3:
            self._ask()
        elif luck < 0.6:
            self._stop()
        else:
            self._run_tool()

    def kill(self) -> None:
        self._process.kill()
        self._process.wait()
        self.over = True

    def _prompted(self) -> None:
        self._hook("UserPromptSubmit", prompt=f"Do part {self._calls}")
        self._write("user", message={"role": "user", "content": f"Do part {self._calls}"})
        self._says("busy")
        self._wait = ""

    def _run_tool(self) -> None:
        self._call("PreToolUse")
        self._call("PostToolUse", duration_ms=100)
        self._use("Read")
        self._result("done")

    def _ask(self) -> None:
        tool = self._office.chance.choice(("Bash", "AskUserQuestion"))
        self._office.asked += 1
        self._call("PreToolUse", tool)
        self._call("PermissionRequest", tool)
        self._use(tool)
        self._says("waiting", waitingFor="permission")
        self._wait = tool

    def _approved(self) -> None:
        self._call("PostToolUse", self._wait, duration_ms=100)
        self._result("done")
        self._says("busy")
        self._wait = ""

    def _refused(self) -> None:
        """No hook reports it."""
        self._result("[Request interrupted by user for tool use]")
        self._rest()

    def _stop(self) -> None:
        self._hook("Stop", last_assistant_message=f"Part {self._calls} is done.")
        self._answer([{"type": "text", "text": f"Part {self._calls} is done."}], "end_turn")
        self._rest()

    def _rest(self) -> None:
        self._says("idle")
        self._wait = "prompt"

    def _leave(self) -> None:
        self._hook("SessionEnd", reason="prompt_input_exit")
        self._entry.unlink()
        self.kill()

    def _crash(self) -> None:
        """Its entry stays until another client clears it away."""
        self._office.crashed += 1
        self.kill()

    @property
    def _entry(self) -> Path:
        return self._office.claude / "sessions" / f"{self._process.pid}.json"

    def _call(self, event: str, tool: str = "Read", **fields: Any) -> None:
        self._calls += event == "PreToolUse"
        given = {"Bash": {"command": f"make {self._calls}"}, "Read": {"file_path": f"/a{self._calls}.py"}}
        question = {"questions": [{"question": f"Part {self._calls}?"}]}
        self._hook(event, tool_name=tool, tool_input=given.get(tool, question), tool_use_id=self._use_id, **fields)

    @property
    def _use_id(self) -> str:
        return f"toolu_{self._calls}"

    def _hook(self, name: str, **fields: Any) -> None:
        state, client = self._office.home.state, {"pid": self._process.pid, "start": self._start}
        line: Any = trim(name, {"hook_event_name": name, "session_id": self._id, "cwd": self._cwd, **fields})
        line |= {"at": round(self._office.now, 3), "order": int(self._office.now * 1000), "client": client}
        if self._record is None:
            where = {**client, "host": os.uname().nodename, "attended": True, "handles": {}}
            line |= {"where": where, "transcript": str(self._transcript), "config_dir": str(self._office.claude)}
        with Journal(str(state / "events" / f"{self._id}.jsonl")) as journal:
            journal.append(encode(line))
            self._record = fold(self._record, line, self._id)
            self._record["journal"] = journal.size
            replace_file(str(state / "sessions" / f"{self._id}.json"), bounded(self._record))

    def _says(self, status: str, **fields: Any) -> None:
        entry = {"pid": self._process.pid, "procStart": str(self._start), "sessionId": self._id, "cwd": self._cwd}
        entry |= {"kind": "interactive", "status": status, "statusUpdatedAt": int(self._office.now * 1000), **fields}
        temporary = self._entry.with_suffix(".tmp")
        temporary.write_text(json.dumps(entry), encoding="utf-8")
        temporary.replace(self._entry)

    def _use(self, tool: str) -> None:
        self._answer([{"type": "tool_use", "id": self._use_id, "name": tool, "input": {}}], "tool_use")

    def _result(self, said: str) -> None:
        result = {"type": "tool_result", "tool_use_id": self._use_id, "content": said}
        cut = [{"type": "text", "text": said}] if said.startswith("[") else []
        self._write("user", message={"role": "user", "content": [result, *cut]})

    def _answer(self, content: list[Any], stop: str) -> None:
        usage = {"input_tokens": 10, "cache_read_input_tokens": 90, "output_tokens": 5}
        message = {"id": f"m{self._calls}", "model": "claude-opus-5-5", "content": content, "stop_reason": stop}
        self._write("assistant", message={**message, "usage": usage}, requestId=f"r{self._calls}")

    def _write(self, kind: str, **fields: Any) -> None:
        stamp = datetime.fromtimestamp(self._office.now, UTC).isoformat().replace("+00:00", "Z")
        with self._transcript.open("ab") as file:
            file.write(encode({"type": kind, "timestamp": stamp, "gitBranch": "main", **fields}) + b"\n")


def clear_registry(claude: Path) -> None:
    """Remove the entries of dead processes, as every client does that starts."""
    for entry in (claude / "sessions").glob("*.json"):
        with suppress(ProcessLookupError):
            os.kill(int(entry.stem), 0)
            continue
        entry.unlink()
