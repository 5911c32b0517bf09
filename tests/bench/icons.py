"""Measure how long the icon takes to draw, the first time and again."""

import subprocess
import sys
import time

from deskbell_icons import LOOKS, draw
from tests.bench.table import Table

SIZES = (16, 22, 24, 32, 48, 64, 128)

FIRST = """
import time
began = time.perf_counter()
import deskbell_icons
imported = time.perf_counter()
deskbell_icons.draw("blocked", 3, 22)
print(imported - began, time.perf_counter() - imported)
"""


def run() -> Table:
    draw("quiet", size=8)  # Pillow and the geometry are loaded
    imported, first = _first()
    return Table(
        "icons",
        ("size", "drawn", "from the cache"),
        (
            *((f"{size} px", f"{_each(size) * 1000:.2f} ms", f"{_each(size) * 1_000_000:.2f} µs") for size in SIZES),
            ("import", f"{imported * 1000:.2f} ms", ""),
            ("the first in a process, with Pillow", f"{first * 1000:.1f} ms", ""),
        ),
    )


def _each(size: int) -> float:
    began = time.perf_counter()
    for look in LOOKS:
        draw(*look, size)
    return (time.perf_counter() - began) / len(LOOKS)


def _first() -> tuple[float, float]:
    environment = {"PYTHONPATH": ":".join(sys.path)}
    printed = subprocess.run([sys.executable, "-c", FIRST], env=environment, capture_output=True, text=True, check=True)
    imported, first = map(float, printed.stdout.split())
    return imported, first
