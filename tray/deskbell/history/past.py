"""List every session of which there is a record or a journal, whether or not it still runs."""

import os
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

from deskbell.history.journal import journals
from deskbell.sessions.find import Past
from deskbell_hooks.record import is_safe_id, read_record


def past(sessions: Path, events: Path, tell: Callable[[str], None]) -> Iterator[Past]:
    """Yield the recorded sessions. Call TELL once, with a sentence, if something in EVENTS is not a journal."""
    found = journals(events)
    if found.foreign:
        tell(foreign(events, found.foreign))
    recorded = set(_records(sessions))
    for session_id in recorded:
        if record := read_record(f"{sessions}/{session_id}.json", session_id):
            title = _text(record.get("title") or record.get("prompt"))
            yield Past(session_id, _text(record.get("project")), title, _number(record.get("last_at")))
    for session_id in found.paths.keys() - recorded:
        yield Past(session_id, "", "", _written(found.paths[session_id]))


def foreign(folder: Path, names: list[str]) -> str:
    """Return the sentence about the things in FOLDER that are not journals."""
    first = min(names)
    one = len(names) == 1
    what = f"{first} is not a journal" if one else f"{len(names)} entries are not journals ({first}, …)"
    return f"{folder}: {what}. Deskbell ignores {'it' if one else 'them'}."


def _records(folder: Path) -> Iterator[str]:
    with suppress(FileNotFoundError, NotADirectoryError), os.scandir(folder) as entries:
        for entry in entries:
            if entry.name.endswith(".json") and is_safe_id(entry.name[:-5]) and entry.is_file(follow_symlinks=False):
                yield entry.name[:-5]


def _written(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _number(value: object) -> float:
    return float(value) if isinstance(value, (int, float)) and 0 <= value < 1e11 else 0.0
