"""Compare the costs of commands.

The rounds are interleaved, so that other work on the machine slows all commands alike. Processor time is measured
besides wall time: on a busy machine a process waits longer but does not work more.
"""

import os
import random
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

Deed = Callable[[], float]
"""Does something and returns how many processor seconds it took."""


@dataclass(frozen=True, slots=True)
class Times:
    """Milliseconds of every round, in wall time and in processor time."""

    all: tuple[float, ...]
    processor: tuple[float, ...] = ()

    @property
    def median(self) -> float:
        return median(self.all)

    @property
    def best(self) -> float:
        return min(self.all)

    @property
    def p95(self) -> float:
        return sorted(self.all)[int(len(self.all) * 0.95)]

    def to(self, other: "Times") -> float:
        """Return the ratio of the processor times."""
        return median(self.processor) / median(other.processor)


def interleaved(deeds: Mapping[str, Deed], rounds: int) -> dict[str, Times]:
    wall: dict[str, list[float]] = {name: [] for name in deeds}
    processor: dict[str, list[float]] = {name: [] for name in deeds}
    order = list(deeds)
    for _ in range(rounds):
        random.shuffle(order)
        for name in order:
            start = time.perf_counter()
            processor[name].append(deeds[name]() * 1000)
            wall[name].append((time.perf_counter() - start) * 1000)
    return {name: Times(tuple(wall[name]), tuple(processor[name])) for name in deeds}


def process(command: Sequence[str], stdin: Path, env: Mapping[str, str] | None = None) -> Deed:
    """Return a deed that runs a process with a file as its stdin. Its children count if it waits for them."""

    def deed() -> float:
        start = time.perf_counter()
        with stdin.open("rb") as file:
            started = subprocess.Popen(command, stdin=file, env=env, stdout=subprocess.DEVNULL, close_fds=False)
            used = _wait(started)
        assert started.returncode == 0, command
        return used if used is not None else time.perf_counter() - start

    return deed


def _wait(started: "subprocess.Popen[bytes]") -> float | None:
    if sys.platform == "win32":
        started.wait()
        return None
    _, status, used = os.wait4(started.pid, 0)
    started.returncode = os.waitstatus_to_exitcode(status)
    return used.ru_utime + used.ru_stime
