"""Measure how soon the watcher wakes the loop, and what it costs while 54 sessions work."""

import asyncio
import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from deskbell.desktop.watch import watch
from deskbell.program.boundary import Boundary
from tests.bench.table import Table

SESSIONS = 54
RATE = 10
SECONDS = 10.0
REPLACES = 300

WRITER = """
import pathlib, sys, time
folder, sessions, rate, seconds = pathlib.Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]), float(sys.argv[4])
started = time.monotonic()
for number in range(int(sessions * rate * seconds)):
    time.sleep(max(0.0, started + number / (sessions * rate) - time.monotonic()))
    temporary = folder / f"{number % sessions}.json.tmp"
    temporary.write_text("{}")
    temporary.replace(temporary.with_suffix(""))
"""


def run() -> Table:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "sessions"
        folder.mkdir()
        latencies = asyncio.run(_latencies(folder))
        idle = asyncio.run(_busy(folder, rate=0))
        busy = asyncio.run(_busy(folder, rate=RATE))
    return Table(
        "watch",
        ("measure", "value"),
        (
            (f"os.replace -> wake, median of {REPLACES}", f"{statistics.median(latencies) * 1000:.2f} ms"),
            ("os.replace -> wake, p95", f"{statistics.quantiles(latencies, n=20)[-1] * 1000:.2f} ms"),
            ("idle: CPU / wakes per second", _rates(idle)),
            (f"{SESSIONS} files x {RATE}/s: CPU / wakes per second", _rates(busy)),
        ),
    )


def _rates(measured: tuple[float, float]) -> str:
    cpu, wakes = measured
    return f"{cpu:.2f} % / {wakes:.1f}"


async def _latencies(folder: Path) -> Sequence[float]:
    woken = asyncio.Event()
    watcher = watch([folder], woken.set, Boundary())
    try:
        return [await _latency(folder, woken) for _ in range(REPLACES)]
    finally:
        watcher.close()


async def _latency(folder: Path, woken: asyncio.Event) -> float:
    await asyncio.sleep(0.06)
    woken.clear()
    (folder / "a.json.tmp").write_text(json.dumps({"version": 1}))
    began = time.perf_counter()
    (folder / "a.json.tmp").replace(folder / "a.json")
    await woken.wait()
    return time.perf_counter() - began


async def _busy(folder: Path, rate: int) -> tuple[float, float]:
    """Return per cent of a core, and wakes per second, with the writer in another process."""
    wakes: list[None] = []
    watcher = watch([folder], lambda: wakes.append(None), Boundary())
    writer = subprocess.Popen([sys.executable, "-c", WRITER, str(folder), str(SESSIONS), str(rate), str(SECONDS)])
    try:
        began, cpu = time.monotonic(), time.process_time()
        await asyncio.sleep(SECONDS)
        took = time.monotonic() - began
        return (time.process_time() - cpu) / took * 100, len(wakes) / took
    finally:
        await asyncio.to_thread(writer.wait, 60)
        watcher.close()
