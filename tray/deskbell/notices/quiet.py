"""What has the person asked not to hear of for now? The snooze and the mutes, in one small file beside the records."""

import json
from collections.abc import Callable, Mapping
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from deskbell.errors import Problem
from deskbell.face.actions import Snooze
from deskbell.files.stamp import Stamp, stamp
from deskbell.files.write import write_private
from deskbell.session import Session
from deskbell.text.times import end_of

Kind = Literal["sessions", "projects", "statuses"]
Until = float | None
"""None: until it is unmuted."""


class Quiet(BaseModel):
    model_config = ConfigDict(frozen=True)

    version: int = 1
    snoozed_until: float | None = None
    sessions: Mapping[str, Until] = Field(default={})
    projects: Mapping[str, Until] = Field(default={})
    statuses: Mapping[str, Until] = Field(default={})

    def snooze(self, now: float) -> float | None:
        """When the snooze that holds now is over."""
        return self.snoozed_until if self.snoozed_until and self.snoozed_until > now else None

    def muted(self, session: Session, now: float) -> str | None:
        """Which mute holds for this session now, in words."""
        if _holds(self.sessions, session.session_id, now):
            return "this session is muted"
        if glob := next((g for g in self.projects if matches(session, g) and _holds(self.projects, g, now)), None):
            return f"project {glob} is muted"
        if _holds(self.statuses, session.status, now):
            return f"status {session.status} is muted"
        return None

    def snoozed(self, until: float | None) -> "Quiet":
        return self.model_copy(update={"snoozed_until": until})

    def with_mute(self, kind: Kind, what: str, until: Until = None) -> "Quiet":
        return self.model_copy(update={kind: {**getattr(self, kind), what: until}})

    def without_mute(self, kind: Kind, what: str) -> "Quiet":
        return self.model_copy(update={kind: {k: v for k, v in getattr(self, kind).items() if k != what}})


def matches(session: Session, glob: str) -> bool:
    """A project by its name, or by a glob on its name or its folder."""
    return any(fnmatchcase(name, glob) for name in (session.project, session.cwd or ""))


def read(state: Path) -> Quiet:
    """A missing or broken file is no quiet at all: to ring once too often is better than to fall silent."""
    try:
        return Quiet.model_validate_json((state / "quiet.json").read_bytes())
    except (OSError, ValidationError):
        return Quiet()


def write(state: Path, quiet: Quiet) -> None:
    try:
        state.mkdir(mode=0o700, parents=True, exist_ok=True)
        write_private(state / "quiet.json", json.dumps(quiet.model_dump(), indent=1).encode())
    except OSError as error:
        raise Problem(f"{state / 'quiet.json'} cannot be written: {error.strerror}") from error


class QuietFile:
    """The Quiet in force: read again when the file has changed, and changed by clicks in the menu."""

    def __init__(self, state: Path, clock: Callable[[], float]) -> None:
        self._state = state
        self._clock = clock
        self._stamp: Stamp | None = None
        self._quiet = Quiet()

    def quiet(self) -> Quiet:
        found = stamp(self._state / "quiet.json")
        if found != self._stamp:
            self._quiet, self._stamp = read(self._state), found
        return self._quiet

    def snooze(self, wish: Snooze) -> None:
        until = None if wish.until is None else end_of(wish.until, self._clock())
        write(self._state, self.quiet().snoozed(until))

    def mute(self, session_id: str, muted: bool) -> None:
        now = self.quiet()
        change = now.with_mute("sessions", session_id) if muted else now.without_mute("sessions", session_id)
        write(self._state, change)

    def muted(self) -> frozenset[str]:
        """The ids of the sessions that are muted one by one."""
        now = self._clock()
        return frozenset(name for name, until in self.quiet().sessions.items() if until is None or until > now)


def _holds(mutes: Mapping[str, Until], what: str, now: float) -> bool:
    return what in mutes and ((end := mutes[what]) is None or end > now)
