"""Check what `deskbell list` says about each client: right within a second, and for long enough.

The command runs as a process throughout and follows every change. So the checks also find a change that does not wake
it, and a status that shows only briefly: it would ring.
"""

import json
import os
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from tempfile import TemporaryFile
from typing import Any

from tests.client import copies
from tests.waiting import wait

WITHIN = 1.0
PATIENCE = 8.0
RUNNING = ("limit", "working", "background")
GONE = "gone"


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
    """Seconds for which it must stay."""
    through: Sequence[str] = ()
    """Other statuses that may show briefly before it. The running ones may, unless the status is the same as before."""

    def __str__(self) -> str:
        return f"{self.status} {self.detail}".strip()

    @property
    def is_over(self) -> bool:
        """Whether nothing in the terminal of the client is to show a session: nobody attends it, or it has ended."""
        return self.status in ("ended", "crashed", GONE) or self.status.startswith("hidden ")

    def fits(self, sight: Sight) -> bool:
        return sight.status == self.status and self.detail in sight.detail


@dataclass(frozen=True)
class Check:
    expected: str
    seen: str
    delay: float | None
    """Seconds from the deed, or from the text in the terminal, until it stayed; None if it never did."""
    trouble: str = ""


def slowness() -> float:
    """Return the programs that want to run on each processor, at least 1. Deadlines are stretched by this factor."""
    return max(1.0, os.getloadavg()[0] / (os.cpu_count() or 1))


class Watch:
    """Follow `deskbell list` until the `with` block ends."""

    def __init__(self, options: Sequence[str], environment: Mapping[str, str]) -> None:
        self._command = ["list", "--json", *options]
        self._environment = environment
        self._sights: dict[int, list[Sight]] = {}
        self._rows: Sequence[Mapping[str, Any]] = ()
        self._heard = threading.Event()

    def __enter__(self) -> "Watch":
        reader, writer = os.pipe()
        self._errors = TemporaryFile("w+")
        with open(writer) as said:
            self._list = copies.start([*self._command, "--watch"], self._environment, said, self._errors)
        self._reading = threading.Thread(target=self._read, args=(reader,), daemon=True)
        self._reading.start()
        wait(lambda: self._heard.is_set() or self._list.poll() is not None, "the first list")
        return self

    def __exit__(self, *_: object) -> None:
        self._list.kill()
        self._list.wait(20)
        self._reading.join()
        self._errors.close()

    def last(self, pid: int) -> Sight:
        return self._sights.get(pid, [Sight(0.0, GONE, "")])[-1]

    def holds(self, pid: int, expected: Expected) -> bool:
        """Return whether the command that runs throughout says now what is expected."""
        return expected.fits(self.last(pid))

    def check(self, pid: int, since: float, expected: Expected) -> Check:
        def stayed() -> Sight | None:
            if self._list.poll() is not None:
                self._errors.seek(0)
                raise RuntimeError(f"deskbell list ended by itself: {self._errors.read()}")
            came = self._came(pid, expected)
            return came if came and time.monotonic() >= max(came.at, since) + expected.hold else None

        try:
            came = wait(stayed, within=since + PATIENCE * slowness() + expected.hold - time.monotonic())
        except AssertionError:
            return Check(str(expected), str(self.last(pid)), None, "never came, or did not stay")
        delay = max(0.0, came.at - since)
        late = [f"late by {delay - WITHIN:.1f} s"] if delay > WITHIN * slowness() else []
        return Check(str(expected), str(came), delay, ", ".join(self._flashes(pid, since, expected) + late))

    def looked_twice(self, pid: int, since: float, expected: Expected) -> Check:
        """Check what the command says that runs throughout, then what one says that looks once."""
        check = self.check(pid, since, expected)
        if check.trouble:
            return check
        looks: list[str] = []

        def agree() -> bool:
            before = self.last(pid)
            looks.append(" ".join(self._fresh(pid)).strip())
            return looks[-1] in (str(before), str(self.last(pid)))

        try:
            wait(agree, within=WITHIN * slowness())
        except AssertionError:
            return replace(check, trouble=f"a fresh look says {looks[-1]}")
        return check

    def fresh(self, pid: int) -> Mapping[str, Any]:
        """Return what a command that looks once says of the client; nothing if it does not list it."""
        return _row(self._look_once(), pid)

    def newest(self, pid: int) -> Mapping[str, Any]:
        """Return what the command that runs throughout said last of the client."""
        return _row(self._rows, pid)

    def _fresh(self, pid: int) -> tuple[str, str]:
        return _of_client([session for session in self._look_once() if session["pid"] == pid])

    def _look_once(self) -> Sequence[Mapping[str, Any]]:
        rows: Sequence[Mapping[str, Any]] = json.loads(copies.run(self._command, self._environment))["sessions"]
        return rows

    def _came(self, pid: int, expected: Expected) -> Sight | None:
        """Return the sight since which the expected status has stayed, or None."""
        came = None
        for sight in self._sights.get(pid, [Sight(0.0, GONE, "")]):
            stays = came and sight.status == expected.status
            came = came if stays else sight if expected.fits(sight) else None
        return came

    def _flashes(self, pid: int, since: float, expected: Expected) -> list[str]:
        sights = self._sights.get(pid, [])
        before = [sight for sight in sights if sight.at <= since][-1:]
        still = expected.status != "idle" and any(
            map(expected.fits, before)
        )  # a second start of the same status would ring again
        known = {sight.status for sight in before}
        welcome = {*known, *(() if still else RUNNING), *expected.through, expected.status, GONE}
        return [f"flashed {sight.status}" for sight in sights if sight.at > since and sight.status not in welcome]

    def _read(self, reader: int) -> None:
        with open(reader) as lines:
            for line in lines:
                self._see(json.loads(line)["sessions"], time.monotonic())
                self._heard.set()

    def _see(self, sessions: Sequence[Mapping[str, Any]], now: float) -> None:
        self._rows = sessions
        for pid in {session["pid"] for session in sessions if session["pid"]} | self._sights.keys():
            status, detail = _of_client([session for session in sessions if session["pid"] == pid])
            if (status, detail) != (self.last(pid).status, self.last(pid).detail):
                self._sights.setdefault(pid, []).append(Sight(now, status, detail))


def _row(rows: Sequence[Mapping[str, Any]], pid: int) -> Mapping[str, Any]:
    return next((row for row in rows if row["pid"] == pid), {})


def _of_client(rows: Sequence[Mapping[str, Any]]) -> tuple[str, str]:
    """Return the status and the detail of a client. It has one row; ended ones may stay beside it for a while."""
    living = [row for row in rows if row["group"] not in ("crashed", "ended")] or rows[:1]
    if not living:
        return GONE, ""
    hidden = "hidden " if living[0]["hidden"] else ""
    return hidden + " and ".join(row["status"] for row in living), str(living[0]["detail"])
