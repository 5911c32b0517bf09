"""What is left out, step by step, of a record in which everything that is bounded met its bound at once?"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from deskbell_hooks.schema import Record, Where


PATHS = ("cwd", "start_cwd", "transcript", "config_dir")
WHOLE = ("session_id", "use", "id", *PATHS)
"""The half of a name names nothing: these are kept whole or left out."""


def shrink(record: "Record") -> "Iterator[Record]":
    """Ever smaller copies: first the other clients and what is over, then long texts, at last all but the present."""
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
