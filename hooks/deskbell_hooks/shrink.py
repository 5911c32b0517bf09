"""Shorten a record that exceeds `record.LARGEST` bytes. Pure.

Every part of a record has a bound of its own, so this is needed only if many parts are at their bounds at once.
`record.bounded` takes the first copy that fits; the order of the steps is the order in which details are lost.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from deskbell_hooks.schema import Record, Where


PATHS = ("cwd", "start_cwd", "transcript", "config_dir")
WHOLE = ("session_id", "use", "id", *PATHS)
"""Ids and paths are never cut, only left out: half a path leads nowhere."""


def shrink(record: "Record") -> "Iterator[Record]":
    """Yield ever smaller copies of the record.

    They lose, in this order: what is over; other clients but one; the ends of long texts; the other client, the oldest
    subagents and the least used tools; then subagents, tasks, calls and handles; at last paths and most of every text.
    """
    agents = [agent for agent in record.get("agents", []) if agent["status"] == "running"]
    record = {**record, "agents": agents, "settled": []}
    yield record
    record = {**record, "others": record.get("others", [])[:1]}
    yield record
    record = _cut(record, 200)
    yield record
    tools = sorted(record["counters"]["tools"].items(), key=lambda item: -item[1])
    most_used = dict(tools[:10])
    most_used["other"] = most_used.get("other", 0) + sum(count for _, count in tools[10:])
    record = {**record, "agents": agents[-8:], "counters": {**record["counters"], "tools": most_used}, "others": []}
    yield record
    record = {**record, "agents": [], "tasks": [], "calls": [], "where": _bare(record)}
    yield _cut(record, 80)
    yield _cut({name: value for name, value in record.items() if name not in PATHS}, 20)  # type: ignore[arg-type]


def _bare(record: "Record") -> "Where":
    where: Where = {**record.get("where", {})}
    where["handles"] = {}
    return where


def _cut(value: "Record", limit: int) -> "Record":
    return _short(value, limit)  # type: ignore[return-value]  # the same shape, with shorter texts


def _short(value: object, limit: int) -> object:
    if isinstance(value, str):
        return value[:limit]
    if isinstance(value, dict):
        return {key: part if key in WHOLE else _short(part, limit) for key, part in value.items()}
    return [_short(part, limit) for part in value] if isinstance(value, list) else value
