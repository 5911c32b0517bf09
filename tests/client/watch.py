"""What did the board say of each client, and was that right within a second, and did it stay right?

The board is asked all the time, so that a status which only flashes by is found too: it would have rung.
"""

import threading
import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

from deskbell.session import Session
from tests.client.waiting import STEP, wait

WITHIN = 1.0
PATIENCE = 8.0
RUNNING = ("working", "background")
GONE = "gone"

Read = Callable[[], Iterable[Session]]


@dataclass(frozen=True)
class Sight:
    at: float
    status: str
    detail: str

    def __str__(self) -> str:
        return f"{self.status} {self.detail}".strip()


@dataclass(frozen=True)
class Expected:
    status: str
    detail: str = ""
    """A part of the detail."""
    hold: float = 0.6
    """Seconds that it must stay so."""
    through: Sequence[str] = ()
    """What else may flash by on the way; plain running always may."""

    def __str__(self) -> str:
        return f"{self.status} {self.detail}".strip()

    def fits(self, sight: Sight) -> bool:
        return sight.status == self.status and self.detail in sight.detail


@dataclass(frozen=True)
class Check:
    expected: str
    seen: str
    delay: float | None
    """Seconds from the deed, or from the text that the terminal showed, until it stayed so; None: it never came."""
    trouble: str = ""


@dataclass
class Watch:
    read: Read
    sights: dict[int, list[Sight]] = field(default_factory=dict)
    looked: float = 0.0
    """When the board was last asked; what it said is not older."""
    _over: threading.Event = field(default_factory=threading.Event)
    _pool: ThreadPoolExecutor = field(default_factory=lambda: ThreadPoolExecutor(1))

    def __enter__(self) -> "Watch":
        self._watching = self._pool.submit(self._run)
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._pool.shutdown()

    def last(self, pid: int) -> Sight:
        return self.sights.get(pid, [Sight(0.0, GONE, "")])[-1]

    def check(self, pid: int, since: float, expected: Expected) -> Check:
        def stayed() -> Sight | None:
            if self._watching.done():
                self._watching.result()  # it never ends by itself but for what went wrong
            came = self._came(pid, expected)
            return came if came and self.looked >= max(came.at, since) + expected.hold else None

        try:
            came = wait(stayed, within=since + PATIENCE + expected.hold - time.monotonic())
        except AssertionError:
            return Check(str(expected), str(self.last(pid)), None, "never came, or did not stay")
        delay = max(0.0, came.at - since)
        late = [f"late by {delay - WITHIN:.1f} s"] if delay > WITHIN else []
        return Check(str(expected), str(came), delay, ", ".join(self._flashes(pid, since, expected) + late))

    def _came(self, pid: int, expected: Expected) -> Sight | None:
        """When what is to be seen began to be seen without a break."""
        came = None
        for sight in self.sights.get(pid, []):
            stays = came and sight.status == expected.status
            came = came if stays else sight if expected.fits(sight) else None
        return came

    def _flashes(self, pid: int, since: float, expected: Expected) -> list[str]:
        sights = self.sights[pid]
        before = [sight.status for sight in sights if sight.at <= since][-1:]
        welcome = {*before, *RUNNING, *expected.through, expected.status, GONE}
        return [f"flashed {sight.status}" for sight in sights if sight.at > since and sight.status not in welcome]

    def _run(self) -> None:
        while not self._over.wait(STEP):
            self._look()

    def _look(self) -> None:
        now = time.monotonic()
        shown = list(self.read())
        for pid in {session.pid for session in shown if session.pid} | self.sights.keys():
            status, detail = _of_client([session for session in shown if session.pid == pid])
            if (status, detail) != (self.last(pid).status, self.last(pid).detail):
                self.sights.setdefault(pid, []).append(Sight(time.monotonic(), status, detail))
        self.looked = now


def _of_client(rows: Sequence[Session]) -> tuple[str, str]:
    """One client is one row; only rows that have ended may stand beside it for a while."""
    living = [session for session in rows if session.group != "ended"] or rows[:1]
    if not living:
        return GONE, ""
    hidden = "hidden " if living[0].hidden else ""
    return hidden + " and ".join(session.status for session in living), living[0].detail
