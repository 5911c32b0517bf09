"""Start the recorder as Claude Code does: in a process of its own, with an event on stdin and a state folder."""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, cast

from deskbell_hooks import record
from deskbell_hooks.schema import Event, Line, Record

MAIN = Path(record.__file__).with_name("__main__.py")
COMMAND = [sys.executable, "-I", "-S", str(MAIN), "record"]
"""Its first word is the Python that starts the recorder; see `started_by`."""
BARE_ENV = {"PATH": os.environ.get("PATH", ""), **{k: v for k, v in os.environ.items() if k == "SYSTEMROOT"}}
PATIENCE = 120
THOROUGH = bool(os.environ.get("DESKBELL_THOROUGH"))


@contextmanager
def started_by(python: str) -> Iterator[None]:
    """Start every recorder of this process with another Python."""
    before, COMMAND[0] = COMMAND[0], python
    try:
        yield
    finally:
        COMMAND[0] = before


@contextmanager
def from_folder(code: Path) -> Iterator[None]:
    """Start every recorder of this process from another folder."""
    before = COMMAND[1:]
    COMMAND[1:] = ["-I", "-S", str(code / MAIN.name), "record"]
    try:
        yield
    finally:
        COMMAND[1:] = before


def share(number: int) -> int:
    """Return NUMBER, or a fifth of it if the recorder is started by another Python than the tests."""
    return number if COMMAND[0] == sys.executable or THOROUGH else number // 5


def start(state: Path, env: Mapping[str, str] | None = None, **how: Any) -> "subprocess.Popen[bytes]":
    streams = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    # A process whose files may not grow would leave half a compiled module, which then fails every later import.
    program, *rest = COMMAND if "preexec_fn" not in how else [COMMAND[0], "-B", *COMMAND[1:]]
    return subprocess.Popen([program, *rest, str(state)], env={**BARE_ENV, **(env or {})}, **{**streams, **how})


def run(state: Path, data: bytes | Event, env: Mapping[str, str] | None = None, **how: Any) -> None:
    """Record one event; the recorder must print nothing and exit with 0."""
    process = start(state, env, **how)
    out, err = process.communicate(data if isinstance(data, bytes) else said(data), timeout=PATIENCE)
    assert (process.returncode, out, err) == (0, b"", b"")


def said(event: Event) -> bytes:
    return json.dumps(event).encode() + b"\n"


def run_all(state: Path, events: Iterable[Event]) -> None:
    """Record all events at once: every process waits for its stdin before the first gets its event."""
    with tempfile.TemporaryFile() as said_aloud:
        running = [(start(state, stdout=said_aloud, stderr=said_aloud), event) for event in events]
        for process, event in running:
            give(process, said(event))
        assert {process.wait(PATIENCE) for process, _ in running} == {0}
        said_aloud.seek(0)
        assert said_aloud.read() == b""


def give(process: "subprocess.Popen[bytes]", data: bytes) -> None:
    assert process.stdin
    process.stdin.write(data)
    process.stdin.close()
    process.stdin = None


def finish(process: "subprocess.Popen[bytes]") -> None:
    out, err = process.communicate(timeout=PATIENCE)
    assert (process.returncode, out, err) == (0, b"", b"")


def journal(state: Path, session: str) -> list[Line]:
    return [cast("Line", json.loads(text)) for text in whole_lines(state, session)]


def whole_lines(state: Path, session: str) -> list[str]:
    """Return the lines of the journal that are JSON: a killed writer may have left half a line."""
    found = []
    for text in (state / "events" / f"{session}.jsonl").read_text(encoding="utf-8").splitlines():
        try:
            json.loads(text)
        except ValueError:
            continue
        found.append(text)
    return found


def read(state: Path, session: str) -> Record:
    return cast("Record", json.loads((state / "sessions" / f"{session}.json").read_text(encoding="utf-8")))
