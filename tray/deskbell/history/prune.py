"""Remove old journals and records and cut long journals, without losing an event that is being written.

As in a recorder, the files of a session change only under its lock. A recorder that has waited for the lock of a
removed journal notices that, and begins a new journal.
"""

import asyncio
import os
import re
import sys
from collections.abc import Awaitable, Callable, Collection, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from deskbell.history.journal import Reader, journals, parsed
from deskbell.home import Home
from deskbell_hooks.codec import encode
from deskbell_hooks.files import Journal, replace_file
from deskbell_hooks.record import is_safe_id, read_record

DAY = 86400.0
SETTLING = 600.0
"""Seconds from the start of the program to the first pruning."""
MEGABYTE = 1024 * 1024
TEMPORARY = re.compile(r"\.[0-9a-f]{16}\.tmp")
"""The name of a temporary file of `deskbell.files`."""
LEFT_BEHIND = 3600.0
"""Seconds after which a temporary file counts as abandoned."""


@dataclass(frozen=True, slots=True)
class Keep:
    """What to keep: for how many days, how many bytes in all, and how many of each journal."""

    days: float = 30.0
    total: int = 200 * MEGABYTE
    journal: int = 64 * MEGABYTE
    """A larger journal is cut to the newest half of this."""


@dataclass(slots=True)
class Pruned:
    removed: list[str] = field(default_factory=list)
    cut: list[str] = field(default_factory=list)
    temporary: int = 0
    freed: int = 0
    failed: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Kept:
    """The files of one session."""

    session_id: str
    record: Path
    journal: Path
    size: int
    journal_size: int
    touched: float


async def daily(
    once: Callable[[], Awaitable[object]], rest: Callable[[float], Awaitable[None]] = asyncio.sleep
) -> None:
    """Await ONCE every day, first after SETTLING: just after the start it is not known which sessions run."""
    await rest(SETTLING)
    while True:
        await once()
        await rest(DAY)


def prune(home: Home, keep: Keep, living: Collection[str], now: float, dry: bool = False) -> Pruned:
    """Remove what KEEP does not keep. Sessions in LIVING are never removed, only cut. With DRY, change nothing."""
    done = Pruned()
    kept = sorted(_kept(home), key=lambda one: one.touched)
    going = _going(kept, keep, living, now)
    for one in kept:
        step = _remove if one in going else _cut if one.journal_size > keep.journal else None
        if step is None or not _is_recorded(one):
            continue
        try:
            step(one, keep, done, dry)
        except OSError as error:
            done.failed.append(f"{one.journal}: {error.strerror}")
    _sweep(home, now, done, dry)
    return done


def believable(home: Home, now: float) -> float:
    """Return NOW, or the time a day after the newest session if that is earlier.

    A clock that is a year ahead, as after an empty battery, would make every session old.
    """
    return min(now, max((one.touched for one in _kept(home)), default=now) + DAY)


def _kept(home: Home) -> Iterator[Kept]:
    found = journals(home.events).paths
    records = (path.stem for path in _files(home.sessions, ".json"))
    for session_id in {*found, *(name for name in records if is_safe_id(name))}:
        yield _look(session_id, home.sessions / f"{session_id}.json", home.events / f"{session_id}.jsonl")


def _look(session_id: str, record: Path, journal: Path) -> Kept:
    sizes, times = zip(*(_measure(path) for path in (record, journal)), strict=True)
    return Kept(session_id, record, journal, sum(sizes), sizes[1], max(times))


def _measure(path: Path) -> tuple[int, float]:
    """Return the size of a file and when it was written: 0.0 if it is empty or missing."""
    try:
        found = path.lstat()
    except OSError:
        return 0, 0.0
    return found.st_size, found.st_mtime if found.st_size else 0.0


def _is_recorded(one: Kept) -> bool:
    """Return True if the files are empty or a recorder wrote them. Other files are not Deskbell's to remove."""
    lines = next(Reader(one.journal).batches(), [])
    return not one.size or read_record(str(one.record), one.session_id) is not None or any(map(parsed, lines))


def _files(folder: Path, suffix: str) -> Iterator[Path]:
    with suppress(FileNotFoundError, NotADirectoryError), os.scandir(folder) as entries:
        for entry in entries:
            if entry.name.endswith(suffix) and entry.is_file(follow_symlinks=False):
                yield Path(entry.path)


