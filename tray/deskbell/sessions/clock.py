"""Put the times that others have stamped by a clock that was set since onto the clock of the reader.

Hooks, the registry and transcripts stamp what happens with the time of the wall clock. Somebody may set that between a
stamp and the next one, or between a stamp and the reading: then the order of the stamps lies, and a time to come would
hold back every verdict. A run says by which clock its times are (`zero`), so they are moved exactly. An entry of the
registry and a transcript do not: each of their times is by the clock of now, or else by that of the newest hook.
"""

import sys
import time
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any, NamedTuple, TypeVar

from deskbell.sessions.conversation import Tail
from deskbell.sessions.course import Course, Turn
from deskbell.sessions.registry import Entry
from deskbell_hooks.runs import SET_BY, shifted
from deskbell_hooks.schema import Record

LONG_AGO = 3.0
"""Seconds before now that a time counts as which cannot be true: more than any rule waits for anything."""

TIMES_OF_COURSE = ("at", "interrupted_at", "finished_at", "refused_at", "sent_on_at")
TIMES = (*TIMES_OF_COURSE, "prompted")
"""The fields of a course and of a tail that hold one time."""

Stamped = TypeVar("Stamped", Record, Entry, Tail)


def since_start() -> float | None:
    """Return the seconds since the machine was started, which no setting of the clock changes; None if unknown."""
    if sys.platform != "linux":
        return None
    return time.clock_gettime(time.CLOCK_BOOTTIME)


Steps = tuple[tuple[float, float], ...]


class Clock(NamedTuple):
    """The clock of the reader at one reading."""

    now: float
    zero: float | None = None
    """Its time when the machine was started; None if that is not known."""
    boot: str = ""
    """The id of the present start of the machine."""

    def behind(self, run: Any) -> float:
        """Return by how many seconds the times of RUN must move. If only they tell, the newest one is long ago."""
        heard, zero = max(run["last_at"], run.get("turn_at", 0.0)), run.get("zero")
        if self.zero is not None and zero is not None and self.boot == run.get("where", {}).get("boot", ""):
            by = self.zero - float(zero)
            if abs(by) > SET_BY and heard + by <= self.now + SET_BY:
                return by
        return self.now - LONG_AGO - heard if heard > self.now + SET_BY else 0.0

    def steps(self, run: Any) -> Steps:
        """Return when the clock was set while the client of RUN ran, as far as that is known, the newest first."""
        by = self.behind(run)
        known = [(at + by, step) for at, step in reversed(run.get("steps", []))]
        return ((self.now, by), *known) if by else tuple(known)

    def present(self, at: float, steps: Steps) -> float:
        """Return on this clock a time that may be from before any of STEPS.

        A time that is still to come is from before the clock was set back. One before the clock was set ahead is too
        early for any other.
        """
        for set_at, by in steps:
            if not (at > self.now + SET_BY if by < 0 else at <= set_at - by):
                break
            at += by
        return at if at <= self.now + SET_BY else self.now - LONG_AGO


def record_on(record: Record, clock: Clock) -> Record:
    """Return RECORD with the times of all its clients on CLOCK; the same object if they are."""
    others, by = record.get("others", []), clock.behind(record)
    behind = [clock.behind(run) for run in others]
    if not by and not any(behind):
        return record
    moved: list[Any] = [shifted(run, late) for run, late in zip(others, behind, strict=True)]  # type: ignore[arg-type]
    return {**shifted(record, by), "others": moved}


def entry_on(entry: Entry, clock: Clock, steps: Steps) -> Entry:
    """Return ENTRY with its times on CLOCK; the same object if they are. STEPS: those of its client's run."""
    newest = max(entry.status_since, entry.updated, entry.started or 0.0)
    if not steps and newest <= clock.now + SET_BY:
        return entry
    started = clock.present(entry.started, steps) if entry.started else None
    since, updated = clock.present(entry.status_since, steps), clock.present(entry.updated, steps)
    return replace(entry, status_since=since, updated=updated, started=min(started, since) if started else None)


def tail_on(tail: Tail, clock: Clock, steps: Steps) -> Tail:
    """Return TAIL with its times on CLOCK; the same object if nobody is known to have set the clock."""
    if not steps:
        return tail

    def moved(at: float | None) -> float | None:
        return None if at is None else clock.present(at, steps)

    times: dict[str, Any] = {name: moved(getattr(tail, name)) for name in TIMES}
    times |= {name: tuple(map(moved, getattr(tail, name))) for name in ("prompts", "own")}
    return replace(tail, **times, **_waits_on(tail, moved), turns=tuple(_turn_on(turn, moved) for turn in tail.turns))


