"""Keep dated copies of a settings file, each made before a change: the first one and the newest ones."""

import contextlib
import datetime
import hashlib
import os
from dataclasses import dataclass
from pathlib import Path

from deskbell.errors import Problem
from deskbell.files.read import read
from deskbell.files.there import ending_in
from deskbell.files.write import write_private
from deskbell.settings.exchange import LARGEST

KEPT = 20
"""The most copies of one file."""

_STAMP = "%Y%m%dT%H%M%S.%fZ"


@dataclass(frozen=True, slots=True)
class Saved:
    path: Path
    when: datetime.datetime
    reason: str
    """What Deskbell was about to do: install, uninstall, restore; or interrupted, for what a killed change has left."""

    def content(self) -> bytes:
        """Return the content of the copy. Raise Problem if it cannot be read."""
        try:
            return read(self.path, LARGEST)
        except OSError as error:
            raise Problem(f"Cannot read {self.path}: {error.strerror}.", "Choose another copy.") from None

    def holds(self, content: bytes) -> bool:
        try:
            return self.content() == content
        except Problem:
            return False


class History:
    """The copies of one settings file. They are private, because settings hold tokens."""

    def __init__(self, config: Path, settings: Path) -> None:
        digest = hashlib.sha256(os.fsencode(settings)).hexdigest()[:8]
        self.folder = config / "history" / f"{settings.parent.name or 'settings'}-{digest}"

    def all(self) -> list[Saved]:
        """Return all copies, the oldest first."""
        found = (_saved(path) for path in ending_in(self.folder, ".json"))
        return [one for one in found if one]

    def save(self, content: bytes, reason: str, now: datetime.datetime) -> None:
        """Add a copy unless the newest one is the same. Of more than KEPT, delete the oldest except the first."""
        kept = self.all()
        if kept and kept[-1].holds(content):
            return
        path = self.folder / f"{now.astimezone(datetime.UTC).strftime(_STAMP)}-{reason}.json"
        write_private(path, content)
        for one in self.all()[1 : 1 - KEPT]:
            one.path.unlink(missing_ok=True)


def _saved(path: Path) -> Saved | None:
    """Return the copy at PATH; None if the name is not that of a copy."""
    stamp, _, reason = path.stem.partition("-")
    with contextlib.suppress(ValueError):
        return Saved(path, datetime.datetime.strptime(stamp, _STAMP).replace(tzinfo=datetime.UTC), reason)
    return None
