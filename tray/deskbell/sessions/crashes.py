"""Keep what no other file says about a crash: when its process died, what it was, and until when to show it.

`crashes.json` in the state folder holds it, so that every reading says the same, also after a restart. World reads it.
The program, `deskbell board` and `deskbell list --watch` write it. A crash that is not in it is dated by the last thing
that its client did.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple, TypedDict

from deskbell.errors import NOT_WRITTEN, Problem
from deskbell.files.lock import lock, lock_file
from deskbell.files.read import LATEST, is_passing, read
from deskbell.files.shape import Shape
from deskbell.files.stamp import Stamp, stamp
from deskbell.files.write import make_private, write_private
from deskbell.session import Session
from deskbell.sessions.registry import Entry
from deskbell_hooks.trim import without_secrets

DAY = 24 * 3600.0
"""Seconds for which an unseen crash stays on the board."""
AWAY = 7 * DAY
"""Seconds. If the machine was off for longer, nobody misses what ran on it."""
SEEN_FOR = 300.0
"""Seconds for which a crash stays after it was first seen. It must not leave the menu while the person reads that, and
must still be there when they have done something more urgent."""
OPENED_FOR = 60.0
"""The fewest seconds for which it stays when the menu is opened again."""
OLDEST = 30 * DAY
"""Seconds after which a crash is forgotten, as the records are."""
MOST = 500
"""How many of the newest crashes are kept."""
LONGEST = 256
"""The most characters of a path or a title; a longer path is left out."""
LARGEST = 6 * 1024 * 1024
"""The most bytes of the file. MOST crashes take less, whatever their characters."""
PATIENCE = 1.0
"""Seconds to wait for another process that writes the file."""

Client = tuple[str, int | None, int | None]
"""The session id of a client, its pid and the start of its process."""


class Crash(NamedTuple):
    died: float
    until: float
    """Until when it stays on the board."""
    cwd: str | None = None
    config_dir: str | None = None
    name: str = ""
    """Its title."""
    started: float | None = None


Crashes = Mapping[Client, Crash]


class _Named(TypedDict):
    session_id: str
    pid: int | None
    start: int | None
    died: float
    until: float


class _Entry(_Named, total=False):
    cwd: str | None
    config_dir: str | None
    name: str
    started: float | None


class _File(TypedDict, total=False):
    version: int
    crashes: list[_Entry]


_CRASHES = Shape(_File)


def client_of(session: Session) -> Client:
    return session.session_id, session.pid, session.pid_start


def is_kept(session: Session) -> bool:
    """Return True for a crash that the person has to see: their session ran in a terminal."""
    return session.status == "crashed" and not session.hidden and session.kind == "interactive"


def kept_until(died: float, booted: float | None) -> float:
    """Return until when an unseen crash stays on the board.

    BOOTED is the start of the machine, for a client that was killed; else None. If the client died before that, the
    machine may have been off since, perhaps over a weekend: the day then begins at the start of the machine.
    """
    went_down = booted is not None and died < booted < died + AWAY
    return (booted if booted is not None and went_down else died) + DAY


def followed(known: Crashes, sessions: Iterable[Session], now: float) -> dict[Client, Crash]:
    """Return KNOWN with the crashes among SESSIONS. A crash whose session was resumed need not be shown any more."""
    seen = list(sessions)
    every = {**{client_of(one): _crash(one) for one in seen if one.kept_until is not None}, **known}
    resumed = {one for one, crash in every.items() if any(s.resumes(one[0], crash.died) for s in seen)}
    after = {one: _over(crash, now) if one in resumed else crash for one, crash in every.items()}
    newest = sorted(after.items(), key=lambda one: one[1].died)[-MOST:]
    # A clock that is a year ahead would make all of them old.
    today = min(now, newest[-1][1].died + DAY) if newest else now
    return {one: crash for one, crash in newest if today - crash.died < OLDEST}


def seen(known: Crashes, sessions: Iterable[Session], now: float) -> dict[Client, Crash]:
    """Return KNOWN after the person has seen SESSIONS."""
    return {**known, **{client_of(one): _seen(crash, now) for one, crash in _of(known, sessions)}}


def dismissed(known: Crashes, sessions: Iterable[Session], now: float) -> dict[Client, Crash]:
    """Return KNOWN after the person has dismissed SESSIONS. One whose process cannot be asked about comes back when it
    is heard again."""
    seen = list(sessions)
    lost = {client_of(one): Crash(one.heard, now) for one in seen if one.lost}
    return {**known, **{client_of(one): _over(crash, now) for one, crash in _of(known, seen)}, **lost}


def _of(known: Crashes, sessions: Iterable[Session]) -> Iterator[tuple[Session, Crash]]:
    for session in sessions:
        if session.kept_until is not None:
            yield session, known.get(client_of(session), _crash(session))


def _crash(session: Session) -> Crash:
    until = session.kept_until or session.since
    cwd, config_dir = _short(session.cwd), _short(session.config_dir)
    return Crash(session.since, until, cwd, config_dir, without_secrets(session.title)[:LONGEST], session.started)


def _short(path: str | None) -> str | None:
    return path if path and len(path) <= LONGEST else None


def left_behind(known: Crashes, now: float) -> list[Entry]:
    """Return registry entries for the crashed clients that are still shown. Other clients remove the real entries."""
    return [
        Entry(
            pid,
            session_id,
            crash.config_dir or "",
            start,
            name=crash.name or None,
            cwd=crash.cwd,
            started=crash.started,
        )
        for (session_id, pid, start), crash in known.items()
        if now < crash.until and pid is not None
    ]


def _seen(crash: Crash, now: float) -> Crash:
    is_new = crash.until > now + SEEN_FOR
    return crash._replace(until=now + SEEN_FOR if is_new else max(crash.until, now + OPENED_FOR))


def _over(crash: Crash, now: float) -> Crash:
    return crash._replace(until=min(crash.until, now))


class CrashFile:
    """The known crashes. Every change is made to what the file holds at that moment."""

    def __init__(self, state: Path) -> None:
        self._path = state / "crashes.json"
        self._stamp: Stamp | None = None
        self._known: Crashes = {}

    def known(self) -> Crashes:
        """Return the crashes in the file, none if it is missing or damaged. While it is unreadable, nothing changes."""
        found = stamp(self._path)
        if found != self._stamp:
            with suppress(OSError):
                self._known, self._stamp = _read(self._path), found
        return self._known

    def follow(self, sessions: Iterable[Session], now: float) -> None:
        """Note which of SESSIONS crashed and which run again. Raise OSError if the file cannot be written."""
        looked = list(sessions)
        if followed(self.known(), looked, now) != self.known():
            self._change(lambda known: followed(known, looked, now))

    def see(self, sessions: Iterable[Session], now: float) -> None:
        """Note that the person has seen SESSIONS. Raise Problem if the file cannot be written."""
        looked = list(sessions)
        self._note(lambda known: seen(known, looked, now))

    def dismiss(self, sessions: Iterable[Session], now: float) -> None:
        """Note that the person has dismissed SESSIONS. Raise Problem if the file cannot be written."""
        looked = list(sessions)
        self._note(lambda known: dismissed(known, looked, now))

    def _note(self, change: Callable[[Crashes], Crashes]) -> None:
        try:
            self._change(change)
        except OSError as error:
            raise Problem(f"{self._path} cannot be written: {error.strerror}.", NOT_WRITTEN) from error

    def _change(self, change: Callable[[Crashes], Crashes]) -> None:
        with self._locked():
            before = _read(self._path)
            after = change(before)
            if after != before:
                write_private(self._path, _written(after))

    @contextmanager
    def _locked(self) -> Iterator[None]:
        """Lock the file for the body. After PATIENCE seconds go on without the lock: its holder hangs."""
        make_private(self._path.parent)
        with lock_file(self._path.with_suffix(".lock")) as file:
            lock(file, PATIENCE)
            yield


def _read(path: Path) -> Crashes:
    """Return the crashes in the file. Raise OSError if it cannot be read at the moment: it must not be overwritten."""
    try:
        entries = _CRASHES.read(read(path, LARGEST)).get("crashes", [])
    except (OSError, ValueError) as error:
        if is_passing(error):
            raise
        return {}
    noted = {(one["session_id"], one["pid"], one["start"]): _noted(one) for one in entries}
    return noted if all(map(_is_possible, noted.values())) else {}


def _noted(one: _Entry) -> Crash:
    place = one.get("cwd"), one.get("config_dir"), one.get("name", "")
    return Crash(one["died"], one["until"], *place, one.get("started"))


def _is_possible(crash: Crash) -> bool:
    """Return True if no time is infinite, not a number, negative or later than any calendar."""
    return all(0 <= time < LATEST for time in (crash.died, crash.until, crash.started or 0.0))


def _written(crashes: Crashes) -> bytes:
    entries = [
        {"session_id": session_id, "pid": pid, "start": start, **crash._asdict()}
        for (session_id, pid, start), crash in crashes.items()
    ]
    return json.dumps({"version": 1, "crashes": entries}, indent=1).encode()
