"""stdin -> journal and record: what happens from the moment Claude Code starts the hook until it is gone again.

The journal is the truth and the record its fold. What a killed recorder, a stuck lock or a full disk left unfolded
lies in the journal behind the record's `journal` offset, and the next recorder folds it in.
"""

import sys
import time

from deskbell_hooks.codec import decode, encode
from deskbell_hooks.files import Journal, leave, make_folder, read_file, replace_file
from deskbell_hooks.fold import fold
from deskbell_hooks.place import client_pid, is_gone, process_start, variable, where
from deskbell_hooks.trim import VERSION, trim

TYPE_CHECKING = False
if TYPE_CHECKING:
    from deskbell_hooks.schema import Event, Line, Record

LARGEST = 16 * 1024
CATCH_UP = 4 * 1024 * 1024
TICK = 10
"""Milliseconds in a clock tick of /proc: 100 a second on every Linux that is built today."""
DAMAGED = (AttributeError, IndexError, KeyError, TypeError, ValueError)
RESERVED = frozenset(("con", "prn", "aux", "nul", *(f"{name}{n}" for name in ("com", "lpt") for n in range(10))))


def main(state: str) -> None:
    try:
        record_event(state, sys.stdin.buffer.read())
    except BaseException:  # noqa: BLE001, S110  # whatever befalls it, Ctrl+C included, Claude Code must not notice
        pass
    leave()


def record_event(state: str, data: bytes) -> None:
    event = decode(data)
    if not _is_event(event):
        return
    session_id = event["session_id"]
    make_folder(f"{state}/sessions")
    make_folder(f"{state}/events")
    line = _stamped(trim(event["hook_event_name"][:80], event))
    path = f"{state}/sessions/{session_id}.json"
    with Journal(f"{state}/events/{session_id}.jsonl") as journal:
        record = read_record(path, session_id)
        try:
            _introduce(line, record, event)
        except DAMAGED:
            record = None
            _introduce(line, None, event)
        before, unwritten = journal.size, []
        try:
            journal.append(encode(line))
        except OSError:  # a full disk, perhaps: the record can still tell
            unwritten = [line]
        if not journal.locked and journal.lock_now():  # who kept us waiting has gone, perhaps without seeing our line
            record, before = read_record(path, session_id), journal.size
        if journal.locked:
            _fold_in(path, record, journal, before, unwritten, session_id)


def _is_event(value: object) -> bool:
    if not isinstance(value, dict):
        return False
    session_id, name = value.get("session_id"), value.get("hook_event_name")
    return isinstance(session_id, str) and is_safe_id(session_id) and isinstance(name, str) and name != ""


def is_safe_id(text: str) -> bool:
    """Nothing that could leave the folder, or mean something else to a file system."""
    plain = text.replace("-", "").replace("_", "")
    return len(text) <= 128 and plain.isascii() and plain.isalnum() and text.lower() not in RESERVED


def read_record(path: str, session_id: str) -> "Record | None":
    try:
        record = decode(read_file(path))
    except (OSError, ValueError):
        return None
    usable = isinstance(record, dict) and record.get("session_id") == session_id and record.get("v") == VERSION
    return record if usable and isinstance(record.get("journal"), int) else None


def _stamped(line: "Line") -> "Line":
    """When the process was started, not when it got as far as this: hook processes overtake each other.

    Linux tells the start in ticks since boot. Elsewhere the interpreter's own start is all that is known.
    """
    now = time.time()
    if sys.platform == "linux" and (start := process_start("self")) is not None:
        age = time.clock_gettime(time.CLOCK_BOOTTIME) - start * TICK / 1000
        line["order"] = start * TICK
        line["at"] = round(now - age if 0 <= age < 60 else now, 3)
    else:
        line["order"] = time.monotonic_ns() // 1_000_000
        line["at"] = round(now, 3)
    return line


def _introduce(line: "Line", record: "Record | None", event: "Event") -> None:
    """Names the client; the first event of each client also says where it runs and which of the others have died."""
    pid = client_pid()
    if pid is None:
        return
    runs = [record, *record.get("others", [])] if record else []
    known = [run["where"] for run in runs if run.get("where")]
    start = process_start(pid)
    if start is None:  # it has gone before its last words were written down, or this is no Linux
        start = next((one["start"] for one in known if one["pid"] == pid), None)
    line["client"] = {"pid": pid, "start": start}
    if any(one["pid"] == pid and one["start"] == start for one in known):
        return
    line["where"] = where(pid, start)
    if gone := [one for one in known if is_gone(one["pid"], one["start"])]:
        line["gone"] = [{"pid": one["pid"], "start": one["start"]} for one in gone]
    if isinstance(event.get("transcript_path"), str):
        line["transcript"] = event["transcript_path"][:1024]
    if config_dir := variable("CLAUDE_CONFIG_DIR"):
        line["config_dir"] = config_dir[:1024]


def _fold_in(
    path: str, record: "Record | None", journal: Journal, before: int, unwritten: "list[Line]", session_id: str
) -> None:
    """Our line, and those in front of it that a killed recorder or one without the lock could not fold in."""
    end = before if unwritten else journal.size  # what a full disk left of our line is no line
    folded = min(record["journal"], before) if record else 0
    new = _folded(record, [*_unfolded(journal, folded, end), *unwritten], session_id) if record else None
    new = new or _folded(None, [*_unfolded(journal, 0, end), *unwritten], session_id)
    while new:
        new["journal"] = journal.size
        replace_file(path, bounded(new))
        if not journal.has_grown():
            break
        # A recorder that lost its patience with us has appended its line, and cannot fold it.
        new = _folded(new, _unfolded(journal, new["journal"], journal.size), session_id)


def _folded(record: "Record | None", lines: "list[Line]", session_id: str) -> "Record | None":
    """None where the record turns out to be damaged: it is made anew from the journal. A bad line is passed over."""
    for line in lines:
        try:
            record = fold(record, line, session_id)
        except DAMAGED:
            if record is not None and _is_sound(line, session_id):
                return None
    return record


def _is_sound(line: "Line", session_id: str) -> bool:
    try:
        fold(None, line, session_id)
    except DAMAGED:
        return False
    return True


def _unfolded(journal: Journal, start: int, end: int) -> "list[Line]":
    """The lines that others left there; half lines and foreign ones are passed over."""
    lines = []
    for text in journal.read_from(max(start, end - CATCH_UP, 0), end).split(b"\n"):
        try:
            line = decode(text) if text else None
        except ValueError:
            continue
        if isinstance(line, dict) and isinstance(line.get("event"), str):
            lines.append(line)
    return lines  # type: ignore[return-value]  # what else is wrong in a line, fold tolerates


def bounded(record: "Record") -> bytes:
    """At most LARGEST bytes. Every part has a bound of its own; when they all meet, the oldest details go first."""
    data = encode(record)
    if len(data) <= LARGEST:
        return data
    from deskbell_hooks.shrink import shrink

    for shrunk in shrink(record):
        data = encode(shrunk)
        if len(data) <= LARGEST:
            break
    return data