def _going(kept: Iterable[Kept], keep: Keep, living: Collection[str], now: float) -> set[Kept]:
    """Return the old sessions, then the oldest of the rest until the size fits."""
    going = {one for one in kept if one.session_id not in living and now - one.touched > keep.days * DAY}
    left = sum(min(one.size, keep.journal) for one in kept if one not in going)
    for one in kept:
        if left <= keep.total:
            break
        if one not in going and one.session_id not in living:
            going.add(one)
            left -= min(one.size, keep.journal)
    return going


def _remove(one: Kept, keep: Keep, done: Pruned, dry: bool) -> None:
    if not dry:
        with Journal(str(one.journal)) as journal:
            if not journal.locked or _look(one.session_id, one.record, one.journal) != one:
                return  # a client has gone on with the session
            one.record.unlink(missing_ok=True)
            _empty(journal, one.journal)
        _remove_empty(one.journal)
    done.removed.append(one.session_id)
    done.freed += one.size


def _cut(one: Kept, keep: Keep, done: Pruned, dry: bool) -> None:
    freed = one.journal_size - keep.journal // 2
    if not dry:
        with Journal(str(one.journal)) as journal:
            if not journal.locked:
                return
            end = journal.read_from(max(0, journal.size - keep.journal // 2))
            newest = end[end.find(b"\n") + 1 :]
            freed = journal.size - len(newest)
            with _replaced(journal, newest):
                _move_offset(one, freed)
    done.cut.append(one.session_id)
    done.freed += freed


def _move_offset(one: Kept, by: int) -> None:
    """Subtract BY from the offset up to which the record has folded the journal.

    Call it after the journal was cut. An offset that is too large may miss one line; one that is too small would count
    lines twice.
    """
    record = read_record(str(one.record), one.session_id)
    if record is not None:
        record["journal"] = max(0, record.get("journal", 0) - by)
        replace_file(str(one.record), encode(record))


if sys.platform == "win32":
    # Windows can neither replace nor remove an open file, so its content is replaced.
    @contextmanager
    def _replaced(journal: Journal, data: bytes) -> Iterator[None]:
        _fill(journal, data)
        yield

    def _empty(journal: Journal, path: Path) -> None:
        os.truncate(journal.fd, 0)

    def _remove_empty(path: Path) -> None:
        with suppress(OSError):
            if path.stat().st_size == 0:
                path.unlink()

else:

    @contextmanager
    def _replaced(journal: Journal, data: bytes) -> Iterator[None]:
        """Lock the new file before it gets the name: a recorder that opens it waits until the record fits it."""
        with Journal(journal.path + ".tmp") as new:
            try:
                _fill(new, data)
                Path(new.path).replace(journal.path)
            except BaseException:
                Path(new.path).unlink(missing_ok=True)
                raise
            yield

    def _empty(journal: Journal, path: Path) -> None:
        path.unlink(missing_ok=True)

    def _remove_empty(path: Path) -> None:
        """Do nothing: the journal has been removed, and a file of that name is a new one."""


def _fill(journal: Journal, data: bytes) -> None:
    os.truncate(journal.fd, 0)
    journal.size = 0
    if data:
        journal.append(data.removesuffix(b"\n"))


def _sweep(home: Home, now: float, done: Pruned, dry: bool) -> None:
    """Remove the temporary files of killed writers, and pages and kept statuslines that are more than a day old.

    In the folders of the hook every `.tmp` file is temporary; elsewhere only those with a name of `files.write`.
    """
    of_hook = [path for folder in (home.sessions, home.events) for path in _files(folder, ".tmp")]
    folders = (home.state, home.state / "outbox", home.pages, home.config)
    of_line = [one for one in _files(home.statusline, "") if one.name.startswith("own-") or one.suffix == ".tmp"]
    of_tray = [path for folder in folders for path in _files(folder, ".tmp") if TEMPORARY.fullmatch(path.name)]
    for path in (*of_hook, *of_tray, *of_line, *_files(home.pages, ".html")):
        with suppress(OSError):
            found = path.lstat()
            if now - found.st_mtime > (DAY if path.suffix in (".html", "") else LEFT_BEHIND):
                if not dry:
                    path.unlink()
                done.temporary += 1
                done.freed += found.st_size
