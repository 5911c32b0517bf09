"""Keep apart the clients of one session. Pure.

One session may run in two terminals at once, and each client has requests of its own. The record holds the run of the
client whose event came last, and the runs of the others in `others`.
"""

from deskbell_hooks.trim import VERSION

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from deskbell_hooks.schema import Line, Record, Run

RUN = (
    *("where", "mode", "turn", "doing", "compacting", "calls", "pending", "settled", "agents", "tasks", "error"),
    *("order", "turn_at", "prompt_order", "turn_started", "last_turn_seconds", "last_event", "last_at"),
    *("began", "zero", "steps", "asked_at", "person_at", "status", "detail", "since", "session_dir", "id_set_on"),
    "notified",
)
"""The fields of a record that belong to one client; the others belong to the session."""
MOST_OTHERS = 3
"""Runs of other clients that a record keeps."""
ANOTHER_BOOT = 300_000
"""Milliseconds. An order that is further back comes from the clock of another boot."""


TIMES = ("since", "last_at", "turn_at", "turn_started", "began", "asked_at", "person_at")
"""The fields of a run that hold a time of the wall clock. Its requests and subagents hold others."""
MOST_STEPS = 3
"""How many of the newest settings of the clock a run keeps."""
SET_BY = 1.0
"""Seconds by which somebody must set the clock for it to count: the system itself corrects less than that."""


def has_clock(record: "Record", zero: float) -> bool:
    """Return True if the times of every client in the record are by the clock that began at ZERO."""
    return all(abs(run.get("zero", 0.0) - zero) <= SET_BY for run in (record, *record.get("others", [])))


def set_clock(run: "Record", zero: float, at: float) -> "Record":
    """Return the run with its times by the clock that began at ZERO. AT: when its first event by that clock came.

    Otherwise an event after somebody set the clock back would seem to come before those that it follows.
    """
    by = zero - run.get("zero", zero)
    if abs(by) <= SET_BY:
        return {**run, "zero": zero}
    moved = shifted(run, by)
    return {**moved, "zero": zero, "steps": [*moved.get("steps", []), [at, by]][-MOST_STEPS:]}


def shifted(run: "Record", by: float) -> "Record":
    """Return the run with all its times later by BY seconds."""
    new: Record = {**run}
    _shift(new, TIMES, by)
    new["pending"] = [_shift({**one}, ("at",), by) for one in run.get("pending", [])]
    if "steps" in run:
        new["steps"] = [[max(0.0, round(at + by, 3)), step] for at, step in run["steps"]]
    new["agents"] = [_shift({**one}, ("started", "ended"), by) for one in run.get("agents", [])]
    return new


def _shift(what: "Any", names: "tuple[str, ...]", by: float) -> "Any":
    for name in names:
        if what.get(name) is not None:
            what[name] = max(0.0, round(what[name] + by, 3))
    return what


def is_older(line: "Line", order: int) -> bool:
    """Return True if the line is older than the order and of the same boot."""
    return 0 < order - line["order"] < ANOTHER_BOOT


def fact(line: "Line", name: str) -> str:
    """Return a fact of the line; "" if it is missing or not a text."""
    value = line.get("facts", {}).get(name)
    return value if isinstance(value, str) else ""


def fresh(line: "Line", session_id: str) -> "Record":
    """Return the record of a session that has none yet."""
    counters = {"new": 0, "edited": 0, "read": 0, "errors": 0, "notifications": 0, "prompts": 0, "events": 0}
    return {
        "v": VERSION,
        "session_id": session_id,
        "title": "",
        "prompt": "",
        "started": line["at"],
        "turns": 0,
        "counters": {"tools": {}, **counters},  # type: ignore[typeddict-item]  # the seven counters of Counters
    }


def of_client(record: "Record | None", line: "Line", session_id: str) -> "Record":
    """Return a copy of the record with the run of the line's client in front, without the clients that are gone."""
    record = record or fresh(line, session_id)
    gone = [(one["pid"], one["start"]) for one in line.get("gone", [])]
    others = [run for run in record.get("others", []) if _client(run) not in gone]
    new: Record = {**record, "others": others}
    client = line.get("client")
    if client is None or _client(record) in (None, (client["pid"], client["start"])):
        return _with_where(new, line)
    mine = [run for run in others if _client(run) == (client["pid"], client["start"])]
    rest = [run for run in others if run not in mine]
    if record.get("turn") != "ended" and _client(record) not in gone:
        rest.insert(0, _only_run(record))
    shared = {name: value for name, value in new.items() if name not in RUN}
    return _with_where({**shared, **(mine[0] if mine else {}), "others": rest[:MOST_OTHERS]}, line)  # type: ignore[typeddict-item]


def _only_run(record: "Record") -> "Run":
    return {name: value for name, value in record.items() if name in RUN}  # type: ignore[return-value]


def _with_where(record: "Record", line: "Line") -> "Record":
    if "where" in line:
        record.setdefault("began", line["at"])
        record["where"] = line["where"]
    elif "where" not in record and "client" in line:
        record["where"] = {"pid": line["client"]["pid"], "start": line["client"]["start"]}
    return record


def _client(run: "Run | Record") -> "tuple[int, int | None] | None":
    where = run.get("where")
    return (where["pid"], where["start"]) if where else None


def foremost(record: "Record") -> "Record":
    """Return the record. If its client has ended and another one lives on, put the run of the other one in front."""
    if record["turn"] != "ended" or not record["others"]:
        return record
    first, *rest = record["others"]
    shared = {name: value for name, value in record.items() if name not in RUN}
    return {**shared, **first, "others": rest}  # type: ignore[typeddict-item]  # a run and the shared fields
