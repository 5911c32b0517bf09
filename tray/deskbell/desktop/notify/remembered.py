"""Remember which notifications are on the screen, so that the next run of Deskbell can take them over.

A notification daemon keeps what a killed program has shown, and a click on that does nothing. The daemon gives each
notification a number, which is valid only for one life: one run of that daemon. The file names the life, and numbers of
another life are never used. All methods are called in the loop, except `save`.
"""

import asyncio
import contextlib
import json
import logging
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Literal, NamedTuple, TypedDict

from deskbell.files.read import read
from deskbell.files.shape import Shape
from deskbell.files.write import write_private
from deskbell.notices.notice import Request
from deskbell.session import Ask
from deskbell.supervision import Supervisor
from deskbell.text.clean import clean, cut
from deskbell_hooks.schema import Status

PART = "memory of the screen"
MOST = 200
"""Notifications that are remembered, and sessions of each. Usually there are a few."""
LARGEST = 1_000_000
"""Bytes of the file."""

log = logging.getLogger(__name__)


class Entry(NamedTuple):
    """A notification on the screen."""

    slot: str
    number: int
    about: tuple[Request, ...] = ()


class _Screen(NamedTuple):
    life: str = ""
    shown: tuple[Entry, ...] = ()


class _Shown(TypedDict):
    slot: str
    number: int
    about: list[tuple[str, int | None, str, Status, float, Ask | None]]
    """The fields of each Request."""


class _File(TypedDict):
    version: Literal[1]
    life: str
    shown: list[_Shown]


_FILE = Shape(_File)


class Remembered:
    """The notifications on the screen, in memory and in a file."""

    def __init__(self, supervisor: Supervisor, path: Path | None = None) -> None:
        """PATH: the file. Without it, what is on the screen is remembered only until the program ends."""
        self._supervisor = supervisor
        self._path = path
        self._latest: _Screen | None = None
        self._saved = _Screen()
        self._lock = threading.Lock()
        self._saving = False
        self._failed = False

    def left(self, life: str) -> tuple[Entry, ...]:
        """Return what is on the screen of the daemon with this LIFE; empty for another life."""
        if self._latest is None:
            self._latest = self._saved = self._read()
        return self._latest.shown if life and life == self._latest.life else ()

    def note(self, life: str, shown: Sequence[Entry]) -> None:
        """Remember that SHOWN is on the screen of the daemon with this LIFE. Write the file soon."""
        latest = _Screen(life, tuple(map(_bounded, shown[-MOST:])))
        if life and latest != self._latest:
            self._latest = latest
            if not self._saving:
                self._saving = True
                self._supervisor.once(PART, self._save_all())

    def save(self) -> None:
        """Write the file now if it is not up to date. Any thread may call this. Raise nothing."""
        with self._lock:
            latest = self._latest
            if self._path is None or latest is None or latest == self._saved or not (latest.shown or self._saved.shown):
                return
            self._saved = latest
            try:
                write_private(self._path, _written(latest))
            except OSError as error:
                self._give_up(self._path, error)
            else:
                self._failed = False

    async def _save_all(self) -> None:
        try:
            noted = None
            while noted != self._latest:
                noted = self._latest
                await asyncio.to_thread(self.save)
        finally:
            self._saving = False

    def _give_up(self, path: Path, error: OSError) -> None:
        """Delete the file, because it is out of date. Without it the next run takes over nothing, and rings."""
        if not self._failed:
            said = "after a crash, notifications may stay on the screen"
            log.warning("%s cannot be written (%s): %s", path, error.strerror, said)
        self._failed = True
        with contextlib.suppress(OSError):
            path.unlink(missing_ok=True)

    def _read(self) -> _Screen:
        """Return what an earlier run wrote; empty if the file is missing, or cannot be read or understood."""
        path, reason = self._path, "it is damaged, or of another version"
        if path is None:
            return _Screen()
        try:
            return _understood(_FILE.read(read(path, LARGEST)))
        except FileNotFoundError:
            return _Screen()
        except OSError as error:
            reason = error.strerror or type(error).__name__
        except ValueError:
            pass
        log.warning("%s cannot be used (%s): notifications of an earlier run may stay on the screen", path, reason)
        return _Screen()


def _understood(file: _File) -> _Screen:
    """Return what FILE holds. Raise ValueError for a number that no daemon gives."""
    shown = tuple(Entry(one["slot"], one["number"], tuple(Request(*r) for r in one["about"])) for one in file["shown"])
    if not all(0 < entry.number < 1 << 32 for entry in shown):
        raise ValueError("a number is out of range")
    return _Screen(file["life"], shown)


def _written(screen: _Screen) -> bytes:
    file = {"version": 1, "life": screen.life, "shown": [entry._asdict() for entry in screen.shown]}
    return json.dumps(file, ensure_ascii=False).encode("utf-8", "replace")


def _bounded(entry: Entry) -> Entry:
    about = tuple(one._replace(project=cut(clean(one.project), 100)) for one in entry.about[:MOST])
    return entry._replace(about=about)
