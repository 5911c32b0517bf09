"""Keep what the person silenced, the snooze and the mutes, in `quiet.json` of the state folder.

Quiet is the value. The commands call `read` and `change`; the program uses QuietFile. Every change is made to what the
file holds at that moment, under a lock: the program, the board and the commands change it at the same time.
"""

import json
import logging
from collections.abc import Callable, Collection, Mapping
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Annotated, Literal, Self, get_args

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from deskbell.errors import NOT_WRITTEN, Problem
from deskbell.face.actions import Snooze
from deskbell.files.lock import one_at_a_time
from deskbell.files.read import LATEST, is_passing
from deskbell.files.read import read as read_file
from deskbell.files.stamp import Stamp, stamp
from deskbell.files.write import make_private, write_private
from deskbell.session import Session
from deskbell.text.times import end_of

log = logging.getLogger(__name__)

Kind = Literal["sessions", "projects", "statuses"]
SET_BACK = 60.0
"""Seconds. A clock that goes back by less was corrected, not set back."""
LATER_FOR = 600.0
"""Seconds for which Later holds back the rings of a session."""
LARGEST = 4 * 1024 * 1024
"""Bytes of the file that are read."""
FULL = 256 * 1024
"""Bytes of the file that are written at the most."""
MOST = 500
"""Sessions that are muted at the most: after that, the oldest mute ends."""
PATIENCE = 0.5
"""Seconds to wait for another process that changes the file."""
Time = Annotated[float, Field(ge=0, lt=LATEST)]
Until = Time | None
"""When a mute ends; None: it ends when it is taken back."""


class Quiet(BaseModel):
    model_config = ConfigDict(frozen=True, defer_build=True)  # most of the time nothing is silenced

    version: int = 1
    at: Time | None = None
    """When this was written. If it is earlier now, the clock has been set back, and everything with an end is over."""
    snoozed_until: Time | None = None
    sessions: Mapping[str, Until] = Field(default={})
    projects: Mapping[str, Until] = Field(default={})
    statuses: Mapping[str, Until] = Field(default={})
    later: Mapping[str, Time] = Field(default={})
    """When each session that Later holds back may ring again, by id."""

    @classmethod
    def nothing(cls) -> Self:
        """Return the value that silences nothing, without a check."""
        return cls.model_construct()

    def snooze(self, now: float) -> float | None:
        """Return when the snooze ends; None if there is none at NOW."""
        return self.snoozed_until if self.snoozed_until and self._lasts(self.snoozed_until, now) else None

    def muted(self, session: Session, now: float) -> str | None:
        """Return which mute silences SESSION at NOW, in words."""
        if session.session_id in self.names("sessions", now):
            return "this session is muted"
        if glob := next((name for name in self.names("projects", now) if matches(session, name)), None):
            return f"project {glob} is muted"
        if session.status in self.names("statuses", now):
            return f"status {session.status} is muted"
        return None

    def laters(self, now: float) -> dict[str, float]:
        """Return the ids of the sessions that Later holds back at NOW, and until when."""
        return {session: until for session, until in self.later.items() if self._lasts(until, now)}

    def names(self, kind: Kind, now: float) -> dict[str, Until]:
        """Return everything of KIND that is muted at NOW, and until when."""
        mutes: Mapping[str, Until] = getattr(self, kind)
        return {name: until for name, until in mutes.items() if until is None or self._lasts(until, now)}

    def dated(self, now: float) -> "Quiet":
        """Return what holds at NOW, and remember NOW. Every change begins with this."""
        kinds: Mapping[str, Mapping[str, Until]] = {kind: self.names(kind, now) for kind in get_args(Kind)}
        lasting = {"snoozed_until": self.snooze(now), "later": self.laters(now), **kinds}
        return self.model_copy(update={"at": now, **lasting})

    def _lasts(self, until: float, now: float) -> bool:
        """Return whether UNTIL is still to come. After the clock was set back, it is not: it could be a year away."""
        return until > now and (self.at is None or now > self.at - SET_BACK)

    def snoozed(self, until: float | None) -> "Quiet":
        return self.model_copy(update={"snoozed_until": until})

    def with_mute(self, kind: Kind, what: str, until: Until = None) -> "Quiet":
        mutes = {**self.without_mute(kind, what)._mutes(kind), what: until}
        newest = list(mutes.items())[-MOST:] if kind == "sessions" else mutes
        return self.model_copy(update={kind: dict(newest)})

    def _mutes(self, kind: Kind) -> Mapping[str, Until]:
        found: Mapping[str, Until] = getattr(self, kind)
        return found

    def without_mute(self, kind: Kind, what: str) -> "Quiet":
        return self.model_copy(update={kind: {k: v for k, v in getattr(self, kind).items() if k != what}})


