"""Measure what it costs to follow the end of a long transcript while it grows."""

import json
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from deskbell.sessions.transcript import Transcripts
from tests.bench.table import Table

ANSWERS = 20_000
LOOKS = 200


def run() -> Table:
    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / "t.jsonl"
        with path.open("wb") as file:
            file.writelines(_answer(number) for number in range(ANSWERS))
        rows = _rows(path)
    return Table("transcripts", ("measure", "value"), rows)


def _rows(path: Path) -> tuple[tuple[str, str], ...]:
    transcripts = Transcripts()
    first = _timed(lambda: transcripts.read(str(path)))
    whole = _timed(lambda: transcripts.read_whole(str(path)))
    same = [_timed(lambda: transcripts.read(str(path))) for _ in range(LOOKS)]
    grown = []
    for number in range(LOOKS):
        with path.open("ab") as file:
            file.write(_answer(ANSWERS + number))
        grown.append(_timed(lambda: transcripts.read(str(path))))
    return (
        ("size", f"{path.stat().st_size / 1e6:.0f} MB"),
        ("first look at its end", f"{first * 1000:.1f} ms"),
        ("everything that was spent in it", f"{whole * 1000:.0f} ms"),
        ("a look that finds nothing new, median", f"{statistics.median(same) * 1e6:.0f} µs"),
        ("a look after one more answer, median", f"{statistics.median(grown) * 1e6:.0f} µs"),
    )


def _timed(effect: Callable[[], object]) -> float:
    began = time.perf_counter()
    effect()
    return time.perf_counter() - began


def _answer(number: int) -> bytes:
    message = {
        "id": f"msg_{number}",
        "model": "claude-opus-5-5",
        "content": [{"type": "text", "text": f"{'word ' * 500}\nAnswer {number}."}],
        "stop_reason": "end_turn",
        "usage": {"input_tokens": 10, "cache_read_input_tokens": 50_000, "output_tokens": 500},
    }
    line = {"type": "assistant", "timestamp": "2026-11-18T10:00:00Z", "gitBranch": "main", "message": message}
    return json.dumps(line, separators=(",", ":")).encode() + b"\n"
