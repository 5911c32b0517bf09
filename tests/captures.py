"""Read the recorded runs of the real client in tests/fixtures/captures, step by step and typed.

Each file is one run of Claude Code 2.1.326: the hooks that it fired, the changes of its own session file, and what the
person did. `at` is wall time, set so that no session file is seen before the time written in it.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent / "fixtures" / "captures"


@dataclass(frozen=True, slots=True)
class Hook:
    """One event on a hook's stdin, and the variables of its environment that name its client."""

    at: float
    event: Mapping[str, Any]
    env: Mapping[str, str]

    @property
    def name(self) -> str:
        return str(self.event["hook_event_name"])


@dataclass(frozen=True, slots=True)
class RegistryChange:
    """The new content of the client's own `sessions/<pid>.json`; None if the file was removed."""

    at: float
    file: str
    content: Mapping[str, Any] | None


@dataclass(frozen=True, slots=True)
class StatusLine:
    at: float
    payload: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Deed:
    """An action of the person: "submit prompt: ...", "keys Escape", "kill -9"."""

    at: float
    what: str


Step = Hook | RegistryChange | StatusLine | Deed


def names() -> list[str]:
    return sorted(path.stem for path in FOLDER.glob("*.jsonl"))


def steps(name: str) -> Iterator[Step]:
    """Yield the steps in the order of time. The first line of a file holds the wall time at which its times begin."""
    lines = (FOLDER / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    epoch = float(json.loads(lines[0])["epoch"])
    env: dict[str, str] = {}
    for line in map(json.loads, lines[1:]):
        env = line.get("env", env)  # it is written only where it changed
        yield _step(line, epoch + line["t"], env)


def _step(line: dict[str, Any], at: float, env: Mapping[str, str]) -> Step:
    if "hook" in line:
        return Hook(at, line["hook"], env)
    if "registry" in line:
        return RegistryChange(at, line["registry"], line["content"])
    if "statusline" in line:
        return StatusLine(at, line["statusline"])
    return Deed(at, line["driver"])
