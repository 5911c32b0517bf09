"""Play scenes on the real client and keep what it does: every hook, change of the registry and line of a transcript."""

import json
import shlex
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple

from deskbell.settings.registration import EVENTS
from tests.client import fetch
from tests.client.claude import Claude
from tests.client.contract.seen import Json, Part, Run, parsed, written
from tests.client.follower import Follower
from tests.client.record import FIELDS, Registry, anonymous
from tests.client.stage import Stage, Step
from tests.client.watch import Watch
from tests.waiting import wait

QUIET = 0.8
"""Seconds without a sign of the client after which a part is over."""
LONGEST = 500
"""Characters that are kept of a text."""
REGISTRY = FIELDS | {"tmux"}
LINE = frozenset(
    (
        "type",
        "subtype",
        "timestamp",
        "promptId",
        "isMeta",
        "isSidechain",
        "isCompactSummary",
        "isApiErrorMessage",
        "operation",
        "content",
        "message",
        "toolUseResult",
        "compactMetadata",
        "customTitle",
        "aiTitle",
        "summary",
        "attachment",
    )
)
"""The fields of a transcript line that are kept."""
READ = frozenset(("user", "assistant", "system", "summary", "custom-title", "ai-title", "queue-operation"))
"""The kinds of transcript lines that are kept."""
DECISION = "hook_permission_decision"
"""The kind of the only attachment that is kept."""
VARIABLES = (
    *("CLAUDECODE", "CLAUDE_PID", "CLAUDE_CODE_ENTRYPOINT", "CLAUDE_CODE_SESSION_ATTENDED", "CLAUDE_CODE_SESSION_ID"),
    *("CLAUDE_CONFIG_DIR", "TMUX", "TMUX_PANE", "TERM"),
)
"""The variables of a hook's environment that are kept."""
KEEP = """import json, os, sys, time
folder, *names = sys.argv[1:]
def stat(pid):
    with open(f"/proc/{pid}/stat") as file:
        return file.read().rpartition(") ")[2].split()
own, now = stat("self"), time.time()
age = time.clock_gettime(time.CLOCK_BOOTTIME) - int(own[19]) / os.sysconf("SC_CLK_TCK")
with open(f"/proc/{own[1]}/comm") as file:
    shell = file.read().strip() in ("sh", "bash", "dash")
payload = sys.stdin.read()
kept = {
    "at": round(now - age, 3),
    "hook": json.loads(payload),
    "env": {name: os.environ[name] for name in names if name in os.environ},
    "process": {"terminal": int(own[4]), "starter": int(stat(own[1])[1] if shell else own[1]), "cwd": os.getcwd()},
}
path = f"{folder}/{time.time_ns()}-{os.getpid()}"
with open(path + ".new", "w") as file:
    json.dump(kept, file)
os.rename(path + ".new", path + ".json")
"""
"""The program behind every hook. Each call writes a file of its own: hooks run side by side."""


class Act(NamedTuple):
    """One part of a scene. What is done in a part without a name is not kept."""

    name: str
    steps: tuple[Step, ...]


class Scene(NamedTuple):
    name: str
    acts: tuple[Act, ...]


@dataclass
class Witness(Stage):
    """A stage whose clients are watched."""

    signs: Callable[[], int] = int
    """Count what the clients have done so far."""
    kept: Path = Path()
    began: float = 0.0
    """When the part began that is played."""
    notes: Json = field(default_factory=dict)

    def heard(self, name: str) -> list[Json]:
        """The hooks of this name in this part."""
        found = (json.loads(path.read_text(encoding="utf-8")) for path in sorted(self.kept.glob("*.json")))
        return [one for one in found if one["at"] >= self.began and one["hook"]["hook_event_name"] == name]

    def settle(self, quiet: float = QUIET) -> None:
        """Wait until the clients have been quiet for a while."""
        known, since = -1, time.monotonic()

        def is_quiet() -> bool:
            nonlocal known, since
            if (count := self.signs()) != known:
                known, since = count, time.monotonic()
            return time.monotonic() - since > quiet

        wait(is_quiet, "the end of the part", within=60.0)


def registered(claude: Claude) -> dict[str, Any]:
    """Return the `hooks` of the settings: the events that Deskbell registers with this version, in the background."""
    program = claude.home / "keep.py"  # a short command: the client shows that of PreCompact to the person
    program.write_text(KEEP, encoding="utf-8")
    command = shlex.join([sys.executable, "-I", "-S", str(program), str(claude.home / "kept"), *VARIABLES])
    handler = {"type": "command", "command": command, "async": True, "timeout": 30}
    version = tuple(map(int, fetch.version().split(".")))
    return {event: [{"hooks": [handler]}] for event, since in EVENTS.items() if since <= version}


