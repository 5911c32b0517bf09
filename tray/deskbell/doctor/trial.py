"""Run a registered hook with test events, because only a run shows whether it records."""

import json
import os
import tempfile
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from deskbell.helper import run
from deskbell.home import environment
from deskbell.settings.registration import Hook, wanted

RUNS = 15
"""Test events for each hook."""

PATIENCE = 20.0
"""Seconds until a hook that hangs is ended."""

SESSION = "deskbell-doctor"


def seconds_of_events(hook: Hook, temporary: Path | None = None, runs: int = RUNS) -> Iterator[float]:
    """Yield the seconds that each of RUNS test events took. Stop at the first that leaves no record.

    The records go into a new folder in TEMPORARY, or in the system's folder for such files. Raise OSError if it cannot
    be made.
    """
    with tempfile.TemporaryDirectory(prefix="deskbell-doctor-", dir=temporary, ignore_cleanup_errors=True) as scratch:
        event = json.dumps({"session_id": SESSION, "hook_event_name": "Stop", "cwd": scratch}).encode()
        handler = wanted(replace(hook, state=scratch), None, windows=os.name == "nt")["Stop"][0]
        record = Path(scratch, "sessions", f"{SESSION}.json")
        for _ in range(runs):
            record.unlink(missing_ok=True)
            start = time.perf_counter()
            try:
                run(_command(handler), PATIENCE, given=event, env=environment(os.environ))
            except (FileNotFoundError, TimeoutError):
                return
            took = time.perf_counter() - start
            if not record.exists():
                return
            yield took


def _command(handler: dict[str, object]) -> list[str]:
    command, args = str(handler["command"]), handler.get("args")
    return [command, *map(str, args)] if isinstance(args, list) else ["/bin/sh", "-c", command]
