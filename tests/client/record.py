"""Record a run of the real client as a capture: `python -m tests.client.record OUTFILE [SCENE]`.

A capture holds what the client does while a scene is played: every hook, every status line, every change of its registry
file, and the deeds of the person. The format is that of tests/fixtures/captures, which `tests.captures` reads.
"""

import json
import re
import shlex
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from tests.client import fetch
from tests.client.api import Api
from tests.client.claude import Claude, account, hooks
from tests.client.follower import Follower
from tests.client.stage import Stage, Step, answer, ended, press, prompt, say, shown, start, until
from tests.client.watch import Watch
from tests.waiting import wait

OWN_TIME = 0.5
"""Seconds that the processes of the last hooks get to end."""
IDENTITY = ("CLAUDE_PID", "CLAUDE_CODE_ENTRYPOINT", "CLAUDE_CODE_SESSION_ATTENDED", "CLAUDE_CODE_SESSION_ID")
"""The variables of a hook's environment that say which client started it."""
# fmt: off
FIELDS = frozenset((
    "pid", "sessionId", "cwd", "startedAt", "procStart", "version", "kind", "entrypoint", "name", "nameSource", "status",
    "waitingFor", "updatedAt", "statusUpdatedAt", "jobId",
))
# fmt: on
"""The registry fields that a capture keeps. Others hold sockets, secrets or the id of the machine."""
KEEP = """import json, os, sys, time
kind, folder, *names = sys.argv[1:]
at, payload = time.time(), json.load(sys.stdin)
env = {name: os.environ[name] for name in names if name in os.environ}
with open(f"{folder}/{time.time_ns()}-{os.getpid()}.json", "w") as file:
    json.dump({"at": at, kind: payload, "env": env}, file)
"""
"""The program behind every hook and the status line. Each call writes a file of its own: hooks run side by side."""

Line = dict[str, Any]


class Deed(NamedTuple):
    words: str
    """What the capture calls it; empty for a wait."""
    step: Step


def asked(scenario: str, number: int | None = None) -> Deed:
    given = "" if number is None else f"={number}"
    return Deed(f"submit prompt: SCENARIO:{scenario}{given} go", say(scenario, number))


def waited(step: Step) -> Deed:
    return Deed("", step)


STARTED = Deed("start claude (tui)", start())
LEFT = (Deed("submit prompt: /exit", prompt("/exit")), waited(ended()))
SCENES: dict[str, tuple[Deed, ...]] = {
    "plain": (STARTED, asked("plain"), waited(shown("Hello from the scripted model.")), waited(until("idle")), *LEFT),
    "permission": (
        STARTED,
        asked("permission"),
        waited(shown("Do you want to proceed?")),
        Deed("keys 1", answer("1")),
        waited(shown("Finished scenario")),
        waited(until("idle")),
        *LEFT,
    ),
    "escape": (
        STARTED,
        asked("longbash", 40),
        waited(shown("time.sleep")),
        Deed("keys Escape", press("Escape")),
        waited(until("idle")),
        *LEFT,
    ),
}
"""What can be recorded. A new situation is a new row, made of the steps in `tests.client.stage`."""


def main(words: Sequence[str]) -> int:
    if len(words) not in (1, 2) or (words[1:] and words[1] not in SCENES):
        print(f"usage: python -m tests.client.record OUTFILE [{'|'.join(SCENES)}]", file=sys.stderr)
        return 2
    if reason := fetch.missing():
        print(f"Cannot record: {reason}.", file=sys.stderr)
        return 1
    out, scene = Path(words[0]), SCENES[words[1] if words[1:] else "permission"]
    with Api() as api, account(fetch.client(), api.url) as claude:
        out.write_text(recorded(claude, scene), encoding="utf-8")
    print(out)
    return 0


def recorded(claude: Claude, scene: Sequence[Deed]) -> str:
    """Play SCENE in CLAUDE, an account of its own, and return the text of the capture."""
    kept = claude.home / "kept"
    kept.mkdir()
    line = {"type": "command", "command": _keeping("statusline", kept)}
    claude.set_settings(hooks=hooks(_keeping("hook", kept, *IDENTITY)), statusLine=line)
    begun, deeds = time.time(), []
    with Registry(claude.config / "sessions") as registry:
        stage = Stage(claude, Watch((), claude.environment))
        for deed in scene:
            if deed.words:
                deeds.append({"at": time.time(), "driver": deed.words})
            deed.step(stage)
        _settled(kept)
    calls = [json.loads(path.read_text(encoding="utf-8")) for path in kept.iterdir()]
    return text(begun, [*deeds, *calls, *registry.changes], claude.home)


class Registry(Follower):
    """Follow the registry files of the clients until the block ends: `changes` has a line for each new content."""

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self.changes: list[Line] = []
        self._folder = folder
        self._known: dict[str, Any] = {}

    def look(self) -> None:
        found = dict(_contents(self._folder, self._known))
        for name in sorted(found.keys() | self._known.keys()):
            if found.get(name) != self._known.get(name):
                self.changes.append({"at": time.time(), "registry": name, "content": found.get(name)})
        self._known = found


def _contents(folder: Path, known: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    for path in folder.glob("*.json"):
        try:
            yield path.name, json.loads(path.read_bytes())
        except FileNotFoundError:
            continue
        except json.JSONDecodeError:  # half written: the next look sees the rest
            if path.name in known:
                yield path.name, known[path.name]


def text(begun: float, seen: Sequence[Line], home: Path) -> str:
    """Return the capture of what was seen, in the order of time, without secrets and without the names of this machine."""
    epoch, env = round(begun, 3), None
    lines: list[Line] = [{"epoch": epoch}]
    for one in sorted(seen, key=lambda one: float(one["at"])):
        line = {"t": round(one["at"] - epoch, 3)} | {name: value for name, value in one.items() if name != "at"}
        if isinstance(line.get("content"), dict):
            line["content"] = {name: value for name, value in line["content"].items() if name in FIELDS}
        if "hook" not in line or line.get("env") == env:
            line.pop("env", None)
        env = line.get("env", env)
        lines.append(line)
    written = "\n".join(json.dumps(line, separators=(",", ":"), ensure_ascii=False) for line in lines)
    return anonymous(written, home) + "\n"


def anonymous(written: str, home: Path) -> str:
    """Return WRITTEN with the names of a capture in place of HOME."""
    for path, name in ((home / "projects", "/home/user"), (home, "/home/user")):
        for form in (_as_is, _as_folder):  # a transcript lies in a folder that is named after the path
            written = written.replace(form(str(path)), form(name))
    return written


def _as_is(path: str) -> str:
    return path


def _as_folder(path: str) -> str:
    return re.sub(r"[^A-Za-z0-9]", "-", path)


def _keeping(kind: str, folder: Path, *names: str) -> str:
    return shlex.join([sys.executable, "-I", "-S", "-c", KEEP, kind, str(folder), *names])


def _settled(kept: Path) -> None:
    """Wait until the last hooks have ended: they run in the background, also after the client has gone."""
    known, since = -1, time.monotonic()

    def quiet() -> bool:
        nonlocal known, since
        if (count := len([*kept.iterdir()])) != known:
            known, since = count, time.monotonic()
        return time.monotonic() - since > OWN_TIME

    wait(quiet, "the end of the last hooks")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