def watched(scene: Scene, claude: Claude) -> list[Part]:
    """Play a scene in an account of its own. Where a part breaks off, the rest is not played."""
    kept = claude.home / "kept"
    kept.mkdir()
    claude.standing["hooks"] = registered(claude)
    claude.set_settings()
    parts: list[tuple[Part, float]] = []
    trouble = ""
    with Registry(claude.config / "sessions") as registry, Transcripts(claude.config) as transcripts:

        def signs() -> int:
            return len(registry.changes) + len(transcripts.lines) + len([*kept.glob("*.json")])

        stage = Witness(claude, Watch((), claude.environment), signs=signs, kept=kept)
        for name, steps in scene.acts:
            stage.began, stage.notes = time.time(), {}
            trouble = trouble or _broken(stage, name, steps)
            part = Part(name, scene.name, _pid(stage), stage.began, notes=stage.notes, trouble=trouble)
            parts.append((part, time.time()))
    hooks = sorted((_cut(json.loads(path.read_text(encoding="utf-8"))) for path in kept.glob("*.json")), key=_at)
    changes = [_cut(_without_secrets(change)) for change in registry.changes]

    def within(seen: Sequence[Json], begin: float, end: float) -> tuple[Json, ...]:
        return tuple(one for one in seen if begin <= one["at"] < end)

    return [
        _anonymous(
            replace(
                part,
                hooks=within(hooks, part.began, end),
                changes=within(changes, part.began, end),
                lines=within(transcripts.lines, part.began, end),
            ),
            claude.home,
        )
        for part, end in parts
        if part.name
    ]


def _anonymous(part: Part, home: Path) -> Part:
    """Return the part without the names of this machine."""
    text = anonymous(written(Run([part])), home).replace(sys.executable, "python3")
    return parsed(text).parts[part.name]


def _broken(stage: Witness, name: str, steps: Sequence[Step]) -> str:
    """Play a part and return why it broke off, "" if it did not."""
    try:
        for step in steps:
            step(stage)
        stage.settle()
    except (AssertionError, OSError, subprocess.SubprocessError) as failure:
        return f"{name or 'the start'}: {str(failure).partition(chr(10))[0]}"
    return ""


def _pid(stage: Stage) -> int:
    return stage.tui.pid if stage.on in stage.clients else 0


def _at(one: Json) -> float:
    return float(one["at"])


def _without_secrets(change: Json) -> Json:
    content = change["content"]
    kept = {name: value for name, value in content.items() if name in REGISTRY} if content else content
    return {**change, "content": kept}


def _cut(value: Any) -> Any:
    """VALUE with its texts cut to LONGEST characters."""
    if isinstance(value, dict):
        return {name: _cut(one) for name, one in value.items()}
    if isinstance(value, list):
        return [_cut(one) for one in value]
    return value[:LONGEST] if isinstance(value, str) else value


class Transcripts(Follower):
    """Follow the transcripts of an account until the block ends: `lines` has what came, with its time."""

    def __init__(self, config: Path) -> None:
        super().__init__()
        self.lines: list[Json] = []
        self._config = config
        self._read: dict[Path, int] = {}

    def look(self) -> None:
        for path in self._config.glob("projects/*/*.jsonl"):
            with suppress(OSError):
                self._take(path, path.stat().st_size)

    def _take(self, path: Path, size: int) -> None:
        start = self._read.get(path, 0)
        if size <= start:
            return
        with path.open("rb") as file:
            file.seek(start)
            data = file.read()
        whole = data.rfind(b"\n") + 1
        self._read[path] = start + whole
        now = time.time()
        for line in _kept(data[:whole]):
            kept = {name: _cut(value) for name, value in line.items() if name in LINE}
            self.lines.append({"at": now, "session": path.stem, "line": kept})


def _kept(data: bytes) -> Iterator[Json]:
    for text in data.splitlines():
        with suppress(ValueError):
            line = json.loads(text)
            if isinstance(line, dict) and (line.get("type") in READ or _decides(line)):
                yield line


def _decides(line: Json) -> bool:
    attached = line.get("attachment")
    return isinstance(attached, dict) and attached.get("type") == DECISION
