"""What has the person asked not to hear of for now? The snooze and the mutes, in one small file beside the records."""

import json
from collections.abc import Mapping
from datetime import datetime, timedelta
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from deskbell.errors import Problem
from deskbell.private import write_private
from deskbell.session import Session

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


def until(words: Literal["30 min", "1 h", "tomorrow"], now: float) -> float:
    """Tomorrow begins at eight in the morning, local time; before four at night it is the same day's."""
    if words != "tomorrow":
        return now + {"30 min": 1800.0, "1 h": 3600.0}[words]
    day = datetime.fromtimestamp(now - 4 * 3600) + timedelta(days=1)
    return day.replace(hour=8, minute=0, second=0, microsecond=0).timestamp()


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


def _holds(mutes: Mapping[str, Until], what: str, now: float) -> bool:
    return what in mutes and ((end := mutes[what]) is None or end > now)
