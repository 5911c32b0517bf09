"""Read an event from stdin, append it to its session's journal, and fold it into the session's record.

`__main__` calls `main`. The record is the fold of the journal. A killed recorder, a stuck lock or a full disk may leave
lines unfolded: they stand in the journal after the record's `journal` offset, and the next recorder folds them in.

Nothing is recorded for bytes on stdin that are not an event, or if the journal cannot be opened. Whatever else is wrong
on disk or in the environment, the event gets into the journal and the record stays up to date:

* If `trim` fails, for example because a module is missing, the journal gets what `plain` makes of the event. If the
  client cannot be found, the line names none.
* A record that cannot be read counts as missing, and so does one whose list of other clients is wrong. If folding
  fails, the record is made again from the journal.
* A journal line that is wrong is passed over. If an earlier line has spoilt the record, the fold begins again after it.
"""

import sys
import time

from deskbell_hooks.client import DEBUG as DEBUG
from deskbell_hooks.client import began, client_pid, clock_zero, is_gone, process_start, variable
from deskbell_hooks.client import is_safe_id as is_safe_id
from deskbell_hooks.codec import decode, encode
from deskbell_hooks.files import Journal, leave, make_folder, read_file, replace_file
from deskbell_hooks.fold import fold
from deskbell_hooks.notes import PATH
from deskbell_hooks.runs import has_clock
from deskbell_hooks.trim import VERSION, plain, trim

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from deskbell_hooks.schema import Event, Line, Record, Where

LARGEST = 16 * 1024
"""Bytes of a record."""
CATCH_UP = 4 * 1024 * 1024
"""The most bytes of the journal that are read to make a record again."""
WRONG_VALUE = (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError)
"""What a value of a wrong type, size or depth raises in code that was written for the right one."""
FURTHEST = 1e15
"""Seconds. A wall clock time that is as far from 1970 as this is wrong, and calculating with it could overflow."""


def main(state: str) -> None:
    """Record the event on stdin, and end the process."""
    try:
        record_event(state, sys.stdin.buffer.read())
    except BaseException:  # the hook's promise: whatever happens, Ctrl+C included, Claude Code must not notice
        if variable(DEBUG):
            raise
    leave()


def record_event(state: str, data: bytes) -> None:
    """Record the event in DATA below the state folder STATE. Raise OSError if that fails."""
    event = decode(data)
    if not _is_event(event):
        return
    session_id, name = event["session_id"], event["hook_event_name"][:80]
    make_folder(f"{state}/events")
    line: Line = _attempt(trim, name, event) or plain(name, event)
    line["order"], line["at"] = began()
    path = f"{state}/sessions/{session_id}.json"
    with Journal(f"{state}/events/{session_id}.jsonl") as journal:
        refusal = _refusal(f"{state}/sessions")
        record = None if refusal else read_record(path, session_id)
        introduction: Line | None = _attempt(_introduction, record, event)
        if introduction is None:
            record, introduction = None, _attempt(_introduction, None, event)
        if introduction:
            line.update(introduction)
        if (zero := clock_zero()) is not None and not (record and _attempt(has_clock, record, zero)):
            line["zero"] = zero
        before, unwritten = journal.size, []
        try:
            journal.append(encode(line))
        except OSError:  # the disk may be full, and still have room for the record
            unwritten = [line]
        if refusal:
            raise refusal
        if not journal.locked and journal.lock_now():  # the process that held the lock may not have read our line
            record, before = read_record(path, session_id), journal.size
        if not journal.locked:
            return
        record = _fold_in(path, record, journal, before, unwritten, session_id)
        stamp = time.monotonic_ns() // 1000
    if record and sys.platform != "win32" and variable("TMUX"):
        from deskbell_hooks.paneoptions import write_options

        write_options(state, name, record, client_pid(), stamp)


def _attempt(find: "Callable[..., Any]", *given: "Any") -> "Any":
    """Return what FIND returns; None if it fails for any reason: no event may be lost because a detail is missing."""
    try:
        return find(*given)
    except Exception:
        if variable(DEBUG):
            raise
        return None


def _refusal(folder: str) -> OSError | None:
    """Create the folder if it is missing. Return the error if it cannot be used."""
    try:
        make_folder(folder)
    except OSError as error:
        return error
    return None


def _is_event(value: object) -> bool:
    if not isinstance(value, dict):
        return False
    session_id, name = value.get("session_id"), value.get("hook_event_name")
    return isinstance(session_id, str) and is_safe_id(session_id) and isinstance(name, str) and name != ""


def read_record(path: str, session_id: str) -> "Record | None":
    """Return the record of this session; None if there is none that can be read."""
    try:
        record = decode(read_file(path))
    except (OSError, ValueError):
        return None
    usable = isinstance(record, dict) and record.get("session_id") == session_id and record.get("v") == VERSION
    return record if usable and type(record.get("journal")) is int and record["journal"] >= 0 else None


