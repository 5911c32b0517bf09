"""Find the other sessions that need their person, for the statusline and for tmux's status line.

While the tray runs, it writes the waiting sessions into `statusline/board.json` in the state folder, and that file is
the answer. Otherwise Claude Code's own registry says which clients of this account wait, and the records say for what.
Sessions of other accounts are left out then, and so are dialogs that the person may have opened. If the client is too
old to have a registry, only the records are read.
"""

import sys
from itertools import islice

from deskbell_hooks.client import is_gone, is_safe_id, process_stat, variable
from deskbell_hooks.codec import decode
from deskbell_hooks.plainread import read
from deskbell_hooks.segments import MOST, Others, Waiting, last_part

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

if sys.platform == "win32":
    import nt as system
else:
    import posix as system

LARGEST_BOARD, LARGEST_ENTRY, LARGEST_RECORD = 128 * 1024, 64 * 1024, 64 * 1024
FRESH = 150.0
"""Seconds. The tray writes its board at least every minute."""
MOST_FILES = 400
"""The most entries of the registry that are read, or without a registry the most records."""

KINDS = {
    "permission": "wants your approval",
    "question": "has a question",
    "input": "needs input",
    "plan": "has a plan",
}
"""What a blocked session does, the most urgent first. `deskbell.text.wording` has the same words."""
URGENCY = {kind: rank for rank, kind in enumerate(KINDS)}
VERBS = {
    **dict.fromkeys(("Bash", "PowerShell", "SlashCommand"), "run"),
    **dict.fromkeys(("Edit", "MultiEdit", "NotebookEdit"), "edit"),
    "Write": "write",
    "Read": "read",
    "WebFetch": "fetch",
    "WebSearch": "search the web for",
}
"""What each tool wants to do with its subject when it asks for permission."""
DIALOGS = {"permission prompt": "permission", "worker request": "permission", "input needed": "question"}
"""The status for each `waitingFor` of a client; it is `input` for anything else."""
YOUR_TURN = ("interrupted", "error", "idle")
NEW = "new"
"""The status of a session that was never prompted: it waits for nothing."""
STARTED_WITHIN = 2000
"""Milliseconds. A client that is idle since no later than that after its start has worked on nothing."""
NEEDS = tuple(b'"status":"%s"' % name.encode() for name in (*KINDS, *YOUR_TURN))
"""The bytes of the record of a waiting session hold one of these."""


def others(state: str, own: str, now: float) -> Others:
    """Return the waiting sessions without OWN, in the state folder STATE. No content of a file raises an error."""
    board = _board(f"{state}/statusline/board.json", now)
    if board is not None:
        return Others(_listed(board.get("blocked"), own), _listed(board.get("your_turn"), own))
    folder = f"{variable('CLAUDE_CONFIG_DIR') or home() + '/.claude'}/sessions"
    names = _names(folder)
    return _by_records(state, own) if names is None else _by_registry(state, own, folder, names)


def home() -> str:
    return variable("USERPROFILE") if sys.platform == "win32" else variable("HOME")


def _board(path: str, now: float) -> "dict[str, Any] | None":
    """Return what the tray wrote; None if that is too old, or if the tray no longer runs."""
    board = _read(path, LARGEST_BOARD)
    if not board or board.get("v") != 1:
        return None
    at, pid, start = board.get("at"), board.get("pid"), board.get("start")
    if not isinstance(at, (int, float)) or not -FRESH < now - at < FRESH:
        return None
    if type(pid) is not int or pid < 1 or is_gone(pid, start if type(start) is int else None):
        return None
    return None if _is_stopped(pid) else board


def _is_stopped(pid: int) -> bool:
    """Return whether a process is suspended, so that it writes nothing."""
    try:
        return process_stat(pid)[:1] == ["T"]
    except OSError:
        return False


def _listed(value: object, own: str) -> "list[Waiting]":
    found = []
    for one in value if isinstance(value, list) else []:
        if isinstance(one, list) and len(one) == 3 and all(isinstance(part, str) for part in one) and one[0] != own:
            found.append(Waiting(*one))
    return found[:MOST]


def _names(folder: str) -> "list[str] | None":
    """Return the names of the registry's entries; None if there is no registry."""
    try:
        return [name for name in system.listdir(folder) if _is_entry(name)][:MOST_FILES]
    except (OSError, ValueError):
        return None


def _is_entry(name: str) -> bool:
    """Return whether a file is named after a process. The keys beside the entries are secrets: they are not opened."""
    return name.endswith(".json") and name.isascii() and name[:-5].isdigit() and len(name) <= 15


def _by_registry(state: str, own: str, folder: str, names: "list[str]") -> Others:
    blocked, turn = [], []
    for name in names:
        entry = _read(f"{folder}/{name}", LARGEST_ENTRY)
        session_id, status = entry.get("sessionId"), entry.get("status")
        if status not in ("waiting", "idle") or not isinstance(session_id, str) or session_id == own:
            continue
        if not _is_listed(entry) or is_gone(int(name[:-5]), _start(entry)):
            continue
        since = entry.get("statusUpdatedAt")
        since = since if type(since) in (int, float) else 0
        project = last_part(entry["cwd"]) if isinstance(entry.get("cwd"), str) else ""
        if status == "idle":
            turn.append((since, session_id, int(name[:-5]), _is_fresh(entry, since), Waiting(session_id, project, "")))
        elif found := _asks(state, session_id, entry, int(name[:-5]), project):
            blocked.append((*found[:1], since, session_id, found[1]))
    prompted = (one[-1] for one in sorted(turn) if not _is_new(state, *one[1:4]))
    return Others([one[-1] for one in sorted(blocked)[:MOST]], list(islice(prompted, MOST)))


