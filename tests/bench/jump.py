"""Measure how long a jump takes between real terminals, until the window, the tab and the pane are seen in front."""

import random
import statistics
import tempfile
import time
from collections import defaultdict
from pathlib import Path

from deskbell.desktop.jump import jump
from tests.bench.table import Table
from tests.desktop.desktop import desktop, missing
from tests.desktop.terminals import Terminals

JUMPS = 200


def run() -> str:
    if absent := missing():
        return f"== jump: not measured, a desktop needs {', '.join(absent)}"
    with tempfile.TemporaryDirectory() as folder, desktop(Path(folder) / "desk", panel=False, accessible=True) as one:
        there = Terminals(one)
        there.xterm("window 1")
        there.xterm("window 2")
        attach = there.tmux("tmux", [["window + pane 1", "window + pane 2"], ["window + pane 3"]])
        there.open("xterm attached", "-e", *attach)
        there.attached(attach, 1)
        there.kitty(["kitty 1", "kitty 2"], ["kitty 3"])
        there.xfce4_terminal(*(f"tab by AT-SPI {number}" for number in range(3)))
        there.gnome_terminal([["gnome-terminal 1"], ["gnome-terminal 2", "gnome-terminal 3"]])
        took = _measured(there)
        there.close()
    rows = [_row(name, seconds) for name, seconds in took.items()]
    return str(Table(f"jump: {JUMPS} random jumps, in ms", ("way", "jumps", "p50", "p95", "slowest"), tuple(rows)))


def _measured(there: Terminals) -> dict[str, list[float]]:
    chance, took = random.Random(14), defaultdict(list)
    for _ in range(JUMPS):
        seat = chance.choice(there.seats)
        session = seat.session
        begun = time.perf_counter()
        came = jump(session, env=there.desktop.env)
        took[seat.name.rpartition(" ")[0]].append(time.perf_counter() - begun)
        assert came.complete, f"{seat.name}: {came.sentence}"
    return took


def _row(name: str, seconds: list[float]) -> tuple[str, ...]:
    ordered = sorted(seconds)
    p95 = ordered[int(len(ordered) * 0.95)]
    figures = (statistics.median(ordered), p95, ordered[-1])
    return name, str(len(ordered)), *(f"{one * 1000:.0f}" for one in figures)
