"""How long do commands take beside each other? Interleaved, so that whatever else the machine does slows all alike."""

import random
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

Deed = Callable[[], None]


@dataclass(frozen=True, slots=True)
class Times:
    """Milliseconds of every round."""

    all: tuple[float, ...]

    @property
    def median(self) -> float:
        return median(self.all)

    @property
    def best(self) -> float:
        return min(self.all)

    @property
    def p95(self) -> float:
        return sorted(self.all)[int(len(self.all) * 0.95)]


def interleaved(deeds: Mapping[str, Deed], rounds: int) -> dict[str, Times]:
    found: dict[str, list[float]] = {name: [] for name in deeds}
    order = list(deeds)
    for _ in range(rounds):
        random.shuffle(order)
        for name in order:
            start = time.perf_counter()
            deeds[name]()
            found[name].append((time.perf_counter() - start) * 1000)
    return {name: Times(tuple(times)) for name, times in found.items()}


def process(command: Sequence[str], stdin: Path, env: Mapping[str, str] | None = None) -> Deed:
    """One process from its start to its end, with a file for its stdin."""

    def deed() -> None:
        with stdin.open("rb") as file:
            subprocess.run(command, stdin=file, env=env, check=True, stdout=subprocess.DEVNULL, close_fds=False)

    return deed