def _introduction(record: "Record | None", event: "Event") -> "Line":
    """Name the client. The first event of each client also says where it runs and which of the others have ended."""
    pid = client_pid()
    if pid is None:
        return {}
    places = _known_clients(record) if record else []
    known = [(place["pid"], place["start"]) for place in places]
    start = process_start(pid)
    if start is None:  # the client ended before this event was recorded, or this is not Linux
        start = next((one_start for one, one_start in known if one == pid), None)
    line: Line = {"client": {"pid": pid, "start": start}}
    if isinstance(path := event.get("transcript_path"), str) and _is_new_path(path, record, event):
        line["transcript"] = path[:1024]
    if (pid, start) in known:
        return line
    unknown: Where = {"pid": pid, "start": start}
    line["where"] = _attempt(_where, pid, start) or unknown
    near = [place for place in places if _is_near(place, line["where"])]
    if gone := [place for place in near if is_gone(place["pid"], place["start"])]:
        line["gone"] = [{"pid": place["pid"], "start": place["start"]} for place in gone]
    if config_dir := variable("CLAUDE_CONFIG_DIR"):
        line["config_dir"] = config_dir[:1024]
    return line


def _is_new_path(path: str, record: "Record | None", event: "Event") -> bool:
    """Return True if the transcript has moved: to the folder of a worktree, for example."""
    return record is None or ("agent_id" not in event and record.get("transcript") != path[:PATH])


def _where(pid: int, start: int | None) -> "Where":
    from deskbell_hooks.place import where

    return where(pid, start)


def _known_clients(record: "Record") -> "list[Where]":
    """Return where each client in the record runs, without those with an impossible process number or start."""
    places = [run["where"] for run in [record, *record.get("others", [])] if run.get("where")]
    found: list[Any] = [{**place, "pid": place.get("pid"), "start": place.get("start")} for place in places]
    usable = [place for place in found if type(place["pid"]) is int and place["pid"] > 0]
    return [place for place in usable if type(place["start"]) in (int, type(None))]


def _is_near(place: "Where", here: "Where") -> bool:
    """Return False for a client on another machine or in a container: its number is that of another process here."""
    there, own = (place.get("machine"), place.get("pids")), (here.get("machine"), here.get("pids"))
    return all(one in (None, other) or other is None for one, other in zip(there, own, strict=True))


def _fold_in(
    path: str, record: "Record | None", journal: Journal, before: int, unwritten: "list[Line]", session_id: str
) -> "Record | None":
    """Fold in our line, and the lines before it that a killed recorder or one without the lock left. Return the record.

    Our own line is read back from the journal, so that all lines take the same path.
    """
    start = min(record["journal"], before) if record else 0
    end = before if unwritten else journal.size  # a full disk may have taken only a part of our line
    while True:
        record, data = _record_after(record, journal, (start, end), unwritten, session_id)
        if record is None:
            return None
        replace_file(path, data)
        start = record["journal"]
        if not journal.has_grown():
            return record
        end, unwritten = journal.size, []  # a recorder that gave up waiting for the lock has appended its line


def _record_after(
    record: "Record | None", journal: Journal, part: tuple[int, int], unwritten: "list[Line]", session_id: str
) -> "tuple[Record | None, bytes]":
    """Return the record after this part of the journal, and its bytes; if it is damaged, make it again."""
    try:
        return _with_bytes(_folded(record, [*_lines(journal, *part), *unwritten], session_id), journal.size)
    except WRONG_VALUE:
        lines = [*_lines(journal, 0, part[1]), *unwritten]
    try:
        return _with_bytes(_made_again(lines, session_id), journal.size)
    except WRONG_VALUE:
        return _with_bytes(_made_again(lines[-1:], session_id), journal.size)


def _with_bytes(record: "Record | None", size: int) -> "tuple[Record | None, bytes]":
    if record is None:
        return None, b""
    record["journal"] = size
    return record, bounded(record)


def _folded(record: "Record | None", lines: "list[Line]", session_id: str) -> "Record | None":
    """Fold the lines, passing over those that are wrong. Raise one of WRONG_VALUE if the record is."""
    for line in lines:
        try:
            record = fold(record, line, session_id)
        except WRONG_VALUE:
            if record is not None and _made_again([line], session_id):
                raise
    return record


def _made_again(lines: "list[Line]", session_id: str) -> "Record | None":
    """Fold the lines, passing over those that are wrong; begin again where an earlier line has spoilt the record."""
    record: Record | None = None
    for line in lines:
        for known in (record, None):
            try:
                record = fold(known, line, session_id)
                break
            except WRONG_VALUE:
                continue
    return record


def _lines(journal: Journal, start: int, end: int) -> "list[Line]":
    """Read lines of the journal; half lines and those that no recorder wrote are passed over."""
    lines: list[Any] = []
    for text in journal.read_from(max(start, end - CATCH_UP, 0), end).split(b"\n"):
        try:
            line = decode(text) if text else None
        except ValueError:
            continue
        if _is_line(line):
            lines.append(line)
    return lines


def _is_line(value: object) -> bool:
    """Return True if the value has what `fold` calculates with. `fold` raises one of WRONG_VALUE for anything else."""
    if not isinstance(value, dict) or not isinstance(value.get("event"), str):
        return False
    order, times = value.get("order"), (value.get("at"), value.get("zero", 0.0))
    return type(order) is int and all(isinstance(at, (int, float)) and abs(at) < FURTHEST for at in times)


def bounded(record: "Record") -> bytes:
    """Return the record as JSON of at most LARGEST bytes. Drop details, as `shrink` orders them, if it has more.

    Raise ValueError if that is not enough: then the record holds something that no recorder wrote.
    """
    data = encode(record)
    if len(data) <= LARGEST:
        return data
    from deskbell_hooks.shrink import shrink

    for shrunk in shrink(record):
        data = encode(shrunk)
        if len(data) <= LARGEST:
            return data
    raise ValueError("too large")