def matches(session: Session, glob: str) -> bool:
    """Return whether GLOB matches the project of SESSION, by its name or by its folder."""
    return any(name == glob or fnmatchcase(name, glob) for name in (session.project, session.cwd or ""))


def is_glob(word: str) -> bool:
    return any(sign in word for sign in "*?[")


def read(state: Path) -> Quiet:
    """Return what is silenced. A missing or broken file silences nothing: an extra ring is better than a lost one."""
    file = state / "quiet.json"
    try:
        return _read(file)
    except OSError as error:
        log.warning("%s cannot be read (%s): nothing is silenced", file, error.strerror)
        return Quiet.nothing()


def _read(file: Path) -> Quiet:
    """Return what is silenced. Raise OSError if the file cannot be read at the moment."""
    try:
        return Quiet.model_validate_json(read_file(file, LARGEST))
    except FileNotFoundError:
        return Quiet.nothing()
    except (OSError, ValidationError) as error:
        if is_passing(error):
            raise
        why = error.strerror if isinstance(error, OSError) else "it is damaged"
        log.warning("%s cannot be read (%s): nothing is silenced", file, why)
        return Quiet.nothing()


def write(state: Path, quiet: Quiet) -> None:
    """Write QUIET. Raise Problem if the file cannot be written, or could not be read again."""
    data = json.dumps(quiet.model_dump(), indent=1).encode()
    if len(data) > FULL:
        raise Problem("Too much is muted already.", "Run `deskbell mute` to list it, and `deskbell unmute` for some.")
    try:
        write_private(state / "quiet.json", data)
    except OSError as error:
        raise _unwritten(state, error) from error


def change(state: Path, now: float, by: Callable[[Quiet], Quiet]) -> Quiet:
    """Change by BY what holds at NOW, and return what it was. Raise Problem if the file cannot be read or written."""
    try:
        make_private(state)
        with one_at_a_time(state / "quiet.lock", PATIENCE):
            before = _read(state / "quiet.json").dated(now)
            if (after := by(before)) is not before:
                write(state, after)
            return before
    except OSError as error:
        raise _unwritten(state, error) from error


def forget(state: Path, now: float, sessions: Collection[str]) -> None:
    """End the mutes of SESSIONS, which are removed. Raise Problem as `change` does."""

    def without(before: Quiet) -> Quiet:
        left = {one: until for one, until in before.sessions.items() if one not in sessions}
        return before.model_copy(update={"sessions": left}) if len(left) < len(before.sessions) else before

    if sessions and (state / "quiet.json").exists():
        change(state, now, without)


def _unwritten(state: Path, error: OSError) -> Problem:
    return Problem(f"Cannot write {state / 'quiet.json'}: {error.strerror}.", NOT_WRITTEN)


class QuietFile:
    """The Quiet in force. It is read again when the file has changed. Clicks change the file, in any thread."""

    def __init__(self, state: Path, clock: Callable[[], float]) -> None:
        self._state = state
        self._clock = clock
        self._stamp: Stamp | None = None
        self._refused: Stamp | None = None
        """The stamp of the file when it last could not be read."""
        self._quiet = Quiet.nothing()

    def quiet(self) -> Quiet:
        """Return what is silenced. While the file cannot be read, nothing changes."""
        file = self._state / "quiet.json"
        found = stamp(file)
        if found != self._stamp:
            try:
                self._quiet, self._stamp = _read(file), found
            except OSError as error:
                if found != self._refused:
                    log.warning("%s cannot be read (%s): what was silenced stays so", file, error.strerror)
                self._refused = found
        return self._quiet

    def snooze(self, wish: Snooze) -> None:
        now = self._clock()
        until = None if wish.until is None else end_of(wish.until, now)
        change(self._state, now, lambda before: before.snoozed(until))

    def mute(self, session_id: str, muted: bool) -> None:
        by = Quiet.with_mute if muted else Quiet.without_mute
        change(self._state, self._clock(), lambda before: by(before, "sessions", session_id))

    def later(self, session_id: str, on: bool) -> None:
        """Hold back the rings of a session for LATER_FOR seconds, or end that."""
        now = self._clock()

        def by(before: Quiet) -> Quiet:
            later = {one: until for one, until in before.later.items() if one != session_id}
            return before.model_copy(update={"later": later | ({session_id: now + LATER_FOR} if on else {})})

        change(self._state, now, by)

    def laters(self) -> dict[str, float]:
        """Return the ids of the sessions that Later holds back, and until when."""
        return self.quiet().laters(self._clock())

    def muted(self) -> frozenset[str]:
        """Return the ids of the sessions that are muted themselves, not by their project or status."""
        return frozenset(self.quiet().names("sessions", self._clock()))
