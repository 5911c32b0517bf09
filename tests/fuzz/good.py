"""Make good files of every kind that Deskbell reads, as Hypothesis strategies of bytes."""

import json
import plistlib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from deskbell_hooks.codec import encode
from tests.hooks.said import folded, of_client
from tests.hooks.test_fold import events
from tests.tray.making import NOON
from tests.tray.sessions.transcript_lines import answered, asked, line

FIXTURES = Path(__file__).parents[1] / "fixtures"
text = st.sampled_from(["", "api", "Ship it", "/home/x/api", "grüße 日本", "deskbell_hooks/__main__.py record", "a\tb"])
name = st.sampled_from(["a", "b", "deadbeef-0000", "x" * 100])
time = st.sampled_from([0.0, NOON, NOON + 0.25, NOON + 1e6, 2e9])
status = st.sampled_from(["permission", "question", "input", "plan", "interrupted", "error", "idle", "working"])
flag = st.booleans()
number = st.integers(1, 4_000_000)


def maybe(**fields: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    return st.fixed_dictionaries({}, optional=fields)


def every(**fields: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    return st.fixed_dictionaries(fields)


def as_json(value: object) -> bytes:
    return json.dumps(value).encode()


def as_lines(values: Iterable[bytes]) -> bytes:
    return b"".join(value + b"\n" for value in values)


def as_toml(tables: dict[str, dict[str, Any]], channels: list[dict[str, Any]]) -> bytes:
    """JSON has the strings, numbers and lists of TOML."""
    parts = [*((f"[{key}]", table) for key, table in tables.items()), *(("[[channels]]", one) for one in channels)]
    rows = [row for head, table in parts for row in (head, *(f"{key} = {json.dumps(v)}" for key, v in table.items()))]
    return "\n".join(["version = 1", *rows, ""]).encode()


def as_desktop_entry(keys: dict[str, str]) -> bytes:
    return "\n".join(["[Desktop Entry]", "Type=Application", *(f"{k}={v}" for k, v in keys.items()), ""]).encode()


story = st.lists(events(), min_size=1, max_size=12)
journal = story.map(lambda told: as_lines(map(encode, of_client(7, *told))))
record = story.map(lambda told: encode({**folded(of_client(7, *told)), "journal": 0}))
registry = every(
    pid=st.just(8), sessionId=name, procStart=number.map(str), status=st.sampled_from(["busy", "idle", "waiting"])
).flatmap(
    lambda needed: maybe(
        statusUpdatedAt=time,
        updatedAt=time,
        startedAt=time,
        cwd=text,
        kind=text,
        name=text,
        waitingFor=text,
        version=st.just("2.1.326"),
    ).map(lambda more: as_json(needed | more))
)
block = st.one_of(
    every(type=st.just("text"), text=text),
    every(type=st.just("tool_use"), id=name, name=text, input=st.dictionaries(name, text, max_size=2)),
    every(type=st.just("tool_result"), tool_use_id=name, content=text, is_error=flag),
)
spoken = st.one_of(
    st.builds(asked, text, st.integers(0, 59)),
    st.builds(asked, st.lists(block, max_size=2), st.integers(0, 59)),
    st.builds(answered, text, st.integers(0, 59), st.integers(0, 3), st.sampled_from(["end_turn", "tool_use", None])),
    st.builds(line, st.just("queue-operation"), operation=st.sampled_from(["enqueue", "dequeue"]), content=text),
    st.builds(line, st.sampled_from(["custom-title", "ai-title"]), customTitle=text, aiTitle=text),
    st.builds(line, st.just("system"), subtype=text, content=text),
)
real = st.sampled_from([path.read_bytes() for path in sorted((FIXTURES / "transcripts").glob("*.jsonl"))])
transcript = st.one_of(st.lists(spoken, min_size=1, max_size=8).map(as_lines), real)
handler = every(type=st.just("command"), command=text, timeout=st.integers(1, 600))
group = maybe(matcher=text, hooks=st.lists(handler, max_size=2))
own_settings = maybe(
    model=text,
    hooks=st.dictionaries(st.sampled_from(["Stop", "PreToolUse", "Other"]), st.lists(group, max_size=2), max_size=2),
    disableAllHooks=flag,
    allowManagedHooksOnly=flag,
    env=st.dictionaries(text, text, max_size=2),
).map(lambda value: json.dumps(value, indent=2).encode())
corpus = st.sampled_from([path.read_bytes() for path in sorted((FIXTURES / "settings").glob("*.json"))])
settings = st.one_of(own_settings, corpus)
claude_json = every(
    version=st.just(1),
    config_dirs=st.lists(text, max_size=3),
    files=st.dictionaries(text, every(scope=st.sampled_from(["user", "local"]), created=flag), max_size=3),
).map(as_json)
ring = maybe(ring=flag, delay=st.floats(0, 60), sound=text, urgency=st.sampled_from(["low", "critical"]))
channel = every(
    name=name,
    kind=st.sampled_from(["ntfy", "webhook", "command"]),
    url=st.just("https://ntfy.sh/topic"),
    command=st.just(["true"]),
    template=st.dictionaries(name, text, max_size=2),
    secret=st.just("env:NAME"),
)
config = st.builds(
    as_toml,
    maybe(
        burst=maybe(more_than=st.integers(1, 9), within=st.floats(0, 9)),
        silence=maybe(when_focused=flag, hours=st.just(["22:00-07:30"]), projects=st.lists(text, max_size=2)),
        escalation=maybe(minutes=st.floats(0, 9), steps=st.just(["again", "phone"]), statuses=st.just(["error"])),
        notification=maybe(details=flag, branch=flag, length=st.integers(20, 2000)),
        **{"rings.permission": ring, "rings.idle": ring, "rings.error": ring},
    ),
    st.lists(channel, max_size=2),
)
decision = every(
    at=time,
    session_id=name,
    pid=number,
    project=text,
    status=status,
    verdict=st.sampled_from(["shown", "held", "sent"]),
    reason=text,
)
decisions = st.lists(decision, min_size=1, max_size=6).map(lambda found: as_lines(map(as_json, found)))
mutes = st.dictionaries(name, st.one_of(st.none(), time), max_size=3)
quiet = maybe(snoozed_until=time, sessions=mutes, projects=mutes, statuses=mutes).map(as_json)
crash = every(session_id=name, pid=number, start=number, died=time, until=time).flatmap(
    lambda needed: maybe(cwd=text, config_dir=text, name=text, started=time).map(lambda more: needed | more)
)
crashes = every(version=st.just(1), crashes=st.lists(crash, max_size=4)).map(as_json)
shown = every(slot=name, number=number, about=st.lists(st.tuples(name, number, text, text, time), max_size=2))
screen = every(version=st.just(1), life=st.just("life"), shown=st.lists(shown, max_size=3)).map(as_json)
visits = every(version=st.just(1), visits=st.dictionaries(name, time, max_size=4)).map(as_json)
letter = every(
    channel=name,
    slot=name,
    message=every(title=text, body=text, status=status, urgency=st.just("low"), at=time),
    attempts=st.integers(0, 9),
    due=time,
).map(as_json)
desktop_entry = maybe(Exec=st.just('"/usr/bin/deskbell" "run"'), Name=text, Hidden=st.just("false")).map(
    as_desktop_entry
)
plist = every(Label=text, ProgramArguments=st.lists(text, max_size=3), RunAtLoad=flag).map(plistlib.dumps)
module = st.just(b"code")
event = events().map(as_json)