def _is_fresh(entry: "dict[str, Any]", since: "Any") -> bool:
    """Return whether a client has been idle SINCE its start."""
    began = entry.get("startedAt")
    return isinstance(began, (int, float)) and since - began < STARTED_WITHIN


def _is_new(state: str, session_id: str, pid: int, is_fresh: bool) -> bool:
    """Return whether a session was never prompted: its record says so or, without one, that it only just started."""
    record = _read(f"{state}/sessions/{session_id}.json", LARGEST_RECORD) if is_safe_id(session_id) else {}
    return run_of(record, pid).get("status") == NEW if record else is_fresh


def _is_listed(entry: "dict[str, Any]") -> bool:
    """Return False for `claude -p` and for the client's own helpers. A session of `claude --bg` may need its person."""
    kind = entry.get("kind")
    return kind == "bg" or (entry.get("entrypoint") != "sdk-cli" and not str(kind).startswith("daemon"))


def _start(entry: "dict[str, Any]") -> int | None:
    start = entry.get("procStart")
    if isinstance(start, str) and start.isascii() and start.isdigit() and len(start) < 20:
        return int(start)
    return start if type(start) is int else None


def _asks(state: str, session_id: str, entry: "dict[str, Any]", pid: int, project: str) -> "tuple[int, Waiting] | None":
    """Return how urgent the request is, and who makes it; None for a dialog that the person may have opened."""
    record = _read(f"{state}/sessions/{session_id}.json", LARGEST_RECORD) if is_safe_id(session_id) else {}
    run = run_of(record, pid)
    dialog = entry.get("waitingFor")
    kind, detail = str(run.get("status")), run.get("detail")
    if kind not in KINDS:
        if dialog == "dialog open" or not is_safe_id(session_id):
            return None
        kind, detail = DIALOGS.get(str(dialog), "input"), ""
    project = record["project"] if isinstance(record.get("project"), str) else project
    return URGENCY[kind], Waiting(session_id, project, said(kind, detail))


def said(kind: str, detail: object) -> str:
    """Put a request into words: "wants to run npm publish", "asks: Which database?"."""
    if not isinstance(detail, str) or not detail or detail in ("Question", "Plan approval", "input"):
        return KINDS[kind]
    if kind != "permission":
        return f"{'asks' if kind == 'question' else KINDS[kind]}: {detail}"
    tool, _, subject = detail.partition(": ")
    return f"wants to {VERBS[tool]} {subject}" if subject and tool in VERBS else f"wants to use {detail}"


def run_of(record: "dict[str, Any]", pid: int | None) -> "dict[str, Any]":
    """Return the part of the record about the client PID: one session may run in two terminals."""
    runs = [record, *(one for one in _items(record.get("others")) if isinstance(one, dict))]
    mine = [run for run in runs if isinstance(run.get("where"), dict) and run["where"].get("pid") == pid]
    return mine[0] if mine else record


def _items(value: object) -> "list[Any]":
    return value if isinstance(value, list) else []


def _by_records(state: str, own: str) -> Others:
    """Find the waiting sessions in the records of running clients, for a client that keeps no registry."""
    blocked, turn, unread = [], [], 0
    try:
        names = [name for name in system.listdir(f"{state}/sessions") if name.endswith(".json")]
    except OSError:
        return Others([], [])
    for name in names[:MOST_FILES]:
        try:
            data = read(f"{state}/sessions/{name}", LARGEST_RECORD)
            record = decode(data) if any(status in data for status in NEEDS) else {}
        except (OSError, ValueError):
            unread += 1
            continue
        if not isinstance(record, dict) or record.get("session_id") == own or not _lives(record):
            continue
        status, session_id, since = record.get("status"), str(record.get("session_id")), record.get("since")
        since = since if type(since) in (int, float) else 0
        project = record["project"] if isinstance(record.get("project"), str) else ""
        if not isinstance(status, str):
            continue
        if status in KINDS:
            who = Waiting(session_id, project, said(status, record.get("detail")))
            blocked.append((URGENCY[status], since, session_id, who))
        elif status in YOUR_TURN:
            turn.append((YOUR_TURN.index(status), since, session_id, Waiting(session_id, project, "")))
    return Others([one[-1] for one in sorted(blocked)[:MOST]], [one[-1] for one in sorted(turn)[:MOST]], unread)


def _lives(record: "dict[str, Any]") -> bool:
    """Return whether the client of a record runs on this machine, and a person attends it."""
    where = record.get("where")
    if not isinstance(where, dict) or where.get("attended") is False or where.get("container"):
        return False
    pid, start = where.get("pid"), where.get("start")
    return type(pid) is int and pid > 0 and not is_gone(pid, start if type(start) is int else None)


def _read(path: str, largest: int) -> "dict[str, Any]":
    """Return the object in a file; an empty one if there is none."""
    try:
        value = decode(read(path, largest))
    except (OSError, ValueError):
        return {}
    return value if isinstance(value, dict) else {}