def _turn_on(turn: Turn, moved: Callable[[float | None], float | None]) -> Turn:
    times: dict[str, Any] = {name: moved(getattr(turn.course, name)) for name in TIMES_OF_COURSE}
    times |= _waits_on(turn.course, moved)
    return turn._replace(course=turn.course._replace(**times), prompted=moved(turn.prompted))


def _waits_on(what: Tail | Course, moved: Callable[[float | None], float | None]) -> dict[str, Any]:
    """Return the usage limit and the requests of WHAT. The end of a limit stays: no clock of this machine gave it."""
    limit, requests = what.limit, what.requests
    return {
        "limit": limit and limit._replace(at=moved(limit.at) or 0.0, said=moved(limit.said)),
        "requests": requests._replace(at=moved(requests.at or None) or 0.0, first=moved(requests.first or None) or 0.0),
    }


class Clocks:
    """The clocks of one reading after the other: that of the reader, and those of the processes that are behind."""

    def __init__(self, elapsed: Callable[[], float | None]) -> None:
        """ELAPSED returns the seconds since the machine was started; None if unknown."""
        self._elapsed = elapsed
        self._clock = Clock(0.0)
        self.latest = 0.0
        """The latest time that can be true."""
        self.behind: dict[int, Steps] = {}
        """For each process that ran when somebody set the clock: how."""
        self._moved: dict[int, tuple[object, object]] = {}
        self._used: dict[int, tuple[object, object]] = {}
        """What was moved, so that the same value gives the same object until the clock is set again."""

    def take(self, now: float, boot: str) -> float:
        """Begin a reading at NOW. Return by how many seconds somebody has set the clock since the last one."""
        elapsed, before, self.latest = self._elapsed(), self._clock.zero, now + SET_BY
        self._clock = Clock(now, None if elapsed is None else now - elapsed, boot)
        by = 0.0 if None in (before, self._clock.zero) else self._clock.zero - before  # type: ignore[operator]
        if abs(by) <= SET_BY:
            return 0.0
        self._moved, self._used = {}, {}
        return by

    def begin(self) -> None:
        """Begin to read everything: forget which processes are behind, and what was not asked for the last time."""
        self.behind, self._moved, self._used = {}, self._used, {}

    def records(self, records: Iterable[Record]) -> list[Record]:
        """Return RECORDS with all times on the clock of the reader; the same object where they are."""
        latest, zero = self.latest, self._clock.zero
        return [
            one
            if one["last_at"] <= latest
            and not one.get("others")
            and not one.get("steps")
            and (zero is None or "zero" not in one or abs(one["zero"] - zero) <= SET_BY)
            else self._record(one)
            for one in records
        ]

    def entries(self, entries: Iterable[Entry]) -> list[Entry]:
        """Return ENTRIES with all times on the clock of the reader. Call `records` before, for all of them."""
        latest, behind = self.latest, self.behind
        return [
            one if one.pid not in behind and one.status_since <= latest and one.updated <= latest else self._entry(one)
            for one in entries
        ]

    def tail(self, tail: Tail, pid: int | None) -> Tail:
        """Return TAIL, which the process PID wrote, with all times on the clock of the reader.

        It is the same object unless the process is `behind`.
        """
        steps = self.behind.get(pid or 0, ())
        return self._kept(tail, lambda: tail_on(tail, self._clock, steps))

    def _record(self, record: Record) -> Record:
        for run in (record, *record.get("others", [])):
            if "where" in run and (steps := self._clock.steps(run)):
                self.behind[run["where"]["pid"]] = steps
        return self._kept(record, lambda: record_on(record, self._clock))

    def _entry(self, entry: Entry) -> Entry:
        steps = self.behind.get(entry.pid, ())
        return self._kept(entry, lambda: entry_on(entry, self._clock, steps))

    def _kept(self, value: Stamped, made: Callable[[], Stamped]) -> Stamped:
        known = self._used.get(id(value)) or self._moved.get(id(value))
        found = known[1] if known and known[0] is value else made()
        if found is not value:
            self._used[id(value)] = value, found
        return found  # type: ignore[return-value]  # what MADE returned for this value
