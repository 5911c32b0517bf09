"""Generate payloads that no client sends on purpose; the same seed gives the same payloads."""

import json
import random
from collections.abc import Iterator
from typing import Any

from deskbell_hooks.trim import FACTS

FIELDS = [
    *("cwd", "permission_mode", "agent_id", "agent_type", "tool_name", "tool_input", "tool_use_id", "tool_response"),
    *("prompt", "message", "notification_type", "background_tasks", "duration_ms", "is_interrupt", "error", "source"),
    *("transcript_path", "session_title", "model", "last_assistant_message", "mcp_server_name", "teammate_name"),
]
ESCAPES = [
    *(
        "../x",
        "..",
        ".",
        "/etc/passwd",
        "a/../../x",
        "..\\..\\x",
        "C:\\x",
        "con",
        "NUL",
        "x" * 300,
        "a\x00b",
        "é",
        "*",
        "",
    ),
    *("~/.ssh/id_rsa", "$(touch x)", "`touch x`", "sessions", "-", "a\nb", "%2e%2e%2f", "\u202e", "."),
]
NUMBERS = ["9" * 5_000, "-" + "9" * 400, "1e400", "-1e400", "1e-999", "0.1" + "1" * 900, "NaN", "-Infinity", "-0"]
LARGE = 50 * 1024 * 1024


def payloads(session: str, count: int, seed: int = 1) -> Iterator[bytes]:
    """Yield `count` payloads, of every kind in turn but only one large one."""
    chance = random.Random(seed)
    kinds = [empty, truncated, not_utf8, nul, deep, wrong_types, duplicates, numbers, ids, names, bits, not_an_object]
    yield large(session)
    for n in range(count - 1):
        yield kinds[n % len(kinds)](session, chance)


def event(session: Any, chance: random.Random, **fields: Any) -> dict[str, Any]:
    name = chance.choice(sorted(FACTS))
    return {"session_id": session, "hook_event_name": name, "cwd": "/x", "tool_name": "Bash", **fields}


def text(value: Any) -> bytes:
    return json.dumps(value).encode()


def empty(session: str, chance: random.Random) -> bytes:
    return chance.choice([b"", b"\n", b" \t", b"\xef\xbb\xbf", b"\xef\xbb\xbf{}"])


def truncated(session: str, chance: random.Random) -> bytes:
    whole = text(event(session, chance, tool_input={"command": "make"}))
    return whole[: chance.randrange(len(whole))]


def not_utf8(session: str, chance: random.Random) -> bytes:
    return text(event(session, chance, prompt="@@@")).replace(
        b"@@@", chance.randbytes(40).replace(b'"', b"").replace(b"\\", b"")
    )


def nul(session: str, chance: random.Random) -> bytes:
    return chance.choice(
        [b"\x00" * 4096, text(event(session, chance, prompt="a\x00b")), text(event(session, chance)) + b"\x00"]
    )


def deep(session: str, chance: random.Random) -> bytes:
    depth = chance.choice([500, 5_000, 200_000])
    opened, closed = chance.choice([(b"[", b"]"), (b'{"a":', b"}")])
    nested = opened * depth + b"1" + closed * depth
    return text(event(session, chance))[:-1] + b',"tool_response":' + nested + b"}"


def wrong_types(session: str, chance: random.Random) -> bytes:
    values: list[Any] = [None, True, -1, 1.5, "", "x" * 9_000, [], [[]], {}, {"a": [1]}, [{"id": 5}], "\ud800"]
    fields = {field: chance.choice(values) for field in chance.sample(FIELDS, 8)}
    fields |= {field: chance.choice(values) for names in FACTS.values() for field in names if chance.random() < 0.2}
    return text(event(session, chance, **fields))


def duplicates(session: str, chance: random.Random) -> bytes:
    one, two = text(event("../" + session, chance)), text(event(session, chance))
    return one[:-1] + b"," + two[1:]


def numbers(session: str, chance: random.Random) -> bytes:
    fields = ",".join(f'"{field}":{chance.choice(NUMBERS)}' for field in FIELDS)
    return text(event(session, chance))[:-1] + b"," + fields.encode() + b"}"


def ids(session: str, chance: random.Random) -> bytes:
    return text(event(chance.choice([*ESCAPES, None, 5, [session], {"a": session}, 1.5]), chance))


def names(session: str, chance: random.Random) -> bytes:
    return text(
        {**event(session, chance), "hook_event_name": chance.choice([*ESCAPES, None, 5, [], "N" * 70_000, "Stop:x"])}
    )


def bits(session: str, chance: random.Random) -> bytes:
    data = bytearray(text(event(session, chance, tool_input={"command": "make"}, error="no")))
    for _ in range(chance.randrange(1, 6)):
        data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
    return bytes(data)


def not_an_object(session: str, chance: random.Random) -> bytes:
    return chance.choice([b"[]", b"null", b"5", b'"x"', b"true", text([event(session, chance)]), b"{}{}", b"hello"])


def large(session: str) -> bytes:
    return text(
        {"session_id": session, "hook_event_name": "PostToolUse", "tool_name": "Read", "tool_response": "x" * LARGE}
    )
